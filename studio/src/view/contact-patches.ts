/**
 * Contact patches: the outline of the points where two shapes touch, and the force that acts through it.
 *
 * The points are seen along their mean normal; what encloses them is their convex hull, by Andrew's monotone chain. Two points, or a hull
 * too thin to be seen, make a bar; one point, or a hull too small, a disc.
 */
import { contactAt, contactSize } from './view-protocol.js'

/** corners of a disc */
export const discCorners = 12
/** a corner sharper than this is cut off, or its edge would reach far beyond it */
const sharpest = 2.5

/** What is known of one patch, overwritten by the next. */
export interface Patch {
  /** of the outline, counter-clockwise as seen from the tip of the normal */
  count: number
  /** three numbers each: the corners, and the corners of the outline around its edge */
  corners: Float64Array
  outer: Float64Array
  readonly normal: Float64Array
  /** where the force acts: the mean of the points, each weighed by its force; without any, of those that touch */
  readonly center: Float64Array
  /** N, on the second body, of all points together */
  readonly force: Float64Array
  strength: number
}

export interface PatchSizes {
  /** metres up to which shapes beside each other count as touching, where another point of them does */
  readonly slop: number
  /** of the disc that stands for one point; a bar is as wide */
  readonly radius: number
  /** how wide the edge is */
  readonly edge: number
}

/** Flat coordinates of the points of a patch and the order of their hull, as long as the longest patch so far. */
let x = new Float64Array(16)
let y = new Float64Array(16)
let sorted = new Int32Array(16)
let hull = new Int32Array(34)
/** corners in the plane, and the two directions that span it */
let flat = new Float64Array(2 * discCorners)
const u = new Float64Array(3)
const w = new Float64Array(3)

export function createPatch(): Patch {
  return {
    count: 0,
    corners: new Float64Array(3 * discCorners),
    outer: new Float64Array(3 * discCorners),
    normal: new Float64Array(3),
    center: new Float64Array(3),
    force: new Float64Array(3),
    strength: 0,
  }
}

/** Reads the contacts from ≤ k < to of the list, which are one patch. Writes all of `patch`. Allocates only for more points than ever before. */
export function outlinePatch(patch: Patch, list: Float64Array, from: number, to: number, { slop, radius, edge }: PatchSizes): void {
  reserve(patch, to - from)
  const { normal, center } = patch
  addUp(patch, list, from, to, slop)
  spanPlane(normal)

  // into the plane through the centre
  let count = 0
  const strict = touches(list, from, to, slop)
  for (let k = from; k < to; k++) {
    const o = contactSize * k
    if (strict && !isTouching(list, o, slop)) continue
    const a = list[o] - center[0]
    const b = list[o + 1] - center[1]
    const c = list[o + 2] - center[2]
    x[count] = a * u[0] + b * u[1] + c * u[2]
    y[count] = a * w[0] + b * w[1] + c * w[2]
    count++
  }
  patch.count = placeCorners(enclose(count, 1e-3 * radius), radius)
  lift(patch.corners, patch.count, center, 0)
  lift(patch.outer, patch.count, center, edge)
}

/** normal, center, force and strength */
function addUp(patch: Patch, list: Float64Array, from: number, to: number, slop: number): void {
  const { normal, center, force } = patch
  normal.fill(0)
  center.fill(0)
  force.fill(0)
  let weights = 0
  for (let k = from; k < to; k++) {
    const o = contactSize * k
    const weight = strengthAt(list, o)
    weights += weight
    for (let r = 0; r < 3; r++) {
      normal[r] += list[o + contactAt.normal + r]
      force[r] += list[o + contactAt.force + r]
      center[r] += weight * list[o + r]
    }
  }
  patch.strength = Math.hypot(force[0], force[1], force[2])
  const length = Math.hypot(normal[0], normal[1], normal[2])
  if (length > 0) for (let r = 0; r < 3; r++) normal[r] /= length
  else normal[2] = 1
  if (weights > 0) {
    for (let r = 0; r < 3; r++) center[r] /= weights
    return
  }
  // nothing presses: the middle
  center.fill(0)
  const strict = touches(list, from, to, slop)
  let count = 0
  for (let k = from; k < to; k++) {
    const o = contactSize * k
    if (strict && !isTouching(list, o, slop)) continue
    count++
    for (let r = 0; r < 3; r++) center[r] += (list[o + r] - center[r]) / count
  }
}

function strengthAt(list: Float64Array, o: number): number {
  return Math.hypot(list[o + contactAt.force], list[o + contactAt.force + 1], list[o + contactAt.force + 2])
}

/** A point that presses, or would if the other ones pressed less. */
function isTouching(list: Float64Array, o: number, slop: number): boolean {
  return list[o + contactAt.gap] <= slop || strengthAt(list, o) > 0
}

function touches(list: Float64Array, from: number, to: number, slop: number): boolean {
  for (let k = from; k < to; k++) if (isTouching(list, contactSize * k, slop)) return true
  return false
}

