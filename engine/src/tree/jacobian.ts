/**
 * Products with the Jacobian J of all body velocities, V = J v, without forming it: O(n) each. `tree/jacobian.kernel` has the recursions,
 * `tree/modes` what bodies that deform add to them.
 *
 * Each over a range of bodies from … to − 1, by default all.
 */

import type { Vec } from '../math/types.js'
import { type Data, deliver, given, placeFor } from '../model/data.js'
import type { Model } from '../model/model.js'
import { add6, addDot6, addForceToParent, addScaled6, motionToChild } from '../printed/arrays.js'
import { addFrameRate, forceOnFrame, motionOnFrame } from './modes.js'

/** Reads X_PB, S. Writes y (6 a body) = J x; the world's row of y must be zero. */
export function jacobianProduct(m: Model, d: Data, y: Vec, x: Vec, from = 1, to = m.nbody): void {
  if (m.modes.count > 0) deformingProduct(m, d, y, x, from, to)
  else if (areNear(d, y, x)) d.kernels.addMotions(d.tree, d.poses, y.byteOffset, x.byteOffset, from, to)
  else {
    copyRows(d, d.motions, y, 0, from)
    d.kernels.addMotions(d.tree, d.poses, placeFor(d, d.motions, y), given(d, d.x, x), from, to)
    copyRowsBack(d, d.motions, y, from, to)
  }
}

/** Reads X_PB, S. Writes out (nv) = Jᵀ F; overwrites F with the forces accumulated over subtrees. */
export function jacobianTransposeProduct(m: Model, d: Data, out: Vec, F: Vec): void {
  out.fill(0, 0, m.nv)
  sumForces(m, d, out, F)
}

/** out += Jᵀ F, the last body first. Bodies whose parents are outside of the range keep their sums: `joinForces` carries them on. */
export function sumForces(m: Model, d: Data, out: Vec, F: Vec, from = 1, to = m.nbody): void {
  if (m.modes.count > 0) deformingSums(m, d, out, F, from, to)
  else if (areNear(d, F, out)) d.kernels.sumForcesUp(d.tree, d.poses, out.byteOffset, F.byteOffset, Math.max(from, 1), from, to)
  else {
    copyRows(d, d.wrenches, F, from, to)
    d.kernels.sumForcesUp(d.tree, d.poses, given(d, d.z, out), placeFor(d, d.wrenches, F), Math.max(from, 1), from, to)
    copyRowsBack(d, d.wrenches, F, from, to)
    deliver(d, d.z, out)
  }
}

/** Adds what `sumForces` left at the bodies from … to − 1 to their parents outside of this range, the last child first. */
export function joinForces(m: Model, d: Data, out: Vec, F: Vec, from: number, to: number): void {
  if (m.modes.count > 0) {
    for (let i = to - 1; i >= from; i--) {
      const p = m.parent[i]
      if (p === 0 || p >= from) continue
      if (m.modes.frame[i] < 0) addForceToParent(F, 6 * p, d.X_PB, 12 * i, F, 6 * i)
      else forceOnFrame(m, d, F, out, i)
    }
    return
  }
  copyRows(d, d.wrenches, F, 0, to)
  d.kernels.joinForceSums(d.tree, d.poses, placeFor(d, d.wrenches, F), from, to)
  copyRowsBack(d, d.wrenches, F, 0, from)
}

/** Reads X_PB, c. Writes z (6 a body) = J̇ v; the world's row of z must be zero. */
export function jacobianRateProduct(m: Model, d: Data, z: Vec, from = 1, to = m.nbody): void {
  if (m.modes.count > 0) {
    for (let i = from; i < to; i++) {
      motionToChild(z, 6 * i, d.X_PB, 12 * i, z, 6 * m.parent[i])
      if (m.modes.frame[i] >= 0) addFrameRate(m, d, z, i)
      add6(z, 6 * i, d.c, 6 * i)
    }
    return
  }
  copyRows(d, d.motions, z, 0, from)
  d.kernels.addMotionRates(d.tree, d.poses, placeFor(d, d.motions, z), d.c.byteOffset, from, to)
  copyRowsBack(d, d.motions, z, from, to)
}

/** Whether both stand in the data's memory, as in most calls: nothing is to be copied. */
const areNear = ({ block }: Data, a: Vec, b: Vec): boolean => a.buffer === block.buffer && b.buffer === block.buffer

/** Rows from … to − 1, six numbers each, into `room`, unless they stand in the data's memory. */
function copyRows(d: Data, room: Vec, x: Vec, from: number, to: number): void {
  if (x.buffer !== d.block.buffer) for (let k = 6 * from; k < 6 * to; k++) room[k] = x[k]
}

function copyRowsBack(d: Data, room: Vec, x: Vec, from: number, to: number): void {
  if (x.buffer !== d.block.buffer) for (let k = 6 * from; k < 6 * to; k++) x[k] = room[k]
}

/** What poses of a tree with bodies that deform are: of Data, or of a factor that keeps its own. */
type MovedPoses = Pick<Data, 'X_PB' | 'S' | 'T'>

/** `jacobianProduct` where bodies deform. */
export function deformingProduct(m: Model, d: MovedPoses, y: Vec, x: Vec, from: number, to: number): void {
  const { parent, iv, ivEnd, modes } = m
  for (let i = from; i < to; i++) {
    if (modes.frame[i] < 0) motionToChild(y, 6 * i, d.X_PB, 12 * i, y, 6 * parent[i])
    else motionOnFrame(m, d, y, x, i)
    for (let k = iv[i]; k < ivEnd[i]; k++) addScaled6(y, 6 * i, x, k, d.S, 6 * k)
  }
}

/** `sumForces` where bodies deform. */
export function deformingSums(m: Model, d: MovedPoses, out: Vec, F: Vec, from: number, to: number): void {
  const { parent, iv, ivEnd, modes } = m
  for (let i = to - 1; i >= from; i--) {
    for (let k = iv[i]; k < ivEnd[i]; k++) addDot6(out, k, d.S, 6 * k, F, 6 * i)
    const p = parent[i]
    if (p < from) continue
    if (modes.frame[i] < 0) addForceToParent(F, 6 * p, d.X_PB, 12 * i, F, 6 * i)
    else forceOnFrame(m, d, F, out, i)
  }
}
