/**
 * Dense L D Lᵀ of a symmetric positive semidefinite matrix with diagonal exchanges: rank, and which rows depend on the others.
 *
 * For the matrix G A⁻¹ Gᵀ of constraints. What is left of a diagonal entry, as a share of what it was, is sin² of the angle between
 * that row and the rows taken so far; the share does not change when a row is given in other units. Rows are taken in their own
 * order as long as their share is not a hundred times below the best one (N. J. Higham, Analysis of the Cholesky Decomposition of a
 * Semi-definite Matrix, 1990, takes the best), so that of two equal rows the later one is called redundant.
 */
import type { Vec } from '../../math/types.js'

export interface PivotedLdl {
  readonly capacity: number
  /** factors of the exchanged matrix, row-major with stride n, and its inverse pivots */
  readonly L: Vec
  readonly dinv: Vec
  /** order[k] is the row taken k-th; those from `rank` on are redundant */
  readonly order: Int32Array
  readonly share: Vec
  readonly y: Vec
  n: number
  rank: number
}

const LEAST_PREFERENCE = 0.01
const ROUNDING = Float64Array.of(1e-12)

export function createPivotedLdl(capacity: number): PivotedLdl {
  return {
    capacity,
    L: new Float64Array(capacity * capacity),
    dinv: new Float64Array(capacity),
    order: new Int32Array(capacity),
    share: new Float64Array(capacity),
    y: new Float64Array(capacity),
    n: 0,
    rank: 0,
  }
}

/**
 * Reads the lower triangle of the n × n matrix at A[o]. Returns the rank; rows f.order[rank … n − 1], ascending, are redundant: zero,
 * or a combination of the others up to tolerance[0] (sin² of the angle), by its place so that it is never boxed. `against`: what is left of a diagonal entry
 * is a share of this in place of what it was, where it is known how large an entry could be.
 */
export function factorPivoted(f: PivotedLdl, A: Vec, o: number, n: number, tolerance: Vec = ROUNDING, against?: Vec): number {
  const { L, dinv, order, share } = f
  const least = tolerance[0]
  f.n = n
  for (let i = 0; i < n; i++) {
    order[i] = i
    share[i] = against === undefined ? A[o + i * n + i] : against[i]
    for (let j = 0; j <= i; j++) L[i * n + j] = A[o + i * n + j]
  }

  let k = 0
  for (; k < n; k++) {
    // first row that is nearly as independent as the best
    let best = 0
    for (let i = k; i < n; i++) best = Math.max(best, shareOf(L, share, n, i))
    if (!(best > least)) break
    let take = k
    while (shareOf(L, share, n, take) < LEAST_PREFERENCE * best) take++
    exchange(f, k, take)

    // column k of L, and its product off what is left
    const inverse = 1 / L[k * n + k]
    dinv[k] = inverse
    for (let i = k + 1; i < n; i++) {
      const l = L[i * n + k] * inverse
      // rows of constraints that share no velocity: most of them, where there are many
      if (l === 0) continue
      for (let j = k + 1; j <= i; j++) L[i * n + j] -= l * L[j * n + k]
    }
    for (let i = k + 1; i < n; i++) L[i * n + k] *= inverse
  }
  f.rank = k

  // name the redundant ones in ascending order: their factors are no longer needed
  for (let i = k + 1; i < n; i++) {
    const row = order[i]
    let j = i
    for (; j > k && order[j - 1] > row; j--) order[j] = order[j - 1]
    order[j] = row
  }
  return k
}

/** x ← solution of A x = b with the redundant rows left out and their x zero; x and b are n long. */
export function solvePivoted(f: PivotedLdl, x: Vec, i: number, b: Vec, j: number): void {
  const { L, dinv, order, n, rank, y } = f
  for (let k = 0; k < rank; k++) {
    let s = b[j + order[k]]
    for (let q = 0; q < k; q++) s -= L[k * n + q] * y[q]
    y[k] = s
  }
  for (let k = rank - 1; k >= 0; k--) {
    let s = y[k] * dinv[k]
    for (let q = k + 1; q < rank; q++) s -= L[q * n + k] * y[q]
    y[k] = s
  }
  for (let k = 0; k < rank; k++) x[i + order[k]] = y[k]
  for (let k = rank; k < n; k++) x[i + order[k]] = 0
}

/**
 * How badly the redundant rows contradict the others: the largest |A x − b| among them, relative to the size of the terms of its row,
 * into out[0]: rounding for consistent constraints, far above it for contradictory ones. Returns the row, −1 if all are met exactly.
 */
export function contradiction(f: PivotedLdl, A: Vec, o: number, x: Vec, i: number, b: Vec, j: number, out: Vec): number {
  const { order, n, rank } = f
  let worst = -1
  out[0] = 0
  for (let k = rank; k < n; k++) {
    const row = order[k]
    let s = -b[j + row]
    let terms = Math.abs(s)
    for (let q = 0; q < n; q++) {
      const t = (q <= row ? A[o + row * n + q] : A[o + q * n + row]) * x[i + q]
      s += t
      terms += Math.abs(t)
    }
    const size = terms > 0 ? Math.abs(s) / terms : 0
    if (size <= out[0]) continue
    out[0] = size
    worst = row
  }
  return worst
}

/** What is left of row i's diagonal as a share of what it was; a row that was zero has nothing. */
function shareOf(L: Vec, share: Vec, n: number, i: number): number {
  return share[i] > 0 ? L[i * n + i] / share[i] : 0
}

/** Exchanges rows and columns k ≤ i of the symmetric matrix held in its lower triangle, finished columns included. */
function exchange(f: PivotedLdl, k: number, i: number): void {
  if (i === k) return
  const { L, order, share, n } = f
  for (let j = 0; j < k; j++) swap(L, k * n + j, i * n + j)
  swap(L, k * n + k, i * n + i)
  for (let j = k + 1; j < i; j++) swap(L, j * n + k, i * n + j)
  for (let j = i + 1; j < n; j++) swap(L, j * n + k, j * n + i)
  swap(share, k, i)
  const row = order[k]
  order[k] = order[i]
  order[i] = row
}

function swap(a: Vec, i: number, j: number): void {
  const t = a[i]
  a[i] = a[j]
  a[j] = t
}
