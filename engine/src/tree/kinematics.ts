/**
 * Forward kinematics: pose and spatial velocity of every body.
 *
 * [RBDA] Table 5.1, first loop, in body coordinates; p = parent(i):
 *   X_WB(i) = X_WB(p) X_PB(i)
 *   V(i)    = X_PB(i)⁻¹ V(p) + S(i) v(i)
 *   c(i)    = Ṡ(i) v(i) + V(i) × S(i) v(i)
 * With the columns of S taken one after another, as the joints follow each other, both sums are one loop:
 *   V ← X⁻¹ V(p), c ← 0;   for each column k:  c += V × S_k v_k,  V += S_k v_k
 * where columns that act together use the same V. `tree/modes` has what bodies that deform add.
 *
 * Every pass takes a range of bodies from … to − 1, by default all; what is above must have been passed before.
 */
import { updateJoints } from '../joints/index.js'
import { mulPose } from '../math/pose.js'
import { add6, addScaled6, crossMotion, motionToChild } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { motionOnFrame, updateFrameRate, updateModeBias, updateModeMomentum } from './modes.js'

/** Reads q, v. Writes S, X_PB, X_WB, V, c. */
export function forwardKinematics(m: Model, d: Data, q: Vec, v: Vec, from = 1, to = m.nbody): void {
  updatePoses(m, d, q, from, to)
  updateVelocities(m, d, v, from, to)
}

/** Reads q. Writes S, X_PB, X_WB. */
export function updatePoses(m: Model, d: Data, q: Vec, from = 1, to = m.nbody): void {
  const { parent } = m
  const { X_PB, X_WB } = d
  updateJoints(m, d, q, from, to)
  for (let i = from; i < to; i++) mulPose(X_WB, 12 * i, X_WB, 12 * parent[i], X_PB, 12 * i)
}

const before = new Float64Array(6)
const own = new Float64Array(6)

/** Reads X_PB, S, v. Writes V, c. */
export function updateVelocities(m: Model, d: Data, v: Vec, from = 1, to = m.nbody): void {
  const { parent, iv, ivEnd, together } = m
  const { frame, count } = m.modes
  const { X_PB, S, V, c } = d
  const deforms = count > 0
  for (let i = from; i < to; i++) {
    const b = 6 * i
    if (frame[i] < 0) motionToChild(V, b, X_PB, 12 * i, V, 6 * parent[i])
    else motionOnFrame(m, d, V, v, i)
    for (let r = 0; r < 6; r++) c[b + r] = 0
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      if (together[k] === 0) for (let r = 0; r < 6; r++) before[r] = V[b + r]
      for (let r = 0; r < 6; r++) own[r] = 0
      addScaled6(own, 0, v, k, S, 6 * k)
      add6(V, b, own, 0)
      crossMotion(own, 0, before, 0, own, 0)
      add6(c, b, own, 0)
    }
    if (frame[i] >= 0) updateFrameRate(m, d, v, i)
    if (!deforms) continue
    updateModeBias(m, d, V, b, v, i)
    updateModeMomentum(m, d, v, i)
  }
}
