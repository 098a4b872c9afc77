/**
 * What a part of a step does with velocities, one number at a time: where a guess or a correction leads, forces and energies at the end of that, and how
 * velocities change from part to part. `point-system` and `newton` say what for.
 */
import { differenceAll, integrateAll } from '../../../joints/integrate.kernel.js'
import type { Int, Lanes } from '../../../math/values/columns.js'
import type { Pose } from '../../../math/values/spatial.js'
import type { Tree } from '../../../model/tables.js'

/**
 * Places among the energies of a part: kinetic energy of armatures, potential energy, ½|T − Y|²/h², work of forces that have no energy; and the sum
 * of the residual, which is a number where all of it is.
 */
export const KINETIC = 0
export const POTENTIAL = 1
export const INERTIAL = 2
export const WORK = 3
export const RESIDUAL = 4
export const ENERGIES = 5

/**
 * Places among the squares by which a residual is judged: the residual; twice the kinetic energy of the motion, of the residual, of what the step changes,
 * and of what is nothing, which at first is how far bodies reach; the residual before the correction.
 */
export const LEFT = 0
export const MOTION = 1
export const ENERGY = 2
export const CHANGED = 3
export const NOTHING = 4
export const FIRST = 5
export const SIZES = 6

/** Places among their shares: of the motion's square that is small, and small enough in any case; of the weight of all, and m/s²: what gravity gives; mass. */
export const SMALL = 0
export const ENOUGH = 1
export const CALM = 2
export const GRAVITY = 3
export const MASS = 4
export const SHARES = 5

/** x = v₀ + lead · change @kernel */
export function guessVelocity(m: Tree, x: Lanes<number>, before: Lanes<number>, change: Lanes<number>, lead: Lanes<number>): void {
  const t = lead[0]
  for (let k = 0; k < m.nv; k++) x[k] = before[k] + t * change[k]
}

/** q ← q ⊕ h v @kernel */
export function moveAlong(m: Tree, q: Lanes<number>, v: Lanes<number>, h: Lanes<number>): void {
  integrateAll(m, q, v, h[0])
}

/** v = (q ⊖ q₀)/h @kernel */
export function rateBetween(m: Tree, v: Lanes<number>, q0: Lanes<number>, q: Lanes<number>, h: Lanes<number>): void {
  const time = h[0]
  differenceAll(m, v, q0, q)
  for (let k = 0; k < m.nv; k++) v[k] = v[k] / time
}

/**
 * b, the gradient of inertia and weight along the velocities, becomes the residual h (qf + tau − b) − armature (v − v₀), and E[RESIDUAL] its sum;
 * E[KINETIC] += energy of armatures. @kernel
 */
export function finishResidual(
  m: Tree,
  b: Lanes<number>,
  E: Lanes<number>,
  qf: Lanes<number>,
  tau: Lanes<number>,
  v: Lanes<number>,
  before: Lanes<number>,
  h: Lanes<number>,
): void {
  const time = h[0]
  let twice = 0
  let sum = 0
  for (let k = 0; k < m.nv; k++) {
    const a = m.armature[k]
    const x = v[k]
    const left = time * (qf[k] + tau[k] - b[k]) - a * (x - before[k])
    b[k] = left
    sum = sum + left
    twice = twice + a * x * x
  }
  E[RESIDUAL] = sum
  E[KINETIC] = E[KINETIC] + 0.5 * twice
}

/** E[KINETIC] += energy of armatures @kernel */
export function addArmatureEnergy(m: Tree, E: Lanes<number>, v: Lanes<number>): void {
  let sum = E[KINETIC]
  for (let k = 0; k < m.nv; k++) sum = sum + 0.5 * m.armature[k] * v[k] * v[k]
  E[KINETIC] = sum
}

/** out[at] = the largest coordinate of a body's origin, at least 1. @kernel */
export function measureReach(nbody: Int, X: Lanes<Pose>, out: Lanes<number>, at: Int): void {
  let most = 1
  for (let i = 1; i < nbody; i++) {
    const { p } = X[i]
    for (let r = 0; r < 3; r++) most = Math.max(most, Math.abs(p[r]))
  }
  out[at] = most
}

/** x = a − b @kernel */
export function subtractVelocities(m: Tree, x: Lanes<number>, a: Lanes<number>, b: Lanes<number>): void {
  for (let k = 0; k < m.nv; k++) x[k] = a[k] - b[k]
}
