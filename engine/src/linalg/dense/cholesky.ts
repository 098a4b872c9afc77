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

/** X ← L⁻¹ X for n rows of 6, one after another: the six columns of `forwardSubstitute` at once. */
export function forwardSubstitute6(L: Vec, o: number, n: number, X: Vec, i: number): void {
  for (let r = 0; r < n; r++) {
    const at = i + 6 * r
    let s0 = X[at]
    let s1 = X[at + 1]
    let s2 = X[at + 2]
    let s3 = X[at + 3]
    let s4 = X[at + 4]
    let s5 = X[at + 5]
    for (let k = 0, e = i; k < r; k++, e += 6) {
      const c = L[o + r * n + k]
      s0 -= c * X[e]
      s1 -= c * X[e + 1]
      s2 -= c * X[e + 2]
      s3 -= c * X[e + 3]
      s4 -= c * X[e + 4]
      s5 -= c * X[e + 5]
    }
    const c = L[o + r * n + r]
    X[at] = s0 / c
    X[at + 1] = s1 / c
    X[at + 2] = s2 / c
    X[at + 3] = s3 / c
    X[at + 4] = s4 / c
    X[at + 5] = s5 / c
  }
}

/** X ← L⁻ᵀ X, the same. */
export function backSubstitute6(L: Vec, o: number, n: number, X: Vec, i: number): void {
  for (let r = n - 1; r >= 0; r--) {
    const at = i + 6 * r
    let s0 = X[at]
    let s1 = X[at + 1]
    let s2 = X[at + 2]
    let s3 = X[at + 3]
    let s4 = X[at + 4]
    let s5 = X[at + 5]
    for (let k = r + 1, e = at + 6; k < n; k++, e += 6) {
      const c = L[o + k * n + r]
      s0 -= c * X[e]
      s1 -= c * X[e + 1]
      s2 -= c * X[e + 2]
      s3 -= c * X[e + 3]
      s4 -= c * X[e + 4]
      s5 -= c * X[e + 5]
    }
    const c = L[o + r * n + r]
    X[at] = s0 / c
    X[at + 1] = s1 / c
    X[at + 2] = s2 / c
    X[at + 3] = s3 / c
    X[at + 4] = s4 / c
    X[at + 5] = s5 / c
  }
}
