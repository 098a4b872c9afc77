/**
 * Gradient, Newton factor and Newton matrix of a position-based step: the recursions of `euler/newton-factor`, where the letters are told.
 */
import { add, type Int, type Ints, type Lanes, scale, sub } from '../../../math/values/columns.js'
import {
  type Articulated,
  articulated,
  crossForce,
  crossMotion,
  diagonal,
  type Force,
  forceToParent,
  inertiaToParent,
  type Mat3,
  mulArticulated,
  outer,
  power,
  rotate,
  type Sym3,
  skew,
  tensor,
  type Vec3,
} from '../../../math/values/spatial.js'
import type { Poses, Tree } from '../../../model/tables.js'
import type { Factor } from '../../../tree/implicit-factor.kernel.js'

/** W = (W3 | w): derivative with respect to the transform of a body, in its axes */
export type PointGradient = { readonly W3: Mat3; readonly w: Vec3 }

export interface Newton {
  /** of each velocity: the joint, where it moves along an exponential together with its neighbours, else −1 */
  readonly exponential: Ints
  /** gradient wrenches summed over subtrees */
  readonly F: Lanes<Force>
  readonly scale: Lanes<{ readonly s: number; readonly lambda: number }>
  /** gradients summed over subtrees, and the links' curvature K that follows */
  readonly total: Lanes<PointGradient>
  readonly K: Lanes<Sym3>
}

export const axial = (M: Mat3): Vec3 => [M[2][1] - M[1][2], M[0][2] - M[2][0], M[1][0] - M[0][1]]

/** sym(M) − tr(M) 1 */
export const turning = (M: Mat3): Sym3 => [
  -M[1][1] - M[2][2],
  0.5 * (M[0][1] + M[1][0]),
  0.5 * (M[0][2] + M[2][0]),
  -M[0][0] - M[2][2],
  0.5 * (M[1][2] + M[2][1]),
  -M[0][0] - M[1][1],
]

export const curvature = ({ W3, w }: PointGradient): Articulated => ({ A: turning(W3), B: scale(-0.5, skew(w)), C: diagonal(0) })

/** κ_k = −½ ad(S_k)ᵀ F = ½ S_k ×* F */
const kappa = (d: Poses, n: Newton, i: Int, k: Int): Force => scale(0.5, crossForce(d.S[k], n.F[i]))

/** Whether two velocities move along one exponential. */
export const sameJoint = (n: Pick<Newton, 'exponential'>, k: Int, l: Int): boolean =>
  n.exponential[k] >= 0 && n.exponential[k] === n.exponential[l]

/** own_kl of two velocities of a body with gradient wrench F, l before k: 0 within joints that move along the exponential */
export const betweenVelocities = (d: Pick<Poses, 'S'>, n: Pick<Newton, 'exponential'>, F: Force, k: Int, l: Int): number =>
  sameJoint(n, k, l) ? 0 : 0.5 * power(crossMotion(d.S[l], d.S[k]), F)

const ownCurvature = (d: Poses, n: Newton, i: Int, k: Int, l: Int): number => betweenVelocities(d, n, n.F[i], k, l)

/** F = (axial(W3); w) and its sums over subtrees; grad = Sᵀ F + what acts in the joints. @kernel */
export function sumGradient(m: Tree, d: Poses, W: Lanes<PointGradient>, F: Lanes<Force>, joint: Lanes<number>, grad: Lanes<number>): void {
  for (let i = 1; i < m.nbody; i++) F[i] = { n: axial(W[i].W3), f: W[i].w }
  for (let i = m.nbody - 1; i > 0; i--) {
    const own = F[i]
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) grad[k] = power(d.S[k], own) + joint[k]
    const p = m.parent[i]
    if (p > 0) F[p] = add(F[p], forceToParent(d.X_PB[i], own))
  }
}

/** B of each body alone: IA = bodies + (1 + λ) s I, with the curvature where `exact` is 1. @kernel */
export function setBodyMatrices(
  m: Tree,
  n: Newton,
  IA: Lanes<Articulated>,
  bodies: Lanes<Articulated>,
  W: Lanes<PointGradient>,
  exact: Int,
): void {
  const { s, lambda } = n.scale[0]
  for (let i = 1; i < m.nbody; i++) {
    const B = add(bodies[i], scale(s * (1 + lambda), articulated(m.inertia[i])))
    IA[i] = exact === 1 ? add(B, curvature(W[i])) : B
  }
}

