/**
 * A limb as a capsule.
 */

import type { PlacedGeomSpec, Vec3 } from 'limber'
import { norm } from './portable.js'
import { turnTo } from './rotations.js'

/** A capsule between two points. */
export function limb(radius: number, from: Vec3, to: Vec3): PlacedGeomSpec & { shape: 'capsule' } {
  const d: Vec3 = [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
  return {
    shape: 'capsule',
    radius,
    length: norm(d),
    position: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2],
    quaternion: turnTo(d),
  }
}
