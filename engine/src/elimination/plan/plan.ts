/** What `plan/` makes, and `factor/` and `solve/` go by. */
import type { PlanChoice } from './graph.js'

export interface Plan {
  readonly choice: PlanChoice
  /** numbers of a handle: 6, or 3 in a plane */
  readonly handle: number
  readonly ops: Int32Array
  readonly operations: number
  readonly lists: Int32Array
  /** numbers of matrices, vectors, kept rows, and pivots */
  readonly space: number
  readonly vectors: number
  readonly kept: number
  readonly pivots: number
  /** body whose origin is the point of reference of a body, and of its joint's axes; the sign of the axes */
  readonly anchor: Int32Array
  readonly axisAnchor: Int32Array
  readonly axisSign: Int8Array
  /** 1: the group acts at once */
  readonly eager: Uint8Array
  /** products in a factorisation, each by its time in nanoseconds (moving numbers counted in), and in a solve; largest front */
  readonly flops: number
  readonly solveFlops: number
  readonly widest: number
}

/** Nanoseconds of an operation of any kind, about, beside its products. */
export const OPERATION = 100
