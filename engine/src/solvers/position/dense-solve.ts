/**
 * The same linear systems with a dense matrix and its Cholesky factor, O(n³): what the recursions are compared with.
 */
import { cholesky, choleskySolve } from '../../linalg/dense/cholesky.js'
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import type { ImplicitFactor } from '../../tree/implicit-factor.js'
import type { StepProblem } from './energy/step-problem.js'
import { type Curvature, denseNewton, type NewtonWork } from './euler/newton-factor.js'

export interface DenseSolve {
  readonly n: number
  readonly H: Vec
}

export function createDenseSolve(m: Model): DenseSolve {
  return { n: m.nv, H: new Float64Array(m.nv * m.nv) }
}

/** Reads the problem at its trial. Writes the factor; false where a pivot is not positive. */
export function factorDense(w: DenseSolve, p: StepProblem, work: NewtonWork, curvature: Curvature, scratch: ImplicitFactor): boolean {
  denseNewton(p.m, p.d, work, p.W, p.bodies, p.joints, curvature, scratch, w.H)
  return cholesky(w.H, 0, w.n)
}

/** x ← matrix⁻¹ x */
export function solveDense(w: DenseSolve, x: Vec): void {
  choleskySolve(w.H, 0, w.n, x, 0, 1)
}
