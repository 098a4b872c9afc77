/**
 * Poses, for scenes that place parts on parts.
 */

import type { Quat, Vec3 } from 'limber'
import { hypot } from '../portable.js'
import { compose, rotate } from '../rotations.js'

export interface Pose {
  readonly position: Vec3
  readonly quaternion: Quat
}

/** The pose of frame c in frame a, from that of b in a and that of c in b. */
export function join(a: Pose, b: Pose): Pose {
  const [x, y, z] = rotate(a.quaternion, b.position)
  return { position: [a.position[0] + x, a.position[1] + y, a.position[2] + z], quaternion: compose(a.quaternion, b.quaternion) }
}

/** The pose of c in b, from the poses of both in a: b⁻¹ c. */
export function within(b: Pose, c: Pose): Pose {
  const [w, x, y, z] = b.quaternion
  const back: Quat = [w, -x, -y, -z]
  const [p, q, r] = [c.position[0] - b.position[0], c.position[1] - b.position[1], c.position[2] - b.position[2]]
  return { position: rotate(back, [p, q, r]), quaternion: compose(back, c.quaternion) }
}

/** All lengths times s. */
export function scaled({ position: [x, y, z], quaternion }: Pose, s: number): Pose {
  return { position: [s * x, s * y, s * z], quaternion }
}

export const plus = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]

/** The turn that brings z to a direction, and y as near as can be to another one. */
export function facing(along: Vec3, near: Vec3): Quat {
  const z = unit(along)
  const x = unit(cross(near, z))
  const y = cross(z, x)
  // rows of the matrix with columns x, y, z; the largest of the four numbers first, against cancellation
  const squares = [1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2]]
  const largest = squares.indexOf(Math.max(...squares))
  const s = Math.sqrt(squares[largest]) / 2
  const f = 1 / (4 * s)
  const [a, b, c] = [f * (y[2] - z[1]), f * (z[0] - x[2]), f * (x[1] - y[0])]
  const [p, q, r] = [f * (y[0] + x[1]), f * (z[0] + x[2]), f * (z[1] + y[2])]
  if (largest === 0) return [s, a, b, c]
  if (largest === 1) return [a, s, p, q]
  return largest === 2 ? [b, p, s, r] : [c, q, r, s]
}

function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function unit([x, y, z]: Vec3): Vec3 {
  const n = hypot(x, y, z)
  return [x / n, y / n, z / n]
}
