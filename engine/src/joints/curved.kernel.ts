/**
 * Balls and free joints, whose velocities are not rates of their coordinates: motion along velocities, its inverse, rates of local coordinates.
 *
 * A ball's quaternion turns by exp(h w) in the body's frame. A free body moves by the exponential of rigid motions, R ← R exp(h[w]),
 * p ← p + R V(h w) h u; p + h R u alone would be of first order only. The rate of its local coordinates is that of a ball's,
 * w + ½ r × w + E(|r|²) r × (r × w), in dual numbers r + ε p, w + ε u: dexp⁻¹ of SE(3) in closed form [Selig].
 */
import { add, type Int, type Lanes, negate, scale, sub } from '../math/values/columns.js'
import {
  expQuat,
  inverseTangentTimes,
  logarithm,
  mulQuat,
  mulQuatInverse,
  normalizeQuat,
  type Quat,
  quatRotation,
  tangentCoefficients,
  twistTranslation,
} from '../math/values/rotation.js'
import { cross, dot, type Motion, rotate, rotateBack, type Vec3 } from '../math/values/spatial.js'
import type { SinCos } from '../math/values/trig.js'

/** Coordinates of a free joint. */
export type Place = { readonly p: Vec3; readonly turn: Quat }

const vec3At = (x: Lanes<number>, k: Int): Vec3 => [x[k], x[k + 1], x[k + 2]]
export const quatAt = (q: Lanes<number>, k: Int): Quat => [q[k], q[k + 1], q[k + 2], q[k + 3]]
export const placeAt = (q: Lanes<number>, k: Int): Place => ({ p: vec3At(q, k), turn: quatAt(q, k + 3) })
export const motionAt = (x: Lanes<number>, k: Int): Motion => ({ w: vec3At(x, k), v: vec3At(x, k + 3) })

/** q ⊕ r; where r is 0, q to the bit: to normalise it again would let what rests wander by rounding. */
export function turned(q: Quat, r: Vec3, half: SinCos): Quat {
  const size = Math.abs(r[0]) + Math.abs(r[1]) + Math.abs(r[2])
  const turn = normalizeQuat(mulQuat(q, expQuat(r, half)))
  return [size === 0 ? q[0] : turn[0], size === 0 ? q[1] : turn[1], size === 0 ? q[2] : turn[2], size === 0 ? q[3] : turn[3]]
}
/** Where q ⊕ x is. */
export const shifted = ({ p, turn }: Place, { w, v }: Motion, half: SinCos): Vec3 =>
  add(p, rotate(quatRotation(turn), twistTranslation(w, half, v)))

/** Rate of the local coordinates x of q₀ ⊕ x at velocity v: turning, and sliding. */
export const turningRate = (r: Vec3, w: Vec3, half: SinCos): Vec3 => inverseTangentTimes(r, tangentCoefficients(r, half).E, w)
export function slidingRate({ w: r, v: p }: Motion, { w, v: u }: Motion, half: SinCos): Vec3 {
  const { E, G } = tangentCoefficients(r, half)
  const a = cross(r, w)
  const first = add(cross(p, w), cross(r, u))
  const second = add(cross(p, a), cross(r, first))
  return add(u, scale(0.5, first), scale(E, second), scale(G * dot(r, p), cross(r, a)))
}

/** Rotation vector from one orientation to another, and E at it. */
type Turn = { readonly r: Vec3; readonly E: number }
export const between = (a: Quat, b: Quat): Turn => logarithm(mulQuatInverse(a, b))
/** Slide of the motion from one place to another, with the turn between them. The inverse of V(r) is that of the map of rates, transposed. */
export const slideBetween = (a: Place, b: Place, { r, E }: Turn): Vec3 =>
  inverseTangentTimes(negate(r), E, rotateBack(quatRotation(a.turn), sub(b.p, a.p)))

// over arrays; `half`: sine and cosine of half the angle |h w| or |ξ|

/** q ← q ⊕ h v @kernel */
export function turnBall(q: Lanes<Quat>, v: Lanes<Vec3>, h: Lanes<number>, half: Lanes<SinCos>): void {
  q[0] = turned(q[0], scale(h[0], v[0]), half[0])
}

/** The place of a free joint, before it is turned, moves along. @kernel */
export function shiftFree(q: Lanes<Place>, v: Lanes<Motion>, h: Lanes<number>, half: Lanes<SinCos>): void {
  q[0] = { p: shifted(q[0], scale(h[0], v[0]), half[0]), turn: q[0].turn }
}

/** out ← rate of the local coordinates xi. @kernel */
export function ballRate(out: Lanes<Vec3>, xi: Lanes<Vec3>, v: Lanes<Vec3>, half: Lanes<SinCos>): void {
  out[0] = turningRate(xi[0], v[0], half[0])
}

/** The same of the slides of a free joint. @kernel */
export function slideRate(out: Lanes<Vec3>, xi: Lanes<Motion>, v: Lanes<Motion>, half: Lanes<SinCos>): void {
  out[0] = slidingRate(xi[0], v[0], half[0])
}

/** r ← b ⊖ a @kernel */
export function ballDifference(out: Lanes<Turn>, a: Lanes<Quat>, b: Lanes<Quat>): void {
  out[0] = between(a[0], b[0])
}

/** The slides of a free joint, from what `ballDifference` found. @kernel */
export function slideDifference(out: Lanes<Vec3>, a: Lanes<Place>, b: Lanes<Place>, turn: Lanes<Turn>): void {
  out[0] = slideBetween(a[0], b[0], turn[0])
}
