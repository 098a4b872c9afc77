/**
 * Contact patches: up to four points where two faces, or a face and an edge, or two edges lie on each other.
 *
 * The supporting face of each shape (or the edge, of what has none) is seen along the normal; where the two overlap, as polygons
 * (Sutherland–Hodgman), each corner of the overlap is a point with its own gap, the distance of the two faces there along the normal. A corner is known
 * by the two edges that make it: two of one face are its own corner, one of each is where they cross. So a point keeps its number
 * as long as the shapes touch with the same faces, whichever of them is taken first.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import { BOX, CAPSULE, CYLINDER, type Hulls, MESH, PLANE } from '../../model/shapes.js'
import { corner, extent, hull, kind, MARGIN, rel, round, SCALE, size, supportAlong } from './core.js'

/** corners of a face that count; of finer ones only some */
const MOST = 24
/** a cylinder's cap is an octagon here, and the point of the rim that is deepest joins it where it matters */
const RIM = 8
const RIM_X = Float64Array.of(1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2, 0, Math.SQRT1_2)
const RIM_Y = Float64Array.of(0, Math.SQRT1_2, 1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2)
/** cosine of axis and normal above which a cylinder touches with a cap */
const CAP = 0.7
/** sine of the angle between two edges that still lie along each other */
const ALIGNED = 0.1
/** of the size: corners so near a side are neither inside nor cut, or rounding would give faces that lie flush others in every step */
const FLUSH = 1e-7
/** of an edge: crossings so near its end count, or the end of one over another edge would be one or not by rounding */
const END = 1e-6
/** faces of a shape that are told apart, so that all numbers of a pair have room */
const FACES = 30

/** corners of the faces of A, from 0 on, and B, from FACING on, seen along the normal: u, v, height (3 each) */
const FACING = 3 * MOST
const facing = new Float64Array(2 * FACING)
const corners = new Int32Array(2)
const face = new Int32Array(2)
// overlap, its two halves read and written in turn: u, v, height of the subject; edges before and after each corner
const HALF = 2 * MOST + 2
const ring = new Float64Array(2 * 3 * HALF)
const before = new Int32Array(2 * HALF)
const after = new Int32Array(2 * HALF)
const plane = new Float64Array(4)

/** the points: where in A's frame half-way between the surfaces (3 each), gap, number */
export const patch = {
  count: new Int32Array(1),
  point: new Float64Array(3 * HALF),
  gap: new Float64Array(HALF),
  feature: new Int32Array(HALF),
}
const t1 = new Float64Array(3)
const t2 = new Float64Array(3)
const n = new Float64Array(3)

/** Writes patch: the points with gaps up to the margin along the unit normal from A to B, at most four. */
export function findPatch(hulls: Hulls, normal: Vec): void {
  patch.count[0] = 0
  for (let k = 0; k < 3; k++) n[k] = normal[k]
  tangents()
  supportAlong(hulls, n)
  faceOf(hulls, 1, -1)
  if (kind[0] === PLANE) {
    for (let k = 0; k < corners[1]; k++) {
      spot[0] = facing[FACING + 3 * k]
      spot[1] = facing[FACING + 3 * k + 1]
      spot[2] = 0
      spot[3] = facing[FACING + 3 * k + 2]
      addSpot(8 + face[1] * MOST + k)
    }
    spread()
    return
  }
  faceOf(hulls, 0, 1)
  if (corners[0] < 2 || corners[1] < 2) return
  if (corners[0] === 2 && corners[1] === 2) alongEdges()
  else overlap()
  spread()
}

function tangents(): void {
  const least = n[0] * n[0] <= n[1] * n[1] && n[0] * n[0] <= n[2] * n[2] ? 0 : n[1] * n[1] <= n[2] * n[2] ? 1 : 2
  let length = 0
  for (let k = 0; k < 3; k++) {
    t1[k] = (k === least ? 1 : 0) - n[least] * n[k]
    length += t1[k] * t1[k]
  }
  length = Math.sqrt(length)
  for (let k = 0; k < 3; k++) t1[k] /= length
  t2[0] = n[1] * t1[2] - n[2] * t1[1]
  t2[1] = n[2] * t1[0] - n[0] * t1[2]
  t2[2] = n[0] * t1[1] - n[1] * t1[0]
}

