/**
 * Gradient and exact Newton factor of a position-based step in O(n) [Pan and Manocha 2018].
 *
 * Per body the gradient wrench F = (axial(W3); w) and the symmetric matrix
 *   B = (1 + λ) scale I + ( sym(W3) − tr(W3) 1   −[w]/2 ; [w]/2   0 ) + what the forces add
 * Backward, F and B summed over the subtree before use:
 *   gradient = Sᵀ F,   u = B S + κ,  κ_k = −½ ad(S_k)ᵀ F,   D = Sᵀ B S + own + joint terms,   B(p) += X⁻ᵀ (B − u D⁻¹ uᵀ) X⁻¹
 *   own_kl = sym(F · ∂S_k/∂q_l): in a sequence of joints ∂S_k/∂q_l = −ad(S_l) S_k for l behind k; 0 within joints that move along
 *   the exponential (spherical, free), whose chart is symmetric at its origin.
 * Away from the minimum the exact matrix need not be positive definite. Its curvature is then taken link by link: with wt the sum of w
 * over the subtree, the turning ω of body i as a whole sees
 *   K = sym(Wt) − tr(Wt) 1,   Wt = W3 + Σ_children (R wt) pᵀ      (p: the child's origin in body i)
 * which is positive for a link under tension and negative for one under pressure; the positive part of K is kept, the rest left out.
 * Without the curvature terms (Gauss–Newton) B is the inertia and the factor that of the mass matrix: Levenberg–Marquardt.
 * The factor has the form of `tree/implicit-factor`, whose solve serves here too.
 */
import { jointTypes } from '../../../joints/index.js'
import { cholesky, forwardSubstitute } from '../../../linalg/dense/cholesky.js'
import { clipSymmetric3 } from '../../../linalg/dense/clip-symmetric3.js'
import { addInertiaToParent, mulArticulated, subtractOuter } from '../../../math/inertia.js'
import { addForceToParent, crossForce, crossMotion } from '../../../math/spatial.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import type { ImplicitFactor } from '../../../tree/implicit-factor.js'
import { setDot6 } from '../energy/body-sums.js'

export interface NewtonWork {
  /** summed gradient wrenches (6 a body) */
  readonly F: Vec
  readonly kap: Vec
  readonly cross: Vec
  /** 1 where a velocity moves along an exponential together with its neighbours: no own curvature among them */
  readonly exponential: Int32Array
  /** gradients summed over subtrees (12 a body), one body's curvature */
  readonly total: Vec
  readonly clip: Vec
  /** scale of the inertia, λ */
  readonly scale: Vec
}

/** Which matrix: the inertia alone, the exact second derivative, or with the curvature clipped. */
export type Curvature = 'none' | 'exact' | 'clipped'

export const SCALE = 0
export const LAMBDA = 1

export function createNewtonWork(m: Model): NewtonWork {
  // the number of the joint for exponential ones, −1 for joints with plain coordinates
  const exponential = new Int32Array(m.nv).fill(-1)
  for (let j = 0; j < m.njoint; j++) {
    const { linear, nv } = jointTypes[m.jointType[j]]
    if (!linear) for (let k = 0; k < nv; k++) exponential[m.jointV[j] + k] = j
  }
  return {
    F: new Float64Array(6 * m.nbody),
    kap: new Float64Array(6),
    cross: new Float64Array(6),
    exponential,
    total: new Float64Array(12 * m.nbody),
    clip: new Float64Array(6),
    scale: new Float64Array(2),
  }
}

/** Reads X_PB, S of d, W and the joint part of the gradient (nv). Writes grad (nv) and w.F. */
export function gradientPass(m: Model, d: Data, w: NewtonWork, W: Vec, joint: Vec, grad: Vec): void {
  const { nbody, parent, iv, ivEnd } = m
  const { X_PB, S } = d
  const F = w.F
  setWrenches(nbody, W, F)
  for (let i = nbody - 1; i > 0; i--) {
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      // grad and joint may be one array
      const outside = joint[k]
      setDot6(grad, k, S, 6 * k, F, 6 * i)
      grad[k] += outside
    }
    if (parent[i] > 0) addForceToParent(F, 6 * parent[i], X_PB, 12 * i, F, 6 * i)
  }
}

/** F ← (axial(W3); w) */
function setWrenches(nbody: number, W: Vec, F: Vec): void {
  for (let i = 1; i < nbody; i++) {
    const b = 6 * i
    const x = 12 * i
    F[b] = W[x + 7] - W[x + 5]
    F[b + 1] = W[x + 2] - W[x + 6]
    F[b + 2] = W[x + 3] - W[x + 1]
    F[b + 3] = W[x + 9]
    F[b + 4] = W[x + 10]
    F[b + 5] = W[x + 11]
  }
}

