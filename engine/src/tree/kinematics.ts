/**
 * Forward kinematics: pose and spatial velocity of every body.
 *
 * [RBDA] Table 5.1, first loop, in body coordinates; p = parent(i):
 *   X_WB(i) = X_WB(p) X_PB(i)
 *   V(i)    = X_PB(i)⁻¹ V(p) + S(i) v(i)
 *   c(i)    = Ṡ(i) v(i) + V(i) × S(i) v(i)
 */
import { updateJoints } from '../joints/index.js'
import { mulPose } from '../math/pose.js'
import { add6, crossMotion, motionToChild } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

/** Reads q, v. Writes S, VJ, cJ, X_PB, X_WB, V, c. */
export function forwardKinematics(m: Model, d: Data, q: Vec, v: Vec): void {
  updatePoses(m, d, q, v)
  updateVelocities(m, d, v)
}

/** Reads q, v. Writes S, VJ, cJ, X_PB, X_WB. */
export function updatePoses(m: Model, d: Data, q: Vec, v: Vec): void {
  const { nbody, parent } = m
  const { X_PB, X_WB } = d
  updateJoints(m, d, q, v)
  for (let i = 1; i < nbody; i++) mulPose(X_WB, 12 * i, X_WB, 12 * parent[i], X_PB, 12 * i)
}

/** Reads X_PB, S, VJ, cJ, v. Writes V, c. */
export function updateVelocities(m: Model, d: Data, v: Vec): void {
  const { nbody, parent, iv } = m
  const { X_PB, S, VJ, cJ, V, c } = d
  for (let i = 1; i < nbody; i++) {
    const b = 6 * i
    motionToChild(V, b, X_PB, 12 * i, V, 6 * parent[i])
    if (iv[i + 1] - iv[i] === 1) {
      // S is constant: S v = s v, Ṡ v = 0
      const k = iv[i]
      for (let r = 0; r < 6; r++) {
        VJ[b + r] = S[6 * k + r] * v[k]
        cJ[b + r] = 0
      }
    }
    // V × S v is the same with the parent's part of V alone, because S v × S v = 0
    crossMotion(c, b, V, b, VJ, b)
    add6(c, b, cJ, b)
    add6(V, b, VJ, b)
  }
}
