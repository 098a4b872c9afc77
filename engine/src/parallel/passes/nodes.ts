/**
 * Nodes of the groups that the blocks of long chains form: what is known of each, and how two neighbours are joined [Featherstone99].
 *
 * Left hangs on a body with acceleration A; right hangs on the last body of left, whose acceleration is A₁ and on which it acts with f₁; f pulls at the end
 * of right. With the bias forces IA A + pA + P f at what a part hangs on and −Pᵀ A + Φ f + b at its end (`blocks.kernel`),
 *   f₁ = −(IA₂ A₁ + pA₂ + P₂ f),   A₁ = −P₁ᵀ A + Φ₁ f₁ + b₁
 * With K = (1 + Φ₁ IA₂)⁻¹, N = IA₂ K, β = b₁ − Φ₁ pA₂:
 *   A₁ = K (β − P₁ᵀ A − Φ₁ P₂ f)
 *   IA = IA₁ + P₁ N P₁ᵀ,   pA = pA₁ − P₁ (N β + pA₂),   P = −P₁ Kᵀ P₂
 *   Φ = Φ₂ + P₂ᵀ K Φ₁ P₂,   b = b₂ − P₂ᵀ K β
 */
import { luFactor, luSolve } from '../../linalg/dense/lu.js'
import type { Vec } from '../../math/types.js'
import { add6, mulPose, rotate6, shiftMotion } from '../../printed/arrays.js'

/** Numbers of a node, each at its own offset: those of `Blocks` and what is found of joined ones. */
export interface NodeNumbers {
  /** pose and motion of its end, against what it hangs on */
  readonly X: Vec
  readonly V: Vec
  /** 21 and 6: the bias force at what it hangs on */
  readonly IA: Vec
  readonly pA: Vec
  /** six columns of six; six rows of six; six */
  readonly P: Vec
  readonly Phi: Vec
  readonly b: Vec
  /** of a joined node: K, row by row, and β */
  readonly K: Vec
  readonly beta: Vec
  /** pose, motion (world's axes) and acceleration of what it hangs on; wrench on its end */
  readonly base: Vec
  readonly A: Vec
  readonly f: Vec
}

/** pose 12, motion along the world's axes 6 */
export const BASE = 18

export function nodeLengths(count: number) {
  return {
    ...{ X: 12 * count, V: 6 * count, P: 36 * count, Phi: 36 * count, b: 6 * count },
    ...{ IA: 21 * count, pA: 6 * count, K: 36 * count, beta: 6 * count },
    ...{ base: BASE * count, A: 6 * count, f: 6 * count },
  }
}

// full row-major 6 × 6 of the 21 numbers of an articulated inertia: A (xx xy xz yy yz zz), B row by row, C
const FULL = Int32Array.of(
  ...[0, 1, 2, 6, 7, 8],
  ...[1, 3, 4, 9, 10, 11],
  ...[2, 4, 5, 12, 13, 14],
  ...[6, 9, 12, 15, 16, 17],
  ...[7, 10, 13, 16, 18, 19],
  ...[8, 11, 14, 17, 19, 20],
)

const W = new Float64Array(36)
const rows = new Int32Array(6)
const N = new Float64Array(36)
const M1 = new Float64Array(36)
const M2 = new Float64Array(36)
const x6 = new Float64Array(6)
const y6 = new Float64Array(6)

/** Pose and motion of the end of node n, from those of its parts. */
export function joinMotion({ X, V }: NodeNumbers, n: number, left: number, right: number): void {
  mulPose(X, 12 * n, X, 12 * left, X, 12 * right)
  // the motion of the end of left, seen at that of right, and what right adds
  shiftMotion(V, 6 * n, X, 12 * n, X, 12 * left, V, 6 * left)
  rotate6(x6, 0, X, 12 * left, V, 6 * right)
  add6(V, 6 * n, x6, 0)
}

/** base of `right` ← the end of `left`, whose own base is that of node n. */
export function placeEnd({ X, V, base }: NodeNumbers, n: number, left: number, right: number): void {
  const from = BASE * n
  const to = BASE * right
  mulPose(base, to, base, from, X, 12 * left)
  shiftMotion(base, to + 12, base, to, base, from, base, from + 12)
  rotate6(x6, 0, base, from, V, 6 * left)
  add6(base, to + 12, x6, 0)
  for (let k = 0; k < BASE; k++) base[BASE * left + k] = base[from + k]
}

/** out ← A B of 6 × 6, row by row; entries (r, c) of A at a + r ra + c ca, of B at b + r rb + c cb. */
function multiply(out: Vec, A: Vec, a: number, ra: number, ca: number, B: Vec, b: number, rb: number, cb: number): void {
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c < 6; c++) {
      let sum = 0
      for (let k = 0; k < 6; k++) sum += A[a + r * ra + k * ca] * B[b + k * rb + c * cb]
      out[6 * r + c] = sum
    }
  }
}

