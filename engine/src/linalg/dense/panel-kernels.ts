/**
 * Dense kernels of L D Lᵀ on row-major panels with k columns, three rows at a time.
 *
 * With W = L D:  W(i, j) = A(i, j) − Σ_{p<j} W(i, p) L(j, p),  L(i, j) = W(i, j) / D(j),  D(i) = A(i, i) − Σ_{p<i} W(i, p) L(i, p).
 * Nine running sums fill the registers without spilling; in JavaScript 3 × 3 tiles beat 2 × 2 and 4 × 4.
 */
import type { Vec } from '../../math/types.js'

/** Rows of a tile; the rows of an update are padded to a multiple of it. */
export const TILE = 3

/** Rows i … i + 2 of the panel at P[o], columns 0 … n − 1: turns A into L in place, W into the array W. */
export function eliminateRows(P: Vec, o: number, k: number, i: number, n: number, W: Vec, dinv: Vec, d: number): void {
  const a0 = o + i * k
  const a1 = a0 + k
  const a2 = a1 + k
  const w0 = i * k
  const w1 = w0 + k
  const w2 = w1 + k
  let j = 0
  for (; j + 2 < n; j += 3) {
    const b0 = o + j * k
    const b1 = b0 + k
    const b2 = b1 + k
    let s00 = P[a0 + j]
    let s01 = P[a0 + j + 1]
    let s02 = P[a0 + j + 2]
    let s10 = P[a1 + j]
    let s11 = P[a1 + j + 1]
    let s12 = P[a1 + j + 2]
    let s20 = P[a2 + j]
    let s21 = P[a2 + j + 1]
    let s22 = P[a2 + j + 2]
    for (let p = 0; p < j; p++) {
      const x0 = W[w0 + p]
      const x1 = W[w1 + p]
      const x2 = W[w2 + p]
      const y0 = P[b0 + p]
      const y1 = P[b1 + p]
      const y2 = P[b2 + p]
      s00 -= x0 * y0
      s01 -= x0 * y1
      s02 -= x0 * y2
      s10 -= x1 * y0
      s11 -= x1 * y1
      s12 -= x1 * y2
      s20 -= x2 * y0
      s21 -= x2 * y1
      s22 -= x2 * y2
    }

    // the tile's own triangle
    const l10 = P[b1 + j]
    const l20 = P[b2 + j]
    const l21 = P[b2 + j + 1]
    const d0 = dinv[d + j]
    const d1 = dinv[d + j + 1]
    const d2 = dinv[d + j + 2]
    s01 -= s00 * l10
    s02 -= s00 * l20 + s01 * l21
    s11 -= s10 * l10
    s12 -= s10 * l20 + s11 * l21
    s21 -= s20 * l10
    s22 -= s20 * l20 + s21 * l21
    W[w0 + j] = s00
    W[w0 + j + 1] = s01
    W[w0 + j + 2] = s02
    W[w1 + j] = s10
    W[w1 + j + 1] = s11
    W[w1 + j + 2] = s12
    W[w2 + j] = s20
    W[w2 + j + 1] = s21
    W[w2 + j + 2] = s22
    P[a0 + j] = s00 * d0
    P[a0 + j + 1] = s01 * d1
    P[a0 + j + 2] = s02 * d2
    P[a1 + j] = s10 * d0
    P[a1 + j + 1] = s11 * d1
    P[a1 + j + 2] = s12 * d2
    P[a2 + j] = s20 * d0
    P[a2 + j + 1] = s21 * d1
    P[a2 + j + 2] = s22 * d2
  }

  // columns left over
  for (; j < n; j++) {
    const b0 = o + j * k
    let s0 = P[a0 + j]
    let s1 = P[a1 + j]
    let s2 = P[a2 + j]
    for (let p = 0; p < j; p++) {
      const y = P[b0 + p]
      s0 -= W[w0 + p] * y
      s1 -= W[w1 + p] * y
      s2 -= W[w2 + p] * y
    }
    W[w0 + j] = s0
    W[w1 + j] = s1
    W[w2 + j] = s2
    P[a0 + j] = s0 * dinv[d + j]
    P[a1 + j] = s1 * dinv[d + j]
    P[a2 + j] = s2 * dinv[d + j]
  }
}

/** Row i of the panel at P[o], columns from … n − 1, as eliminateRows does for three. */
export function eliminateRow(P: Vec, o: number, k: number, i: number, from: number, n: number, W: Vec, dinv: Vec, d: number): void {
  const a = o + i * k
  const w = i * k
  for (let j = from; j < n; j++) {
    const b = o + j * k
    let s = P[a + j]
    for (let p = 0; p < j; p++) s -= W[w + p] * P[b + p]
    W[w + j] = s
    P[a + j] = s * dinv[d + j]
  }
}
