/**
 * How bodies would go on in a step without forces: centres of mass straight on, and each body turning about its own as a free top does; bodies
 * on a hinge of the ground round that.
 *
 * A step that sends the points of a body straight on instead, T + h Ṫ, brakes what spins: the circle is cut at its tangent,
 * ω falls by (hω)² of itself a step. Here only the path of the centre is cut. Rotations follow J. Moser, A. Veselov, Discrete versions
 * of some classical integrable systems (1991): the momentum at the end of the last step is that at the start of this one. With the unit
 * quaternions (e, w) of the two turns, in body axes,
 *   e′ J w′ + w′ × J w′ = e J w − w × J w
 * which keeps ω where it is a principal axis, and energy within bounds elsewhere.
 *
 * Rates, 6 numbers a body: ω in body axes, so that R = R₀ exp(h ω), and the velocity of the centre of mass in the world. Bodies fixed to one another
 * are one, and the first of them has the rates of all.
 */

import { mulPose } from '../../../math/pose.js'
import { logQuat, matrixToQuat } from '../../../math/rotation.js'
import { sincos } from '../../../math/trig.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { createMoments, MOMENTS } from '../../../tree/point-moments.js'

/**
 * Bodies on a hinge of the ground: without forces such a body turns on about the hinge, whatever its imbalance, so that its centre of mass goes
 * round and not straight on. A joint is a hinge by what it lets its body do, S = (a; p × a) in body axes: a unit axis a, no slide along it, and p
 * the point of the axis nearest to the body's origin.
 */
interface Pivots {
  /** 1: the body turns about a hinge of the ground; 0 */
  readonly turns: Int32Array
  /** 3 a body: a point of the hinge's axis, in the frame of the body */
  readonly point: Vec
}

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
  readonly pivots: Pivots
}

/** rad: a body that turns further in a step is slowed to this; beyond π no step could tell which way it goes */
const LARGEST_TURN = 2
// square of the angle up to which a few terms of a series are exact
const SMALL = 0.01
// of what is to be found: then a turn is known; how often it is tried
const TURN_TOLERANCE = 1e-13
const ROUNDS = 12
// of the inertia: for rods, which have none about their axis, and would have no turn
const LEAST_INERTIA = 1e-9

/** Reads X_PB, which for bodies without a joint is the same in all poses, and S, which for a hinge is. */
export function createFreeMotion(m: Model, d: Data): FreeMotion {
  const { nbody, parent, iv, ivEnd } = m
  const first = new Int32Array(nbody)
  const moments = createMoments(m)
  // bodies in the frame of their first one
  const X = new Float64Array(12 * nbody)
  for (let i = 1; i < nbody; i++) {
    const isFixed = ivEnd[i] === iv[i]
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
    pivots: createPivots(m, d, first),
  }
  // Σ, about the origin of the first body
  const second = new Float64Array(6 * nbody)
  for (let i = 1; i < nbody; i++) if (first[i] > 0) addMoments(out, second, first[i], moments, i, X)
  for (let i = 1; i < nbody; i++) centerInertia(out, second, i)
  return out
}

