/** Quaternions w x y z and exponentials of rotations and rigid motions, as values. Near zero they are series, where the closed forms lose digits. */
import { add, negate, scale } from './columns.js'
import { cross, dot, type Mat3, type Vec3 } from './spatial.js'
import { atan2, type SinCos, sincos } from './trig.js'

export type Quat = readonly [number, number, number, number]

/** Matrix of a quaternion of any length. */
export const quatRotation = ([w, x, y, z]: Quat): Mat3 => {
  const s = 2 / (w * w + x * x + y * y + z * z)
  const [sx, sy, sz] = [s * x, s * y, s * z]
  return [
    [1 - (y * sy + z * sz), x * sy - w * sz, x * sz + w * sy],
    [x * sy + w * sz, 1 - (x * sx + z * sz), y * sz - w * sx],
    [x * sz - w * sy, y * sz + w * sx, 1 - (x * sx + y * sy)],
  ]
}

export const mulQuat = ([aw, ax, ay, az]: Quat, [bw, bx, by, bz]: Quat): Quat => [
  aw * bw - ax * bx - ay * by - az * bz,
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
]

export const normalizeQuat = (q: Quat): Quat => scale(1 / Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), q)

/** Sine and cosine of half the angle of a rotation vector. */
export const halfTurn = (r: Vec3): SinCos => sincos(0.5 * Math.sqrt(dot(r, r)))

/** Quaternion of a rotation vector, with its `halfTurn`. */
export const expQuat = (r: Vec3, half: SinCos): Quat => {
  const t2 = dot(r, r)
  const t = Math.sqrt(t2)
  const small = t < 1e-3
  const k = small ? 0.5 - t2 / 48 + (t2 * t2) / 3840 : half.s / t
  const w = small ? 1 - t2 / 8 + (t2 * t2) / 384 : half.c
  return [w, k * r[0], k * r[1], k * r[2]]
}

/** Quaternion of a rotation matrix, by the largest of its four components; of the two the one with w ≥ 0. */
export function matrixQuat(R: Mat3): Quat {
  const [a, b, c] = [R[0][0], R[1][1], R[2][2]]
  const [x, y, z] = [R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]]
  const [yz, zx, xy] = [R[1][2] + R[2][1], R[2][0] + R[0][2], R[0][1] + R[1][0]]
  let q: Quat = [1 + a + b + c, x, y, z]
  if (!(a + b + c > 0)) {
    if (a >= b && a >= c) q = [x, 1 + a - b - c, xy, zx]
    else if (b >= c) q = [y, xy, 1 - a + b - c, yz]
    else q = [z, zx, yz, 1 - a - b + c]
  }
  const unit = normalizeQuat(q)
  return unit[0] < 0 ? negate(unit) : unit
}

/** a⁻¹ b of unit quaternions; in pairs, so that of a = b no rotation is left, not even of rounding */
export const mulQuatInverse = ([w, x, y, z]: Quat, [bw, bx, by, bz]: Quat): Quat => [
  w * bw + x * bx + y * by + z * bz,
  w * bx - x * bw + (z * by - y * bz),
  w * by - y * bw + (x * bz - z * bx),
  w * bz - z * bw + (y * bx - x * by),
]

/** E = (1 − t/2 cot t/2)/t² of A⁻¹ = 1 + [r]/2 + E[r]², the inverse of the tangent map A below [Selig], by sine and cosine of half the angle t. */
const inverseTangent = (t: number, s: number, c: number): number => {
  const t2 = t * t
  const near = 1 / 12 + t2 * (1 / 720 + t2 * (1 / 30240 + t2 * (1 / 1209600 + t2 * (1 / 47900160 + (t2 * 691) / 1307674368000))))
  return t < 0.3 ? near : (1 - (t * c) / (2 * s)) / t2
}

/** Rotation vector r of a unit quaternion, angle at most π, and E at it. */
export const logarithm = ([real, x, y, z]: Quat): { r: Vec3; E: number } => {
  const w = Math.abs(real)
  const s2 = x * x + y * y + z * z
  const s = Math.sqrt(s2)
  const t = 2 * atan2(s, w)
  // angle / sin(angle/2)
  const near = (2 / w) * (1 - s2 / (3 * w * w) + (s2 * s2) / (5 * w * w * w * w))
  const k = s < 0.5e-3 ? near : t / s
  return { r: scale(real < 0 ? -k : k, [x, y, z]), E: inverseTangent(t, s, w) }
}

export const logQuat = (q: Quat): Vec3 => logarithm(q).r

/** E, and G = E′/t, at a rotation vector with its `halfTurn`. They cancel far above the angle below which the exponential does. */
export const tangentCoefficients = (r: Vec3, { s, c }: SinCos): { E: number; G: number } => {
  const t2 = dot(r, r)
  const t = Math.sqrt(t2)
  const E = inverseTangent(t, s, c)
  const near = 1 / 360 + t2 * (1 / 7560 + t2 * (1 / 201600 + t2 * (1 / 5987520 + (t2 * 691) / 130767436800)))
  return { E, G: t < 0.3 ? near : ((t / s - 2 * c) / (4 * s * t) - 2 * E) / t2 }
}

/** A(r)⁻¹ w: rate of the rotation vector r of R exp[r] when the body turns with w (body frame), with E at r. At −r it is the transpose. */
export const inverseTangentTimes = (r: Vec3, E: number, w: Vec3): Vec3 => {
  const a = cross(r, w)
  return add(w, scale(0.5, a), scale(E, cross(r, a)))
}

/**
 * u + B r × u + C r × (r × u), with B = (1 − cos t)/t² and C = (t − sin t)/t³ of A(r) = 1 − B[r] + C[r]²: where the exponential of the twist (r; u)
 * takes the origin. Its inverse is `inverseTangentTimes` at −r.
 */
export const twistTranslation = (r: Vec3, { s, c }: SinCos, u: Vec3): Vec3 => {
  const t2 = dot(r, r)
  const t = Math.sqrt(t2)
  const small = t < 0.3
  const nearB = 1 / 2 - t2 * (1 / 24 - t2 * (1 / 720 - t2 * (1 / 40320 - t2 * (1 / 3628800 - t2 / 479001600))))
  const nearC = 1 / 6 - t2 * (1 / 120 - t2 * (1 / 5040 - t2 * (1 / 362880 - t2 * (1 / 39916800 - t2 / 6227020800))))
  const B = small ? nearB : (2 * s * s) / t2
  const C = small ? nearC : (t - 2 * s * c) / (t2 * t)
  const a = cross(r, u)
  return add(u, scale(B, a), scale(C, cross(r, a)))
}
