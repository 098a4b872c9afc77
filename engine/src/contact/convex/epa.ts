/**
 * Depth of two cores that overlap or just touch: the face of M = B − A nearest to the origin, by expanding a polytope inside M
 * ([EPA]).
 *
 * Departs from the source in that the polytope need not hold the origin: distances of its faces are signed, so that shapes a rounding error apart
 * have an answer too, with a normal that is that of a face and no quotient of small numbers.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import type { Hulls } from '../../model/shapes.js'
import { at, corner, extent, least, SCALE, support, supportAlong, w } from './core.js'
import { simplex } from './gjk.js'

const MAX_POINTS = 128
const MAX_FACES = 2 * MAX_POINTS
/** of the size of M: below this a point is no further out than a face */
const FLAT = 1e-12
const EXACT = 1e-11
/** and a tetrahedron so thin is none to start from */
const THIN = 1e-6
/** cosine of directions that belong to one maximum, and how many of these are looked for */
const SAME = 0.97
const MAX_KNOWN = 12

const points = new Float64Array(3 * MAX_POINTS)
const pointsA = new Float64Array(3 * MAX_POINTS)
const pointsB = new Float64Array(3 * MAX_POINTS)
const cornerA = new Int32Array(MAX_POINTS)
const cornerB = new Int32Array(MAX_POINTS)
const faces = new Int32Array(3 * MAX_FACES)
// outward unit normal and distance from the origin; NaN for slivers without a normal
const planes = new Float64Array(4 * MAX_FACES)
const horizon = new Int32Array(2 * 3 * MAX_FACES)
// how many there are of each, and of directions that are settled
const made = new Int32Array(4)
const POINTS = 0
const FACES = 1
const EDGES = 2
const SETTLED = 3

// and the least of them
const weights = new Float64Array(4)

/** the result: unit normal from A to B, gap along it, the points of A and B there (in A's frame), and how many corners of each are involved */
export const nearestFace = {
  normal: new Float64Array(3),
  gap: new Float64Array(1),
  a: new Float64Array(3),
  b: new Float64Array(3),
  /** three points of M the face is made of, as corners of A and B (−1: curved) and where they are */
  cornerA: new Int32Array(3),
  cornerB: new Int32Array(3),
  pointA: new Float64Array(9),
  pointB: new Float64Array(9),
}

/** A polytope inside M to begin with; false where M is flat, and nearestFace has the answer already. */
export function startPolytope(hulls: Hulls): boolean {
  made[SETTLED] = 0
  return fromSimplex(hulls) || spanning(hulls)
}

/** Writes nearestFace: exact for polytopes. */
export function epa(hulls: Hulls): void {
  if (!startPolytope(hulls)) return
  depth[0] = Number.POSITIVE_INFINITY
  let face = nearest()
  while (face >= 0) {
    gain(hulls, face)
    if (!(gained[0] > EXACT * extent[SCALE] && expand())) break
    face = nearest()
  }
  // nothing but slivers: no answer
  if (face < 0) nearestFace.gap[0] = Number.NaN
  else report(face)
}

/** faces beyond this are not looked for */
export const depth = new Float64Array(1)

// directions in which the maximum is known, and no face is looked at again
const known = new Float64Array(3 * MAX_KNOWN)

/** The face nearest to the origin that looks elsewhere than what is settled, −1 if none is nearer than `depth`. */
export function nearest(): Int {
  let face = -1
  let least = depth[0]
  for (let f = 0; f < made[FACES]; f++) {
    if (!(planes[4 * f + 3] < least)) continue
    let skip = false
    for (let k = 0; k < made[SETTLED] && !skip; k++) {
      skip = planes[4 * f] * known[3 * k] + planes[4 * f + 1] * known[3 * k + 1] + planes[4 * f + 2] * known[3 * k + 2] > SAME
    }
    if (skip) continue
    face = f
    least = planes[4 * f + 3]
  }
  return face
}

/** Settles the directions about unit normal n from A to B; false if there are too many. */
export function settle(n: Vec): boolean {
  if (made[SETTLED] >= MAX_KNOWN) return false
  for (let r = 0; r < 3; r++) known[3 * made[SETTLED] + r] = -n[r]
  made[SETTLED]++
  return true
}

