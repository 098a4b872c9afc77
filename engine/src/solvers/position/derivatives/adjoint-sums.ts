/**
 * What the adjoint of a step does to poses and joints one by one; `derivatives/adjoint.kernel` has its sums over bodies.
 */
import { difference, integrate, jointTypes } from '../../../joints/index.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'

/** X ← X exp of e along component c of a twist, to first order. */
export function turnPose(X: Vec, x: number, c: number, e: number): void {
  for (let r = 0; r < 3; r++) {
    const o = x + 3 * r
    if (c > 2) X[x + 9 + r] += e * X[o + c - 3]
    else {
      const [s, t] = [(c + 1) % 3, (c + 2) % 3]
      const [a, b] = [X[o + s], X[o + t]]
      X[o + s] += e * b
      X[o + t] -= e * a
    }
  }
}

/** Where the velocities of a joint stand: its first, how many, and which one of them each is. */
export interface Slots {
  readonly first: Int32Array
  readonly count: Int32Array
  readonly at: Int32Array
}

export function slotsOf(m: Model): Slots {
  const [first, count, at] = [new Int32Array(m.nv), new Int32Array(m.nv), new Int32Array(m.nv)]
  for (let j = 0; j < m.njoint; j++) {
    const { nv } = jointTypes[m.jointType[j]]
    for (let k = 0; k < nv; k++) {
      first[m.jointV[j] + k] = m.jointV[j]
      count[m.jointV[j] + k] = nv
      at[m.jointV[j] + k] = k
    }
  }
  return { first, count, at }
}

const EPSILON = 1e-5

/** out += (∂(b ⊖ a)/∂b)ᵀ r, or with respect to a: joint by joint, so by differences along one velocity of every joint at once. */
export function addDifference(m: Model, slots: Slots, r: Vec, a: Vec, b: Vec, wrtB: boolean, out: Vec): void {
  const { first, count, at } = slots
  const moved = new Float64Array(m.nq)
  const x = new Float64Array(m.nv)
  const ends = [new Float64Array(m.nv), new Float64Array(m.nv)]
  for (let c = 0; c < 6; c++) {
    for (let k = 0; k < m.nv; k++) x[k] = at[k] === c ? 1 : 0
    ends.forEach((end, side) => {
      moved.set(wrtB ? b : a)
      integrate(m, moved, x, side === 0 ? EPSILON : -EPSILON)
      difference(m, end, wrtB ? a : moved, wrtB ? moved : b)
    })
    for (let k = 0; k < m.nv; k++) if (count[k] > c) out[first[k] + c] += (r[k] * (ends[0][k] - ends[1][k])) / (2 * EPSILON)
  }
}
