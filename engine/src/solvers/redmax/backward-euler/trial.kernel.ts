/**
 * Whole stages of a part of a step, each of them the kernels of its terms in a row: one call where there would be ten. `point-system`, `newton` and
 * `residual` say what for; where bodies deform they make these calls one by one, with what shapes add between them.
 */
import type { Motors, TendonSums } from '../../../forces/actuators.kernel.js'
import { type InJoints, pushJoints, stiffenAll } from '../../../forces/in-joints.kernel.js'
import { placeJoints } from '../../../joints/place.kernel.js'
import type { Int, Lanes } from '../../../math/values/columns.js'
import { type Force, type Motion, NO_FORCE, type Pose, type Sym3 } from '../../../math/values/spatial.js'
import type { Poses, Tree, Work } from '../../../model/tables.js'
import { type Factor, solveFactored } from '../../../tree/implicit-factor.kernel.js'
import { addMotions, sumForcesUp } from '../../../tree/jacobian.kernel.js'
import { placeInWorld } from '../../../tree/kinematics.kernel.js'
import { type PointMoments, pointInertia } from '../../../tree/point-inertia.kernel.js'
import { twiceKineticEnergy } from '../matrix/system.kernel.js'
import { extrapolate, type FreeBodies, ratesFrom } from './free-motion.kernel.js'
import {
  CALM,
  finishResidual,
  GRAVITY,
  guessVelocity,
  INERTIAL,
  KINETIC,
  LEFT,
  MASS,
  MOTION,
  measureReach,
  moveAlong,
  NOTHING,
  POTENTIAL,
  RESIDUAL,
  rateBetween,
  subtractVelocities,
  WORK,
} from './part.kernel.js'
import { addTurning, pullWrenches } from './points.kernel.js'

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
  /** stiff terms of joints and bodies (21 numbers a body); curvature */
  readonly jointStiffness: Lanes<number>
  readonly jointDamping: Lanes<number>
  readonly bodyDamping: Lanes<number>
  readonly K: Lanes<Sym3>
}

/** The part at hand beside that: columns of `BackwardEuler`, and of its `Residual`. */
export interface Part {
  /** at the start: rates of bodies, the change of velocity before */
  readonly rates: Lanes<Motion>
  readonly change: Lanes<number>
  /** the correction and how long it is followed from q, or how far the change is expected again; room for a velocity */
  readonly x: Lanes<number>
  readonly length: Lanes<number>
  readonly q: Lanes<number>
  readonly z: Lanes<number>
  /** on trial: rates of bodies, their kinetic energy, what is left of the equations, and the squares of that */
  readonly trialRates: Lanes<Motion>
  readonly trialKinetic: Lanes<number>
  readonly left: Lanes<number>
  readonly size: Lanes<number>
  /** energies at the start; work of constraints, and rounding of the energy of all weights; shares by which a residual is judged */
  readonly before: Lanes<number>
  readonly push: Lanes<number>
  readonly rounding: Lanes<number>
  readonly share: Lanes<number>
}

// of a weight's energy, and of energies that are compared
const ROUNDING = 1e-13
// a residual is nothing below the velocity that gravity gives (`residual`), and below this share of the rounding of poses over the step: nothing could end at rest
const OF_POSES = 1e-14
// times the kinetic energy that going on as before may put into springs and still be the better guess
const FAR = 30
const LARGEST = 1.7976931348623157e308
// of the kinetic energy: what an accepted step may gain from the residual that is left; the same where something pushes, as what rolls gains every time
const GAIN = 1e-4
const STRICT_GAIN = 1e-7
// of the kinetic energy, and m/s beside it: growth in a shortest part beyond which it bursts
const BURST = 100
const BURST_SPEED = 10

