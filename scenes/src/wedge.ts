/**
 * The wedge-shaped body of Jung's mobiles: an edge of length 2a on top, a stadium of half length b and radius c at depth h below.
 *
 * With s = depth/h the cross section is a stadium of half length L = a + s(b − a) and radius s c. Body frame: origin in the middle of
 * the edge, x along it, z up (the paper's y; its z is our −y). Integrals over the volume as in the paper's appendix, with the mass
 * over 3 where the paper prints 2: integration over the volume gives ρ c h (2a + 4b + πc)/3.
 */

import type { InertiaSpec, MeshSpec } from 'limber'
import { cos, pow, sin, squared } from './portable.js'

export interface Wedge {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly h: number
}

export function wedgeInertia({ a, b, c, h }: Wedge, rho: number): InertiaSpec {
  const { PI } = Math
  const mass = (rho * c * h * (2 * a + 4 * b + PI * c)) / 3
  const moment = (-rho * c * h * h * (4 * a + 12 * b + 3 * PI * c)) / 12
  // about the edge: across (x), along the vertical, and the third axis
  const flat = 12 * a * squared(h) + 48 * b * squared(h) + 12 * PI * c * squared(h)
  const xx = ((rho * c * h) / 60) * (4 * a * squared(c) + 16 * b * squared(c) + 3 * PI * pow(c, 3) + flat)
  const along = 2 * pow(a, 3) + 4 * squared(a) * b + 6 * a * squared(b) + 8 * pow(b, 3)
  const round = squared(a) * c + 3 * a * b * c + 6 * squared(b) * c
  const vertical = ((rho * c * h) / 30) * (along + 6 * a * squared(c) + 24 * b * squared(c) + PI * (round + 3 * pow(c, 3)))
  const third = ((rho * c * h) / 60) * (2 * along + 8 * a * squared(c) + 32 * b * squared(c) + PI * (2 * round + 3 * pow(c, 3)) + flat)
  const z = moment / mass
  return { mass, com: [0, 0, z], tensor: [xx - mass * z * z, third - mass * z * z, vertical, 0, 0, 0] }
}

/** points on each half circle of the bottom */
const ARC = 12

/** The surface: fans from the ends of the edge to the half circles, two flat sides, and the bottom. */
export function wedgeMesh(name: string, { a, b, c, h }: Wedge): MeshSpec {
  // 0, 1: ends of the edge; then the bottom's outline, counterclockwise seen from above, and its centre
  const vertices = [a, 0, 0, -a, 0, 0]
  const first = 2
  for (const side of [1, -1]) {
    for (let k = 0; k <= ARC; k++) {
      const angle = (k / ARC - 0.5) * Math.PI
      vertices.push(side * (b + c * cos(angle)), side * c * sin(angle), -h)
    }
  }
  const count = 2 * (ARC + 1)
  const center = first + count
  vertices.push(0, 0, -h)
  const faces: number[] = []
  for (let k = 0; k < count; k++) {
    const from = first + k
    const to = first + ((k + 1) % count)
    const straight = k % (ARC + 1) === ARC
    const top = k <= ARC ? 0 : 1
    const flat = straight && b === 0
    if (straight) faces.push(top, to, 1 - top)
    if (!flat) faces.push(top, from, to, center, to, from)
  }
  return { name, vertices, faces }
}
