/**
 * Dense Cholesky of small symmetric positive definite matrices, A = L Lᵀ, in place, row-major, on (array, offset).
 */
import type { Vec } from '../../math/types.js'

/** Overwrites the lower triangle of the n × n matrix at A[o] with L. Returns false, with A spoilt, where a pivot is not positive. */
export function cholesky(A: Vec, o: number, n: number): boolean {
  for (let j = 0; j < n; j++) {
    let pivot = A[o + j * n + j]
    for (let k = 0; k < j; k++) pivot -= A[o + j * n + k] * A[o + j * n + k]
    if (!(pivot > 0)) return false
    const root = Math.sqrt(pivot)
    A[o + j * n + j] = root
    for (let i = j + 1; i < n; i++) {
      let s = A[o + i * n + j]
      for (let k = 0; k < j; k++) s -= A[o + i * n + k] * A[o + j * n + k]
      A[o + i * n + j] = s / root
    }
  }
  return true
}

/** x ← L⁻¹ x, entries of x `stride` apart. */
export function forwardSubstitute(L: Vec, o: number, n: number, x: Vec, i: number, stride: number): void {
  for (let r = 0; r < n; r++) {
    let s = x[i + r * stride]
    for (let k = 0; k < r; k++) s -= L[o + r * n + k] * x[i + k * stride]
    x[i + r * stride] = s / L[o + r * n + r]
  }
}

/** x ← L⁻ᵀ x */
export function backSubstitute(L: Vec, o: number, n: number, x: Vec, i: number, stride: number): void {
  for (let r = n - 1; r >= 0; r--) {
    let s = x[i + r * stride]
    for (let k = r + 1; k < n; k++) s -= L[o + k * n + r] * x[i + k * stride]
    x[i + r * stride] = s / L[o + r * n + r]
  }
}

/** x ← A⁻¹ x */
export function choleskySolve(L: Vec, o: number, n: number, x: Vec, i: number, stride: number): void {
  forwardSubstitute(L, o, n, x, i, stride)
  backSubstitute(L, o, n, x, i, stride)
}