/** K of each link, from the gradients summed over what it carries. @kernel */
export function linkCurvature(m: Tree, d: Poses, n: Newton, W: Lanes<PointGradient>): void {
  for (let i = 1; i < m.nbody; i++) n.total[i] = W[i]
  for (let i = m.nbody - 1; i > 0; i--) {
    const { W3, w } = n.total[i]
    n.K[i] = turning(W3)
    const p = m.parent[i]
    if (p > 0) {
      const f = rotate(d.X_PB[i].R, w)
      n.total[p] = add(n.total[p], { W3: tensor(f, d.X_PB[i].p), w: f })
    }
  }
}

/** IA += K. @kernel */
export function addLinkCurvature(m: Tree, n: Newton, IA: Lanes<Articulated>): void {
  for (let i = 1; i < m.nbody; i++) {
    const { A, B, C } = IA[i]
    IA[i] = { A: add(A, n.K[i]), B, C }
  }
}

/**
 * Reads X_PB, S and IA = B of the factor, which has the form of `tree/implicit-factor.kernel`. Of each body L Lᵀ = Sᵀ B S + own + joint terms,
 * W = L⁻¹ (B S + κ)ᵀ, and B − Wᵀ W is its parent's.
 * @kernel
 */
export function factorNewtonTree(m: Tree, d: Poses, f: Factor, n: Newton, joints: Lanes<number>, exact: Int): void {
  const { s, lambda } = n.scale[0]
  let least = 1e300
  for (let i = m.nbody - 1; i > 0; i--) {
    const first = m.iv[i]
    const count = m.ivEnd[i] - first
    const block = m.id[i]
    let left = f.IA[i]
    for (let r = 0; r < count; r++) {
      const k = first + r
      let U = mulArticulated(f.IA[i], d.S[k])
      let pivot = power(d.S[k], U) + s * (1 + lambda) * m.armature[k] + joints[k]
      for (let c = 0; c < r; c++) {
        let l = power(d.S[first + c], U)
        if (exact === 1) l = l + ownCurvature(d, n, i, k, first + c)
        for (let b = 0; b < c; b++) l = l - f.L[block + r * count + b] * f.L[block + c * count + b]
        l = l * f.L[block + c * count + c]
        f.L[block + r * count + c] = l
        pivot = pivot - l * l
      }
      if (exact === 1) U = add(U, kappa(d, n, i, k))
      for (let c = 0; c < r; c++) U = sub(U, scale(f.L[block + r * count + c], f.W[first + c]))
      least = Math.min(least, pivot)
      const x = 1 / Math.sqrt(pivot)
      const W = scale(x, U)
      f.L[block + r * count + r] = x
      f.W[k] = W
      left = sub(left, outer(W, W))
    }
    const p = m.parent[i]
    if (p > 0) f.IA[p] = add(f.IA[p], inertiaToParent(d.X_PB[i], left))
  }
  f.least[0] = least
}

/**
 * H[at …], with rows `stride` apart, += the exact matrix itself. Reads IA = B of each body alone, which become those of subtrees: column k of
 * body i is B S_k + κ_k, carried up the tree as in `tree/crba`.
 * @kernel
 */
export function addNewtonMatrix(
  m: Tree,
  d: Poses,
  n: Newton,
  IA: Lanes<Articulated>,
  joints: Lanes<number>,
  H: Lanes<number>,
  at: Int,
  stride: Int,
): void {
  const { s, lambda } = n.scale[0]
  for (let i = m.nbody - 1; i > 0; i--) {
    const B = IA[i]
    const p = m.parent[i]
    if (p > 0) IA[p] = add(IA[p], inertiaToParent(d.X_PB[i], B))
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
      let F = mulArticulated(IA[i], d.S[k])
      for (let l = m.iv[i]; l < k; l++) {
        const x = power(d.S[l], F) + ownCurvature(d, n, i, k, l)
        H[at + k * stride + l] = H[at + k * stride + l] + x
        H[at + l * stride + k] = H[at + l * stride + k] + x
      }
      const diagonal = at + k * stride + k
      H[diagonal] = H[diagonal] + power(d.S[k], F) + s * (1 + lambda) * m.armature[k] + joints[k]
      F = add(F, kappa(d, n, i, k))
      for (let b = i; m.parent[b] > 0; b = m.parent[b]) {
        F = forceToParent(d.X_PB[b], F)
        const a = m.parent[b]
        for (let l = m.iv[a]; l < m.ivEnd[a]; l++) {
          const x = power(d.S[l], F)
          H[at + k * stride + l] = H[at + k * stride + l] + x
          H[at + l * stride + k] = H[at + l * stride + k] + x
        }
      }
    }
  }
}