/** Adds a corner of the face of a side: `own`, in its own frame. */
function placeCorner(side: Int): void {
  const x = own[0]
  const y = own[1]
  const z = own[2]
  const o = FACING * side + 3 * corners[side]++
  let px = x
  let py = y
  let pz = z
  if (side === 1) {
    px = rel[9] + rel[0] * x + rel[1] * y + rel[2] * z
    py = rel[10] + rel[3] * x + rel[4] * y + rel[5] * z
    pz = rel[11] + rel[6] * x + rel[7] * y + rel[8] * z
  }
  facing[o] = t1[0] * px + t1[1] * py + t1[2] * pz
  facing[o + 1] = t2[0] * px + t2[1] * py + t2[2] * pz
  facing[o + 2] = n[0] * px + n[1] * py + n[2] * pz + (side === 0 ? round[0] : -round[1])
}

/** Writes facing, corners, face of a side: what it touches with along `sign` n. Reads the corner that support found. */
function faceOf(hulls: Hulls, side: Int, sign: Int): void {
  corners[side] = 0
  face[side] = 0
  const o = 3 * side
  // n in the frame of the side
  const x = sign * (side === 0 ? n[0] : rel[0] * n[0] + rel[3] * n[1] + rel[6] * n[2])
  const y = sign * (side === 0 ? n[1] : rel[1] * n[0] + rel[4] * n[1] + rel[7] * n[2])
  const z = sign * (side === 0 ? n[2] : rel[2] * n[0] + rel[5] * n[1] + rel[8] * n[2])
  const shape = kind[side]
  if (shape === BOX) {
    const ax = x < 0 ? -x : x
    const ay = y < 0 ? -y : y
    const az = z < 0 ? -z : z
    const k = az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0
    const along = k === 0 ? x : k === 1 ? y : z
    const p = (k + 1) % 3
    const q = (k + 2) % 3
    face[side] = 2 * k + (along < 0 ? 0 : 1)
    for (let e = 0; e < 4; e++) {
      own[k] = along < 0 ? -size[o + k] : size[o + k]
      own[p] = e === 1 || e === 2 ? size[o + p] : -size[o + p]
      own[q] = e >= 2 ? size[o + q] : -size[o + q]
      placeCorner(side)
    }
  } else if (shape === MESH) {
    const v = corner[side]
    let best = -1
    let most = Number.NEGATIVE_INFINITY
    for (let e = hulls.aroundStart[v]; e < hulls.aroundStart[v + 1]; e++) {
      const f = hulls.around[e]
      const along = x * hulls.normals[3 * f] + y * hulls.normals[3 * f + 1] + z * hulls.normals[3 * f + 2]
      if (along > most) {
        most = along
        best = f
      }
    }
    if (best < 0) return
    face[side] = best - hulls.faceStart[hull[side]]
    const first = hulls.cornerStart[best]
    const count = hulls.cornerStart[best + 1] - first
    const step = count > MOST ? count / MOST : 1
    for (let e = 0; e < count && corners[side] < MOST; e += step) {
      const p = 3 * hulls.corners[first + (Math.floor(e) | 0)]
      for (let r = 0; r < 3; r++) own[r] = hulls.vertices[p + r]
      placeCorner(side)
    }
  } else if (shape === CAPSULE) {
    own[0] = 0
    own[1] = 0
    placeEnds(side)
  } else if (shape === CYLINDER) {
    if (z > CAP || z < -CAP) {
      face[side] = z < 0 ? 0 : 1
      own[2] = z < 0 ? -size[o + 1] : size[o + 1]
      for (let e = 0; e < RIM; e++) {
        own[0] = size[o] * RIM_X[e]
        own[1] = size[o] * RIM_Y[e]
        placeCorner(side)
      }
    } else {
      const s = size[o] / Math.sqrt(x * x + y * y)
      face[side] = 2
      own[0] = s * x
      own[1] = s * y
      placeEnds(side)
    }
  }
}

