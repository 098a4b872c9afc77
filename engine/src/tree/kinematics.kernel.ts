/**
 * Forward kinematics: pose and spatial velocity of every body.
 *
 * [RBDA] Table 5.1, first loop, in body coordinates; p = parent(i):
 *   X_WB(i) = X_WB(p) X_PB(i)
 *   V(i)    = X_PB(i)⁻¹ V(p) + S(i) v(i)
 *   c(i)    = Ṡ(i) v(i) + V(i) × S(i) v(i)
 * With the columns of S taken one after another, as the joints follow each other, both sums are one loop:
 *   V ← X⁻¹ V(p), c ← 0;   for each column k:  c += V × S_k v_k,  V += S_k v_k
 * where columns that act together use the same V.
 */
import { add, type Int, type Lanes, scale } from '../math/values/columns.js'
import { crossMotion, motionToChild, mulPose, REST } from '../math/values/spatial.js'
import type { Tree, Work } from '../model/tables.js'

/** Reads X_PB. Writes X_WB of the bodies from … to − 1. @kernel */
export function placeInWorld(m: Tree, d: Work, from: Int, to: Int): void {
  for (let i = from; i < to; i++) d.X_WB[i] = mulPose(d.X_WB[m.parent[i]], d.X_PB[i])
}

/** Reads X_PB, S, v. Writes V, c of the bodies from … to − 1; V of one on a moved frame holds the motion of that frame before. @kernel */
export function updateMotions(m: Tree, d: Work, v: Lanes<number>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) {
    let V = m.moved[i] === 1 ? d.V[i] : motionToChild(d.X_PB[i], d.V[m.parent[i]])
    let before = V
    let c = REST
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
      if (m.together[k] === 0) before = V
      const rate = scale(v[k], d.S[k])
      c = add(c, crossMotion(before, rate))
      V = add(V, rate)
    }
    d.V[i] = V
    d.c[i] = c
  }
}