/** Writes gained: how much further out M reaches than a face. Leaves that point for `expand`. */
export function gain(hulls: Hulls, face: Int): void {
  for (let r = 0; r < 3; r++) outward[r] = -planes[4 * face + r]
  supportAlong(hulls, outward)
  gained[0] = -least[0] - planes[4 * face + 3]
}

const outward = new Float64Array(3)
export const gained = new Float64Array(1)

function addPoint(): Int {
  const k = made[POINTS]++
  for (let r = 0; r < 3; r++) {
    points[3 * k + r] = w[r]
    pointsA[3 * k + r] = at[r]
    pointsB[3 * k + r] = at[3 + r]
  }
  cornerA[k] = corner[0]
  cornerB[k] = corner[1]
  return k
}

/** Adds the point of M furthest along (x, y, z). */
function addFurthest(hulls: Hulls, x: number, y: number, z: number): Int {
  outward[0] = -x
  outward[1] = -y
  outward[2] = -z
  supportAlong(hulls, outward)
  return addPoint()
}

/** The simplex at which GJK stopped, a triangle with a point from the other side of M; false where it has no volume to speak of. */
function fromSimplex(hulls: Hulls): boolean {
  const scale = extent[SCALE]
  made[POINTS] = 0
  made[FACES] = 0
  const count = simplex.count[0]
  if (count < 3) return false
  for (let k = 0; k < 3 * count; k++) {
    points[k] = simplex.w[k]
    pointsA[k] = simplex.a[k]
    pointsB[k] = simplex.b[k]
  }
  for (let k = 0; k < count; k++) {
    cornerA[k] = simplex.cornerA[k]
    cornerB[k] = simplex.cornerB[k]
  }
  made[POINTS] = count
  setPlane(0, 0, 1, 2)
  if (Number.isNaN(planes[3])) return false
  if (count === 3) {
    gain(hulls, 0)
    for (let r = 0; r < 3; r++) outward[r] = planes[r]
    supportAlong(hulls, outward)
    const down = planes[3] - least[0]
    // of both sides the one that M reaches further on
    if (gained[0] > down) gain(hulls, 0)
    addPoint()
  }
  const height = planes[0] * points[9] + planes[1] * points[10] + planes[2] * points[11] - planes[3]
  if (!(height > THIN * scale || height < -THIN * scale)) return false
  startFaces(0, 1, 2, 3, height > 0 ? 1 : -1)
  return true
}

/** Faces of a tetrahedron, the last point of which is on this side of the others. */
function startFaces(i: Int, j: Int, k: Int, l: Int, side: Int): void {
  const p = side > 0 ? j : i
  const q = side > 0 ? i : j
  addFace(p, q, k)
  addFace(q, p, l)
  addFace(k, q, l)
  addFace(p, k, l)
}