/**
 * Reads X_PB, S, W, w.F as `gradientPass` left it, w.scale, the forces' matrices `bodies` (21 a body) and `joints` (nv).
 * Writes the factor; false where a pivot is not positive.
 */
export function factorNewton(
  m: Model,
  d: Data,
  w: NewtonWork,
  W: Vec,
  bodies: Vec,
  joints: Vec,
  kind: Curvature,
  out: ImplicitFactor,
): boolean {
  const curvature = kind === 'exact'
  const { nbody, parent, iv, ivEnd, id } = m
  const { X_PB, S, IA, W: U, L } = out
  const { F, kap, scale } = w
  X_PB.set(d.X_PB)
  S.set(d.S)
  IA.set(bodies)
  const s = scale[SCALE] * (1 + scale[LAMBDA])
  for (let i = 1; i < nbody; i++) addOwn(IA, 21 * i, m.inertia, 10 * i, W, 12 * i, scale, curvature)
  if (kind === 'clipped') addClipped(m, d, w, W, IA)

  for (let i = nbody - 1; i > 0; i--) {
    const k = iv[i]
    const n = ivEnd[i] - k
    const o = id[i]
    if (n === 1) {
      const r = 6 * k
      mulArticulated(U, r, IA, 21 * i, S, r)
      setDot6(L, o, S, r, U, r)
      const pivot = L[o] + s * m.armature[k] + joints[k]
      if (!(pivot > 0)) return false
      const x = 1 / Math.sqrt(pivot)
      if (curvature) {
        crossForce(kap, 0, S, r, F, 6 * i)
        for (let c = 0; c < 6; c++) U[r + c] += 0.5 * kap[c]
      }
      for (let c = 0; c < 6; c++) U[r + c] *= x
      L[o] = x
    } else if (n > 1) {
      for (let r = 0; r < n; r++) {
        mulArticulated(U, 6 * (k + r), IA, 21 * i, S, 6 * (k + r))
        for (let c = 0; c <= r; c++) setDot6(L, o + r * n + c, S, 6 * (k + c), U, 6 * (k + r))
        L[o + r * n + r] += s * m.armature[k + r] + joints[k + r]
      }
      if (curvature) addCurvature(w, S, U, L, o, n, k, i)
      if (!cholesky(L, o, n)) return false
      for (let c = 0; c < 6; c++) forwardSubstitute(L, o, n, U, 6 * k + c, 6)
      for (let r = 0; r < n; r++) L[o + r * n + r] = 1 / L[o + r * n + r]
    }
    const p = parent[i]
    if (p === 0) continue
    for (let l = k; l < k + n; l++) subtractOuter(IA, 21 * i, U, 6 * l)
    addInertiaToParent(IA, 21 * p, X_PB, 12 * i, IA, 21 * i)
  }
  return true
}

/** Own curvature of several joints in sequence into their block at L[o], κ into the columns U; velocities k … k + n − 1 of body i. */
function addCurvature(w: NewtonWork, S: Vec, U: Vec, L: Vec, o: number, n: number, k: number, i: number): void {
  const { F, kap, cross, exponential } = w
  for (let r = 0; r < n; r++) {
    for (let c = 0; c < r; c++) {
      if (exponential[k + r] >= 0 && exponential[k + r] === exponential[k + c]) continue
      crossMotion(cross, 0, S, 6 * (k + c), S, 6 * (k + r))
      setDot6(kap, 0, F, 6 * i, cross, 0)
      L[o + r * n + c] += 0.5 * kap[0]
    }
    crossForce(kap, 0, S, 6 * (k + r), F, 6 * i)
    for (let c = 0; c < 6; c++) U[6 * (k + r) + c] += 0.5 * kap[c]
  }
}

/** IA += the positive part of each link's own curvature. */
function addClipped(m: Model, d: Data, w: NewtonWork, W: Vec, IA: Vec): void {
  const { nbody, parent } = m
  const X = d.X_PB
  const Wt = w.total
  Wt.set(W)
  for (let i = nbody - 1; i > 0; i--) {
    const x = 12 * i
    const p = parent[i]
    if (p > 0) {
      const a = Wt[x + 9]
      const b = Wt[x + 10]
      const c = Wt[x + 11]
      for (let r = 0; r < 3; r++) {
        const f = X[x + 3 * r] * a + X[x + 3 * r + 1] * b + X[x + 3 * r + 2] * c
        const o = 12 * p
        Wt[o + 3 * r] += f * X[x + 9]
        Wt[o + 3 * r + 1] += f * X[x + 10]
        Wt[o + 3 * r + 2] += f * X[x + 11]
        Wt[o + 9 + r] += f
      }
    }
    const K = w.clip
    K[0] = -Wt[x + 4] - Wt[x + 8]
    K[1] = 0.5 * (Wt[x + 1] + Wt[x + 3])
    K[2] = 0.5 * (Wt[x + 2] + Wt[x + 6])
    K[3] = -Wt[x] - Wt[x + 8]
    K[4] = 0.5 * (Wt[x + 5] + Wt[x + 7])
    K[5] = -Wt[x] - Wt[x + 4]
    clipSymmetric3(K, 0)
    for (let r = 0; r < 6; r++) IA[21 * i + r] += K[r]
  }
}