/** Reads S; `first` as of `FreeMotion`. */
function createPivots(m: Model, d: Data, first: Int32Array): Pivots {
  const { nbody, parent, iv, ivEnd } = m
  const turns = new Int32Array(nbody)
  const point = new Float64Array(3 * nbody)
  for (let i = 1; i < nbody; i++) {
    if (ivEnd[i] - iv[i] !== 1 || first[parent[i]] !== 0) continue
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

/** Reads X_WB and V. Writes the rates. */
export function startRates(f: FreeMotion, d: Data, rates: Vec): void {
  const { X_WB: X, V } = d
  const { center: c } = f
  for (let i = 1; i < f.nbody; i++) {
    const o = 6 * i
    if (f.first[i] !== i) continue
    const x = 12 * i
    const a = V[o]
    const b = V[o + 1]
    const e = V[o + 2]
    const vx = V[o + 3] + b * c[3 * i + 2] - e * c[3 * i + 1]
    const vy = V[o + 4] + e * c[3 * i] - a * c[3 * i + 2]
    const vz = V[o + 5] + a * c[3 * i + 1] - b * c[3 * i]
    rates[o] = a
    rates[o + 1] = b
    rates[o + 2] = e
    for (let r = 0; r < 3; r++) rates[o + 3 + r] = X[x + 3 * r] * vx + X[x + 3 * r + 1] * vy + X[x + 3 * r + 2] * vz
  }
}

/** half an angle, then its sine and cosine; w; matrix of a turn */
const angle = new Float64Array(2)
const turn = new Float64Array(3)
const F = new Float64Array(9)

/** Reads the poses X0 at the start of a step, the rates, and the step. Writes Y: poses at its end without forces. */
export function extrapolatePoses(f: FreeMotion, Y: Vec, X0: Vec, d: Data, rates: Vec, { h }: { readonly h: number }): void {
  const { nbody, first, parent, inertia } = f
  const { turns, point } = f.pivots
  for (let i = 1; i < nbody; i++) {
    const x = 12 * i
    if (first[i] !== i) {
      if (first[i] > 0) mulPose(Y, x, Y, 12 * parent[i], d.X_PB, x)
      else for (let e = x; e < x + 12; e++) Y[e] = X0[e]
      continue
    }
    const o = 6 * i
    const a = rates[o]
    const b = rates[o + 1]
    const c = rates[o + 2]
    const square = h * h * (a * a + b * b + c * c)
    // sin(|hω|/2)/|ω|
    let share = h * (0.5 - square * (1 / 48 - square * (1 / 3840 - square / 645120)))
    if (square > SMALL) {
      const size = Math.sqrt(square)
      angle[0] = 0.5 * Math.min(LARGEST_TURN, size)
      sincos(angle, 0)
      share = (h * angle[0]) / size
    }
    turn[0] = share * a
    turn[1] = share * b
    turn[2] = share * c
    // what turns about a hinge has that for a centre, which stays, and needs no torque of its own to keep to the axis
    const center = turns[i] === 1 ? point : f.center
    const along = turns[i] === 1 ? 0 : h
    if (turns[i] === 0) nextTurn(turn, inertia, o)
    turnMatrix(F, turn)
    const cx = center[3 * i]
    const cy = center[3 * i + 1]
    const cz = center[3 * i + 2]
    for (let r = 0; r < 3; r++) {
      const e = x + 3 * r
      const p = X0[e]
      const q = X0[e + 1]
      const s = X0[e + 2]
      const ya = p * F[0] + q * F[3] + s * F[6]
      const yb = p * F[1] + q * F[4] + s * F[7]
      const yc = p * F[2] + q * F[5] + s * F[8]
      Y[e] = ya
      Y[e + 1] = yb
      Y[e + 2] = yc
      Y[x + 9 + r] = X0[x + 9 + r] + along * rates[o + 3 + r] + (p - ya) * cx + (q - yb) * cy + (s - yc) * cz
    }
  }
}

/** w ← that of the next turn, by Newton's method; where that fails the turn goes on as it was. */
function nextTurn(w: Vec, J: Vec, o: number): void {
  const xx = J[o]
  const xy = J[o + 1]
  const xz = J[o + 2]
  const yy = J[o + 3]
  const yz = J[o + 4]
  const zz = J[o + 5]
  let a = w[0]
  let b = w[1]
  let c = w[2]
  let ja = xx * a + xy * b + xz * c
  let jb = xy * a + yy * b + yz * c
  let jc = xz * a + yz * b + zz * c
  // w × J w
  let ga = b * jc - c * jb
  let gb = c * ja - a * jc
  let gc = a * jb - b * ja
  const small = TURN_TOLERANCE * (Math.abs(ja) + Math.abs(jb) + Math.abs(jc))
  if (Math.abs(ga) + Math.abs(gb) + Math.abs(gc) <= small) return
  let e = Math.sqrt(1 - a * a - b * b - c * c)
  const ra = e * ja - ga
  const rb = e * jb - gb
  const rc = e * jc - gc
  for (let k = 0; k < ROUNDS; k++) {
    const fa = e * ja + ga - ra
    const fb = e * jb + gb - rb
    const fc = e * jc + gc - rc
    if (Math.abs(fa) + Math.abs(fb) + Math.abs(fc) <= small) {
      w[0] = a
      w[1] = b
      w[2] = c
      return
    }
    // e J − J w wᵀ/e + [w] J − [J w]
    const s = 1 / e
    const m00 = e * xx - s * ja * a + b * xz - c * xy
    const m01 = e * xy - s * ja * b + b * yz - c * yy + jc
    const m02 = e * xz - s * ja * c + b * zz - c * yz - jb
    const m10 = e * xy - s * jb * a + c * xx - a * xz - jc
    const m11 = e * yy - s * jb * b + c * xy - a * yz
    const m12 = e * yz - s * jb * c + c * xz - a * zz + ja
    const m20 = e * xz - s * jc * a + a * xy - b * xx + jb
    const m21 = e * yz - s * jc * b + a * yy - b * xy - ja
    const m22 = e * zz - s * jc * c + a * yz - b * xz
    const c0 = m11 * m22 - m12 * m21
    const c1 = m12 * m20 - m10 * m22
    const c2 = m10 * m21 - m11 * m20
    const t = 1 / (m00 * c0 + m01 * c1 + m02 * c2)
    a -= t * (c0 * fa + (m02 * m21 - m01 * m22) * fb + (m01 * m12 - m02 * m11) * fc)
    b -= t * (c1 * fa + (m00 * m22 - m02 * m20) * fb + (m02 * m10 - m00 * m12) * fc)
    c -= t * (c2 * fa + (m01 * m20 - m00 * m21) * fb + (m00 * m11 - m01 * m10) * fc)
    const left = 1 - a * a - b * b - c * c
    if (!(left > 0)) return
    e = Math.sqrt(left)
    ja = xx * a + xy * b + xz * c
    jb = xy * a + yy * b + yz * c
    jc = xz * a + yz * b + zz * c
    ga = b * jc - c * jb
    gb = c * ja - a * jc
    gc = a * jb - b * ja
  }
}

/** R ← the matrix of the unit quaternion with vector part w, scalar part positive. */
function turnMatrix(R: Vec, w: Vec): void {
  const a = w[0]
  const b = w[1]
  const c = w[2]
  const e = Math.sqrt(Math.max(0, 1 - a * a - b * b - c * c))
  R[0] = 1 - 2 * (b * b + c * c)
  R[1] = 2 * (a * b - e * c)
  R[2] = 2 * (a * c + e * b)
  R[3] = 2 * (a * b + e * c)
  R[4] = 1 - 2 * (a * a + c * c)
  R[5] = 2 * (b * c - e * a)
  R[6] = 2 * (a * c - e * b)
  R[7] = 2 * (b * c + e * a)
  R[8] = 1 - 2 * (a * a + b * b)
}

const quat = new Float64Array(4)
const vector = new Float64Array(3)

/** vector ← log(R₀ᵀ R) */
function turned(X0: Vec, X: Vec, x: number): void {
  const a0 = X0[x]
  const a1 = X0[x + 1]
  const a2 = X0[x + 2]
  const a3 = X0[x + 3]
  const a4 = X0[x + 4]
  const a5 = X0[x + 5]
  const a6 = X0[x + 6]
  const a7 = X0[x + 7]
  const a8 = X0[x + 8]
  const b0 = X[x]
  const b1 = X[x + 1]
  const b2 = X[x + 2]
  const b3 = X[x + 3]
  const b4 = X[x + 4]
  const b5 = X[x + 5]
  const b6 = X[x + 6]
  const b7 = X[x + 7]
  const b8 = X[x + 8]
  // the sine of the angle along the axis
  const sx = 0.5 * (a2 * b1 + a5 * b4 + a8 * b7 - a1 * b2 - a4 * b5 - a7 * b8)
  const sy = 0.5 * (a0 * b2 + a3 * b5 + a6 * b8 - a2 * b0 - a5 * b3 - a8 * b6)
  const sz = 0.5 * (a1 * b0 + a4 * b3 + a7 * b6 - a0 * b1 - a3 * b4 - a6 * b7)
  const trace = a0 * b0 + a1 * b1 + a2 * b2 + a3 * b3 + a4 * b4 + a5 * b5 + a6 * b6 + a7 * b7 + a8 * b8
  const q = sx * sx + sy * sy + sz * sz
  if (q < SMALL && trace > 1) {
    // asin(s)/s
    const k = 1 + q * (1 / 6 + q * (3 / 40 + q * (5 / 112 + q * (35 / 1152 + q * (63 / 2816)))))
    vector[0] = k * sx
    vector[1] = k * sy
    vector[2] = k * sz
    return
  }
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) F[3 * r + c] = X0[x + r] * X[x + c] + X0[x + 3 + r] * X[x + 3 + c] + X0[x + 6 + r] * X[x + 6 + c]
  matrixToQuat(quat, 0, F, 0)
  logQuat(vector, 0, quat, 0)
}

/** Reads the poses of a step's two ends. Writes the rates of bodies in between; their kinetic energy into out[o]. */
export function ratesBetween(f: FreeMotion, rates: Vec, X0: Vec, X: Vec, { h }: { readonly h: number }, out: Vec, k: number): void {
  const { nbody, first, mass, center, inertia: J } = f
  const { turns, point } = f.pivots
  const s = 1 / h
  let twice = 0
  for (let i = 1; i < nbody; i++) {
    if (first[i] !== i) continue
    const x = 12 * i
    const o = 6 * i
    turned(X0, X, x)
    const a = s * vector[0]
    const b = s * vector[1]
    const c = s * vector[2]
    rates[o] = a
    rates[o + 1] = b
    rates[o + 2] = c
    twice += J[o] * a * a + J[o + 3] * b * b + J[o + 5] * c * c + 2 * (J[o + 1] * a * b + J[o + 2] * a * c + J[o + 4] * b * c)
    if (turns[i] === 1) {
      // ω × (centre − pivot) at the end, not the chord
      const k0 = 3 * i
      const u = b * (center[k0 + 2] - point[k0 + 2]) - c * (center[k0 + 1] - point[k0 + 1])
      const v = c * (center[k0] - point[k0]) - a * (center[k0 + 2] - point[k0 + 2])
      const w = a * (center[k0 + 1] - point[k0 + 1]) - b * (center[k0] - point[k0])
      for (let r = 0; r < 3; r++) rates[o + 3 + r] = X[x + 3 * r] * u + X[x + 3 * r + 1] * v + X[x + 3 * r + 2] * w
      twice += mass[i] * (u * u + v * v + w * w)
      continue
    }
    for (let r = 0; r < 3; r++) {
      const e = x + 3 * r
      const v =
        s *
        (X[x + 9 + r] -
          X0[x + 9 + r] +
          (X[e] - X0[e]) * center[3 * i] +
          (X[e + 1] - X0[e + 1]) * center[3 * i + 1] +
          (X[e + 2] - X0[e + 2]) * center[3 * i + 2])
      rates[o + 3 + r] = v
      twice += mass[i] * v * v
    }
  }
  out[k] = 0.5 * twice
}

/** Reads the rates at the poses X. Writes the momentum of all that is fixed to a first body, in its frame, to P (6 a body); kinetic energy to out[k]. */
export function momenta(f: FreeMotion, P: Vec, X: Vec, rates: Vec, out: Vec, k: number): void {
  const { nbody, first, mass, center, inertia: J } = f
  let twice = 0
  P.fill(0)
  for (let i = 1; i < nbody; i++) {
    if (first[i] !== i) continue
    const x = 12 * i
    const o = 6 * i
    const a = rates[o]
    const b = rates[o + 1]
    const c = rates[o + 2]
    const vx = rates[o + 3]
    const vy = rates[o + 4]
    const vz = rates[o + 5]
    const m = mass[i]
    const la = J[o] * a + J[o + 1] * b + J[o + 2] * c
    const lb = J[o + 1] * a + J[o + 3] * b + J[o + 4] * c
    const lc = J[o + 2] * a + J[o + 4] * b + J[o + 5] * c
    twice += la * a + lb * b + lc * c + m * (vx * vx + vy * vy + vz * vz)
    const px = m * (X[x] * vx + X[x + 3] * vy + X[x + 6] * vz)
    const py = m * (X[x + 1] * vx + X[x + 4] * vy + X[x + 7] * vz)
    const pz = m * (X[x + 2] * vx + X[x + 5] * vy + X[x + 8] * vz)
    const cx = center[3 * i]
    const cy = center[3 * i + 1]
    const cz = center[3 * i + 2]
    P[o] = la + cy * pz - cz * py
    P[o + 1] = lb + cz * px - cx * pz
    P[o + 2] = lc + cx * py - cy * px
    P[o + 3] = px
    P[o + 4] = py
    P[o + 5] = pz
  }
  out[k] = 0.5 * twice
}
