/**
 * Gauss's elimination with row pivots, for matrices of a few rows.
 */
export function solveDense(matrix: Float64Array, right: readonly number[]): number[] {
  const n = right.length
  const A = Float64Array.from(matrix)
  const x = [...right]
  for (let k = 0; k < n; k++) {
    let pivot = k
    for (let i = k + 1; i < n; i++) if (Math.abs(A[i * n + k]) > Math.abs(A[pivot * n + k])) pivot = i
    for (let c = 0; c < n; c++) [A[k * n + c], A[pivot * n + c]] = [A[pivot * n + c], A[k * n + c]]
    ;[x[k], x[pivot]] = [x[pivot], x[k]]
    for (let i = k + 1; i < n; i++) {
      const factor = A[i * n + k] / A[k * n + k]
      for (let c = k; c < n; c++) A[i * n + c] -= factor * A[k * n + c]
      x[i] -= factor * x[k]
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let c = k + 1; c < n; c++) x[k] -= A[k * n + c] * x[c]
    x[k] /= A[k * n + k]
  }
  return x
}
