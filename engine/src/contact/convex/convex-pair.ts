/**
 * Contacts of any two convex shapes: GJK where they are apart, EPA where they overlap, Newton's method for curved ones, then the patch.
 *
 * The least gap of the contacts is the signed distance of the shapes, and the normal the one along which they part soonest.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import { CAPSULE, CYLINDER, ELLIPSOID, type Hulls, type Shapes, SPHERE } from '../../model/shapes.js'
import { addContact, type Contacts } from '../contacts.js'
import { boxAxes, separated } from './box-axes.js'
import { at, extent, isPolytope, kind, MARGIN, rel, round, SCALE, setPair, support, supportAlong } from './core.js'
import { depth, epa, expand, gain, gained, nearest, nearestFace, report, settle, startPolytope } from './epa.js'
import { APART, FAR, gjk, goOn, limits, simplex, v } from './gjk.js'
import { findPatch, patch } from './patch.js'
import { best, ends, isMaximum, polish } from './polish.js'

/** of the shapes' size: cores nearer than this have no direction from one to the other, and count as touching */
const NEAR = 1e-6
/** how far GJK goes: exactly for polytopes, for curved shapes near enough for Newton's method, and further where that did not do */
const EXACT = 1e-14
const ROUGH = 1e-3
const FINE = 1e-9
/** of the shapes' size: the same for EPA */
const ROUGH_DEPTH = 1e-2
const FINE_DEPTH = 1e-7
/** cosine between the normal and an axis or a face beyond which an end or a rim touches alone */
const ALONE = 1e-7
/** of the shapes' size: a patch whose deepest point is no deeper than this short of the distance does without the closest points */
const SHORT = 1e-10

/** unit normal from A to B in A's frame, gap of the shapes, points of the two surfaces */
export const closest = { normal: new Float64Array(3), gap: new Float64Array(1), a: new Float64Array(3), b: new Float64Array(3) }

export function convexPair(c: Contacts, g: Shapes, a: Int, b: Int): void {
  c.tests++
  setPair(g, c.X_WG, a, b)
  extent[SCALE] = g.radius[a] + g.radius[b]
  extent[MARGIN] = c.margin[0]
  if (findClosest(g.hulls)) addPatch(c, g, a, b)
}

/** A hull on plane a: the corners of the face that looks down most. */
export function planeHull(c: Contacts, g: Shapes, a: Int, b: Int): void {
  setPair(g, c.X_WG, a, b)
  extent[SCALE] = g.radius[b]
  extent[MARGIN] = c.margin[0]
  closest.gap[0] = support(g.hulls, 0, 0, 1)
  if (!(closest.gap[0] <= c.margin[0])) return
  for (let r = 0; r < 3; r++) {
    closest.normal[r] = r === 2 ? 1 : 0
    closest.a[r] = r === 2 ? 0 : at[3 + r]
    closest.b[r] = at[3 + r]
  }
  addPatch(c, g, a, b)
}

/** Two boxes: where they overlap their axes are quicker than EPA. */
export function boxBox(c: Contacts, g: Shapes, a: Int, b: Int): void {
  setPair(g, c.X_WG, a, b)
  extent[SCALE] = g.radius[a] + g.radius[b]
  extent[MARGIN] = c.margin[0]
  const { normal: n } = closest
  boxAxes(n)
  const gap = separated[0]
  if (gap > c.margin[0]) return
  // apart, they may be nearest at corners, where the axes give but a bound
  if (gap > NEAR * extent[SCALE]) {
    if (!findClosest(g.hulls)) return
  } else {
    closest.gap[0] = gap
    supportAlong(g.hulls, n)
    for (let r = 0; r < 3; r++) {
      closest.b[r] = at[3 + r]
      closest.a[r] = at[3 + r] - gap * n[r]
    }
  }
  addPatch(c, g, a, b)
}

/** Reads closest. Adds the points of the patch, and the closest points where it lacks them. */
function addPatch(c: Contacts, g: Shapes, a: Int, b: Int): void {
  findPatch(g.hulls, closest.normal)
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < patch.count[0]; k++) if (patch.gap[k] < least) least = patch.gap[k]
  for (let k = 0; k < patch.count[0]; k++) addAt(c, g, a, b, patch.point, patch.gap, k, patch.feature[k])
  if (!(least > closest.gap[0] + SHORT * extent[SCALE])) return
  for (let r = 0; r < 3; r++) closest.a[r] = 0.5 * (closest.a[r] + closest.b[r])
  addAt(c, g, a, b, closest.a, closest.gap, 0, 0)
}

