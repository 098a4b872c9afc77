/**
 * Forward dynamics, the articulated-body algorithm: O(n). `tree/aba.kernel` has the recursion, `tree/aba-modes` what bodies that deform add
 * to it.
 *
 * The passes take a range of bodies from … to − 1, for those who take a tree apart: `sweep` and `accelerate` need the bodies above, `eliminate`
 * those below.
 */
import { updateJoints } from '../joints/index.js'
import type { Vec } from '../math/types.js'
import { type Data, deliver, given, placeFor } from '../model/data.js'
import type { Model } from '../model/model.js'
import { type AddedInertia, accelerateFrame, accelerateModes, eliminateShape, sweepFrame, sweepModes } from './aba-modes.js'

/**
 * Reads X_PB, S, f, v and tau (nv). Writes X_WB, SW, VW, cW, IA, pA, U, D, u, AW and out (nv): the
 * accelerations. A pivot that is not positive makes NaN of the accelerations it feeds. `loaded`: false where every f is known to be zero.
 */
export function aba(m: Model, d: Data, v: Vec, tau: Vec, out: Vec, loaded = true): void {
  if (m.modes.count > 0) {
    sweep(m, d, v, 1, m.nbody, loaded)
    eliminate(m, d, tau)
    accelerate(m, d, out)
    return
  }
  d.kernels.articulatedBodies(d.tree, d.work, given(d, d.v, v), given(d, d.x, tau), placeFor(d, d.z, out), loaded ? 1 : 0)
  deliver(d, d.z, out)
}

/** Reads q, v and tau. Writes X_PB, S and what `aba` writes: the whole of it where every f is known to be zero. */
export function abaFromCoordinates(m: Model, d: Data, q: Vec, v: Vec, tau: Vec, out: Vec): void {
  if (m.modes.count > 0) {
    updateJoints(m, d, q)
    aba(m, d, v, tau, out, false)
    return
  }
  d.kernels.unloadedBodies(d.tree, d.work, given(d, d.q, q), given(d, d.v, v), given(d, d.x, tau), placeFor(d, d.z, out))
  deliver(d, d.z, out)
}

/** Root to leaves. Reads X_PB, S, v, f. Writes X_WB, SW, VW, cW; IA and pA of each body alone. */
export function sweep(m: Model, d: Data, v: Vec, from = 1, to = m.nbody, loaded = true): void {
  const { kernels, tree, work } = d
  const pulled = loaded ? 1 : 0
  const at = given(d, d.v, v)
  if (m.modes.count === 0) kernels.sweepTree(tree, work, at, pulled, from, to)
  else {
    for (let i = from; i < to; i++) {
      sweepFrame(m, d, v, i)
      kernels.sweepTree(tree, work, at, pulled, i, i + 1)
      sweepModes(m, d, v, i)
    }
  }
}

/**
 * Leaves to root, after `sweep`. Writes U, D, u. Bodies whose parents are outside of the range keep what is left, at their origins, in IA
 * and pA: `joinToParents` carries it on. `more`: added to the inertia of modes.
 */
export function eliminate(m: Model, d: Data, tau: Vec, from = 1, to = m.nbody, more?: AddedInertia): void {
  const { kernels, tree, work } = d
  const at = given(d, d.x, tau)
  if (m.modes.count === 0) kernels.eliminateTree(tree, work, at, from, from, to)
  else {
    for (let i = to - 1; i >= from; i--) {
      eliminateShape(m, d, tau, i, more)
      kernels.eliminateTree(tree, work, at, from, i, i + 1)
    }
  }
}

/**
 * What `eliminate` left at the bodies from … to − 1 whose parents are outside of this range, shifted and added to them. The last child
 * comes first, so that a tree in parts has the bits of a tree in one piece.
 */
export function joinToParents(d: Data, from: number, to: number): void {
  d.kernels.joinToParents(d.tree, d.work, from, to)
}

/** Root to leaves: accelerations of the joints, and AW of the bodies from … to − 1. */
export function accelerate(m: Model, d: Data, out: Vec, from = 1, to = m.nbody): void {
  const { kernels, tree, work } = d
  const { modes, iv, ivEnd } = m
  const at = placeFor(d, d.z, out)
  if (modes.count === 0) kernels.accelerateTree(tree, work, at, from, to)
  else {
    for (let i = from; i < to; i++) {
      accelerateFrame(m, d, out, i)
      kernels.accelerateTree(tree, work, at, i, i + 1)
      accelerateModes(m, d, out, i)
    }
  }
  if (out.buffer !== d.block.buffer) for (let i = from; i < to; i++) for (let k = iv[i]; k < ivEnd[i]; k++) out[k] = d.z[k]
}
