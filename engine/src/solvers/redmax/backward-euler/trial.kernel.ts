/**
 * Whole stages of a part of a step, each of them the kernels of its terms in a row: one call where there would be ten. `point-system`, `newton` and
 * `residual` say what for; where bodies deform they make these calls one by one, with what shapes add between them.
 */

import { placeJoints } from '../../../joints/place.kernel.js'
import type { Int, Lanes } from '../../../math/values/columns.js'
import { type Force, type Motion, NO_FORCE, type Pose } from '../../../math/values/spatial.js'
import type { Poses, Tree, Work } from '../../../model/tables.js'
import { type Factor, solveFactored } from '../../../tree/implicit-factor.kernel.js'
import { addMotions, sumForcesUp } from '../../../tree/jacobian.kernel.js'
import { placeInWorld } from '../../../tree/kinematics.kernel.js'
import { type PointMoments, pointInertia } from '../../../tree/point-inertia.kernel.js'
import { twiceKineticEnergy } from '../matrix/system.kernel.js'
import { extrapolate, type FreeBodies } from './free-motion.kernel.js'
import {
  finishResidual,
  guessVelocity,
  INERTIAL,
  KINETIC,
  measureReach,
  moveAlong,
  POTENTIAL,
  rateBetween,
  subtractVelocities,
  WORK,
} from './part.kernel.js'
import { pullWrenches } from './points.kernel.js'

/** The configuration on trial and what is found there: columns of `PointSystem`, its state, its system and its data. */
export interface Trial {
  /** how many coordinates */
  readonly nq: Int
  readonly step: Lanes<number>
  readonly q: Lanes<number>
  readonly v: Lanes<number>
  readonly tau: Lanes<number>
  readonly q0: Lanes<number>
  readonly v0: Lanes<number>
  readonly X0: Lanes<Pose>
  readonly Y: Lanes<Pose>
  readonly W: Lanes<Pose>
  readonly moments: Lanes<PointMoments>
  readonly whole: Lanes<number>
  readonly scale: Lanes<number>
  readonly sums: Lanes<number>
  readonly E: Lanes<number>
  readonly X_WB: Lanes<Pose>
  readonly V: Lanes<Motion>
  readonly f: Lanes<Force>
  readonly qf: Lanes<number>
  readonly F: Lanes<Force>
  readonly b: Lanes<number>
  readonly y: Lanes<Motion>
}

/** Y = poses at the end of the part without forces; q on trial = q₀ ⊕ h z with z = v₀ + lead · change; size[at] = how far bodies reach. @kernel */
export function guessTrial(
  m: Tree,
  x: Poses,
  t: Trial,
  f: FreeBodies,
  rates: Lanes<Motion>,
  z: Lanes<number>,
  change: Lanes<number>,
  lead: Lanes<number>,
  size: Lanes<number>,
  at: Int,
): void {
  extrapolate(f, x, t.Y, t.X0, rates, t.step)
  measureReach(m.nbody, t.X0, size, at)
  for (let k = 0; k < t.nq; k++) t.q[k] = t.q0[k]
  guessVelocity(m, z, t.v0, change, lead)
  moveAlong(m, t.q, z, t.step)
}

/** Reads q. Writes v, the kinematics, and what `startForces` does. @kernel */
export function placeTrial(m: Tree, d: Work, x: Poses, t: Trial): void {
  rateBetween(m, t.v, t.q0, t.q, t.step)
  placeJoints(m, d, t.q, 1, m.nbody)
  placeInWorld(m, d, 1, m.nbody)
  addMotions(m, x, t.V, t.v, 1, m.nbody)
  startForces(m, t, t.Y)
}

/** Reads the poses, and those without forces. Writes W, and all energies but the work: that of armatures is 0 as yet; f and qf are 0. @kernel */
export function startForces(m: Tree, t: Trial, Y: Lanes<Pose>): void {
  const h = t.step[0]
  t.scale[0] = 1 / (h * h)
  pointInertia(m.nbody, t.moments, t.whole, t.X_WB, t.X_WB, Y, t.scale, t.W, t.sums)
  t.E[KINETIC] = 0
  t.E[INERTIAL] = t.sums[0]
  t.E[POTENTIAL] = t.sums[1]
  for (let i = 0; i < m.nbody; i++) t.f[i] = NO_FORCE
  for (let k = 0; k < m.nv; k++) t.qf[k] = 0
}

/** E[WORK] = h times the power of joint forces and, where `pushed`, of wrenches on bodies. @kernel */
export function measurePower(m: Tree, t: Trial, pushed: Int): void {
  let power = 0
  if (pushed === 1) {
    for (let i = 1; i < m.nbody; i++) {
      const { w, v: u } = t.V[i]
      const { n, f } = t.f[i]
      for (let r = 0; r < 3; r++) power = power + n[r] * w[r]
      for (let r = 0; r < 3; r++) power = power + f[r] * u[r]
    }
  }
  for (let k = 0; k < m.nv; k++) power = power + (t.qf[k] + t.tau[k]) * t.v[k]
  t.E[WORK] = t.step[0] * power
}

/** Reads f, qf, W. Writes b = −h R, and the rest of the energies. @kernel */
export function finishTrial(m: Tree, x: Poses, t: Trial): void {
  pullWrenches(m.nbody, t.f, t.W, t.F)
  for (let k = 0; k < m.nv; k++) t.b[k] = 0
  sumForcesUp(m, x, t.b, t.F, 1, 1, m.nbody)
  finishResidual(m, t.b, t.E, t.qf, t.tau, t.v, t.v0, t.step)
}

/** size[at] = twice the kinetic energy of velocities z at the pose on trial. @kernel */
export function measureVelocity(m: Tree, x: Poses, t: Trial, z: Lanes<number>, size: Lanes<number>, at: Int): void {
  addMotions(m, x, t.y, z, 1, m.nbody)
  twiceKineticEnergy(m, t.y, z, size, at)
}

/** The same of what the part changes: change = v − v₀. @kernel */
export function measureChange(m: Tree, x: Poses, t: Trial, change: Lanes<number>, size: Lanes<number>, at: Int): void {
  subtractVelocities(m, change, t.v, t.v0)
  measureVelocity(m, x, t, change, size, at)
}

/** The same of z = the factor's inverse times what is left, at size[at]; of the motion itself at size[motion]. @kernel */
export function measureLeft(
  m: Tree,
  x: Poses,
  t: Trial,
  f: Factor,
  z: Lanes<number>,
  left: Lanes<number>,
  size: Lanes<number>,
  at: Int,
  motion: Int,
): void {
  solveFactored(m, f, z, left)
  measureVelocity(m, x, t, z, size, at)
  twiceKineticEnergy(m, t.V, t.v, size, motion)
}
