/**
 * Eigenvalues and eigenvectors of dense symmetric matrices: Householder reflections to a tridiagonal matrix, then QL steps with Wilkinson's
 * shift (J. H. Wilkinson, C. Reinsch, Linear Algebra, 1971).
 */
import type { Vec } from '../../math/types.js'

export interface SymmetricEigen {
  /** ascending */
  readonly values: Vec
  /** one a row, of unit length */
  readonly vectors: Vec
}

/** A is n × n, row-major, and is spoilt. */
export function symmetricEigen(A: Vec, n: number): SymmetricEigen {
  const d = new Float64Array(n)
  const e = new Float64Array(n)
  const Z = new Float64Array(n * n)
  tridiagonalize(A, n, d, e, Z)
  for (let l = 0; l < n; l++) diagonalize(n, l, d, e, Z)
  return sorted(n, d, Z)
}

/** d, e ← diagonal and what is next to it (e[i] between i and i + 1); rows of Z ← the axes in which A is so. */
function tridiagonalize(A: Vec, n: number, d: Vec, e: Vec, Z: Vec): void {
  const v = new Float64Array(n)
  const w = new Float64Array(n)
  for (let i = 0; i < n; i++) Z[n * i + i] = 1
  for (let k = 0; k < n; k++) {
    d[k] = A[n * k + k]
    if (k === n - 1) break
    let square = 0
    for (let i = k + 1; i < n; i++) square += A[n * i + k] * A[n * i + k]
    const norm = Math.sqrt(square)
    const first = A[n * (k + 1) + k]
    const alpha = first > 0 ? -norm : norm
    e[k] = alpha
    if (k === n - 2) {
      e[k] = first
      continue
    }
    // v = x − α e₁ reflects the column to α e₁
    let vv = 0
    for (let i = k + 1; i < n; i++) {
      v[i] = A[n * i + k] - (i === k + 1 ? alpha : 0)
      vv += v[i] * v[i]
    }
    if (vv === 0) continue
    const beta = 2 / vv

    // A ← A − v wᵀ − w vᵀ,  w = β A v − ½ β² (vᵀ A v) v
    let vw = 0
    for (let i = k + 1; i < n; i++) {
      let s = 0
      for (let j = k + 1; j < n; j++) s += A[n * i + j] * v[j]
      w[i] = beta * s
      vw += w[i] * v[i]
    }
    for (let i = k + 1; i < n; i++) w[i] -= 0.5 * beta * vw * v[i]
    for (let i = k + 1; i < n; i++) for (let j = k + 1; j < n; j++) A[n * i + j] -= v[i] * w[j] + w[i] * v[j]

    // Z ← (1 − β v vᵀ) Z
    w.fill(0)
    for (let i = k + 1; i < n; i++) for (let j = 0; j < n; j++) w[j] += v[i] * Z[n * i + j]
    for (let i = k + 1; i < n; i++) for (let j = 0; j < n; j++) Z[n * i + j] -= beta * v[i] * w[j]
  }
}

/** QL steps until d[l] stands alone. */
function diagonalize(n: number, l: number, d: Vec, e: Vec, Z: Vec): void {
  for (;;) {
    let m = l
    while (m < n - 1 && Math.abs(e[m]) > Number.EPSILON * (Math.abs(d[m]) + Math.abs(d[m + 1]))) m++
    if (m === l) return
    // shift: the eigenvalue of the first 2 × 2 block nearer to d[l]
    const t = (d[l + 1] - d[l]) / (2 * e[l])
    const root = Math.sqrt(t * t + 1)
    let g = d[m] - d[l] + e[l] / (t + (t >= 0 ? root : -root))
    let [s, c, p] = [1, 1, 0]
    let i = m - 1
    for (; i >= l; i--) {
      const f = s * e[i]
      const b = c * e[i]
      const r = Math.sqrt(f * f + g * g)
      e[i + 1] = r
      if (r === 0) {
        d[i + 1] -= p
        e[m] = 0
        break
      }
      s = f / r
      c = g / r
      const h = d[i + 1] - p
      const q = (d[i] - h) * s + 2 * c * b
      p = s * q
      d[i + 1] = h + p
      g = c * q - b
      for (let k = 0; k < n; k++) {
        const z = Z[n * (i + 1) + k]
        Z[n * (i + 1) + k] = s * Z[n * i + k] + c * z
        Z[n * i + k] = c * Z[n * i + k] - s * z
      }
    }
    if (i >= l) continue
    d[l] -= p
    e[l] = g
    e[m] = 0
  }
}

function sorted(n: number, d: Vec, Z: Vec): SymmetricEigen {
  const order = Array.from(d.keys()).sort((a, b) => d[a] - d[b])
  const vectors = new Float64Array(n * n)
  order.forEach((from, to) => {
    vectors.set(Z.subarray(n * from, n * from + n), n * to)
  })
  return { values: Float64Array.from(order, (k) => d[k]), vectors }
}
