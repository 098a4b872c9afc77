/**
 * X(i, n) = ∂² I/∂q_i ∂q_n of I = Σ tr(T(q_i) Mt T(q_n)ᵀ), dense nv × nv, in O(n · depth) (algorithm 3 of [Pan and Manocha 2018] with
 * a 4 × 4 recursion in place of its 4 × 4 × 4 × 4 tensors):
 *   Mb(b) = Mt + Σ_children L(q_i) Mb L(q_n)ᵀ,   D_k = T [S_k]
 *   X(b k)(a l) = ⟨D_k(i) Mb(b), D_l(n) of a carried down to b⟩ for every ancestor a of b, and the same with i and n exchanged
 */
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { MOMENTS } from '../../../tree/point-moments.js'

const A = new Float64Array(12)
const B = new Float64Array(12)
const N = new Float64Array(16)
const entry = new Float64Array(1)

/** Reads poses and axes of both stages. Adds scale[e] · X to H[o …] with rows `stride` apart; Mb is scratch, 16 a body. */
export function addMixedDerivative(
  m: Model,
  moments: Vec,
  di: Data,
  dn: Data,
  Mb: Vec,
  H: Vec,
  o: number,
  stride: number,
  scale: Vec,
  e: number,
): void {
  const { nbody, parent, iv, ivEnd } = m
  for (let i = 1; i < nbody; i++) setMoments(Mb, 16 * i, moments, MOMENTS * i)
  for (let b = nbody - 1; b > 0; b--) {
    for (let k = iv[b]; k < ivEnd[b]; k++) {
      // rows of b at stage i, columns of b and of its ancestors at stage n
      rate(A, di, b, k)
      timesMoments(B, A, Mb, 16 * b, false)
      for (let a = b; a > 0; a = parent[a]) {
        for (let l = iv[a]; l < ivEnd[a]; l++) {
          against(B, dn, a, l)
          H[o + k * stride + l] += scale[e] * entry[0]
        }
        timesPose(B, dn.X_PB, 12 * a)
      }
      // columns of b at stage n, rows of its ancestors at stage i
      rate(A, dn, b, k)
      timesMoments(B, A, Mb, 16 * b, true)
      timesPose(B, di.X_PB, 12 * b)
      for (let a = parent[b]; a > 0; a = parent[a]) {
        for (let l = iv[a]; l < ivEnd[a]; l++) {
          against(B, di, a, l)
          H[o + l * stride + k] += scale[e] * entry[0]
        }
        timesPose(B, di.X_PB, 12 * a)
      }
    }
    if (parent[b] > 0) addToParent(Mb, 16 * parent[b], di.X_PB, dn.X_PB, 12 * b, Mb, 16 * b)
  }
}

function setMoments(Mb: Vec, o: number, moments: Vec, i: number): void {
  const x = moments
  Mb[o] = x[i]
  Mb[o + 1] = x[i + 1]
  Mb[o + 2] = x[i + 2]
  Mb[o + 3] = x[i + 6]
  Mb[o + 4] = x[i + 1]
  Mb[o + 5] = x[i + 3]
  Mb[o + 6] = x[i + 4]
  Mb[o + 7] = x[i + 7]
  Mb[o + 8] = x[i + 2]
  Mb[o + 9] = x[i + 4]
  Mb[o + 10] = x[i + 5]
  Mb[o + 11] = x[i + 8]
  Mb[o + 12] = x[i + 6]
  Mb[o + 13] = x[i + 7]
  Mb[o + 14] = x[i + 8]
  Mb[o + 15] = x[i + 9]
}

/** out (3 × 4, row-major) ← T [S_k] of body b. */
function rate(out: Vec, d: Data, b: number, k: number): void {
  const X = d.X_WB
  const S = d.S
  const s = 6 * k
  for (let r = 0; r < 3; r++) {
    const x = X[12 * b + 3 * r]
    const y = X[12 * b + 3 * r + 1]
    const z = X[12 * b + 3 * r + 2]
    out[4 * r] = y * S[s + 2] - z * S[s + 1]
    out[4 * r + 1] = z * S[s] - x * S[s + 2]
    out[4 * r + 2] = x * S[s + 1] - y * S[s]
    out[4 * r + 3] = x * S[s + 3] + y * S[s + 4] + z * S[s + 5]
  }
}

/** entry ← ⟨P, T [S_l]⟩ of body a; in an array, because a number handed back by a call that is not inlined is an allocation. */
function against(P: Vec, d: Data, a: number, l: number): void {
  rate(A, d, a, l)
  let sum = 0
  for (let k = 0; k < 12; k++) sum += P[k] * A[k]
  entry[0] = sum
}

/** out ← P Mb or P Mbᵀ */
function timesMoments(out: Vec, P: Vec, Mb: Vec, o: number, transposed: boolean): void {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 4; c++) {
      let sum = 0
      for (let k = 0; k < 4; k++) sum += P[4 * r + k] * Mb[o + (transposed ? 4 * c + k : 4 * k + c)]
      out[4 * r + c] = sum
    }
  }
}

/** P ← P Lᵀ for the 4 × 4 transform L at X[x]. */
function timesPose(P: Vec, X: Vec, x: number): void {
  for (let r = 0; r < 3; r++) {
    const a = P[4 * r]
    const b = P[4 * r + 1]
    const c = P[4 * r + 2]
    const e = P[4 * r + 3]
    for (let k = 0; k < 3; k++) P[4 * r + k] = a * X[x + 3 * k] + b * X[x + 3 * k + 1] + c * X[x + 3 * k + 2] + e * X[x + 9 + k]
  }
}

/** Mb(parent) += L(i) Mb L(n)ᵀ */
function addToParent(P: Vec, p: number, Xi: Vec, Xn: Vec, x: number, Mb: Vec, o: number): void {
  for (let r = 0; r < 4; r++) {
    for (let c = 0; c < 4; c++) {
      N[4 * r + c] =
        r === 3
          ? Mb[o + 12 + c]
          : Xi[x + 3 * r] * Mb[o + c] +
            Xi[x + 3 * r + 1] * Mb[o + 4 + c] +
            Xi[x + 3 * r + 2] * Mb[o + 8 + c] +
            Xi[x + 9 + r] * Mb[o + 12 + c]
    }
  }
  for (let r = 0; r < 4; r++) {
    const a = N[4 * r]
    const b = N[4 * r + 1]
    const c = N[4 * r + 2]
    const e = N[4 * r + 3]
    for (let k = 0; k < 3; k++) P[p + 4 * r + k] += a * Xn[x + 3 * k] + b * Xn[x + 3 * k + 1] + c * Xn[x + 3 * k + 2] + e * Xn[x + 9 + k]
    P[p + 4 * r + 3] += e
  }
}