const own = new Float64Array(3)

/** The two ends of a line along the axis of a side, at the x and y of `own`. */
function placeEnds(side: Int): void {
  own[2] = -size[3 * side + 1]
  placeCorner(side)
  own[2] = size[3 * side + 1]
  placeCorner(side)
}

/** u, v, and the heights of both surfaces there */
const spot = new Float64Array(4)

/** Adds the point at `spot`. */
function addSpot(feature: Int): void {
  const u = spot[0]
  const v = spot[1]
  const heightA = spot[2]
  const heightB = spot[3]
  const gap = heightB - heightA
  if (!(gap <= extent[MARGIN])) return
  const k = patch.count[0]++
  const height = 0.5 * (heightA + heightB)
  for (let r = 0; r < 3; r++) patch.point[3 * k + r] = u * t1[r] + v * t2[r] + height * n[r]
  patch.gap[k] = gap
  patch.feature[k] = feature
}

/** Two edges: both ends of the stretch they share if they lie along each other, else where they cross. */
function alongEdges(): void {
  const b = FACING
  const ux = facing[3] - facing[0]
  const uy = facing[4] - facing[1]
  const vx = facing[b + 3] - facing[b]
  const vy = facing[b + 4] - facing[b + 1]
  const uu = ux * ux + uy * uy
  const vv = vx * vx + vy * vy
  const sine = ux * vy - uy * vx
  if (!(uu > 0 && vv > 0)) return
  if (sine * sine > ALIGNED * ALIGNED * uu * vv) {
    // they cross
    const s = ((facing[b] - facing[0]) * vy - (facing[b + 1] - facing[1]) * vx) / sine
    const t = ((facing[b] - facing[0]) * uy - (facing[b + 1] - facing[1]) * ux) / sine
    if (!(s >= -END && s <= 1 + END && t >= -END && t <= 1 + END)) return
    spot[0] = facing[0] + s * ux
    spot[1] = facing[1] + s * uy
    spot[2] = facing[2] + s * (facing[5] - facing[2])
    spot[3] = facing[b + 2] + t * (facing[b + 5] - facing[b + 2])
    addSpot(5)
    return
  }
  // ends of B along A
  const s0 = ((facing[b] - facing[0]) * ux + (facing[b + 1] - facing[1]) * uy) / uu
  const s1 = ((facing[b + 3] - facing[0]) * ux + (facing[b + 4] - facing[1]) * uy) / uu
  const low = s0 < s1 ? s0 : s1
  const high = s0 < s1 ? s1 : s0
  if (!(low < 1 && high > 0)) return
  for (let end = 0; end < 2; end++) {
    const within = end === 0 ? low <= 0 : high >= 1
    const s = end === 0 ? (within ? 0 : low) : within ? 1 : high
    const t = (s - s0) / (s1 - s0)
    spot[0] = 0.5 * (facing[0] + s * ux + facing[b] + t * vx)
    spot[1] = 0.5 * (facing[1] + s * uy + facing[b + 1] + t * vy)
    spot[2] = facing[2] + s * (facing[5] - facing[2])
    spot[3] = facing[b + 2] + t * (facing[b + 5] - facing[b + 2])
    addSpot(1 + 2 * end + (within ? 1 : 0))
  }
}