/** P += s I + ( sym(W3) − tr(W3) 1   −[w]/2 ; [w]/2   0 ) */
function addOwn(P: Vec, o: number, I: Vec, i: number, W: Vec, x: number, scale: Vec, curvature: boolean): void {
  const s = scale[SCALE] * (1 + scale[LAMBDA])
  const cx = s * I[i + 1]
  const cy = s * I[i + 2]
  const cz = s * I[i + 3]
  const mass = s * I[i]
  P[o] += s * I[i + 4]
  P[o + 1] += s * I[i + 5]
  P[o + 2] += s * I[i + 6]
  P[o + 3] += s * I[i + 7]
  P[o + 4] += s * I[i + 8]
  P[o + 5] += s * I[i + 9]
  P[o + 7] -= cz
  P[o + 8] += cy
  P[o + 9] += cz
  P[o + 11] -= cx
  P[o + 12] -= cy
  P[o + 13] += cx
  P[o + 15] += mass
  P[o + 18] += mass
  P[o + 20] += mass
  if (!curvature) return
  P[o] -= W[x + 4] + W[x + 8]
  P[o + 1] += 0.5 * (W[x + 1] + W[x + 3])
  P[o + 2] += 0.5 * (W[x + 2] + W[x + 6])
  P[o + 3] -= W[x] + W[x + 8]
  P[o + 4] += 0.5 * (W[x + 5] + W[x + 7])
  P[o + 5] -= W[x] + W[x + 4]
  const wx = 0.5 * W[x + 9]
  const wy = 0.5 * W[x + 10]
  const wz = 0.5 * W[x + 11]
  P[o + 7] += wz
  P[o + 8] -= wy
  P[o + 9] -= wz
  P[o + 11] += wx
  P[o + 12] += wy
  P[o + 13] -= wx
}

/**
 * The exact matrix of `factorNewton` itself, dense nv × nv and row-major: a block of what collocation forms and factors. Composite instead
 * of articulated matrices: column k of body i is B S_k + κ_k, carried up the tree as in `tree/crba`. Uses IA of out as scratch.
 */
export function newtonMatrix(m: Model, d: Data, w: NewtonWork, W: Vec, bodies: Vec, joints: Vec, out: ImplicitFactor, H: Vec): void {
  const { nbody, nv, parent, iv, ivEnd } = m
  const { X_PB, S } = d
  const { F, kap, cross, exponential, scale } = w
  const IA = out.IA
  IA.set(bodies)
  const s = scale[SCALE] * (1 + scale[LAMBDA])
  for (let i = 1; i < nbody; i++) addOwn(IA, 21 * i, m.inertia, 10 * i, W, 12 * i, scale, true)
  for (let k = 0; k < nv * nv; k++) H[k] = 0
  for (let i = nbody - 1; i > 0; i--) {
    if (parent[i] > 0) addInertiaToParent(IA, 21 * parent[i], X_PB, 12 * i, IA, 21 * i)
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      mulArticulated(column, 0, IA, 21 * i, S, 6 * k)
      for (let l = iv[i]; l <= k; l++) {
        setDot6(kap, 0, S, 6 * l, column, 0)
        let value = kap[0]
        if (l < k && !(exponential[k] >= 0 && exponential[k] === exponential[l])) {
          crossMotion(cross, 0, S, 6 * l, S, 6 * k)
          setDot6(kap, 0, F, 6 * i, cross, 0)
          value += 0.5 * kap[0]
        }
        H[k * nv + l] = value
        H[l * nv + k] = value
      }
      H[k * nv + k] += s * m.armature[k] + joints[k]
      crossForce(kap, 0, S, 6 * k, F, 6 * i)
      for (let c = 0; c < 6; c++) column[c] += 0.5 * kap[c]
      let at = 0
      for (let b = i; parent[b] > 0; b = parent[b]) {
        const to = 6 - at
        for (let r = 0; r < 6; r++) column[to + r] = 0
        addForceToParent(column, to, X_PB, 12 * b, column, at)
        at = to
        const a = parent[b]
        for (let l = iv[a]; l < ivEnd[a]; l++) {
          setDot6(H, k * nv + l, S, 6 * l, column, at)
          H[l * nv + k] = H[k * nv + l]
        }
      }
    }
  }
}

const column = new Float64Array(12)
