/**
 * A chain of equal links along a circular arc: bridges, up by a camber or down by a sag.
 *
 * The arc has its chord on the x axis from −span/2 to span/2 and its rise (negative: sag) in z; angles are about −y, so that
 * positive ones point up. Radius R = (c² + rise²)/(2 rise) with c = span/2; the arc spans 2 φ, φ = asin(c/R); n chords of length
 * b = 2 R sin(φ/n) close the arc exactly.
 */

import type { Quat, Vec3 } from 'limber'
import { asin, cos, sin } from './portable.js'
import { turn } from './rotations.js'

export interface Arc {
  /** length of a link */
  readonly link: number
  /** orientation of link k in the one before; link 0 in the world */
  orientation(k: number): Quat
  /** position of the point at `along` metres of link k, in the world; the chord's middle is the origin */
  point(k: number, along: number): Vec3
}

export function arcOfLinks(n: number, span: number, rise: number): Arc {
  const c = span / 2
  const R = (c * c + rise * rise) / (2 * rise)
  const phi = asin(c / R)
  const link = 2 * R * sin(phi / n)
  // slope of link k, and the joints by the closed form of the arc
  const slope = (k: number): number => phi * (1 - (2 * k + 1) / n)
  const joint = (k: number): readonly [number, number] => {
    const a = phi * (1 - (2 * k) / n)
    return [-R * sin(a), R * (cos(a) - cos(phi))]
  }
  return {
    link,
    orientation: (k) => turn('y', -(k === 0 ? slope(0) : (-2 * phi) / n)),
    point(k, along) {
      const [x, z] = joint(k)
      return [x + along * cos(slope(k)), 0, z + along * sin(slope(k))]
    },
  }
}