/** v₀ ← v; length = 1 where q or v were other numbers than q₀ and v₀. @kernel */
export function compareStart(m: Tree, t: Trial, p: Part): void {
  let other = 0
  for (let k = 0; k < t.nq; k++) other = t.q[k] !== t.q0[k] ? 1 : other
  for (let k = 0; k < m.nv; k++) {
    other = t.v[k] !== t.v0[k] ? 1 : other
    t.v0[k] = t.v[k]
  }
  p.length[0] = other
}

/** Y = poses at the end of the part without forces; q on trial = q₀ ⊕ h z with z = v₀ + length · change; how small is nothing. @kernel */
export function guessTrial(m: Tree, x: Poses, t: Trial, f: FreeBodies, p: Part): void {
  extrapolate(f, x, t.Y, t.X0, p.rates, t.step)
  measureReach(m.nbody, t.X0, p.size, NOTHING)
  startSizes(t, p)
  for (let k = 0; k < t.nq; k++) t.q[k] = t.q0[k]
  guessVelocity(m, p.z, t.v0, p.change, p.length)
  moveAlong(m, t.q, p.z, t.step)
}

/** size[NOTHING], which is how far bodies reach, becomes what is nothing where they reach that far. */
function startSizes(t: Trial, p: Part): void {
  const h = t.step[0]
  const reach = p.size[NOTHING]
  p.rounding[0] = ROUNDING * p.share[MASS] * p.share[GRAVITY] * reach
  const calm = p.share[CALM] * h
  const rounded = (OF_POSES * reach) / h
  p.size[NOTHING] = p.share[MASS] * (calm * calm + rounded * rounded)
}

/** length = 1 where the guess, evaluated, is a number, and puts no more into springs than the motion has by far. @kernel */
export function judgeGuess(t: Trial, p: Part): void {
  const all = Math.abs(t.E[POTENTIAL] + t.E[INERTIAL] + t.E[RESIDUAL])
  const near = t.E[INERTIAL] + t.E[POTENTIAL] <= FAR * p.before[KINETIC] + p.before[POTENTIAL]
  p.length[0] = near && all <= LARGEST ? 1 : 0
}

/** length = 1 where energy has not grown; of parts that may not be divided it is asked only that they do not burst. @kernel */
export function compareEnergies(t: Trial, p: Part, strict: Int, mayDivide: Int): void {
  const potential = t.E[POTENTIAL]
  const kinetic = p.trialKinetic[0] + t.E[KINETIC]
  const [kinetic0, potential0] = [p.before[KINETIC], p.before[POTENTIAL]]
  const bound = kinetic0 + potential0 + Math.max(0, t.E[WORK] + p.push[0]) + p.rounding[0]
  const gain = (strict === 1 ? STRICT_GAIN : GAIN) * kinetic
  const burst = bound + BURST * kinetic0 + p.share[MASS] * BURST_SPEED * BURST_SPEED
  const most = mayDivide === 1 ? bound + gain + ROUNDING * (Math.abs(potential0) + Math.abs(potential)) : burst
  p.length[0] = kinetic + potential <= most ? 1 : 0
}

