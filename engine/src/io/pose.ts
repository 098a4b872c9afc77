/**
 * Poses as small plain arrays, for readers: a position and a unit quaternion w x y z. Not for hot code.
 */

import { type Matrix3, rotationMatrix } from '../build/geometry/mass-properties.js'
import { axisAngleQuat, zAxisQuat } from '../build/geometry/segment.js'
import type { Quat, Vec3 } from '../build/spec.js'
import { norm } from '../math/own.js'

export interface Pose {
  readonly position: Vec3
  readonly quaternion: Quat
}

export const IDENTITY: Pose = { position: [0, 0, 0], quaternion: [1, 0, 0, 0] }

export function mulQuat(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ]
}

export function conjugate(q: Quat): Quat {
  return [q[0], -q[1], -q[2], -q[3]]
}

/** The unit quaternion; identity for zero. */
export function normalizeQuat(q: Quat): Quat {
  const n = norm(q)
  return n < 1e-15 ? [1, 0, 0, 0] : [q[0] / n, q[1] / n, q[2] / n, q[3] / n]
}

export function rotateVec(q: Quat, v: Vec3): Vec3 {
  const [w, x, y, z] = q
  const tx = 2 * (y * v[2] - z * v[1])
  const ty = 2 * (z * v[0] - x * v[2])
  const tz = 2 * (x * v[1] - y * v[0])
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx]
}

export function addVec(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

export function subVec(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function scaleVec(a: Vec3, s: number): Vec3 {
  return [a[0] * s, a[1] * s, a[2] * s]
}

/** b, given in a, seen from where a is given. */
export function mulPose(a: Pose, b: Pose): Pose {
  return {
    position: addVec(a.position, rotateVec(a.quaternion, b.position)),
    quaternion: normalizeQuat(mulQuat(a.quaternion, b.quaternion)),
  }
}

export function invertPose(a: Pose): Pose {
  const quaternion = conjugate(a.quaternion)
  return { position: scaleVec(rotateVec(quaternion, a.position), -1), quaternion }
}

export function transformPoint(a: Pose, p: Vec3): Vec3 {
  return addVec(a.position, rotateVec(a.quaternion, p))
}

/** Quaternion of a row-major rotation matrix (Shepperd's choice of the largest divisor). */
export function matrixQuat(R: Matrix3): Quat {
  const trace = R[0] + R[4] + R[8]
  if (trace > 0) {
    const s = 2 * Math.sqrt(1 + trace)
    return normalizeQuat([s / 4, (R[7] - R[5]) / s, (R[2] - R[6]) / s, (R[3] - R[1]) / s])
  }
  if (R[0] >= R[4] && R[0] >= R[8]) {
    const s = 2 * Math.sqrt(1 + R[0] - R[4] - R[8])
    return normalizeQuat([(R[7] - R[5]) / s, s / 4, (R[1] + R[3]) / s, (R[2] + R[6]) / s])
  }
  if (R[4] >= R[8]) {
    const s = 2 * Math.sqrt(1 - R[0] + R[4] - R[8])
    return normalizeQuat([(R[2] - R[6]) / s, (R[1] + R[3]) / s, s / 4, (R[5] + R[7]) / s])
  }
  const s = 2 * Math.sqrt(1 - R[0] - R[4] + R[8])
  return normalizeQuat([(R[3] - R[1]) / s, (R[2] + R[6]) / s, (R[5] + R[7]) / s, s / 4])
}

export { axisAngleQuat, rotationMatrix, zAxisQuat }
