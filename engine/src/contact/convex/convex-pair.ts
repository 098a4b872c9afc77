/**
 * Contacts of any two convex shapes: GJK where they are apart, EPA where they overlap, Newton's method for curved ones, then the patch.
 *
 * The least gap of the contacts is the signed distance of the shapes, and the normal the one along which they part soonest.
 */
import type { Vec } from '../../math/types.js'
import { CAPSULE, CYLINDER, ELLIPSOID, type Shapes, SPHERE } from '../../model/shapes.js'
import { addContact, type Contacts } from '../contacts.js'
import { boxAxes } from './box-axes.js'
import { at, isPolytope, kind, rel, round, setPair, support } from './core.js'
import { epa, expand, gain, nearest, nearestFace, report, settle, startPolytope } from './epa.js'
import { APART, FAR, gjk, goOn, simplex, v } from './gjk.js'
import { findPatch, patch } from './patch.js'
import { ends, isMaximum, polish } from './polish.js'

/** of the shapes' size: cores nearer than this have no direction from one to the other, and count as touching */
const NEAR = 1e-6
/** how far GJK goes: exactly for polytopes, for curved shapes near enough for Newton's method, and further where that did not do */
const EXACT = 1e-14
const ROUGH = 1e-3
const FINE = 1e-9
/** of the shapes' size: the same for EPA */
const EXACT_DEPTH = 1e-11
const ROUGH_DEPTH = 1e-2
const FINE_DEPTH = 1e-7
/** cosine between the normal and an axis or a face beyond which an end or a rim touches alone */
const ALONE = 1e-7
/** of the shapes' size: a patch whose deepest point is no deeper than this short of the distance does without the closest points */
const SHORT = 1e-10

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

/** Two boxes: where they overlap their axes are quicker than EPA. */
export function boxBox(c: Contacts, g: Shapes, a: number, b: number): void {
  setPair(g, c.X_WG, a, b)
  const scale = g.radius[a] + g.radius[b]
  const margin = c.margin[0]
  const { normal: n } = closest
  const gap = boxAxes(n, margin > 0 ? margin : 0, scale)
  if (gap > margin) return
  // apart, they may be nearest at corners, where the axes give but a bound
  if (gap > NEAR * scale) {
    if (!findClosest(margin, scale)) return
  } else {
    closest.gap = gap
    support(n[0], n[1], n[2])
    for (let r = 0; r < 3; r++) {
      closest.b[r] = at[3 + r]
      closest.a[r] = at[3 + r] - gap * n[r]
    }
  }
  addPatch(c, g, a, b, scale)
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
  const near = NEAR * scale
  const far = margin + rounding > near ? margin + rounding : near
  const curved = !(isPolytope(0) && isPolytope(1))
  let found = gjk(far, near, curved ? ROUGH : EXACT)
  if (found === FAR) return false
  let gap = 0
  if (found === APART) {
    takeSimplex()
    gap = curved ? polish(n, scale) : Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if (curved && !isMaximum(n, scale)) {
      // at an edge or a corner, to which GJK has to come first
      found = goOn(far, near, FINE)
      if (found === FAR) return false
      if (found === APART) {
        takeSimplex()
        gap = polish(n, scale)
      }
    }
  }
  if (found !== APART) gap = curved ? curvedDepth(scale) : exactDepth(scale)
  if (curved) placePoints(gap)
  for (let r = 0; r < 3; r++) {
    a[r] += round[0] * n[r]
    b[r] -= round[1] * n[r]
  }
  closest.gap = gap - rounding
  return closest.gap <= margin
}

function exactDepth(scale: number): number {
  epa(scale, EXACT_DEPTH * scale)
  takeFace()
  return nearestFace.gap
}

/**
 * Writes closest; returns the gap. Newton's method from a face that is near enough leads to a maximum of the gap; faces that look another way, and are
 * less deep, are looked at as well.
 */
function curvedDepth(scale: number): number {
  const { normal: n } = closest
  let gap = Number.NEGATIVE_INFINITY
  if (!startPolytope(scale)) {
    takeFace()
    return nearestFace.gap
  }
  for (;;) {
    const face = nearest(-gap - FINE_DEPTH * scale)
    if (face < 0) return gap
    const more = gain(face)
    // before it is polished away: the point by which the polytope grows is that of this face
    if (more > ROUGH_DEPTH * scale && expand(scale)) continue
    report(face, scale)
    for (let r = 0; r < 3; r++) kept[r] = n[r]
    takeFace()
    const other = polish(n, scale)
    const proven = isMaximum(n, scale)
    const better = other > gap
    if (better) gap = other
    const start = nearestFace.normal
    if (proven || more <= FINE_DEPTH * scale) {
      if (!settle(n) || !settle(start)) return gap
    } else {
      gain(face)
      if (!expand(scale) && !settle(start)) return gap
    }
    if (!better) for (let r = 0; r < 3; r++) n[r] = kept[r]
  }
}

const kept = new Float64Array(3)

/** Writes points of both surfaces: those of the normal where one of them is alone in being furthest, else as they were found. */
function placePoints(gap: number): void {
  const { normal: n, a, b } = closest
  support(n[0], n[1], n[2])
  const side = isAlone(0) ? 0 : isAlone(1) ? 1 : -1
  if (side < 0) return
  for (let r = 0; r < 3; r++) {
    a[r] = side === 0 ? at[r] : at[3 + r] - gap * n[r]
    b[r] = side === 0 ? at[r] + gap * n[r] : at[3 + r]
  }
}

/** Whether a side has one point furthest along the normal, and not an edge or a face. */
function isAlone(side: number): boolean {
  const { normal: n } = closest
  if (kind[side] === SPHERE || kind[side] === ELLIPSOID) return true
  if (kind[side] !== CAPSULE && kind[side] !== CYLINDER) return false
  const along = side === 0 ? n[2] : rel[2] * n[0] + rel[5] * n[1] + rel[8] * n[2]
  const size = along < 0 ? -along : along
  return size > ALONE && (kind[side] === CAPSULE || size < 1 - ALONE)
}

/** Writes closest and ends from where GJK stopped. */
function takeSimplex(): void {
  const { normal: n, a, b } = closest
  const { count, weight } = simplex
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  ends.count = count
  for (let r = 0; r < 3; r++) {
    n[r] = v[r] / length
    a[r] = 0
    b[r] = 0
    for (let k = 0; k < count; k++) {
      a[r] += weight[k] * simplex.a[3 * k + r]
      b[r] += weight[k] * simplex.b[3 * k + r]
      ends.point[3 * k + r] = simplex.a[3 * k + r]
      ends.point[9 + 3 * k + r] = simplex.b[3 * k + r]
    }
  }
  for (let k = 0; k < count; k++) {
    ends.corner[k] = simplex.cornerA[k]
    ends.corner[3 + k] = simplex.cornerB[k]
  }
}

/** The same from a face of EPA. */
function takeFace(): void {
  const { normal: n, a, b } = closest
  ends.count = 3
  for (let r = 0; r < 3; r++) {
    n[r] = nearestFace.normal[r]
    a[r] = nearestFace.a[r]
    b[r] = nearestFace.b[r]
    ends.corner[r] = nearestFace.cornerA[r]
    ends.corner[3 + r] = nearestFace.cornerB[r]
  }
  for (let k = 0; k < 9; k++) {
    ends.point[k] = nearestFace.pointA[k]
    ends.point[9 + k] = nearestFace.pointB[k]
  }
}
