/**
 * Balls and free joints, whose velocities are not rates of their coordinates: motion along velocities, its inverse, rates of local coordinates.
 *
 * A ball's quaternion turns by exp(h w) in the body's frame. A free body moves by the exponential of
 * rigid motions, R ← R exp(h[w]), p ← p + R V(h w) h u; p + h R u alone would be of first order only. The rate of its local coordinates is
 * that of a ball's, w + ½ r × w + E(|r|²) r × (r × w), in dual numbers r + ε p, w + ε u: dexp⁻¹ of SE(3) in closed form [Selig].
 */
import { add, type Int, type Lanes, negate, type Shared, scale, sub } from '../math/values/columns.js'
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
import { cross, dot, rotate, rotateBack, type Vec3 } from '../math/values/spatial.js'
import { BALL } from '../model/tables.js'

const vec3At = (x: Lanes<number>, k: Int): Vec3 => [x[k], x[k + 1], x[k + 2]]
export const quatAt = (q: Lanes<number>, k: Int): Quat => [q[k], q[k + 1], q[k + 2], q[k + 3]]

function setVec3(out: Lanes<number>, k: Int, a: Vec3): void {
  for (let r = 0; r < 3; r++) out[k + r] = a[r]
}

/** q ← q ⊕ h v of a ball or a free joint, coordinates from q[k] on and velocities from v[j] on. */
export function move(kind: Int, q: Lanes<number>, k: Int, v: Lanes<number>, j: Int, h: number): void {
  const r = scale(h, vec3At(v, j))
  const turn = expQuat(r)
  let at: Int = k
  if (kind !== BALL) {
    at = k + 3
    const shift = rotate(quatRotation(quatAt(q, at)), twistTranslation(r, scale(h, vec3At(v, j + 3))))
    setVec3(q, k, add(vec3At(q, k), shift))
  }
  const turned = normalizeQuat(mulQuat(quatAt(q, at), turn))
  for (let r = 0; r < 4; r++) q[at + r] = turned[r]
}

/** out[at …] ← rate of the local coordinates xi[j …] of such a joint. */
export function rate(kind: Int, out: Lanes<number>, at: Int, xi: Lanes<number>, v: Lanes<number>, j: Int): void {
  const [r, w] = [vec3At(xi, j), vec3At(v, j)]
  const { E, G } = tangentCoefficients(dot(r, r))
  const [a, b] = [cross(r, w), cross(r, cross(r, w))]
  setVec3(out, at, add(w, scale(0.5, a), scale(E, b)))
  if (kind !== BALL) {
    const [p, u] = [vec3At(xi, j + 3), vec3At(v, j + 3)]
    const first = add(cross(p, w), cross(r, u))
    const second = add(cross(p, a), cross(r, first))
    setVec3(out, at + 3, add(u, scale(0.5, first), scale(E, second), scale(G * dot(r, p), b)))
  }
}

/** Of one joint by itself: q ← q ⊕ h[0] v @kernel */
export function moveCurved(kind: Int, q: Lanes<number>, v: Lanes<number>, h: Shared<number>): void {
  move(kind, q, 0, v, 0, h[0])
}

/** out ← rate of the local coordinates xi of q₀ ⊕ xi at velocity v. @kernel */
export function curvedRate(kind: Int, out: Lanes<number>, xi: Lanes<number>, v: Lanes<number>): void {
  rate(kind, out, 0, xi, v, 0)
}

/** out ← b ⊖ a; and where the joint is free, out[6 …] ← the way from a to b along the axes at b. @kernel */
export function curvedDifference(kind: Int, out: Lanes<number>, a: Lanes<number>, b: Lanes<number>): void {
  let k: Int = 0
  if (kind !== BALL) k = 3
  const [from, to] = [quatAt(a, k), quatAt(b, k)]
  const { r, E } = logarithm(mulQuatInverse(from, to))
  setVec3(out, 0, r)
  if (kind !== BALL) {
    const way = sub(vec3At(b, 0), vec3At(a, 0))
    setVec3(out, 3, inverseTangentTimes(negate(r), E, rotateBack(quatRotation(from), way)))
    setVec3(out, 6, rotateBack(quatRotation(to), way))
  }
}
