/**
 * G ± R Rᵀ for many rows: 3 × 3 entries at once, so that six loads serve nine products.
 */
import type { Vec } from '../math/types.js'

/** Adds `sign` times the products of the `size` rows of R, `width` apart, over their first `used` numbers, to the lower triangle of G (and a few entries right of it). */
export function addGram(G: Vec, R: Vec, size: number, width: number, used: number, sign: number): void {
  let i = 0
  for (; i + 3 <= size; i += 3) for (let j = 0; j <= i; j += 3) addTile(G, R, size, width, used, sign, i, j)
  for (; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let s = 0
      for (let k = 0; k < used; k++) s += R[width * i + k] * R[width * j + k]
      G[size * i + j] += sign * s
    }
  }
}

function addTile(G: Vec, R: Vec, size: number, width: number, used: number, sign: number, i: number, j: number): void {
  let s00 = 0
  let s01 = 0
  let s02 = 0
  let s10 = 0
  let s11 = 0
  let s12 = 0
  let s20 = 0
  let s21 = 0
  let s22 = 0
  const a = width * i
  const b = width * j
  for (let k = 0; k < used; k++) {
    const a0 = R[a + k]
    const a1 = R[a + width + k]
    const a2 = R[a + 2 * width + k]
    const b0 = R[b + k]
    const b1 = R[b + width + k]
    const b2 = R[b + 2 * width + k]
    s00 += a0 * b0
    s01 += a0 * b1
    s02 += a0 * b2
    s10 += a1 * b0
    s11 += a1 * b1
    s12 += a1 * b2
    s20 += a2 * b0
    s21 += a2 * b1
    s22 += a2 * b2
  }
  const o = size * i + j
  G[o] += sign * s00
  G[o + 1] += sign * s01
  G[o + 2] += sign * s02
  G[o + size] += sign * s10
  G[o + size + 1] += sign * s11
  G[o + size + 2] += sign * s12
  G[o + 2 * size] += sign * s20
  G[o + 2 * size + 1] += sign * s21
  G[o + 2 * size + 2] += sign * s22
}
