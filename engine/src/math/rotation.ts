/**
 * Rotations: unit quaternions w x y z, row-major matrices, exponential and logarithm, and the same for rigid motions.
 *
 * exp and log use the half angle; near zero they use series, where the closed forms lose digits.
 */
import { atan2, sincos } from './trig.js'
import type { Vec } from './types.js'

/** Writes the matrix of a rotation about the unit axis a; its sine and cosine are at sc[j]. */
export function axisRotation(out: Vec, o: number, a: Vec, i: number, sc: Vec, j: number): void {
  const s = sc[j]
  const c = sc[j + 1]
  const x = a[i]
  const y = a[i + 1]
  const z = a[i + 2]
  const t = 1 - c
  const tx = t * x
  const ty = t * y
  const tz = t * z
  out[o] = tx * x + c
  out[o + 1] = tx * y - s * z
  out[o + 2] = tx * z + s * y
  out[o + 3] = tx * y + s * z
  out[o + 4] = ty * y + c
  out[o + 5] = ty * z - s * x
  out[o + 6] = tx * z - s * y
  out[o + 7] = ty * z + s * x
  out[o + 8] = tz * z + c
}

/** Matrix of the quaternion q; q need not have length one. */
export function quatToMatrix(out: Vec, o: number, q: Vec, i: number): void {
  const w = q[i]
  const x = q[i + 1]
  const y = q[i + 2]
  const z = q[i + 3]
  const s = 2 / (w * w + x * x + y * y + z * z)
  const sx = s * x
  const sy = s * y
  const sz = s * z
  const wx = w * sx
  const wy = w * sy
  const wz = w * sz
  const xx = x * sx
  const xy = x * sy
  const xz = x * sz
  const yy = y * sy
  const yz = y * sz
  const zz = z * sz
  out[o] = 1 - (yy + zz)
  out[o + 1] = xy - wz
  out[o + 2] = xz + wy
  out[o + 3] = xy + wz
  out[o + 4] = 1 - (xx + zz)
  out[o + 5] = yz - wx
  out[o + 6] = xz - wy
  out[o + 7] = yz + wx
  out[o + 8] = 1 - (xx + yy)
}

/** Unit quaternion with w ≥ 0 of a rotation matrix. */
export function matrixToQuat(out: Vec, o: number, R: Vec, r: number): void {
  const a = R[r]
  const b = R[r + 4]
  const c = R[r + 8]
  let w: number
  let x: number
  let y: number
  let z: number
  // divide by the largest of the four components
  if (a + b + c > 0) {
    w = 1 + a + b + c
    x = R[r + 7] - R[r + 5]
    y = R[r + 2] - R[r + 6]
    z = R[r + 3] - R[r + 1]
  } else if (a >= b && a >= c) {
    w = R[r + 7] - R[r + 5]
    x = 1 + a - b - c
    y = R[r + 1] + R[r + 3]
    z = R[r + 2] + R[r + 6]
  } else if (b >= c) {
    w = R[r + 2] - R[r + 6]
    x = R[r + 1] + R[r + 3]
    y = 1 - a + b - c
    z = R[r + 5] + R[r + 7]
  } else {
    w = R[r + 3] - R[r + 1]
    x = R[r + 2] + R[r + 6]
    y = R[r + 5] + R[r + 7]
    z = 1 - a - b + c
  }
  const s = (w < 0 ? -1 : 1) / Math.sqrt(w * w + x * x + y * y + z * z)
  out[o] = w * s
  out[o + 1] = x * s
  out[o + 2] = y * s
  out[o + 3] = z * s
}

/** out = a b; may work in place */
export function mulQuat(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  const aw = a[i]
  const ax = a[i + 1]
  const ay = a[i + 2]
  const az = a[i + 3]
  const bw = b[j]
  const bx = b[j + 1]
  const by = b[j + 2]
  const bz = b[j + 3]
  out[o] = aw * bw - ax * bx - ay * by - az * bz
  out[o + 1] = aw * bx + ax * bw + ay * bz - az * by
  out[o + 2] = aw * by - ax * bz + ay * bw + az * bx
  out[o + 3] = aw * bz + ax * by - ay * bx + az * bw
}

/** out = a⁻¹ b for unit quaternions; may work in place */
export function mulQuatInverse(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  const aw = a[i]
  const ax = -a[i + 1]
  const ay = -a[i + 2]
  const az = -a[i + 3]
  const bw = b[j]
  const bx = b[j + 1]
  const by = b[j + 2]
  const bz = b[j + 3]
  out[o] = aw * bw - ax * bx - ay * by - az * bz
  out[o + 1] = aw * bx + ax * bw + ay * bz - az * by
  out[o + 2] = aw * by - ax * bz + ay * bw + az * bx
  out[o + 3] = aw * bz + ax * by - ay * bx + az * bw
}

export function normalizeQuat(q: Vec, i: number): void {
  const w = q[i]
  const x = q[i + 1]
  const y = q[i + 2]
  const z = q[i + 3]
  const s = 1 / Math.sqrt(w * w + x * x + y * y + z * z)
  q[i] = w * s
  q[i + 1] = x * s
  q[i + 2] = y * s
  q[i + 3] = z * s
}

// below this angle the series' next term is under one unit in the last place
const SMALL = 1e-3