/** Joins left and right to node n; `tail`: nothing pulls at the end of right. */
export function joinNode(x: NodeNumbers, n: number, left: number, right: number, tail: boolean): void {
  const { IA, pA, P, Phi, b, K, beta } = x
  const p1 = 36 * left
  const p2 = 36 * right
  const phi1 = 36 * left
  const i2 = 21 * right

  // W = 1 + Φ₁ IA₂
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c < 6; c++) {
      let sum = r === c ? 1 : 0
      for (let k = 0; k < 6; k++) sum += Phi[phi1 + 6 * r + k] * IA[i2 + FULL[6 * k + c]]
      W[6 * r + c] = sum
    }
  }
  luFactor(W, 0, 6, rows)
  // K column by column
  for (let c = 0; c < 6; c++) {
    for (let r = 0; r < 6; r++) x6[r] = r === c ? 1 : 0
    luSolve(W, 0, 6, rows, y6, 0, x6, 0)
    for (let r = 0; r < 6; r++) K[36 * n + 6 * r + c] = y6[r]
  }
  // N = IA₂ K
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c < 6; c++) {
      let sum = 0
      for (let k = 0; k < 6; k++) sum += IA[i2 + FULL[6 * r + k]] * K[36 * n + 6 * k + c]
      N[6 * r + c] = sum
    }
  }
  // β = b₁ − Φ₁ pA₂,  x = N β + pA₂
  for (let r = 0; r < 6; r++) {
    let sum = b[6 * left + r]
    for (let k = 0; k < 6; k++) sum -= Phi[phi1 + 6 * r + k] * pA[6 * right + k]
    beta[6 * n + r] = sum
  }
  for (let r = 0; r < 6; r++) {
    let sum = pA[6 * right + r]
    for (let k = 0; k < 6; k++) sum += N[6 * r + k] * beta[6 * n + k]
    x6[r] = sum
  }
  // IA = IA₁ + P₁ N P₁ᵀ: entry (r, c) of P₁ is P[p1 + 6 c + r]
  multiply(M1, P, p1, 1, 6, N, 0, 6, 1)
  multiply(M2, M1, 0, 6, 1, P, p1, 6, 1)
  for (let r = 0; r < 6; r++) {
    for (let c = r; c < 6; c++) {
      const k = FULL[6 * r + c]
      IA[21 * n + k] = IA[21 * left + k] + M2[6 * r + c]
    }
    let sum = pA[6 * left + r]
    for (let k = 0; k < 6; k++) sum -= P[p1 + 6 * k + r] * x6[k]
    pA[6 * n + r] = sum
  }
  if (tail) return

  // P = −P₁ Kᵀ P₂
  multiply(M1, P, p1, 1, 6, K, 36 * n, 1, 6)
  multiply(M2, M1, 0, 6, 1, P, p2, 1, 6)
  for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) P[36 * n + 6 * c + r] = -M2[6 * r + c]
  // Φ = Φ₂ + P₂ᵀ (K Φ₁) P₂
  multiply(M1, K, 36 * n, 6, 1, Phi, phi1, 6, 1)
  multiply(M2, M1, 0, 6, 1, P, p2, 1, 6)
  multiply(M1, P, p2, 6, 1, M2, 0, 6, 1)
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c <= r; c++) {
      const sum = Phi[36 * right + 6 * r + c] + M1[6 * r + c]
      Phi[36 * n + 6 * r + c] = sum
      Phi[36 * n + 6 * c + r] = sum
    }
  }
  // b = b₂ − P₂ᵀ K β
  for (let r = 0; r < 6; r++) {
    let sum = 0
    for (let k = 0; k < 6; k++) sum += K[36 * n + 6 * r + k] * beta[6 * n + k]
    x6[r] = sum
  }
  for (let r = 0; r < 6; r++) {
    let sum = b[6 * right + r]
    for (let k = 0; k < 6; k++) sum -= P[p2 + 6 * r + k] * x6[k]
    b[6 * n + r] = sum
  }
}

/** From A and f of node n to those of its parts. */
export function splitNode(x: NodeNumbers, n: number, left: number, right: number, tail: boolean): void {
  const { IA, pA, P, Phi, K, beta, A, f } = x
  const p1 = 36 * left
  const p2 = 36 * right
  // y = P₂ f
  for (let r = 0; r < 6; r++) {
    let sum = 0
    if (!tail) for (let k = 0; k < 6; k++) sum += P[p2 + 6 * k + r] * f[6 * n + k]
    y6[r] = sum
  }
  // A₁ = K (β − P₁ᵀ A − Φ₁ y)
  for (let r = 0; r < 6; r++) {
    let sum = beta[6 * n + r]
    for (let k = 0; k < 6; k++) sum -= P[p1 + 6 * r + k] * A[6 * n + k] + Phi[36 * left + 6 * r + k] * y6[k]
    x6[r] = sum
  }
  for (let r = 0; r < 6; r++) {
    let sum = 0
    for (let k = 0; k < 6; k++) sum += K[36 * n + 6 * r + k] * x6[k]
    A[6 * right + r] = sum
    A[6 * left + r] = A[6 * n + r]
    f[6 * right + r] = tail ? 0 : f[6 * n + r]
  }
  // f₁ = −(IA₂ A₁ + pA₂ + y)
  for (let r = 0; r < 6; r++) {
    let sum = pA[6 * right + r] + y6[r]
    for (let k = 0; k < 6; k++) sum += IA[21 * right + FULL[6 * r + k]] * A[6 * right + k]
    f[6 * left + r] = -sum
  }
}
