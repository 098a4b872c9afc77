/**
 * Forward kinematics: pose and spatial velocity of every body. `tree/kinematics.kernel` has the recursion, `tree/modes` what bodies that
 * deform add to it.
 *
 * Every pass takes a range of bodies from … to − 1, by default all; what is above must have been passed before.
 */
import { updateJoints } from '../joints/index.js'
import type { Vec } from '../math/types.js'
import { type Data, given } from '../model/data.js'
import type { Model } from '../model/model.js'
import { motionOnFrame, updateFrameRate, updateModeBias, updateModeMomentum } from './modes.js'

/** Reads q, v. Writes S, X_PB, X_WB, V, c. */
export function forwardKinematics(m: Model, d: Data, q: Vec, v: Vec, from = 1, to = m.nbody): void {
  updatePoses(m, d, q, from, to)
  updateVelocities(m, d, v, from, to)
}

/** Reads q. Writes S, X_PB, X_WB. */
export function updatePoses(m: Model, d: Data, q: Vec, from = 1, to = m.nbody): void {
  updateJoints(m, d, q, from, to)
  d.kernels.placeInWorld(d.tree, d.work, from, to)
}

/** Reads q, v. Writes S, X_PB, X_WB, V, c; of bodies that deform not what only their own dynamics needs, which `tree/aba` finds for itself. */
export function placeAndMove(m: Model, d: Data, q: Vec, v: Vec): void {
  updatePoses(m, d, q)
  if (m.modes.count === 0) updateVelocities(m, d, v)
  else {
    const at = given(d, d.v, v)
    for (let i = 1; i < m.nbody; i++) {
      if (m.modes.frame[i] >= 0) motionOnFrame(m, d, d.V, v, i)
      d.kernels.updateMotions(d.tree, d.work, at, i, i + 1)
    }
  }
}

/** Reads X_PB, S, v. Writes V, c. */
export function updateVelocities(m: Model, d: Data, v: Vec, from = 1, to = m.nbody): void {
  const { kernels, tree, work } = d
  const at = given(d, d.v, v)
  if (m.modes.count === 0) {
    kernels.updateMotions(tree, work, at, from, to)
    return
  }
  for (let i = from; i < to; i++) {
    const moved = m.modes.frame[i] >= 0
    if (moved) motionOnFrame(m, d, d.V, v, i)
    kernels.updateMotions(tree, work, at, i, i + 1)
    if (moved) updateFrameRate(m, d, v, i)
    updateModeBias(m, d, d.V, 6 * i, v, i)
    updateModeMomentum(m, d, v, i)
  }
}
