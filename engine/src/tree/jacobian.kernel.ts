/**
 * Products with the Jacobian J of all body velocities, V = J v, without forming it: O(n) each.
 *
 *   y = J x      forward   y(i) = X⁻¹ y(p) + S x
 *   x = Jᵀ F     backward  x = Sᵀ F(i),  F(p) += X⁻ᵀ F(i)
 *   z = J̇ v      forward   z(i) = X⁻¹ z(p) + c(i)
 * Each over the bodies from … to − 1.
 */
import { add, type Int, type Lanes, scale } from '../math/values/columns.js'
import { type Force, forceToParent, type Motion, motionToChild, mulRigid, power } from '../math/values/spatial.js'
import type { Poses, Tree } from '../model/tables.js'

/** y = J x; the world's row of y must be zero. @kernel */
export function addMotions(m: Tree, d: Poses, y: Lanes<Motion>, x: Lanes<number>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) {
    let Y = motionToChild(d.X_PB[i], y[m.parent[i]])
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) Y = add(Y, scale(x[k], d.S[k]))
    y[i] = Y
  }
}

/** out += Jᵀ F, the last body first; F becomes the sums over subtrees. Bodies whose parents are before `top` keep theirs. @kernel */
export function sumForcesUp(m: Tree, d: Poses, out: Lanes<number>, F: Lanes<Force>, top: Int, from: Int, to: Int): void {
  for (let i = to - 1; i >= from; i--) {
    const own = F[i]
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) out[k] = out[k] + power(d.S[k], own)
    const p = m.parent[i]
    if (p >= top) F[p] = add(F[p], forceToParent(d.X_PB[i], own))
  }
}

/** What `sumForcesUp` left at bodies whose parents are outside of this range is added to them, the last child first. @kernel */
export function joinForceSums(m: Tree, d: Poses, F: Lanes<Force>, from: Int, to: Int): void {
  for (let i = to - 1; i >= from; i--) {
    const p = m.parent[i]
    if (p > 0) {
      if (p < from) F[p] = add(F[p], forceToParent(d.X_PB[i], F[i]))
    }
  }
}

/** What `sumForcesUp` left at body i becomes what it adds to its parent, in the parent's frame. @kernel */
export function turnToParent(m: Tree, d: Poses, F: Lanes<Force>, i: Int): void {
  if (m.parent[i] > 0) F[i] = forceToParent(d.X_PB[i], F[i])
}

/** z = J̇ v from the velocity products c; the world's row of z must be zero. @kernel */
export function addMotionRates(m: Tree, d: Poses, z: Lanes<Motion>, c: Lanes<Motion>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) z[i] = add(motionToChild(d.X_PB[i], z[m.parent[i]]), c[i])
}

/** F = I y of every body, out = armature x: with `addMotions` before and `sumForcesUp` after, out = M x. @kernel */
export function inertiaForces(m: Tree, y: Lanes<Motion>, x: Lanes<number>, F: Lanes<Force>, out: Lanes<number>): void {
  for (let i = 1; i < m.nbody; i++) F[i] = mulRigid(m.inertia[i], y[i])
  for (let k = 0; k < m.nv; k++) out[k] = m.armature[k] * x[k]
}
