/**
 * Work space of a step's constraints: rows G, columns Y = A⁻¹ Gᵀ, and what solves for the forces.
 */
import { createReducedRows, type ReducedRows } from '../../constraints/reduce.js'
import { createConeSolver } from '../../linalg/cone-newton.js'
import { createComplementarity } from '../../linalg/lcp.js'
import { createPivotedLdl } from '../../linalg/pivoted-ldl.js'
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'

/** Room for so many rows. */
export function makeWork(m: Model, capacity: number) {
  const { nv } = m
  const G: ReducedRows = createReducedRows(m, capacity)
  const Y = new Float64Array(capacity * nv)
  const view = (x: Vec, r: number): Vec => x.subarray(r * nv, (r + 1) * nv)
  return {
    G,
    Y,
    /** row r of G and of Y, as right-hand side and solution */
    rows: Array.from({ length: capacity }, (_, r) => view(G.G, r)),
    columns: Array.from({ length: capacity }, (_, r) => view(Y, r)),
    p: createComplementarity(capacity),
    cone: createConeSolver(capacity),
    ldl: createPivotedLdl(capacity),
    block: new Float64Array(capacity * capacity),
    lambda: new Float64Array(capacity),
    move: new Float64Array(nv),
  }
}

/** Sum of a[i + k] b[j + k] over n entries. */
export function dot(a: Vec, i: number, b: Vec, j: number, n: number): number {
  let sum = 0
  for (let k = 0; k < n; k++) sum += a[i + k] * b[j + k]
  return sum
}