/** Overlap of two faces, or of a face and an edge. */
function overlap(): void {
  // a face cuts the other face, or the edge
  const cutter = corners[1] > 2 ? 1 : 0
  const subject = 1 - cutter
  const m = corners[cutter]
  measureArea(FACING * cutter, m)
  const area = plane[3]
  if (!(area > 0) && !(area < 0)) return
  let from = 0
  let count = corners[subject]
  for (let k = 0; k < count; k++) {
    for (let r = 0; r < 3; r++) ring[3 * k + r] = facing[FACING * subject + 3 * k + r]
    before[k] = k === 0 ? count - 1 : k - 1
    after[k] = k
  }
  for (let e = 0; e < m && count > 0; e++) {
    count = clip(from, count, FACING * cutter, e, m)
    from = HALF - from
  }
  planeOf(FACING * cutter, m)
  const faces = ((face[0] % FACES) * FACES + (face[1] % FACES)) * 4 * MOST * MOST
  for (let k = 0; k < count; k++) {
    const at = from + k
    const u = ring[3 * at]
    const v = ring[3 * at + 1]
    const other = plane[0] + plane[1] * u + plane[2] * v
    // edges of A from 0, of B from MOST on, whichever was cut
    const i = edgeNumber(before[at], cutter)
    const j = edgeNumber(after[at], cutter)
    // the two ends of an edge that is cut know it from either side
    const ordered = i < j || corners[subject] === 2
    const pair = ordered ? i * 2 * MOST + j : j * 2 * MOST + i
    spot[0] = u
    spot[1] = v
    spot[2 + subject] = ring[3 * at + 2]
    spot[2 + cutter] = other
    addSpot(8 + faces + pair)
  }
}

function edgeNumber(edge: Int, cutter: Int): Int {
  // those of the cutter are numbered from MOST on in the ring
  const ofCutter = edge >= MOST
  const k = ofCutter ? edge - MOST : edge
  return (ofCutter ? cutter : 1 - cutter) * MOST + k
}

/** plane[3] ← twice the area of the polygon at facing[p …] as seen, negative when it runs clockwise. */
function measureArea(p: Int, m: Int): void {
  let area = 0
  for (let k = 1; k + 1 < m; k++) {
    area +=
      (facing[p + 3 * k] - facing[p]) * (facing[p + 3 * k + 4] - facing[p + 1]) -
      (facing[p + 3 * k + 1] - facing[p + 1]) * (facing[p + 3 * k + 3] - facing[p])
  }
  plane[3] = area
}

/** Keeps what of the half of the ring from `from` on is on the inner side of edge e of the cutter, whose m corners begin at facing[cut]; returns how many corners that are. */
function clip(from: Int, count: Int, cut: Int, e: Int, m: Int): Int {
  const flush = FLUSH * extent[SCALE]
  const to = HALF - from
  const next = e + 1 < m ? e + 1 : 0
  const ex = facing[cut + 3 * next] - facing[cut + 3 * e]
  const ey = facing[cut + 3 * next + 1] - facing[cut + 3 * e + 1]
  const length = Math.sqrt(ex * ex + ey * ey)
  const s = length > 0 ? (plane[3] < 0 ? -1 : 1) / length : 0
  // inward normal
  const ix = -s * ey
  const iy = s * ex
  const level = ix * facing[cut + 3 * e] + iy * facing[cut + 3 * e + 1]
  let made = 0
  // a corner makes two at most; what is convex never has more than there is room for, whatever rounding does
  for (let k = 0; k < count && made + 2 <= HALF; k++) {
    const l = k + 1 < count ? k + 1 : 0
    const dk = ix * ring[3 * (from + k)] + iy * ring[3 * (from + k) + 1] - level
    const dl = ix * ring[3 * (from + l)] + iy * ring[3 * (from + l) + 1] - level
    if (dk >= -flush) {
      for (let r = 0; r < 3; r++) ring[3 * (to + made) + r] = ring[3 * (from + k) + r]
      before[to + made] = before[from + k]
      after[to + made++] = after[from + k]
    }
    if ((dk > flush && dl < -flush) || (dk < -flush && dl > flush)) {
      const f = dk / (dk - dl)
      for (let r = 0; r < 3; r++)
        ring[3 * (to + made) + r] = ring[3 * (from + k) + r] + f * (ring[3 * (from + l) + r] - ring[3 * (from + k) + r])
      // going out along the subject's edge, coming back along the cutter's
      before[to + made] = dk > 0 ? after[from + k] : MOST + e
      after[to + made++] = dk > 0 ? MOST + e : after[from + k]
    }
  }
  return made
}

