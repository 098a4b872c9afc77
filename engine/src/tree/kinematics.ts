/**
 * Forward kinematics: pose and spatial velocity of every body.
 *
 * [RBDA] Table 5.1, first loop, in body coordinates; p = parent(i):
 *   X_PB(i) = X_PJ(i) X_JB(i),   X_WB(i) = X_WB(p) X_PB(i)
 *   V(i)    = X_PB(i)⁻¹ V(p) + S(i) v(i)
 *   c(i)    = Ṡ(i) v(i) + V(i) × S(i) v(i)
 */
import { updateJoints } from '../joints/index.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

/** Reads q, v. Writes X_JB, S, VJ, cJ, X_PB, X_WB, V, c. */
export function forwardKinematics(m: Model, d: Data, q: Vec, v: Vec): void {
  updateJoints(m, d, q, v)
  for (let i = 1; i < m.nbody; i++) moveBody(m, d, i, m.parent[i])
}

/** `mulPose` twice and `motionToChild`, written out over locals: X_PB is read where it was made. */
function moveBody(m: Model, d: Data, i: number, p: number): void {
  const F = m.X_PJ
  const { X_JB, X_PB, X_WB, VJ, cJ, V, c } = d
  const x = 12 * i

  // pose in parent
  const q0 = X_JB[x]
  const q1 = X_JB[x + 1]
  const q2 = X_JB[x + 2]
  const q3 = X_JB[x + 3]
  const q4 = X_JB[x + 4]
  const q5 = X_JB[x + 5]
  const q6 = X_JB[x + 6]
  const q7 = X_JB[x + 7]
  const q8 = X_JB[x + 8]
  const qx = X_JB[x + 9]
  const qy = X_JB[x + 10]
  const qz = X_JB[x + 11]
  let e = F[x]
  let f = F[x + 1]
  let g = F[x + 2]
  const r0 = e * q0 + f * q3 + g * q6
  const r1 = e * q1 + f * q4 + g * q7
  const r2 = e * q2 + f * q5 + g * q8
  const px = e * qx + f * qy + g * qz + F[x + 9]
  e = F[x + 3]
  f = F[x + 4]
  g = F[x + 5]
  const r3 = e * q0 + f * q3 + g * q6
  const r4 = e * q1 + f * q4 + g * q7
  const r5 = e * q2 + f * q5 + g * q8
  const py = e * qx + f * qy + g * qz + F[x + 10]
  e = F[x + 6]
  f = F[x + 7]
  g = F[x + 8]
  const r6 = e * q0 + f * q3 + g * q6
  const r7 = e * q1 + f * q4 + g * q7
  const r8 = e * q2 + f * q5 + g * q8
  const pz = e * qx + f * qy + g * qz + F[x + 11]
  X_PB[x] = r0
  X_PB[x + 1] = r1
  X_PB[x + 2] = r2
  X_PB[x + 3] = r3
  X_PB[x + 4] = r4
  X_PB[x + 5] = r5
  X_PB[x + 6] = r6
  X_PB[x + 7] = r7
  X_PB[x + 8] = r8
  X_PB[x + 9] = px
  X_PB[x + 10] = py
  X_PB[x + 11] = pz

  // pose in world
  const y = 12 * p
  e = X_WB[y]
  f = X_WB[y + 1]
  g = X_WB[y + 2]
  X_WB[x] = e * r0 + f * r3 + g * r6
  X_WB[x + 1] = e * r1 + f * r4 + g * r7
  X_WB[x + 2] = e * r2 + f * r5 + g * r8
  X_WB[x + 9] = e * px + f * py + g * pz + X_WB[y + 9]
  e = X_WB[y + 3]
  f = X_WB[y + 4]
  g = X_WB[y + 5]
  X_WB[x + 3] = e * r0 + f * r3 + g * r6
  X_WB[x + 4] = e * r1 + f * r4 + g * r7
  X_WB[x + 5] = e * r2 + f * r5 + g * r8
  X_WB[x + 10] = e * px + f * py + g * pz + X_WB[y + 10]
  e = X_WB[y + 6]
  f = X_WB[y + 7]
  g = X_WB[y + 8]
  X_WB[x + 6] = e * r0 + f * r3 + g * r6
  X_WB[x + 7] = e * r1 + f * r4 + g * r7
  X_WB[x + 8] = e * r2 + f * r5 + g * r8
  X_WB[x + 11] = e * px + f * py + g * pz + X_WB[y + 11]

  // parent's velocity seen from here
  const a = 6 * p
  const ax = V[a]
  const ay = V[a + 1]
  const az = V[a + 2]
  const ux = V[a + 3] + (ay * pz - az * py)
  const uy = V[a + 4] + (az * px - ax * pz)
  const uz = V[a + 5] + (ax * py - ay * px)
  const wx = r0 * ax + r3 * ay + r6 * az
  const wy = r1 * ax + r4 * ay + r7 * az
  const wz = r2 * ax + r5 * ay + r8 * az
  const vx = r0 * ux + r3 * uy + r6 * uz
  const vy = r1 * ux + r4 * uy + r7 * uz
  const vz = r2 * ux + r5 * uy + r8 * uz

  // plus what the joint adds
  const b = 6 * i
  const jx = VJ[b]
  const jy = VJ[b + 1]
  const jz = VJ[b + 2]
  const ju = VJ[b + 3]
  const jv = VJ[b + 4]
  const jw = VJ[b + 5]
  V[b] = wx + jx
  V[b + 1] = wy + jy
  V[b + 2] = wz + jz
  V[b + 3] = vx + ju
  V[b + 4] = vy + jv
  V[b + 5] = vz + jw

  // V × VJ is the same with the parent's part of V alone, because VJ × VJ = 0
  c[b] = cJ[b] + (wy * jz - wz * jy)
  c[b + 1] = cJ[b + 1] + (wz * jx - wx * jz)
  c[b + 2] = cJ[b + 2] + (wx * jy - wy * jx)
  c[b + 3] = cJ[b + 3] + (vy * jz - vz * jy) + (wy * jw - wz * jv)
  c[b + 4] = cJ[b + 4] + (vz * jx - vx * jz) + (wz * ju - wx * jw)
  c[b + 5] = cJ[b + 5] + (vx * jy - vy * jx) + (wx * jv - wy * ju)
}
