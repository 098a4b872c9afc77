/**
 * How much is left of the residual b of a step, as the velocity that it stands for: x = A⁻¹ b, or P⁻¹ b where solves take iterations and only
 * the preconditioner is factored.
 *
 * A correction must shrink it in the norm of A, xᵀ b. A step may end when its kinetic energy, which is no larger, is small against that of the
 * motion, and against that of what the step changes in it: forces that are slow to act must act all the same.
 */
import { norm } from '../../../math/own.js'
import type { Vec } from '../../../math/types.js'
import { given } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { roomFor, takeAll } from '../../../model/work-space.js'
import { factorImplicit, type ImplicitFactor, implicitMotions, solveImplicit } from '../../../tree/implicit-factor.js'
import { jacobianProduct, sumForces } from '../../../tree/jacobian.js'
import { addTwiceModeKinetic } from '../../../tree/modes.js'
import { totalMass } from '../../../tree/momentum.js'
import { quieten } from '../constraints/resting.js'
import { addImpulses } from '../constraints/row-forces.js'
import type { StepConstraints } from '../constraints/step-constraints.js'
import { takePushes } from '../constraints/step-impulses.js'
import type { Linear } from '../matrix/auto.js'
import type { System } from '../matrix/system.js'
import { CHANGED, ENERGY, ENOUGH, FIRST, LEFT, MOTION, NOTHING, SHARES, SIZES, SMALL } from './part.kernel.js'
import type { PointSystem } from './point-system.js'

export interface Residual {
  readonly p: PointSystem
  readonly linear: Linear
  readonly constraints: StepConstraints | undefined
  readonly factor: ImplicitFactor
  /** squares: of the residual, and of what it is compared with */
  readonly size: Vec
  /** rounding[0]: of the energy of all weights in this part */
  readonly rounding: Vec
  /** whether it is small, when last compared */
  isSmall: boolean
  /** by which it is judged (`part.kernel`) */
  readonly share: Vec
  /** the residual as a velocity: z, or a correction; whether only its size is known so far, from half a solve */
  velocity: Vec
  isHalf: boolean
  /** whether solves take iterations, and the preconditioner is factored instead */
  isIterative: boolean
  /** whether the correction is measured only where it is asked for, at the pose that the factor keeps */
  isLater: boolean
  /** scratch: nv each; `left`: the residual with the impulses of constraints */
  readonly z: Vec
  readonly change: Vec
  readonly left: Vec
}

// how much larger the share of the residual may be in what the step changes: slow forces would not act in steps that end at the first guess
const CHANGE = 100
// share of the motion's square that is little enough in any case: fast bodies would iterate for nothing
const LITTLE = 1e-4
// a residual is nothing below this share of the velocity that gravity gives (and of the rounding of poses, `trial.kernel`): nothing could end at rest
const OF_GRAVITY = 1e-4

const layout = ({ nv }: Model) => ({ z: nv, size: SIZES, share: SHARES, rounding: 1, change: nv, left: nv })

/** Numbers that it takes from the memory of the system's data. */
export const residualRoom = (m: Model): number => roomFor(layout(m))

/** `tolerance` is relative; `exact`: it is asked for, and nothing is little in any case */
export function createResidual(
  p: PointSystem,
  linear: Linear,
  constraints: StepConstraints | undefined,
  factor: ImplicitFactor,
  tolerance: number,
  exact: boolean,
): Residual {
  const { model: m } = p.system
  const small = tolerance * tolerance
  const gravity = norm(m.gravity)
  const calm = (exact ? OF_GRAVITY * tolerance : OF_GRAVITY) * gravity
  const taken = takeAll(p.system.data, layout(m))
  taken.share.set([small, exact ? 0 : small * LITTLE, calm, gravity, totalMass(m)])
  return {
    ...taken,
    p,
    linear,
    constraints,
    factor,
    isSmall: false,
    velocity: taken.z,
    isHalf: false,
    isIterative: false,
    isLater: false,
  }
}

/** Takes the correction x, the solution with A and b, for the residual. False where the preconditioner has no factor. */
export function takeCorrection(r: Residual, x: Vec): boolean {
  const { model: m, b } = r.p.system
  r.isIterative = r.constraints?.isConvex === true || r.linear.name === 'pcg'
  if (r.isIterative && !factorSystem(r)) return false
  r.velocity = x
  r.isHalf = false
  // shapes of bodies are not kept with the factor
  r.isLater = r.isIterative && m.modes.count === 0
  if (!r.isLater) measureFirst(r, b)
  return true
}

function factorSystem({ p: { system }, factor }: Residual): boolean {
  const { model: m, data: d, bodies, joints, modes } = system
  if (m.modes.count > 0) return factorImplicit(m, d, factor, bodies, joints, modes)
  system.kernels.copyTerms(d.tree, d.poses, system.table, factor.factor)
  factor.kernels.factorTree(factor.tree, factor.factor)
  return factor.least[0] > 0
}

function measureFirst(r: Residual, b: Vec): void {
  measureSize(r, b)
  r.size[FIRST] = r.size[LEFT]
}

/** isSmall ← whether the residual before the correction is; the configuration is still that. */
export function compareFirst(r: Residual): void {
  if (r.isLater) measureFirst(r, r.p.system.b)
  r.isLater = false
  compareResidual(r)
}