/** plane ← height of the polygon at facing[p …] as a function of u, v: [0] + [1] u + [2] v */
function planeOf(p: Int, m: Int): void {
  let gu = 0
  let gv = 0
  for (let k = 1; k + 1 < m; k++) {
    const ux = facing[p + 3 * k] - facing[p]
    const uy = facing[p + 3 * k + 1] - facing[p + 1]
    const uz = facing[p + 3 * k + 2] - facing[p + 2]
    const vx = facing[p + 3 * k + 3] - facing[p]
    const vy = facing[p + 3 * k + 4] - facing[p + 1]
    const vz = facing[p + 3 * k + 5] - facing[p + 2]
    gu += uz * vy - uy * vz
    gv += ux * vz - uz * vx
  }
  plane[1] = gu / plane[3]
  plane[2] = gv / plane[3]
  plane[0] = facing[p + 2] - plane[1] * facing[p] - plane[2] * facing[p + 1]
}

/** Of more than four points keeps the deepest, the one farthest from it, and those farthest to both sides of their line. */
function spread(): void {
  const { point: p, gap } = patch
  if (patch.count[0] <= 4) return
  let first = 0
  // a point must be clearly deeper, or flat faces would change their points with every rounding
  for (let k = 1; k < patch.count[0]; k++) if (gap[k] < gap[first] - 1e-9 * (1 + Math.abs(gap[first]))) first = k
  swap(0, first)
  let second = 1
  let most = -1
  for (let k = 1; k < patch.count[0]; k++) {
    const x = p[3 * k] - p[0]
    const y = p[3 * k + 1] - p[1]
    const z = p[3 * k + 2] - p[2]
    const d = x * x + y * y + z * z
    if (d > most * (1 + 1e-9)) {
      most = d
      second = k
    }
  }
  swap(1, second)
  for (let slot = 2; slot < 4; slot++) {
    let best = -1
    let widest = 0
    for (let k = slot; k < patch.count[0]; k++) {
      measureSide(k)
      // the fourth on the other side of the line
      const width = slot === 2 ? Math.abs(sides[0]) : -sides[0] * sides[1]
      if (width > widest * (1 + 1e-9)) {
        widest = width
        best = k
      }
    }
    if (best < 0) {
      patch.count[0] = slot
      return
    }
    if (slot === 2) {
      measureSide(best)
      sides[1] = sides[0] < 0 ? -1 : 1
    }
    swap(slot, best)
  }
  patch.count[0] = 4
}

/** twice the area of a triangle, as seen along the normal; the side of the line that the third point is on */
const sides = new Float64Array(2)

/** sides[0] ← twice the area of the triangle of points 0, 1 and k */
function measureSide(k: Int): void {
  const { point: p } = patch
  const ux = p[3] - p[0]
  const uy = p[4] - p[1]
  const uz = p[5] - p[2]
  const vx = p[3 * k] - p[0]
  const vy = p[3 * k + 1] - p[1]
  const vz = p[3 * k + 2] - p[2]
  sides[0] = n[0] * (uy * vz - uz * vy) + n[1] * (uz * vx - ux * vz) + n[2] * (ux * vy - uy * vx)
}

function swap(i: Int, j: Int): void {
  if (i === j) return
  const { point: p, gap, feature } = patch
  for (let r = 0; r < 3; r++) {
    const x = p[3 * i + r]
    p[3 * i + r] = p[3 * j + r]
    p[3 * j + r] = x
  }
  const y = gap[i]
  gap[i] = gap[j]
  gap[j] = y
  const f = feature[i]
  feature[i] = feature[j]
  feature[j] = f
}