/** Quaternion of the rotation vector h·r. */
export function expQuat(out: Vec, o: number, r: Vec, i: number, h: number): void {
  const x = h * r[i]
  const y = h * r[i + 1]
  const z = h * r[i + 2]
  const t2 = x * x + y * y + z * z
  const t = Math.sqrt(t2)
  let k: number
  if (t < SMALL) {
    // sin(t/2)/t and cos(t/2)
    k = 0.5 - t2 / 48 + (t2 * t2) / 3840
    out[o] = 1 - t2 / 8 + (t2 * t2) / 384
  } else {
    out[o] = 0.5 * t
    sincos(out, o)
    k = out[o] / t
    out[o] = out[o + 1]
  }
  out[o + 1] = k * x
  out[o + 2] = k * y
  out[o + 3] = k * z
}

/** Rotation vector of a unit quaternion, angle at most π; out may not overlap q. */
export function logQuat(out: Vec, o: number, q: Vec, i: number): void {
  const w = q[i] < 0 ? -q[i] : q[i]
  const sign = q[i] < 0 ? -1 : 1
  const x = q[i + 1]
  const y = q[i + 2]
  const z = q[i + 3]
  const s2 = x * x + y * y + z * z
  const s = Math.sqrt(s2)
  // angle / sin(angle/2)
  let k: number
  if (s < SMALL * 0.5) k = (2 / w) * (1 - s2 / (3 * w * w) + (s2 * s2) / (5 * w * w * w * w))
  else {
    work[0] = s
    work[1] = w
    atan2(work, 0)
    k = (2 * work[0]) / s
  }
  k *= sign
  out[o] = k * x
  out[o + 1] = k * y
  out[o + 2] = k * z
}

const work = new Float64Array(4)

/**
 * Coefficients of the rotation by t = h |r|, written to work:
 * B = (1 − cos t)/t², C = (t − sin t)/t³ of A(r) = 1 − B[r] + C[r]² [Selig], and E = (1 − t sin t/(2(1 − cos t)))/t²
 * of its inverse A⁻¹ = 1 + [r]/2 + E[r]².
 */
function tangentCoefficients(r: Vec, i: number, h: number): void {
  const t2 = h * h * (r[i] * r[i] + r[i + 1] * r[i + 1] + r[i + 2] * r[i + 2])
  const t = Math.sqrt(t2)
  // (1 − cos t)/t² and (t − sin t)/t³ cancel far above the limit that exp needs
  if (t < 0.3) {
    work[0] = 0.5 - t2 * (1 / 24 - t2 * (1 / 720 - t2 * (1 / 40320 - t2 * (1 / 3628800 - t2 / 479001600))))
    work[1] = 1 / 6 - t2 * (1 / 120 - t2 * (1 / 5040 - t2 * (1 / 362880 - t2 * (1 / 39916800 - t2 / 6227020800))))
    work[2] = 1 / 12 + t2 * (1 / 720 + t2 * (1 / 30240 + t2 * (1 / 1209600 + t2 * (1 / 47900160 + (t2 * 691) / 1307674368000))))
    return
  }
  work[0] = t
  sincos(work, 0)
  const s = work[0]
  const c = work[1]
  work[0] = (1 - c) / t2
  work[1] = (t - s) / (t2 * t)
  work[2] = (1 - (t * s) / (2 * (1 - c))) / t2
}

/** out = A(r)⁻¹ w: rate of the rotation vector r of R exp[r] when the body turns with w (body frame). */
export function rotationVectorRate(out: Vec, o: number, r: Vec, i: number, w: Vec, j: number): void {
  const x = r[i]
  const y = r[i + 1]
  const z = r[i + 2]
  tangentCoefficients(r, i, 1)
  const E = work[2]
  const wx = w[j]
  const wy = w[j + 1]
  const wz = w[j + 2]
  const ax = y * wz - z * wy
  const ay = z * wx - x * wz
  const az = x * wy - y * wx
  out[o] = wx + 0.5 * ax + E * (y * az - z * ay)
  out[o + 1] = wy + 0.5 * ay + E * (z * ax - x * az)
  out[o + 2] = wz + 0.5 * az + E * (x * ay - y * ax)
}

/** out = V(r) u with V = 1 + B[r] + C[r]²: translation of exp of the twist (r; u). */
export function twistTranslation(out: Vec, o: number, r: Vec, i: number, u: Vec, j: number, h: number): void {
  const x = h * r[i]
  const y = h * r[i + 1]
  const z = h * r[i + 2]
  const ux = h * u[j]
  const uy = h * u[j + 1]
  const uz = h * u[j + 2]
  tangentCoefficients(r, i, h)
  const B = work[0]
  const C = work[1]
  const ax = y * uz - z * uy
  const ay = z * ux - x * uz
  const az = x * uy - y * ux
  out[o] = ux + B * ax + C * (y * az - z * ay)
  out[o + 1] = uy + B * ay + C * (z * ax - x * az)
  out[o + 2] = uz + B * az + C * (x * ay - y * ax)
}

/** out = V(r)⁻¹ p: linear part of the logarithm of (exp[r], p). */
export function twistTranslationInverse(out: Vec, o: number, r: Vec, i: number, p: Vec, j: number): void {
  const x = r[i]
  const y = r[i + 1]
  const z = r[i + 2]
  const px = p[j]
  const py = p[j + 1]
  const pz = p[j + 2]
  tangentCoefficients(r, i, 1)
  const E = work[2]
  const ax = y * pz - z * py
  const ay = z * px - x * pz
  const az = x * py - y * px
  out[o] = px - 0.5 * ax + E * (y * az - z * ay)
  out[o + 1] = py - 0.5 * ay + E * (z * ax - x * az)
  out[o + 2] = pz - 0.5 * az + E * (x * ay - y * ax)
}
