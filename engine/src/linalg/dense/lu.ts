/**
 * Dense L U with row exchanges, P A = L U, in place, row-major, on (array, offset).
 */
import type { Vec } from '../../math/types.js'

/**
 * Overwrites the n × n matrix at A[o] with L (unit diagonal, below) and U; rows[k] is the row that came to place k.
 * Returns −1, or the column in which no pivot larger than `tolerance` times the largest entry of A was left.
 */
export function luFactor(A: Vec, o: number, n: number, rows: Int32Array, tolerance = 1e-15): number {
  let largest = 0
  for (let i = 0; i < n * n; i++) largest = Math.max(largest, Math.abs(A[o + i]))
  for (let k = 0; k < n; k++) rows[k] = k
  for (let k = 0; k < n; k++) {
    let best = k
    for (let i = k + 1; i < n; i++) if (Math.abs(A[o + i * n + k]) > Math.abs(A[o + best * n + k])) best = i
    if (!(Math.abs(A[o + best * n + k]) > tolerance * largest)) return k
    if (best !== k) {
      for (let j = 0; j < n; j++) {
        const t = A[o + k * n + j]
        A[o + k * n + j] = A[o + best * n + j]
        A[o + best * n + j] = t
      }
      const r = rows[k]
      rows[k] = rows[best]
      rows[best] = r
    }
    const inverse = 1 / A[o + k * n + k]
    for (let i = k + 1; i < n; i++) {
      const l = A[o + i * n + k] * inverse
      A[o + i * n + k] = l
      if (l === 0) continue
      for (let j = k + 1; j < n; j++) A[o + i * n + j] -= l * A[o + k * n + j]
    }
  }
  return -1
}

/** x ← A⁻¹ b, both n long and different places. */
export function luSolve(A: Vec, o: number, n: number, rows: Int32Array, x: Vec, i: number, b: Vec, j: number): void {
  for (let k = 0; k < n; k++) {
    let s = b[j + rows[k]]
    for (let q = 0; q < k; q++) s -= A[o + k * n + q] * x[i + q]
    x[i + k] = s
  }
  for (let k = n - 1; k >= 0; k--) {
    let s = x[i + k]
    for (let q = k + 1; q < n; q++) s -= A[o + k * n + q] * x[i + q]
    x[i + k] = s / A[o + k * n + k]
  }
}
