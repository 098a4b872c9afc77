/**
 * How much is left of the residual b of a robust step, as the velocity that it stands for: x = A⁻¹ b, or P⁻¹ b where solves take iterations
 * and only the preconditioner is factored.
 *
 * A correction must shrink it in the norm of A, xᵀ b. A step may end when its kinetic energy, which is no larger, is small against that of the
 * motion, and against that of what the step changes in it: forces that are slow to act must act all the same.
 */
import type { Vec } from '../../../math/types.js'
import { factorImplicit, type ImplicitFactor, solveImplicit } from '../../../tree/implicit-factor.js'
import { jacobianProduct } from '../../../tree/jacobian.js'
import { totalMass, twiceKinetic } from '../../../tree/momentum.js'
import type { Linear } from '../matrix/auto.js'
import { reach } from './point-inertia.js'
import type { PointSystem } from './point-system.js'

export interface Rest {
  /** size[0]: of what is left, squared */
  readonly size: Vec
  /** rounding[0]: of the energy of all weights in this part */
  readonly rounding: Vec
  /** whether it is small, at the last `measure` */
  readonly small: boolean
  /** The start of a part, at X0. */
  begin(): void
  /** Takes the correction x, the solution with A and b, for what is left. */
  ofCorrection(x: Vec): boolean
  /** What is left at the configuration evaluated last, with the matrix of the last correction. */
  measure(): void
  /** Anew, for the last correction. */
  isSmall(): boolean
}

// how much larger the share of the residual may be in what the step changes
const CHANGE = 100
// share of the motion's square that is little enough in any case
const LITTLE = 1e-4
// a residual is nothing below this share of the velocity that gravity gives, and of the rounding of poses over the step
const REST = 1e-4
const GRAIN = 1e-14
// of a weight's energy
const ROUNDING = 1e-13
// places in `size`: what is left; twice the kinetic energy of the motion, of what is left, of what the step changes, and of what is nothing
const LEFT = 0
const MOTION = 1
const ENERGY = 2
const CHANGED = 3
const NOTHING = 4

/** `tolerance` is relative; `exact`: it is asked for, and nothing is little in any case */
export function createRest(
  p: PointSystem,
  linear: Linear,
  constrained: { addImpulses(b: Vec): void } | undefined,
  factor: ImplicitFactor,
  tolerance: number,
  exact: boolean,
): Rest {
  const { system: s, trial } = p
  const { model: m, data: d } = s
  const { nv } = m
  const share = tolerance * tolerance
  const little = exact ? 0 : share * LITTLE
  const mass = totalMass(m)
  const gravity = Math.sqrt(m.gravity[0] ** 2 + m.gravity[1] ** 2 + m.gravity[2] ** 2)
  const calm = (exact ? REST * tolerance : REST) * gravity
  const size = new Float64Array(5)
  const rounding = new Float64Array(1)
  const z = new Float64Array(nv)
  const change = new Float64Array(nv)
  // residual with the constraints' impulses
  const left = new Float64Array(nv)
  // z, or a correction
  let rest: Vec = z
  let factored = false
  let small = false
  // `rest` is not known yet: its size was enough so far
  let half = false

  return {
    size,
    rounding,
    get small() {
      return small
    },
    begin() {
      const { h } = s
      reach(p.X0, size, NOTHING)
      rounding[0] = ROUNDING * mass * gravity * size[NOTHING]
      size[NOTHING] = mass * ((calm * h) ** 2 + ((GRAIN * size[NOTHING]) / h) ** 2)
    },
    ofCorrection(x) {
      factored = linear.name === 'pcg'
      if (factored && !factorImplicit(m, d, factor, s.bodies, s.joints)) return false
      rest = x
      half = false
      sizeOfRest(s.b)
      return true
    },
    measure() {
      left.set(s.b)
      constrained?.addImpulses(left)
      rest = z
      half = !constrained && !factored && linear.measure(size, LEFT, left)
      if (!half) {
        if (!factored) linear.again(z, left)
        else solveImplicit(m, factor, z, 0, left, 0)
        sizeOfRest(left)
      }
      twiceKinetic(m, d.V, trial.v, size, MOTION)
      small = isSmall()
    },
    isSmall() {
      small = isSmall()
      return small
    },
  }

  /** size[LEFT] ← bᵀ A⁻¹ b; where `rest` is no solution with A and b, twice its kinetic energy. */
  function sizeOfRest(b: Vec): void {
    if (constrained || factored) return sizeOf(rest, LEFT)
    let sum = 0
    for (let k = 0; k < nv; k++) sum += rest[k] * b[k]
    size[LEFT] = sum
  }

  /** size[o] ← twice the kinetic energy of the velocity v at the pose evaluated last. */
  function sizeOf(v: Vec, o: number): void {
    jacobianProduct(m, d, s.y, v)
    twiceKinetic(m, s.y, v, size, o)
  }

  /** The cheapest test that tells comes first. */
  function isSmall(): boolean {
    const enough = Math.max(size[NOTHING], little * size[MOTION])
    if (size[LEFT] <= enough) return true
    if (half) {
      // the kinetic energy of what is left is no larger than its size
      if (size[LEFT] <= share * size[MOTION] && isSmallChange(LEFT)) return true
      linear.finish(z)
      half = false
    }
    sizeOf(rest, ENERGY)
    if (size[ENERGY] <= enough) return true
    return size[ENERGY] <= share * size[MOTION] && isSmallChange(ENERGY)
  }

  /** Whether size[o] is small against what the step changes. */
  function isSmallChange(o: number): boolean {
    for (let k = 0; k < nv; k++) change[k] = trial.v[k] - p.v0[k]
    sizeOf(change, CHANGED)
    return size[o] <= share * CHANGE * size[CHANGED]
  }
}
