/**
 * What an iterative solver asks for: a matrix known by its products, and an approximate inverse.
 */
import type { Vec } from '../../math/types.js'

export interface LinearOperator {
  /** out ← A x */
  apply(out: Vec, x: Vec): void
  /** out ← P⁻¹ r; out and r are different arrays */
  precondition(out: Vec, r: Vec): void
}

/** `breakdown`: the matrix or the preconditioner is not what the method needs, or a number was not finite. */
export type IterativeStatus = 'converged' | 'max-iterations' | 'breakdown'

export interface IterativeReport {
  status: IterativeStatus
  /** products with A spent on search directions */
  iterations: number
  /** last value of what the stopping test compares with the tolerance */
  residual: number
}
