/**
 * How bodies would go on in a step without forces: centres of mass straight on, and each body turning about its own as a free top does; bodies
 * on a hinge of the ground round that. Recursions are in `free-motion.kernel`.
 *
 * A step that sends the points of a body straight on instead, T + h Ṫ, brakes what spins: the circle is cut at its tangent,
 * ω falls by (hω)² of itself a step. Here only the path of the centre is cut. Rotations follow J. Moser, A. Veselov, Discrete versions
 * of some classical integrable systems (1991): the momentum at the end of the last step is that at the start of this one. With the unit
 * quaternions (e, w) of the two turns, in body axes,
 *   e′ J w′ + w′ × J w′ = e J w − w × J w
 * which keeps ω where it is a principal axis, and energy within bounds elsewhere.
 *
 * Rates, 6 numbers a body: ω in body axes, so that R = R₀ exp(h ω), and the velocity of the centre of mass in the world. Bodies fixed to one another
 * are one, and the first of them has the rates of all. Bodies that deform are by themselves, without mass or inertia here: `shape-motion` has
 * them.
 */

import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { mulPose } from '../../../printed/arrays.js'
import { createMoments, MOMENTS } from '../../../tree/point-moments.js'

// of the unit axis, and m/rad: what rounding may leave
const HINGE = 1e-12

export interface FreeMotion {
  readonly nbody: number
  /** the first body that each is fixed to, itself, or 0 for the world */
  readonly first: Int32Array
  readonly parent: Int32Array
  /** of all that is fixed to a first body, in its frame: mass, centre of mass (3), moment of inertia about that (xx xy xz yy yz zz) */
  readonly mass: Vec
  readonly center: Vec
  readonly inertia: Vec
  /** 1: the body turns about a hinge of the ground; 0 */
  readonly turns: Int32Array
  /** a point of that hinge's axis, in the frame of the body (3 each) */
  readonly point: Vec
}

// of the inertia: for rods, which have none about their axis, and would have no turn
const LEAST_INERTIA = 1e-9

/** Reads X_PB, which for bodies without a joint is the same in all poses, and S, which for a hinge is. */
export function createFreeMotion(m: Model, d: Data): FreeMotion {
  const { nbody, parent, iv, ivEnd, modes } = m
  const first = new Int32Array(nbody)
  const moments = createMoments(m)
  // bodies in the frame of their first one
  const X = new Float64Array(12 * nbody)
  for (let i = 1; i < nbody; i++) {
    const isFixed = ivEnd[i] === iv[i] && modes.row[i] < 0 && modes.row[parent[i]] < 0
    first[i] = isFixed ? first[parent[i]] : i
    if (!isFixed) {
      for (let e = 0; e < 3; e++) X[12 * i + 4 * e] = 1
    } else if (first[i] > 0) mulPose(X, 12 * i, X, 12 * parent[i], d.X_PB, 12 * i)
  }
  const out: FreeMotion = {
    nbody,
    first,
    parent: Int32Array.from(parent),
    mass: new Float64Array(nbody),
    center: new Float64Array(3 * nbody),
    inertia: new Float64Array(6 * nbody),
    ...createPivots(m, d, first),
  }
  // Σ, about the origin of the first body
  const second = new Float64Array(6 * nbody)
  for (let i = 1; i < nbody; i++) if (first[i] > 0 && modes.row[i] < 0) addMoments(out, second, first[i], moments, i, X)
  for (let i = 1; i < nbody; i++) centerInertia(out, second, i)
  return out
}

/**
 * Bodies on a hinge of the ground: without forces such a body turns on about the hinge, whatever its imbalance, so that its centre of mass goes
 * round and not straight on. A joint is a hinge by what it lets its body do, S = (a; p × a) in body axes: a unit axis a, no slide along it, and p
 * the point of the axis nearest to the body's origin.
 *
 * Reads S; `first` as of `FreeMotion`.
 */
function createPivots(m: Model, d: Data, first: Int32Array): Pick<FreeMotion, 'turns' | 'point'> {
  const { nbody, parent, iv, ivEnd } = m
  const turns = new Int32Array(nbody)
  const point = new Float64Array(3 * nbody)
  for (let i = 1; i < nbody; i++) {
    if (ivEnd[i] - iv[i] !== 1 || first[parent[i]] !== 0 || m.modes.row[i] >= 0) continue
    const [a, b, c, x, y, z] = d.S.subarray(6 * iv[i], 6 * iv[i] + 6)
    if (Math.abs(a * a + b * b + c * c - 1) > HINGE || Math.abs(a * x + b * y + c * z) > HINGE) continue
    turns[i] = 1
    point.set([b * z - c * y, c * x - a * z, a * y - b * x], 3 * i)
  }
  return { turns, point }
}

/** mass, m c and Σ of body i, moved to the frame of body f, are added to those there. */
function addMoments(out: FreeMotion, second: Vec, f: number, moments: Vec, i: number, X: Vec): void {
  const o = MOMENTS * i
  const x = 12 * i
  const mass = moments[o + 9]
  const full = [0, 1, 2, 1, 3, 4, 2, 4, 5].map((e) => moments[o + e])
  const p = [X[x + 9], X[x + 10], X[x + 11]]
  const rc = [0, 1, 2].map((r) => X[x + 3 * r] * moments[o + 6] + X[x + 3 * r + 1] * moments[o + 7] + X[x + 3 * r + 2] * moments[o + 8])
  out.mass[f] += mass
  let e = 6 * f
  for (let r = 0; r < 3; r++) {
    out.center[3 * f + r] += rc[r] + mass * p[r]
    for (let c = r; c < 3; c++) {
      let sum = rc[r] * p[c] + p[r] * rc[c] + mass * p[r] * p[c]
      for (let k = 0; k < 9; k++) sum += X[x + 3 * r + ((k / 3) | 0)] * full[k] * X[x + 3 * c + (k % 3)]
      second[e++] += sum
    }
  }
}

/** center ← centre of mass, inertia ← tr(Σ) 1 − Σ about it, a little fatter than it is. */
function centerInertia(out: FreeMotion, second: Vec, i: number): void {
  const { mass, center: c, inertia: J } = out
  if (!(mass[i] > 0)) return
  for (let r = 0; r < 3; r++) c[3 * i + r] /= mass[i]
  const x = c[3 * i]
  const y = c[3 * i + 1]
  const z = c[3 * i + 2]
  const o = 6 * i
  const xx = second[o] - mass[i] * x * x
  const yy = second[o + 3] - mass[i] * y * y
  const zz = second[o + 5] - mass[i] * z * z
  J[o] = yy + zz
  J[o + 1] = mass[i] * x * y - second[o + 1]
  J[o + 2] = mass[i] * x * z - second[o + 2]
  J[o + 3] = xx + zz
  J[o + 4] = mass[i] * y * z - second[o + 4]
  J[o + 5] = xx + yy
  const more = LEAST_INERTIA * (xx + yy + zz)
  J[o] += more
  J[o + 3] += more
  J[o + 5] += more
}
