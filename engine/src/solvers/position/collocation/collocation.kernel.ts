/**
 * What a collocation step does body by body: mixed derivatives of inertia, and velocities of joints from rates of transforms.
 *
 * X(i, n) = ∂² I/∂q_i ∂q_n of I = Σ tr(T(q_i) Mt T(q_n)ᵀ), dense nv × nv, in O(n · depth) (algorithm 3 of [Pan and Manocha 2018] with
 * a 4 × 4 recursion in place of its 4 × 4 × 4 × 4 tensors):
 *   Mb(b) = Mt + Σ_children L(q_i) Mb L(q_n)ᵀ,   D_k = T [S_k]
 *   X(b k)(a l) = ⟨D_k(i) Mb(b), D_l(n) of a carried down to b⟩ for every ancestor a of b, and the same with i and n exchanged
 * and ⟨P, T [S]⟩ is the power of the wrench (axial(Rᵀ P3); Rᵀ p) along S, P = (P3 | p).
 */
import { add, type Int, type Lanes, scale, sub } from '../../../math/values/columns.js'
import {
  dot,
  type Force,
  full,
  type Mat3,
  type Motion,
  motionToChild,
  mul,
  type Pose,
  power,
  rotate,
  rotateBack,
  type Sym3,
  skew,
  tensor,
  transpose,
  type Vec3,
} from '../../../math/values/spatial.js'
import type { Tree, Work } from '../../../model/tables.js'
import { axial } from '../euler/newton-factor.kernel.js'

/** places of the columns, as in `collocation/scheme` */
const EARLIER = 0
const START = 1
const RATE = 2
const STAGES = 3

/** (M | c), 3 × 4: a rate of a transform */
export type Rate = { readonly M: Mat3; readonly c: Vec3 }
/** ( A b ; cᵀ m ), 4 × 4 */
type Moments = { readonly A: Mat3; readonly b: Vec3; readonly c: Vec3; readonly m: number }

/** Mt: ∫ρ x xᵀ, mass times centre, mass */
export type MassMoments = { readonly J: Sym3; readonly h: Vec3; readonly m: number }

export interface Mixed {
  readonly moments: Lanes<MassMoments>
  readonly Mb: Lanes<Moments>
  /** what X is multiplied with */
  readonly weight: Lanes<number>
}

/** T [S] */
export const rateAlong = (X: Pose, S: Motion): Rate => ({ M: mul(X.R, skew(S.w)), c: rotate(X.R, S.v) })
/** so that power(S, wrenchOf(X, P)) = ⟨P, T [S]⟩ */
export const wrenchOf = (X: Pose, P: Rate): Force => ({ n: axial(mul(transpose(X.R), P.M)), f: rotateBack(X.R, P.c) })
const transposed = ({ A, b, c, m }: Moments): Moments => ({ A: transpose(A), b: c, c: b, m })
/** P Mb */
export const timesMoments = (P: Rate, { A, b, c, m }: Moments): Rate => ({
  M: add(mul(P.M, A), tensor(P.c, c)),
  c: add(rotate(P.M, b), scale(m, P.c)),
})
/** P Lᵀ */
const timesPose = (P: Rate, L: Pose): Rate => ({ M: add(mul(P.M, transpose(L.R)), tensor(P.c, L.p)), c: P.c })
/** Li Mb Lnᵀ */
const momentsToParent = (Li: Pose, Ln: Pose, { A, b, c, m }: Moments): Moments => {
  const { M, c: v } = { M: add(mul(Li.R, A), tensor(Li.p, c)), c: add(rotate(Li.R, b), scale(m, Li.p)) }
  return { A: add(mul(M, transpose(Ln.R)), tensor(v, Ln.p)), b: v, c: add(rotate(Ln.R, c), scale(m, Ln.p)), m }
}

