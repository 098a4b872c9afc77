/**
 * Turns as quaternions w x y z, for scenes that place bodies by angles.
 */

import type { Quat, Vec3 } from 'limber'
import { cos, hypot, sin } from './portable.js'

/** A turn by `angle` about one of the axes. */
export function turn(axis: 'x' | 'y' | 'z', angle: number): Quat {
  const c = cos(angle / 2)
  const s = sin(angle / 2)
  return [c, axis === 'x' ? s : 0, axis === 'y' ? s : 0, axis === 'z' ? s : 0]
}

/** First b, then a: the pose of a frame b inside a frame a. */
export function compose(a: Quat, b: Quat): Quat {
  const [aw, ax, ay, az] = a
  const [bw, bx, by, bz] = b
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ]
}

/** The shortest turn that brings z to this direction; half a turn about x where it points down. */
export function turnTo([x, y, z]: Vec3): Quat {
  const n = hypot(x, y, z)
  const w = 1 + z / n
  const length = hypot(w, x / n, y / n)
  return length < 1e-9 ? [0, 1, 0, 0] : [w / length, -y / n / length, x / n / length, 0]
}

/** A direction of frame b, as frame a has it that b stands in. */
export function rotate([w, x, y, z]: Quat, [a, b, c]: Vec3): Vec3 {
  // v + 2 w (u × v) + 2 u × (u × v), with q = (w, u)
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)]
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p]
}