/** u, w ← unit vectors across the normal n and each other, u × w = n   [Duff 2017] */
function spanPlane(n: Float64Array): void {
  const sign = n[2] < 0 ? -1 : 1
  const a = -1 / (sign + n[2])
  const b = n[0] * n[1] * a
  u[0] = 1 + sign * n[0] * n[0] * a
  u[1] = sign * b
  u[2] = -sign * n[0]
  w[0] = b
  w[1] = sign + n[1] * n[1] * a
  w[2] = -n[1]
}

/**
 * hull ← numbers of the points around the first `count` of x, y, counter-clockwise; returns how many. A corner sticks out by more than
 * `least`, so that points which are there twice make no side.
 */
function enclose(count: number, least: number): number {
  // by x, then y: patches have few points
  for (let k = 0; k < count; k++) {
    let j = k
    for (; j > 0; j--) {
      const before = sorted[j - 1]
      if (x[before] < x[k] || (x[before] === x[k] && y[before] <= y[k])) break
      sorted[j] = before
    }
    sorted[j] = k
  }
  let n = 0
  // from left to right along the lower side, and back along the upper one
  for (let pass = 0; pass < 2; pass++) {
    const begin = n
    for (let k = 0; k < count; k++) {
      const next = sorted[pass === 0 ? k : count - 1 - k]
      while (n >= begin + 2 && turn(hull[n - 2], hull[n - 1], next) <= least * distance(hull[n - 2], next)) n--
      hull[n++] = next
    }
    // the last one begins the other side
    n--
  }
  return Math.max(n, 1)
}

/** Twice the area of the triangle, positive when it turns left. */
function turn(a: number, b: number, c: number): number {
  return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a])
}

function distance(a: number, b: number): number {
  return Math.hypot(x[b] - x[a], y[b] - y[a])
}

/** flat ← corners of the hull, of a bar or of a disc; returns how many. */
function placeCorners(n: number, radius: number): number {
  let far = 0
  let a = hull[0]
  let b = hull[0]
  let area = 0
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const d = distance(hull[i], hull[j])
      if (d <= far) continue
      far = d
      a = hull[i]
      b = hull[j]
    }
    if (i > 1) area += turn(hull[0], hull[i - 1], hull[i])
  }
  if (far < radius) {
    for (let k = 0; k < discCorners; k++) {
      const angle = (2 * Math.PI * k) / discCorners
      setCorner(k, (x[a] + x[b]) / 2 + radius * Math.cos(angle), (y[a] + y[b]) / 2 + radius * Math.sin(angle))
    }
    return discCorners
  }
  // as wide as an equal rectangle of its length
  if (area / 2 < 0.5 * radius * far) {
    const half = 0.5 * radius
    const dx = (half * (x[b] - x[a])) / far
    const dy = (half * (y[b] - y[a])) / far
    setCorner(0, x[a] - dx + dy, y[a] - dy - dx)
    setCorner(1, x[b] + dx + dy, y[b] + dy - dx)
    setCorner(2, x[b] + dx - dy, y[b] + dy + dx)
    setCorner(3, x[a] - dx - dy, y[a] - dy + dx)
    return 4
  }
  for (let k = 0; k < n; k++) setCorner(k, x[hull[k]], y[hull[k]])
  return n
}

function setCorner(k: number, atX: number, atY: number): void {
  flat[2 * k] = atX
  flat[2 * k + 1] = atY
}

/** out ← the corners in space, moved outward until every side is `edge` farther out. */
function lift(out: Float64Array, n: number, center: Float64Array, edge: number): void {
  for (let k = 0; k < n; k++) {
    const before = 2 * ((k + n - 1) % n)
    const after = 2 * ((k + 1) % n)
    const px = flat[2 * k]
    const py = flat[2 * k + 1]
    // outward normals of the sides that meet here
    const la = Math.hypot(px - flat[before], py - flat[before + 1]) || 1
    const lb = Math.hypot(flat[after] - px, flat[after + 1] - py) || 1
    const ax = (py - flat[before + 1]) / la
    const ay = (flat[before] - px) / la
    const bx = (flat[after + 1] - py) / lb
    const by = (px - flat[after]) / lb
    // their sum points at the outer corner, which is 2 / |sum|² times as far
    const sx = ax + bx
    const sy = ay + by
    const reach = edge * Math.min(2 / (sx * sx + sy * sy || 1), sharpest)
    const ox = px + reach * sx
    const oy = py + reach * sy
    for (let r = 0; r < 3; r++) out[3 * k + r] = center[r] + ox * u[r] + oy * w[r]
  }
}

/** Room for a patch of so many points. */
function reserve(patch: Patch, points: number): void {
  const corners = Math.max(points, discCorners)
  if (x.length < points) {
    x = new Float64Array(2 * points)
    y = new Float64Array(2 * points)
    sorted = new Int32Array(2 * points)
    hull = new Int32Array(4 * points + 2)
  }
  if (flat.length < 2 * corners) flat = new Float64Array(4 * corners)
  if (patch.corners.length >= 3 * corners) return
  patch.corners = new Float64Array(6 * corners)
  patch.outer = new Float64Array(6 * corners)
}
