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

/** q ⊕ r */
export const turned = (q: Quat, r: Vec3, half: SinCos): Quat => normalizeQuat(mulQuat(q, expQuat(r, half)))
/** q ⊕ x */
export const moved = ({ p, turn }: Place, { w, v }: Motion, half: SinCos): Place => ({
  p: add(p, rotate(quatRotation(turn), twistTranslation(w, half, v))),
  turn: turned(turn, w, half),
})

/** Rate of the local coordinates x of q₀ ⊕ x at velocity v; its angular part is that of a ball's. */
export function localRateOf({ w: r, v: p }: Motion, { w, v: u }: Motion, half: SinCos): Motion {
  const { E, G } = tangentCoefficients(r, half)
  const a = cross(r, w)
  const b = cross(r, a)
  const first = add(cross(p, w), cross(r, u))
  const second = add(cross(p, a), cross(r, first))
  return { w: add(w, scale(0.5, a), scale(E, b)), v: add(u, scale(0.5, first), scale(E, second), scale(G * dot(r, p), b)) }
}

/** q ← q ⊕ h v of a free joint; `half`: sine and cosine of half the angle |h w|. @kernel */
export function moveFree(q: Lanes<Place>, v: Lanes<Motion>, h: Lanes<number>, half: Lanes<SinCos>): void {
  q[0] = moved(q[0], scale(h[0], v[0]), half[0])
}

/** out ← rate of its local coordinates xi; `half`: sine and cosine of half their angle. @kernel */
export function freeRate(out: Lanes<Motion>, xi: Lanes<Motion>, v: Lanes<Motion>, half: Lanes<SinCos>): void {
  out[0] = localRateOf(xi[0], v[0], half[0])
}

/** x ← b ⊖ a, and the way from a to b along the axes at b. The inverse of V(r) is that of the map of rates, transposed. @kernel */
export function freeDifference(out: Lanes<{ readonly x: Motion; readonly way: Vec3 }>, a: Lanes<Place>, b: Lanes<Place>): void {
  const { r, E } = logarithm(mulQuatInverse(a[0].turn, b[0].turn))
  const way = sub(b[0].p, a[0].p)
  const v = inverseTangentTimes(negate(r), E, rotateBack(quatRotation(a[0].turn), way))
  out[0] = { x: { w: r, v }, way: rotateBack(quatRotation(b[0].turn), way) }
}
