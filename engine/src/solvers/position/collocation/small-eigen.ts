/**
 * A small real matrix as blocks: W = V Λ V⁻¹ with Λ made of real eigenvalues and of 2 × 2 blocks (a −b; b a). Used once, when a stepper
 * is made; the matrices have up to 4 rows and distinct eigenvalues.
 */

import { luFactor, luSolve } from '../../../linalg/dense/lu.js'
import { cos, hypot, norm, pow, sin } from '../../../math/own.js'

export interface EigenBlocks {
  readonly n: number
  /** columns of V, row-major, and V⁻¹ */
  readonly V: Float64Array
  readonly inverse: Float64Array
  /** one entry a block: its first column, real part, imaginary part (0 for a real eigenvalue) */
  readonly blocks: readonly { readonly at: number; readonly a: number; readonly b: number }[]
}

export function eigenBlocks(W: readonly (readonly number[])[]): EigenBlocks {
  const n = W.length
  const values = roots(characteristic(W))
  const V = new Float64Array(n * n)
  const blocks: { at: number; a: number; b: number }[] = []
  let at = 0
  for (const [a, b] of values) {
    if (b < -1e-9) continue
    const [x, y] = eigenvector(W, a, b)
    if (Math.abs(b) < 1e-9) {
      for (let k = 0; k < n; k++) V[k * n + at] = x[k]
      blocks.push({ at, a, b: 0 })
      at += 1
    } else {
      // W (x + i y) = (a + i b)(x + i y): on the columns (x, −y) the block is (a −b; b a)
      for (let k = 0; k < n; k++) {
        V[k * n + at] = x[k]
        V[k * n + at + 1] = -y[k]
      }
      blocks.push({ at, a, b })
      at += 2
    }
  }
  const inverse = new Float64Array(n * n)
  const L = V.slice()
  const rows = new Int32Array(n)
  luFactor(L, 0, n, rows)
  for (let c = 0; c < n; c++) {
    const e = new Float64Array(n)
    e[c] = 1
    const x = new Float64Array(n)
    luSolve(L, 0, n, rows, x, 0, e, 0)
    for (let r = 0; r < n; r++) inverse[r * n + c] = x[r]
  }
  return { n, V, inverse, blocks }
}

/** Coefficients of det(x 1 − W), from the constant on, by Faddeev and LeVerrier. */
function characteristic(W: readonly (readonly number[])[]): number[] {
  const n = W.length
  const c = new Array<number>(n + 1).fill(0)
  c[n] = 1
  let M = W.map((row) => row.map(() => 0))
  for (let k = 1; k <= n; k++) {
    M = W.map((row, i) => row.map((_, j) => row.reduce((s, w, l) => s + w * M[l][j], 0) + (i === j ? c[n - k + 1] : 0)))
    const product = W.map((row, i) => row.reduce((s, w, l) => s + w * M[l][i], 0))
    c[n - k] = -product.reduce((s, x) => s + x, 0) / k
  }
  return c
}

/** All roots of a monic polynomial, by Durand and Kerner. */
function roots(c: readonly number[]): [number, number][] {
  const n = c.length - 1
  const size = 1 + Math.max(...c.map(Math.abs))
  const z = Array.from({ length: n }, (_, k): [number, number] => {
    const angle = (2 * Math.PI * k) / n + 0.4
    const r = Math.min(size, pow(Math.abs(c[0]), 1 / n) + 1)
    return [r * cos(angle), r * sin(angle)]
  })
  for (let sweep = 0; sweep < 500; sweep++) {
    let change = 0
    for (let k = 0; k < n; k++) {
      let [p, q] = [1, 0]
      for (let l = n - 1; l >= 0; l--) [p, q] = [p * z[k][0] - q * z[k][1] + c[l], p * z[k][1] + q * z[k][0]]
      let [u, v] = [1, 0]
      for (let l = 0; l < n; l++) {
        if (l === k) continue
        const [x, y] = [z[k][0] - z[l][0], z[k][1] - z[l][1]]
        ;[u, v] = [u * x - v * y, u * y + v * x]
      }
      const d = u * u + v * v
      const [dx, dy] = [(p * u + q * v) / d, (q * u - p * v) / d]
      z[k] = [z[k][0] - dx, z[k][1] - dy]
      change = Math.max(change, hypot(dx, dy))
    }
    if (change < 1e-15 * size) break
  }
  return z
}

/** x + i y with (W − (a + i b)) (x + i y) = 0, as the null vector of a real matrix of twice the size, by inverse iteration. */
function eigenvector(W: readonly (readonly number[])[], a: number, b: number): [number[], number[]] {
  const n = W.length
  const N = 2 * n
  const shift = 1e-7 * (1 + hypot(a, b))
  const A = new Float64Array(N * N)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const d = W[i][j] - (i === j ? a + shift : 0)
      A[i * N + j] = d
      A[(n + i) * N + n + j] = d
    }
    A[i * N + n + i] += b
    A[(n + i) * N + i] -= b
  }
  const rows = new Int32Array(N)
  luFactor(A, 0, N, rows, 0)
  let x = Float64Array.from({ length: N }, (_, k) => 1 + 0.3 * k)
  for (let k = 0; k < 6; k++) {
    const y = new Float64Array(N)
    luSolve(A, 0, N, rows, y, 0, x, 0)
    const size = norm(y)
    x = y.map((value) => value / size)
  }
  return [Array.from(x.subarray(0, n)), Array.from(x.subarray(n))]
}