/** H[at …], with rows `stride` apart, += weight X(i, n). Reads poses and axes of both stages. @kernel */
export function addMixedDerivative(m: Tree, z: Mixed, di: Work, dn: Work, H: Lanes<number>, at: Int, stride: Int): void {
  const weight = z.weight[0]
  for (let i = 1; i < m.nbody; i++) {
    const { J, h, m: mass } = z.moments[i]
    z.Mb[i] = { A: full(J), b: h, c: h, m: mass }
  }
  for (let b = m.nbody - 1; b > 0; b--) {
    for (let k = m.iv[b]; k < m.ivEnd[b]; k++) {
      // rows of b at stage i, columns of b and of its ancestors at stage n
      let P = timesMoments(rateAlong(di.X_WB[b], di.S[k]), z.Mb[b])
      for (let a = b; a > 0; a = m.parent[a]) {
        const F = wrenchOf(dn.X_WB[a], P)
        for (let l = m.iv[a]; l < m.ivEnd[a]; l++) {
          const e = at + k * stride + l
          H[e] = H[e] + weight * power(dn.S[l], F)
        }
        P = timesPose(P, dn.X_PB[a])
      }
      // columns of b at stage n, rows of its ancestors at stage i
      let Q = timesMoments(rateAlong(dn.X_WB[b], dn.S[k]), transposed(z.Mb[b]))
      for (let c = b; m.parent[c] > 0; c = m.parent[c]) {
        Q = timesPose(Q, di.X_PB[c])
        const a = m.parent[c]
        const F = wrenchOf(di.X_WB[a], Q)
        for (let l = m.iv[a]; l < m.ivEnd[a]; l++) {
          const e = at + l * stride + k
          H[e] = H[e] + weight * power(di.S[l], F)
        }
      }
    }
    const p = m.parent[b]
    if (p > 0) z.Mb[p] = add(z.Mb[p], momentsToParent(di.X_PB[b], dn.X_PB[b], z.Mb[b]))
  }
}

const dotMotion = (a: Motion, b: Motion): number => dot(a.w, b.w) + dot(a.v, b.v)

/**
 * v = velocities of the joints when the transforms change at the rates given: the twist of each body, of which [ω] is the skew part of Rᵀ Ṙ,
 * relative to its parent's, along the joint's axes in the sense of least squares, G = Sᵀ S = L Lᵀ. An axis that others span gets none.
 * `phi`, the twists, and `L`, with its diagonal inverted, are scratch.
 * @kernel
 */
export function jointRates(m: Tree, d: Work, rates: Lanes<Rate>, phi: Lanes<Motion>, L: Lanes<number>, v: Lanes<number>): void {
  for (let i = 1; i < m.nbody; i++) {
    const { R } = d.X_WB[i]
    const twist = { w: scale(0.5, axial(mul(transpose(R), rates[i].M))), v: rotateBack(R, rates[i].c) }
    phi[i] = twist
    const own = sub(twist, motionToChild(d.X_PB[i], phi[m.parent[i]]))
    const first = m.iv[i]
    const n = m.ivEnd[i] - first
    for (let r = 0; r < n; r++) {
      const S = d.S[first + r]
      let y = dotMotion(S, own)
      let pivot = dotMotion(S, S)
      for (let c = 0; c < r; c++) {
        let l = dotMotion(S, d.S[first + c])
        for (let b = 0; b < c; b++) l = l - L[r * n + b] * L[c * n + b]
        l = l * L[c * n + c]
        L[r * n + c] = l
        y = y - l * v[first + c]
        pivot = pivot - l * l
      }
      const x = pivot > 0 ? 1 / Math.sqrt(pivot) : 0
      L[r * n + r] = x
      v[first + r] = y * x
    }
    for (let r = n - 1; r >= 0; r--) {
      let y = v[first + r]
      for (let c = r + 1; c < n; c++) y = y - L[c * n + r] * v[first + c]
      v[first + r] = y * L[r * n + r]
    }
  }
}

/** Weights of the columns (T_−, T₀, V₀, T of the stages). */
export interface Columns {
  readonly X_: Lanes<Rate>
  readonly X0: Lanes<Rate>
  readonly V0: Lanes<Rate>
  readonly weights: Lanes<number>
}

/** out = what the columns before the stages give. @kernel */
export function startColumns(m: Tree, t: Columns, out: Lanes<Rate>): void {
  for (let i = 1; i < m.nbody; i++) {
    out[i] = add(scale(t.weights[START], t.X0[i]), scale(t.weights[EARLIER], t.X_[i]), scale(t.weights[RATE], t.V0[i]))
  }
}

/** out += the column of stage j. @kernel */
export function addStage(m: Tree, t: Columns, out: Lanes<Rate>, X: Lanes<Rate>, j: Int): void {
  for (let i = 1; i < m.nbody; i++) out[i] = add(out[i], scale(t.weights[STAGES + j], X[i]))
}
