/**
 * Sums over bodies for the adjoint of a step. A is a 3 × 4 matrix of the world for each body, φ a twist, Mt mass moments.
 */
import { add, type Lanes, scale, sub } from '../../../math/values/columns.js'
import {
  crossMotion,
  type Force,
  forceToParent,
  full,
  type Motion,
  motionToChild,
  mul,
  mulRigid,
  type Pose,
  power,
  skew,
  tensor,
  transpose,
  ZERO,
} from '../../../math/values/spatial.js'
import type { Poses, Tree } from '../../../model/tables.js'
import { type MassMoments, type Rate, rateAlong, timesMoments, wrenchOf } from '../collocation/collocation.kernel.js'
import { axial, type Newton, type PointGradient, sameJoint } from '../euler/newton-factor.kernel.js'

const timesMass = (V: Rate, { J, h, m }: MassMoments): Rate => timesMoments(V, { A: full(J), b: h, c: h, m })

/** F = the wrench of A: ⟨T [φ], A⟩ = φ · F. @kernel */
export function wrenchesOf(m: Tree, X: Lanes<Pose>, A: Lanes<Rate>, F: Lanes<Force>): void {
  for (let i = 1; i < m.nbody; i++) F[i] = wrenchOf(X[i], A[i])
}

/** G = what ⟨T [φ], A⟩ changes by along T → T exp[ξ], φ = (ω; u) fixed: the moment of Rᵀ A (−[ω] 0 ; uᵀ 0). @kernel */
export function turnsOf(m: Tree, X: Lanes<Pose>, A: Lanes<Rate>, phi: Lanes<Motion>, G: Lanes<Force>): void {
  for (let i = 1; i < m.nbody; i++) {
    const turned = sub(tensor(A[i].c, phi[i].v), mul(A[i].M, skew(phi[i].w)))
    G[i] = { n: axial(mul(transpose(X[i].R), turned)), f: ZERO }
  }
}

/** F −= (axial(W3); w): the wrench of a gradient in body axes. @kernel */
export function subtractGradient(m: Tree, W: Lanes<PointGradient>, F: Lanes<Force>): void {
  for (let i = 1; i < m.nbody; i++) F[i] = sub(F[i], { n: axial(W[i].W3), f: W[i].w })
}

/** F −= I φ. @kernel */
export function subtractMomenta(m: Tree, phi: Lanes<Motion>, F: Lanes<Force>): void {
  for (let i = 1; i < m.nbody; i++) F[i] = sub(F[i], mulRigid(m.inertia[i], phi[i]))
}

/** out = V Mt. @kernel */
export function weighRates(m: Tree, V: Lanes<Rate>, moments: Lanes<MassMoments>, out: Lanes<Rate>): void {
  for (let i = 1; i < m.nbody; i++) out[i] = timesMass(V[i], moments[i])
}

/** out += T [φ] Mt. @kernel */
export function addTwists(m: Tree, X: Lanes<Pose>, phi: Lanes<Motion>, moments: Lanes<MassMoments>, out: Lanes<Rate>): void {
  for (let i = 1; i < m.nbody; i++) out[i] = add(out[i], timesMass(rateAlong(X[i], phi[i]), moments[i]))
}

/** out += what Σ F · φ changes by along the coordinates, φ = J u at fixed u. F becomes its sums over subtrees. @kernel */
export function addTwistTranspose(
  m: Tree,
  d: Poses,
  n: Newton,
  u: Lanes<number>,
  phi: Lanes<Motion>,
  F: Lanes<Force>,
  out: Lanes<number>,
): void {
  for (let i = m.nbody - 1; i > 0; i--) {
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
      // what comes before joint k
      let V = motionToChild(d.X_PB[i], phi[m.parent[i]])
      for (let l = m.iv[i]; l < k; l++) {
        if (!sameJoint(n, k, l)) V = add(V, scale(u[l], d.S[l]))
      }
      out[k] = out[k] + power(crossMotion(V, d.S[k]), F[i])
    }
    const p = m.parent[i]
    if (p > 0) F[p] = add(F[p], forceToParent(d.X_PB[i], F[i]))
  }
}