/** A tetrahedron that spans M; false where M is flat, and the gap is zero across it. */
function spanning(hulls: Hulls): boolean {
  const scale = extent[SCALE]
  made[POINTS] = 0
  made[FACES] = 0
  // along some direction both ways, then across that, then across both
  const x = addFurthest(hulls, 0.5, 0.62, 0.6)
  const y = addFurthest(hulls, -0.5, -0.62, -0.6)
  let ux = points[3 * y] - points[3 * x]
  let uy = points[3 * y + 1] - points[3 * x + 1]
  let uz = points[3 * y + 2] - points[3 * x + 2]
  const along = Math.sqrt(ux * ux + uy * uy + uz * uz)
  if (!(along > FLAT * scale)) return flatAnswer(hulls, 0, 0, 1)
  ux /= along
  uy /= along
  uz /= along
  // the axis that u leans to least
  const mx = ux < 0 ? -ux : ux
  const my = uy < 0 ? -uy : uy
  const mz = uz < 0 ? -uz : uz
  const ex = mx <= my && mx <= mz ? 1 : 0
  const ey = ex === 0 && my <= mz ? 1 : 0
  const ez = ex === 0 && ey === 0 ? 1 : 0
  const d = ex * ux + ey * uy + ez * uz
  const px = ex - d * ux
  const py = ey - d * uy
  const pz = ez - d * uz
  const qx = uy * pz - uz * py
  const qy = uz * px - ux * pz
  const qz = ux * py - uy * px
  let third = -1
  let most = FLAT * scale
  for (let k = 0; k < 4; k++) {
    const s = k & 1 ? -1 : 1
    support(hulls, -s * (k < 2 ? px : qx), -s * (k < 2 ? py : qy), -s * (k < 2 ? pz : qz))
    // distance from the line
    const rx = w[0] - points[3 * x]
    const ry = w[1] - points[3 * x + 1]
    const rz = w[2] - points[3 * x + 2]
    const t = rx * ux + ry * uy + rz * uz
    const ox = rx - t * ux
    const oy = ry - t * uy
    const oz = rz - t * uz
    const off = Math.sqrt(ox * ox + oy * oy + oz * oz)
    if (off > most) {
      most = off
      if (third >= 0) made[POINTS]--
      third = addPoint()
    }
  }
  if (third < 0) return flatAnswer(hulls, px, py, pz)
  setPlane(0, x, y, third)
  if (Number.isNaN(planes[3])) return flatAnswer(hulls, px, py, pz)
  const nx = planes[0]
  const ny = planes[1]
  const nz = planes[2]
  const level = planes[3]
  const up = -support(hulls, -nx, -ny, -nz) - level
  const down = level + -support(hulls, nx, ny, nz)
  made[FACES] = 0
  if (!(up > FLAT * scale) && !(down > FLAT * scale)) return flatAnswer(hulls, nx, ny, nz)
  const fourth = up >= down ? addFurthest(hulls, nx, ny, nz) : addFurthest(hulls, -nx, -ny, -nz)
  startFaces(x, y, third, fourth, up >= down ? 1 : -1)
  return true
}

/** M has no thickness along this direction: the gap across it. */
function flatAnswer(hulls: Hulls, x: number, y: number, z: number): boolean {
  const length = Math.sqrt(x * x + y * y + z * z)
  const side = support(hulls, x, y, z) >= support(hulls, -x, -y, -z) ? 1 / length : -1 / length
  nearestFace.gap[0] = support(hulls, side * x, side * y, side * z)
  nearestFace.normal[0] = side * x
  nearestFace.normal[1] = side * y
  nearestFace.normal[2] = side * z
  for (let r = 0; r < 3; r++) {
    nearestFace.a[r] = at[r]
    nearestFace.b[r] = at[3 + r]
    nearestFace.cornerA[r] = corner[0]
    nearestFace.cornerB[r] = corner[1]
    for (let k = 0; k < 3; k++) {
      nearestFace.pointA[3 * k + r] = at[r]
      nearestFace.pointB[3 * k + r] = at[3 + r]
    }
  }
  return false
}

function setPlane(f: Int, i: Int, j: Int, k: Int): void {
  faces[3 * f] = i
  faces[3 * f + 1] = j
  faces[3 * f + 2] = k
  const ux = points[3 * j] - points[3 * i]
  const uy = points[3 * j + 1] - points[3 * i + 1]
  const uz = points[3 * j + 2] - points[3 * i + 2]
  const tx = points[3 * k] - points[3 * i]
  const ty = points[3 * k + 1] - points[3 * i + 1]
  const tz = points[3 * k + 2] - points[3 * i + 2]
  const nx = uy * tz - uz * ty
  const ny = uz * tx - ux * tz
  const nz = ux * ty - uy * tx
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
  const sides = Math.sqrt((ux * ux + uy * uy + uz * uz) * (tx * tx + ty * ty + tz * tz))
  const s = 1 / length
  planes[4 * f] = s * nx
  planes[4 * f + 1] = s * ny
  planes[4 * f + 2] = s * nz
  planes[4 * f + 3] = s * (nx * points[3 * i] + ny * points[3 * i + 1] + nz * points[3 * i + 2])
  // no `? :`: a branch with NaN that has not run yet would make s an object
  if (!(length > 1e-12 * sides)) for (let e = 4 * f; e < 4 * f + 4; e++) planes[e] = Number.NaN
}

function addFace(i: Int, j: Int, k: Int): void {
  setPlane(made[FACES]++, i, j, k)
}

