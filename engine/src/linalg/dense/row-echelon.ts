/**
 * Reduced row echelon form with complete pivoting: which rows depend on the others and how, and vectors that all rows send to zero.
 *
 *   R = W A,   R_r = e_p(r) + entries at free columns for rows with a pivot p(r);   rows without one are what is left of them, near zero
 * For matrices of few rows, such as those of constraints; rows are scaled by the caller, so that one bound serves all.
 */
import type { Vec } from '../../math/types.js'

export interface Echelon {
  /** rows and columns */
  readonly n: number
  readonly nv: number
  /** n × nv */
  readonly R: Vec
  /** n × n; a dependent row keeps 1 at its own place */
  readonly W: Vec
  /** column of a row's pivot, or −1; and the row of a column's pivot, or −1 */
  readonly pivot: Int32Array
  readonly owner: Int32Array
  /** of a row without a pivot: the column of its largest entry */
  readonly largest: Int32Array
  rank: number
}

export function createEchelon(n: number, nv: number): Echelon {
  return {
    n,
    nv,
    R: new Float64Array(n * nv),
    W: new Float64Array(n * n),
    pivot: new Int32Array(n),
    owner: new Int32Array(nv),
    largest: new Int32Array(n),
    rank: 0,
  }
}

/** Reduces rows A_r/scale_r (a row with scale 0 is zero) until no entry of a row without a pivot is above least[0]. */
export function reduceToEchelon(e: Echelon, A: Vec, scale: Vec, least: Vec): void {
  const { n, nv, R, W, pivot, owner, largest } = e
  W.fill(0)
  pivot.fill(-1)
  owner.fill(-1)
  e.rank = 0
  for (let r = 0; r < n; r++) {
    W[r * n + r] = 1
    for (let k = 0; k < nv; k++) R[r * nv + k] = scale[r] > 0 ? A[r * nv + k] / scale[r] : 0
  }
  for (let r = 0; r < n; r++) findLargest(e, r)
  for (; e.rank < n; e.rank++) {
    let most = least[0]
    let row = -1
    for (let r = 0; r < n; r++) {
      if (pivot[r] >= 0 || !(Math.abs(R[r * nv + largest[r]]) > most)) continue
      most = Math.abs(R[r * nv + largest[r]])
      row = r
    }
    if (row < 0) return
    takePivot(e, row, largest[row])
  }
}

function findLargest({ nv, R, largest }: Echelon, r: number): void {
  let most = 0
  largest[r] = 0
  for (let k = 0; k < nv; k++) {
    if (Math.abs(R[r * nv + k]) <= most) continue
    most = Math.abs(R[r * nv + k])
    largest[r] = k
  }
}

function takePivot(e: Echelon, row: number, column: number): void {
  const { n, nv, R, W, pivot, owner } = e
  pivot[row] = column
  owner[column] = row
  const inverse = 1 / R[row * nv + column]
  for (let k = 0; k < nv; k++) R[row * nv + k] *= inverse
  for (let k = 0; k < n; k++) W[row * n + k] *= inverse
  R[row * nv + column] = 1
  for (let r = 0; r < n; r++) {
    const factor = R[r * nv + column]
    if (r === row || factor === 0) continue
    for (let k = 0; k < nv; k++) R[r * nv + k] -= factor * R[row * nv + k]
    for (let k = 0; k < n; k++) W[r * n + k] -= factor * W[row * n + k]
    R[r * nv + column] = 0
    if (pivot[r] < 0) findLargest(e, r)
  }
}

/** z ← the vector with 1 at the free column and 0 at other free ones that rows with a pivot send to zero. */
export function nullVector({ n, nv, R, pivot }: Echelon, z: Vec, column: number): void {
  z.fill(0)
  z[column] = 1
  for (let r = 0; r < n; r++) if (pivot[r] >= 0) z[pivot[r]] = -R[r * nv + column]
}
