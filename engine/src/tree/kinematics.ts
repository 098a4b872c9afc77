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
import { motionToChild } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

/** Reads q, v. Writes X_JB, S, VJ, cJ, X_PB, X_WB, V, c. */
export function forwardKinematics(m: Model, d: Data, q: Vec, v: Vec): void {
  const { nbody, parent, X_PJ } = m
  const { X_JB, X_PB, X_WB, VJ, cJ, V, c } = d

  updateJoints(m, d, q, v)

  for (let i = 1; i < nbody; i++) {
    const p = parent[i]

    // pose in parent, then in world
    mulPose(X_PB, 12 * i, X_PJ, 12 * i, X_JB, 12 * i)
    mulPose(X_WB, 12 * i, X_WB, 12 * p, X_PB, 12 * i)

    // parent's velocity seen from here, plus what the joint adds
    const b = 6 * i
    motionToChild(V, b, X_PB, 12 * i, V, 6 * p)
    const jx = VJ[b]
    const jy = VJ[b + 1]
    const jz = VJ[b + 2]
    const ju = VJ[b + 3]
    const jv = VJ[b + 4]
    const jw = VJ[b + 5]

    // V × VJ is the same with the parent's part of V alone, because VJ × VJ = 0
    const wx = V[b]
    const wy = V[b + 1]
    const wz = V[b + 2]
    const vx = V[b + 3]
    const vy = V[b + 4]
    const vz = V[b + 5]
    c[b] = cJ[b] + wy * jz - wz * jy
    c[b + 1] = cJ[b + 1] + wz * jx - wx * jz
    c[b + 2] = cJ[b + 2] + wx * jy - wy * jx
    c[b + 3] = cJ[b + 3] + vy * jz - vz * jy + wy * jw - wz * jv
    c[b + 4] = cJ[b + 4] + vz * jx - vx * jz + wz * ju - wx * jw
    c[b + 5] = cJ[b + 5] + vx * jy - vy * jx + wx * jv - wy * ju

    V[b] = wx + jx
    V[b + 1] = wy + jy
    V[b + 2] = wz + jz
    V[b + 3] = vx + ju
    V[b + 4] = vy + jv
    V[b + 5] = vz + jw
  }
}
