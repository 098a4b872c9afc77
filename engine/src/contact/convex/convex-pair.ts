/**
 * Contacts of any two convex shapes: GJK where they are apart, EPA where they overlap, Newton's method for curved ones, then the patch.
 *
 * The least gap of the contacts is the signed distance of the shapes, and the normal the one along which they part soonest.
 */
import type { Vec } from '../../math/types.js'
import { ELLIPSOID, type Shapes, SPHERE } from '../../model/shapes.js'
import { addContact, type Contacts } from '../contacts.js'
import { at, isPolytope, kind, round, setPair, support } from './core.js'
import { epa, nearestFace } from './epa.js'
import { APART, FAR, gjk, simplex, v } from './gjk.js'
import { findPatch, patch } from './patch.js'
import { ends, polish } from './polish.js'

/** of the shapes' size: cores nearer than this have no direction from one to the other, and count as touching */
const NEAR = 1e-6
/** how far GJK goes: exactly for polytopes, near enough for Newton's method for curved shapes */
const EXACT = 1e-14
const ROUGH = 1e-7
/** of the shapes' size: the same for EPA */
const EXACT_DEPTH = 1e-11
const ROUGH_DEPTH = 1e-3
/** of the shapes' size: a patch whose deepest point is no deeper than this short of the distance does without the closest points */
const SHORT = 1e-9

/** unit normal from A to B in A's frame, gap of the shapes, points of the two surfaces */
export const closest = { normal: new Float64Array(3), gap: 0, a: new Float64Array(3), b: new Float64Array(3) }

export function convexPair(c: Contacts, g: Shapes, a: number, b: number): void {
  setPair(g, c.X_WG, a, b)
  const scale = g.radius[a] + g.radius[b]
  const margin = c.margin[0]
  if (findClosest(margin, scale)) addPatch(c, g, a, b, scale)
}

/** A hull on plane a: the corners of the face that looks down most. */
export function planeHull(c: Contacts, g: Shapes, a: number, b: number): void {
  setPair(g, c.X_WG, a, b)
  closest.gap = support(0, 0, 1)
  if (!(closest.gap <= c.margin[0])) return
  for (let r = 0; r < 3; r++) {
    closest.normal[r] = r === 2 ? 1 : 0
    closest.a[r] = r === 2 ? 0 : at[3 + r]
    closest.b[r] = at[3 + r]
  }
  addPatch(c, g, a, b, g.radius[b])
}

/** Reads closest. Adds the points of the patch, and the closest points where it lacks them. */
function addPatch(c: Contacts, g: Shapes, a: number, b: number, scale: number): void {
  const margin = c.margin[0]
  const { normal: n, gap } = closest
  findPatch(g.hulls, n[0], n[1], n[2], margin, scale)
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < patch.count; k++) if (patch.gap[k] < least) least = patch.gap[k]
  for (let k = 0; k < patch.count; k++) addAt(c, g, a, b, patch.point, 3 * k, patch.gap[k], patch.feature[k])
  if (!(least > gap + SHORT * scale)) return
  for (let r = 0; r < 3; r++) closest.a[r] = 0.5 * (closest.a[r] + closest.b[r])
  addAt(c, g, a, b, closest.a, 0, gap, 0)
}

/** Reads the normal and a point in A's frame. Adds the contact. */
function addAt(c: Contacts, g: Shapes, a: number, b: number, p: Vec, o: number, gap: number, feature: number): void {
  const { next, X_WG: X } = c
  const { normal: n } = closest
  const i = 12 * a
  for (let r = 0; r < 3; r++) {
    const e = i + 3 * r
    next[r] = X[i + 9 + r] + X[e] * p[o] + X[e + 1] * p[o + 1] + X[e + 2] * p[o + 2]
    next[3 + r] = X[e] * n[0] + X[e + 1] * n[1] + X[e + 2] * n[2]
  }
  next[6] = gap
  addContact(c, g, a, b, feature)
}

/** Reads the pair of `core`. Writes closest; false where the shapes are farther apart than the margin. */
export function findClosest(margin: number, scale: number): boolean {
  const { normal: n, a, b } = closest
  const rounding = round[0] + round[1]
  const far = margin + rounding
  const exact = isPolytope(0) && isPolytope(1)
  const near = NEAR * scale
  const found = gjk(far > near ? far : near, near, exact ? EXACT : ROUGH)
  if (found === FAR) return false
  let gap: number
  if (found === APART) {
    const { count, weight } = simplex
    gap = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    for (let r = 0; r < 3; r++) {
      n[r] = v[r] / gap
      a[r] = 0
      b[r] = 0
      for (let k = 0; k < count; k++) {
        a[r] += weight[k] * simplex.a[3 * k + r]
        b[r] += weight[k] * simplex.b[3 * k + r]
      }
    }
    if (!exact) {
      ends.count = count
      for (let k = 0; k < count; k++) {
        ends.corner[k] = simplex.cornerA[k]
        ends.corner[3 + k] = simplex.cornerB[k]
        for (let r = 0; r < 3; r++) {
          ends.point[3 * k + r] = simplex.a[3 * k + r]
          ends.point[9 + 3 * k + r] = simplex.b[3 * k + r]
        }
      }
    }
  } else {
    epa(scale, (exact ? EXACT_DEPTH : ROUGH_DEPTH) * scale)
    gap = nearestFace.gap
    for (let r = 0; r < 3; r++) {
      n[r] = nearestFace.normal[r]
      a[r] = nearestFace.a[r]
      b[r] = nearestFace.b[r]
    }
    if (!exact) {
      ends.count = 3
      for (let k = 0; k < 3; k++) {
        ends.corner[k] = nearestFace.cornerA[k]
        ends.corner[3 + k] = nearestFace.cornerB[k]
        for (let r = 0; r < 3; r++) {
          ends.point[3 * k + r] = nearestFace.pointA[3 * k + r]
          ends.point[9 + 3 * k + r] = nearestFace.pointB[3 * k + r]
        }
      }
    }
  }
  if (!exact) {
    gap = polish(n, scale)
    // on a surface without flat parts the point is the one of the normal
    const side = kind[0] === SPHERE || kind[0] === ELLIPSOID ? 0 : kind[1] === SPHERE || kind[1] === ELLIPSOID ? 1 : -1
    if (side >= 0) {
      support(n[0], n[1], n[2])
      for (let r = 0; r < 3; r++) {
        a[r] = side === 0 ? at[r] : at[3 + r] - gap * n[r]
        b[r] = side === 0 ? at[r] + gap * n[r] : at[3 + r]
      }
    }
  }
  for (let r = 0; r < 3; r++) {
    a[r] += round[0] * n[r]
    b[r] -= round[1] * n[r]
  }
  closest.gap = gap - rounding
  return closest.gap <= margin
}