/** Adds the support point in w: faces it sees go, and those that join it to the edge of the hole come. False if it sees none, or there is no room. */
export function expand(): boolean {
  const seen = FLAT * extent[SCALE]
  const x = w[0]
  const y = w[1]
  const z = w[2]
  made[EDGES] = 0
  let kept = 0
  for (let f = 0; f < made[FACES]; f++) {
    const height = planes[4 * f] * x + planes[4 * f + 1] * y + planes[4 * f + 2] * z - planes[4 * f + 3]
    if (height > seen) {
      for (let e = 0; e < 3; e++) toggleEdge(faces[3 * f + e], faces[3 * f + ((e + 1) % 3)])
      continue
    }
    if (kept !== f) {
      for (let e = 0; e < 3; e++) faces[3 * kept + e] = faces[3 * f + e]
      for (let e = 0; e < 4; e++) planes[4 * kept + e] = planes[4 * f + e]
    }
    kept++
  }
  if (kept === made[FACES] || kept + made[EDGES] > MAX_FACES || made[POINTS] >= MAX_POINTS) return false
  made[FACES] = kept
  const p = addPoint()
  for (let e = 0; e < made[EDGES]; e++) addFace(horizon[2 * e], horizon[2 * e + 1], p)
  return true
}

/** An edge of one face that goes is part of the horizon, one of two is not. */
function toggleEdge(i: Int, j: Int): void {
  for (let e = 0; e < made[EDGES]; e++) {
    if (horizon[2 * e] !== j || horizon[2 * e + 1] !== i) continue
    made[EDGES]--
    horizon[2 * e] = horizon[2 * made[EDGES]]
    horizon[2 * e + 1] = horizon[2 * made[EDGES] + 1]
    return
  }
  horizon[2 * made[EDGES]] = i
  horizon[2 * made[EDGES] + 1] = j
  made[EDGES]++
}

/** Of the triangles in the plane of the nearest face, the one that the origin's foot is most inside of. */
export function report(nearest: Int): void {
  const scale = extent[SCALE]
  const nx = planes[4 * nearest]
  const ny = planes[4 * nearest + 1]
  const nz = planes[4 * nearest + 2]
  const d = planes[4 * nearest + 3]
  let face = nearest
  let most = Number.NEGATIVE_INFINITY
  for (let f = 0; f < made[FACES]; f++) {
    if (!(planes[4 * f + 3] <= d + 1e-9 * scale && planes[4 * f] * nx + planes[4 * f + 1] * ny + planes[4 * f + 2] * nz > 1 - 1e-12))
      continue
    weigh(f)
    if (weights[3] > most) {
      most = weights[3]
      face = f
    }
  }
  weigh(face)
  const { normal, a, b } = nearestFace
  normal[0] = -nx
  normal[1] = -ny
  normal[2] = -nz
  nearestFace.gap[0] = -d
  for (let r = 0; r < 3; r++) {
    a[r] = 0
    b[r] = 0
    for (let k = 0; k < 3; k++) {
      const p = faces[3 * face + k]
      a[r] += weights[k] * pointsA[3 * p + r]
      b[r] += weights[k] * pointsB[3 * p + r]
      nearestFace.pointA[3 * k + r] = pointsA[3 * p + r]
      nearestFace.pointB[3 * k + r] = pointsB[3 * p + r]
    }
    nearestFace.cornerA[r] = cornerA[faces[3 * face + r]]
    nearestFace.cornerB[r] = cornerB[faces[3 * face + r]]
  }
}

/** Writes weights of the corners of face f for the foot of the origin, and the least. */
function weigh(f: Int): void {
  const i = 3 * faces[3 * f]
  const j = 3 * faces[3 * f + 1]
  const k = 3 * faces[3 * f + 2]
  let uu = 0
  let ut = 0
  let tt = 0
  let pu = 0
  let pt = 0
  for (let r = 0; r < 3; r++) {
    const u = points[j + r] - points[i + r]
    const t = points[k + r] - points[i + r]
    uu += u * u
    ut += u * t
    tt += t * t
    pu -= u * points[i + r]
    pt -= t * points[i + r]
  }
  const det = uu * tt - ut * ut
  weights[1] = (tt * pu - ut * pt) / det
  weights[2] = (uu * pt - ut * pu) / det
  weights[0] = 1 - weights[1] - weights[2]
  weights[3] = Math.min(weights[0], weights[1], weights[2])
}
