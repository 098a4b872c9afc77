/**
 * Contacts of spheres and capsules with each other: balls about the closest points of centres and axes.
 *
 * Where the centres or axes meet, every direction across is as good: geom A's own z axis (spheres), the common normal (crossing
 * capsules) or a capsule's x axis stands in, so that the answer turns with the bodies.
 */

import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import { addContact, type Contacts } from '../contacts.js'
import { closestOnSegments, endOfSegment } from './segments.js'

/** centres nearer than this share of the radii give no direction */
const COINCIDENT = 1e-12
/** two capsules within this sine touch at two points, as two parallel ones do */
const ALIGNED = 0.1
/** second points nearer to the first than this share of the length say nothing new */
const APART = 1e-3
/** feet this little outside of a segment count as inside: rounding must not hide an end of two equal capsules side by side */
const EPS = 1e-9

// centre A, centre B, normal for the degenerate case
const ball = new Float64Array(9)
// segment A, segment B
const seg = new Float64Array(12)
const st = new Float64Array(5)

/** Reads ball. Adds the contact of the ball of geom a's radius about the first centre with that of geom b about the second. */
function addBalls(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int): void {
  const { next } = c
  const ra = g.size[3 * a]
  const rb = g.size[3 * b]
  let x = ball[3] - ball[0]
  let y = ball[4] - ball[1]
  let z = ball[5] - ball[2]
  const d = Math.sqrt(x * x + y * y + z * z)
  if (d > COINCIDENT * (ra + rb)) {
    x /= d
    y /= d
    z /= d
  } else {
    x = ball[6]
    y = ball[7]
    z = ball[8]
  }
  const gap = d - ra - rb
  const s = ra + 0.5 * gap
  next[0] = ball[0] + s * x
  next[1] = ball[1] + s * y
  next[2] = ball[2] + s * z
  next[3] = x
  next[4] = y
  next[5] = z
  next[6] = gap
  addContact(c, g, a, b, feature)
}

export function sphereSphere(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const { X_WG: X } = c
  for (let k = 0; k < 3; k++) {
    ball[k] = X[12 * a + 9 + k]
    ball[3 + k] = X[12 * b + 9 + k]
    ball[6 + k] = X[12 * a + 2 + 3 * k]
  }
  addBalls(c, g, a, b, 0)
}

export function sphereCapsule(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const { X_WG: X } = c
  const i = 12 * a
  const j = 12 * b
  const h = g.size[3 * b + 1]
  const along = X[j + 2] * (X[i + 9] - X[j + 9]) + X[j + 5] * (X[i + 10] - X[j + 10]) + X[j + 8] * (X[i + 11] - X[j + 11])
  const t = along < -h ? -h : along > h ? h : along
  for (let k = 0; k < 3; k++) {
    ball[k] = X[i + 9 + k]
    ball[3 + k] = X[j + 9 + k] + t * X[j + 2 + 3 * k]
    ball[6 + k] = X[j + 3 * k]
  }
  addBalls(c, g, a, b, 0)
}

/** Axis of capsule b as a segment at seg[o]. */
function capsuleAxis(c: Contacts, g: Shapes, b: Int, o: Int): void {
  const { X_WG: X } = c
  const h = g.size[3 * b + 1]
  for (let k = 0; k < 3; k++) {
    const d = h * X[12 * b + 2 + 3 * k]
    seg[o + k] = X[12 * b + 9 + k] - d
    seg[o + 3 + k] = 2 * d
  }
}

/** Balls at parameters s, t of the two axes (st[o]). */
function addAxisBalls(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int, o: Int): void {
  for (let k = 0; k < 3; k++) {
    ball[k] = seg[k] + st[o] * seg[3 + k]
    ball[3 + k] = seg[6 + k] + st[o + 1] * seg[9 + k]
  }
  addBalls(c, g, a, b, feature)
}

/** The closest points of the axes; for nearly parallel ones also the end that faces the other capsule furthest from there. */
export function capsuleCapsule(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const { X_WG: X } = c
  capsuleAxis(c, g, a, 0)
  capsuleAxis(c, g, b, 6)
  // common normal of the axes
  const i = 12 * a
  const j = 12 * b
  const nx = X[i + 5] * X[j + 8] - X[i + 8] * X[j + 5]
  const ny = X[i + 8] * X[j + 2] - X[i + 2] * X[j + 8]
  const nz = X[i + 2] * X[j + 5] - X[i + 5] * X[j + 2]
  const sine = Math.sqrt(nx * nx + ny * ny + nz * nz)
  const crossing = sine > COINCIDENT
  ball[6] = crossing ? nx / sine : X[i]
  ball[7] = crossing ? ny / sine : X[i + 3]
  ball[8] = crossing ? nz / sine : X[i + 6]

  const first = closestOnSegments(st, 0, seg, 0, 6)
  addAxisBalls(c, g, a, b, first, 0)
  if (sine > ALIGNED) return

  const la = 2 * g.size[3 * a + 1]
  const lb = 2 * g.size[3 * b + 1]
  const s = st[0]
  let second = 0
  let furthest = APART * (la < lb ? la : lb)
  for (let k = 1; k <= 4; k++) {
    endOfSegment(st, 0, seg, 0, 6, k)
    if (!(st[0] >= -EPS && st[0] <= 1 + EPS && st[1] >= -EPS && st[1] <= 1 + EPS)) continue
    const away = la * (st[0] > s ? st[0] - s : s - st[0])
    if (away > furthest) {
      furthest = away
      second = k
    }
  }
  if (second === 0) return
  endOfSegment(st, 0, seg, 0, 6, second)
  addAxisBalls(c, g, a, b, second, 0)
}
