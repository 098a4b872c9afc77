/**
 * Poses, for scenes that place parts on parts.
 */
import type { Quat, Vec3 } from 'limber'
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