/** q on trial = q ⊕ length · x @kernel */
export function moveTrial(m: Tree, t: Trial, p: Part): void {
  for (let k = 0; k < t.nq; k++) t.q[k] = p.q[k]
  moveAlong(m, t.q, p.x, p.length)
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

/** All of an evaluation, where forces act in the joints alone, without an energy. @kernel */
export function evaluateTrial(m: Tree, d: Work, x: Poses, t: Trial, j: InJoints, g: Motors, s: TendonSums): void {
  placeTrial(m, d, x, t)
  pushJoints(m, j, g, s, t.qf, t.q, t.v)
  measurePower(m, t, 0)
  finishTrial(m, x, t)
}

/** The same of the guess, judged. @kernel */
export function evaluateGuess(m: Tree, d: Work, x: Poses, t: Trial, f: FreeBodies, p: Part, j: InJoints, g: Motors, s: TendonSums): void {
  guessTrial(m, x, t, f, p)
  evaluateTrial(m, d, x, t, j, g, s)
  judgeGuess(t, p)
}

/** The same of where the correction leads. @kernel */
export function evaluateMove(m: Tree, d: Work, x: Poses, t: Trial, p: Part, j: InJoints, g: Motors, s: TendonSums): void {
  moveTrial(m, t, p)
  evaluateTrial(m, d, x, t, j, g, s)
}

/** Terms of the same forces, rows of sums left to others, and of what turning costs. W becomes Wt. @kernel */
export function linearizeTrial(m: Tree, x: Poses, t: Trial, j: InJoints, g: Motors, s: TendonSums, rounds: Int): void {
  for (let k = 0; k < m.nv; k++) t.jointStiffness[k] = 0
  for (let k = 0; k < m.nv; k++) t.jointDamping[k] = 0
  for (let k = 0; k < 21 * m.nbody; k++) t.bodyDamping[k] = 0
  stiffenAll(m, j, g, s, t.jointStiffness, t.jointDamping, t.q, t.v)
  addTurning(m, x, t.W, t.K, t.bodyDamping, t.step, rounds)
}

/** size[at] = twice the kinetic energy of velocities z at the pose on trial. @kernel */
export function measureVelocity(m: Tree, x: Poses, t: Trial, z: Lanes<number>, size: Lanes<number>, at: Int): void {
  addMotions(m, x, t.y, z, 1, m.nbody)
  twiceKineticEnergy(m, t.y, z, size, at)
}

/** sums[0] = the same of V and v₀. @kernel */
export function measureStart(m: Tree, t: Trial): void {
  twiceKineticEnergy(m, t.V, t.v0, t.sums, 0)
}

/** The same of what the part changes: change = v − v₀. @kernel */
export function measureChange(m: Tree, x: Poses, t: Trial, change: Lanes<number>, size: Lanes<number>, at: Int): void {
  subtractVelocities(m, change, t.v, t.v0)
  measureVelocity(m, x, t, change, size, at)
}

/** The same of z = the factor's inverse times what is left, and of the motion itself. @kernel */
export function measureLeft(m: Tree, x: Poses, t: Trial, f: Factor, p: Part): void {
  solveFactored(m, f, p.z, p.left)
  measureVelocity(m, x, t, p.z, p.size, LEFT)
  twiceKineticEnergy(m, t.V, t.v, p.size, MOTION)
}

/** The same, where left and F hold the impulses of what pushes: with those, left is what b and they leave. @kernel */
export function measurePushed(m: Tree, x: Poses, t: Trial, f: Factor, p: Part): void {
  for (let k = 0; k < m.nv; k++) p.left[k] = t.b[k] + p.left[k]
  sumForcesUp(m, x, p.left, t.F, 1, 1, m.nbody)
  measureLeft(m, x, t, f, p)
}

/** Rates of bodies in the part, and their kinetic energy. @kernel */
export function measureRates(t: Trial, f: FreeBodies, p: Part): void {
  ratesFrom(f, p.trialRates, t.X0, t.X_WB, t.step, p.trialKinetic)
}

/** The end of a part is the start of the next: rates, X₀, q₀, v₀, energies, and change = (v − v₀)/h. @kernel */
export function finishPart(m: Tree, t: Trial, p: Part): void {
  const time = t.step[0]
  for (let i = 0; i < m.nbody; i++) p.rates[i] = p.trialRates[i]
  for (let i = 0; i < m.nbody; i++) t.X0[i] = t.X_WB[i]
  for (let k = 0; k < t.nq; k++) t.q0[k] = t.q[k]
  for (let k = 0; k < m.nv; k++) {
    p.change[k] = (t.v[k] - t.v0[k]) / time
    t.v0[k] = t.v[k]
  }
  p.before[KINETIC] = p.trialKinetic[0] + t.E[KINETIC]
  p.before[POTENTIAL] = t.E[POTENTIAL]
}
