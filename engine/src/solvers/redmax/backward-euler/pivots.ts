/**
 * Bodies on a hinge of the ground: without forces such a body turns on about the hinge, whatever its imbalance, so that its centre of mass goes
 * round and not straight on. A joint is a hinge by what it lets its body do, S = (a; p × a) in body axes: a unit axis a, no slide along it, and p
 * the point of the axis nearest to the body's origin.
 */
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'

export interface Pivots {
  /** 1: the body turns about a hinge of the ground; 0 */
  readonly turns: Int32Array
  /** 3 a body: a point of the hinge's axis, in the frame of the body */
  readonly point: Vec
}

// of the unit axis, and m/rad: what rounding may leave
const SMALL = 1e-12

/** Reads S; `first` as of `FreeMotion`. */
export function createPivots(m: Model, d: Data, first: Int32Array): Pivots {
  const { nbody, parent, iv, ivEnd } = m
  const turns = new Int32Array(nbody)
  const point = new Float64Array(3 * nbody)
  for (let i = 1; i < nbody; i++) {
    if (ivEnd[i] - iv[i] !== 1 || first[parent[i]] !== 0) continue
    const [a, b, c, x, y, z] = d.S.subarray(6 * iv[i], 6 * iv[i] + 6)
    if (Math.abs(a * a + b * b + c * c - 1) > SMALL || Math.abs(a * x + b * y + c * z) > SMALL) continue
    turns[i] = 1
    point.set([b * z - c * y, c * x - a * z, a * y - b * x], 3 * i)
  }
  return { turns, point }
}