/** Reads the normal and point k in A's frame. Adds the contact. */
function addAt(c: Contacts, g: Shapes, a: Int, b: Int, p: Vec, gap: Vec, k: Int, feature: Int): void {
  const { next, X_WG: X } = c
  const { normal: n } = closest
  const i = 12 * a
  const o = 3 * k
  for (let r = 0; r < 3; r++) {
    const e = i + 3 * r
    next[r] = X[i + 9 + r] + X[e] * p[o] + X[e + 1] * p[o + 1] + X[e + 2] * p[o + 2]
    next[3 + r] = X[e] * n[0] + X[e + 1] * n[1] + X[e + 2] * n[2]
  }
  next[6] = gap[k]
  addContact(c, g, a, b, feature)
}

/** Reads the pair of `core` and its extent. Writes closest; false where the shapes are farther apart than the margin. */
export function findClosest(hulls: Hulls): boolean {
  const { normal: n, a, b, gap } = closest
  const scale = extent[SCALE]
  const margin = extent[MARGIN]
  const rounding = round[0] + round[1]
  const near = NEAR * scale
  const curved = !(isPolytope(0) && isPolytope(1))
  limits[0] = margin + rounding > near ? margin + rounding : near
  limits[1] = near
  limits[2] = curved ? ROUGH : EXACT
  let found = gjk(hulls)
  if (found === FAR) return false
  if (found === APART) {
    takeSimplex()
    if (curved) polishTo(hulls, n)
    else gap[0] = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if (curved && !isMaximum(hulls, n)) {
      // at an edge or a corner, to which GJK has to come first
      limits[2] = FINE
      found = goOn(hulls)
      if (found === FAR) return false
      if (found === APART) {
        takeSimplex()
        polishTo(hulls, n)
      }
    }
  }
  if (found !== APART) {
    if (curved) curvedDepth(hulls)
    else {
      epa(hulls)
      takeFace()
      gap[0] = nearestFace.gap[0]
    }
  }
  if (curved) placePoints(hulls)
  for (let r = 0; r < 3; r++) {
    a[r] += round[0] * n[r]
    b[r] -= round[1] * n[r]
  }
  gap[0] -= rounding
  return gap[0] <= margin
}

function polishTo(hulls: Hulls, n: Vec): void {
  polish(hulls, n)
  closest.gap[0] = best[0]
}

/**
 * Writes closest. Newton's method from a face that is near enough leads to a maximum of the gap; faces that look another way, and are less deep, are
 * looked at as well.
 */
function curvedDepth(hulls: Hulls): void {
  const { normal: n, gap } = closest
  const scale = extent[SCALE]
  gap[0] = Number.NEGATIVE_INFINITY
  if (!startPolytope(hulls)) {
    takeFace()
    gap[0] = nearestFace.gap[0]
    return
  }
  for (;;) {
    depth[0] = -gap[0] - FINE_DEPTH * scale
    const face = nearest()
    if (face < 0) return
    gain(hulls, face)
    const more = gained[0]
    if (more > ROUGH_DEPTH * scale && expand()) continue
    report(face)
    for (let r = 0; r < 3; r++) kept[r] = n[r]
    takeFace()
    polish(hulls, n)
    const better = best[0] > gap[0]
    if (better) gap[0] = best[0]
    if (more <= FINE_DEPTH * scale || isMaximum(hulls, n)) {
      if (!settle(n) || !settle(nearestFace.normal)) return
    } else {
      gain(hulls, face)
      if (!expand() && !settle(nearestFace.normal)) return
    }
    if (!better) for (let r = 0; r < 3; r++) n[r] = kept[r]
  }
}

const kept = new Float64Array(3)

/** Writes points of both surfaces: those of the normal where one of them is alone in being furthest, else as they were found. */
function placePoints(hulls: Hulls): void {
  const { normal: n, a, b } = closest
  const gap = closest.gap[0]
  supportAlong(hulls, n)
  const side = isAlone(0) ? 0 : isAlone(1) ? 1 : -1
  if (side < 0) return
  for (let r = 0; r < 3; r++) {
    a[r] = side === 0 ? at[r] : at[3 + r] - gap * n[r]
    b[r] = side === 0 ? at[r] + gap * n[r] : at[3 + r]
  }
}

/** Whether a side has one point furthest along the normal, and not an edge or a face. */
function isAlone(side: Int): boolean {
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
  const { weight } = simplex
  const count = simplex.count[0]
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  ends.count[0] = count
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
  ends.count[0] = 3
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