/** size[FIRST] ← the residual before the correction x, if it is not known; the configuration is another one now. */
export function recallFirst(r: Residual, x: Vec): void {
  if (!r.isLater) return
  const { system } = r.p
  implicitMotions(system.model, r.factor, system.y, x)
  measureKinetic(system, system.y, x, r.size, FIRST)
  r.isLater = false
}

/** Measures the residual at the configuration evaluated last, with the matrix of the last correction, and compares it; `part`: the table of that. */
export function measureResidual(r: Residual, part: number): void {
  const { constraints, z, left } = r
  const { system } = r.p
  const { model: m, data: d, kernels } = system
  r.velocity = z
  r.isHalf = false
  const isPushed = constraints?.isConvex === true
  if (isPushed) takePushes(constraints.convex, left)
  // what pushes, and no more than that, on bodies that do not deform, where none rests
  if (isPushed && r.isIterative && constraints.equalities.count + m.modes.count + constraints.unilateral.contacts.resting === 0)
    kernels.measurePushed(d.tree, d.poses, r.p.table, r.factor.factor, part)
  else {
    sumLeft(r, isPushed)
    if (r.isIterative && m.modes.count === 0) kernels.measureLeft(d.tree, d.poses, r.p.table, r.factor.factor, part)
    else solveLeft(r)
  }
  compareResidual(r)
}

/** left ← the residual with the impulses of constraints; those that push are in `left` and F. */
function sumLeft({ p: { system }, constraints, left }: Residual, isPushed: boolean): void {
  const { model: m, data: d, F, b } = system
  if (isPushed) {
    for (let k = 0; k < m.nv; k++) left[k] += b[k]
    sumForces(m, d, left, F)
  } else left.set(b)
  if (constraints && constraints.equalities.count > 0) addImpulses(constraints, left)
  if (constraints) quieten(constraints.unilateral, left)
}

/** Sizes of what is left, and of the motion. */
function solveLeft(r: Residual): void {
  const { p, linear, constraints, size, z, left } = r
  r.isHalf = !constraints && !r.isIterative && linear.measure(size, LEFT, left)
  if (!r.isHalf) {
    if (r.isIterative) solveImplicit(p.system.model, r.factor, z, 0, left, 0)
    else linear.again(z, left)
    measureSize(r, left)
  }
  measureKinetic(p.system, p.system.data.V, p.trial.v, size, MOTION)
}

/** isSmall ← whether the residual measured last is. The cheapest test that tells comes first. */
export function compareResidual(r: Residual): void {
  const { size, share } = r
  r.isSmall = size[LEFT] <= Math.max(size[NOTHING], share[ENOUGH] * size[MOTION]) || compareEnergy(r)
}

/** Whether what is left moves little, against the motion and what the step changes in it. */
function compareEnergy(r: Residual): boolean {
  const { size, share } = r
  if (r.isHalf) {
    // the kinetic energy of the residual is no larger than its size
    if (size[LEFT] <= share[SMALL] * size[MOTION] && compareWithChange(r, LEFT)) return true
    r.linear.finish(r.z)
    r.isHalf = false
  }
  if (isEnergy(r)) size[ENERGY] = size[LEFT]
  else measureEnergy(r, r.velocity, ENERGY)
  if (size[ENERGY] <= Math.max(size[NOTHING], share[ENOUGH] * size[MOTION])) return true
  return size[ENERGY] <= share[SMALL] * size[MOTION] && compareWithChange(r, ENERGY)
}

/** Whether size[o] is small against what the step changes, which is measured. */
function compareWithChange(r: Residual, o: number): boolean {
  const { size, share, change } = r
  const { system, trial, v0, table } = r.p
  const { model: m, data: d, kernels } = system
  if (m.modes.count === 0) kernels.measureChange(d.tree, d.poses, table, change.byteOffset, size.byteOffset, CHANGED)
  else {
    kernels.subtractVelocities(d.tree, change.byteOffset, trial.v.byteOffset, v0.byteOffset)
    measureEnergy(r, change, CHANGED)
  }
  return size[o] <= share[SMALL] * CHANGE * size[CHANGED]
}

/** size[LEFT] ← bᵀ A⁻¹ b; where `velocity` is no solution with A and b, twice its kinetic energy. */
function measureSize(r: Residual, b: Vec): void {
  const { velocity, size } = r
  if (isEnergy(r)) return measureEnergy(r, velocity, LEFT)
  let sum = 0
  for (let k = 0; k < b.length; k++) sum += velocity[k] * b[k]
  size[LEFT] = sum
}

/** Whether the size of the residual is its kinetic energy. */
const isEnergy = ({ constraints, isIterative }: Residual): boolean => constraints !== undefined || isIterative

/** size[o] ← twice the kinetic energy of the velocity v at the pose evaluated last. */
function measureEnergy({ p: { system }, size }: Residual, v: Vec, o: number): void {
  const { model: m, data: d, y } = system
  jacobianProduct(m, d, y, v)
  measureKinetic(system, y, v, size, o)
}

/** out[o] ← twice the kinetic energy of motions V of the bodies and velocities v of the joints; V and out are in the memory of the data. */
export function measureKinetic({ model: m, data: d, kernels }: System, V: Vec, v: Vec, out: Vec, o: number): void {
  kernels.twiceKineticEnergy(d.tree, V.byteOffset, given(d, d.x, v), out.byteOffset, o)
  if (m.modes.count > 0) addTwiceModeKinetic(m, d, V, v, out, o)
}
