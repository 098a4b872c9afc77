/**
 * Ground that is only there to be looked at.
 */
import type { GeomSpec } from 'limber'

/** A level plane at this height that nothing touches. */
export function backdrop(height: number): GeomSpec {
  return { shape: 'plane', position: [0, 0, height], collide: false }
}
