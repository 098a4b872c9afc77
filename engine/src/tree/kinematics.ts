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
import { updateJoints } from '../joints/index.js'
import { mulPose } from '../math/pose.js'
import { add6, addScaled6, crossMotion, motionToChild } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

/** Reads q, v. Writes S, X_PB, X_WB, V, c. */
export function forwardKinematics(m: Model, d: Data, q: Vec, v: Vec): void {
  updatePoses(m, d, q)
  updateVelocities(m, d, v)
}

/** Reads q. Writes S, X_PB, X_WB. */
export function updatePoses(m: Model, d: Data, q: Vec): void {
  const { nbody, parent } = m
  const { X_PB, X_WB } = d
  updateJoints(m, d, q)
  for (let i = 1; i < nbody; i++) mulPose(X_WB, 12 * i, X_WB, 12 * parent[i], X_PB, 12 * i)
}

const before = new Float64Array(6)
const own = new Float64Array(6)

/** Reads X_PB, S, v. Writes V, c. */
export function updateVelocities(m: Model, d: Data, v: Vec): void {
  const { nbody, parent, iv, ivEnd, together } = m
  const { X_PB, S, V, c } = d
  for (let i = 1; i < nbody; i++) {
    const b = 6 * i
    motionToChild(V, b, X_PB, 12 * i, V, 6 * parent[i])
    for (let r = 0; r < 6; r++) c[b + r] = 0
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      if (together[k] === 0) for (let r = 0; r < 6; r++) before[r] = V[b + r]
      for (let r = 0; r < 6; r++) own[r] = 0
      addScaled6(own, 0, v, k, S, 6 * k)
      add6(V, b, own, 0)
      crossMotion(own, 0, before, 0, own, 0)
      add6(c, b, own, 0)
    }
  }
}
