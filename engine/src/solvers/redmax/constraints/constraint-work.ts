/**
 * Work space of a step's equalities: rows G, columns Y = A⁻¹ Gᵀ, and D = G Y.
 */
import { createReducedRows, type ReducedRows } from '../../../constraints/rows/reduce.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'

/** A clock: time and step of the rows, in an array because numbers that are handed over are boxed. */
export const TIME = 0
export const STEP = 1

export type ConstraintWork = ReturnType<typeof createWork>

/** Room for so many rows. */
export function createWork(m: Model, capacity: number) {
  const { nv } = m
  const G: ReducedRows = createReducedRows(m, capacity)
  const Y = new Float64Array(capacity * nv)
  const view = (x: Vec, r: number): Vec => x.subarray(r * nv, (r + 1) * nv)
  return {
    capacity,
    G,
    Y,
    /** row r of G and of Y, as right-hand side and solution */
    rows: Array.from({ length: capacity }, (_, r) => view(G.G, r)),
    columns: Array.from({ length: capacity }, (_, r) => view(Y, r)),
    /** n × n, and what each row misses */
    D: new Float64Array(capacity * capacity),
    r: new Float64Array(capacity),
  }
}

/** out[o] += the sum of a[i + k] b[j + k] over n entries: a number that is returned is boxed. */
export function addDot(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number, n: number): void {
  let sum = 0
  for (let k = 0; k < n; k++) sum += a[i + k] * b[j + k]
  out[o] += sum
}

/** out[o] += the product of row r of G, where it is not zero, and x[j …]. */
export function addRowDot(out: Vec, o: number, rows: ReducedRows, r: number, nv: number, x: Vec, j: number): void {
  const { G, start, dof } = rows
  let sum = 0
  for (let e = start[r]; e < start[r + 1]; e++) sum += G[r * nv + dof[e]] * x[j + dof[e]]
  out[o] += sum
}
