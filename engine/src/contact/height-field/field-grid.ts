/**
 * A height field as triangles: nodes, edges and faces by number, in the field's own frame.
 *
 * Node (i, j) stands at column i along x, row j along y. Every cell is split along the diagonal from (i, j) to (i+1, j+1), as MuJoCo does.
 * Features of node (i, j): 0 the node; 1 its edge to (i+1, j); 2 its edge to (i, j+1); 3 the diagonal of its cell; 4 and 5 the
 * faces of its cell below and above the diagonal.
 *
 * A shape above the field touches a node or an edge only along a direction n that leaves the surface there on all sides, n·(w − q) ≤ 0
 * for the neighbours w (the normal cone); this keeps inner edges of flat ground from catching.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import { addContact, type Contacts, writeContact } from '../contacts.js'

/** slack of the cone test, as a sine: on flat ground a face and its edges agree to rounding, and repeated points are dropped */
const CONE = 1e-9
/** points nearer than this share of the shape's radius are one contact */
const SAME = 1e-6
/** contacts one shape may have with one field; the deepest are kept */
const MAX_CONTACTS = 16

/** cells of a field that are told apart, so that features stay whole numbers */
const CELLS = 2 ** 23

/** pose of the shape in the field's frame */
export const shape = new Float64Array(12)
/** nodes near the shape: first and last column, first and last row */
export const span = new Int32Array(4)
/** ends of an edge (3, 3), then the nodes opposite to it in its one or two faces (3, 3) */
export const edge = new Float64Array(12)
/** corners of a face, counter-clockwise from above (9), unit normal (3) */
export const face = new Float64Array(12)

const around = new Float64Array(3)
// square of the distance from the shape's centre within which it can touch
const reach2 = new Float64Array(1)
const NEXT_I = Int32Array.of(1, 1, 0, -1, -1, 0)
const NEXT_J = Int32Array.of(0, 1, 1, 0, -1, -1)

/** Writes shape and span for geom b over field a; false where no node or cell is near. */
export function enterField(c: Contacts, g: Shapes, a: Int, b: Int): boolean {
  const { X_WG: X } = c
  const i = 12 * a
  const j = 12 * b
  for (let r = 0; r < 3; r++) {
    shape[9 + r] = 0
    for (let s = 0; s < 3; s++) {
      shape[3 * r + s] = X[i + r] * X[j + s] + X[i + 3 + r] * X[j + 3 + s] + X[i + 6 + r] * X[j + 6 + s]
      shape[9 + r] += X[i + 3 * s + r] * (X[j + 9 + s] - X[i + 9 + s])
    }
  }
  const f = g.field[a]
  const reach = g.radius[b] + c.margin[0]
  reach2[0] = reach * reach
  for (let k = 0; k < 2; k++) {
    const n = k === 0 ? g.fieldColumns[f] : g.fieldRows[f]
    const half = g.size[3 * a + k]
    const inverse = (n - 1) / (2 * half)
    const low = Math.floor((shape[9 + k] - reach + half) * inverse)
    const high = Math.floor((shape[9 + k] + reach + half) * inverse) + 1
    if (!(high >= 0 && low <= n - 1)) return false
    span[2 * k] = low < 0 ? 0 : low | 0
    span[2 * k + 1] = high > n - 1 ? n - 1 : high | 0
  }
  return true
}

/** Features farther from the shape than the gap in margin[0] are out of reach from now on. */
export function narrowReach(c: Contacts, g: Shapes, b: Int): void {
  const reach = g.radius[b] + c.margin[0]
  reach2[0] = reach * reach
}

/** Writes the position of node (i, j) to out[o]. */
export function fieldNode(out: Vec, o: Int, g: Shapes, a: Int, i: Int, j: Int): void {
  const f = g.field[a]
  const columns = g.fieldColumns[f]
  out[o] = g.size[3 * a] * ((2 * i) / (columns - 1) - 1)
  out[o + 1] = g.size[3 * a + 1] * ((2 * j) / (g.fieldRows[f] - 1) - 1)
  out[o + 2] = g.heights[g.fieldStart[f] + j * columns + i]
}

function isNode(g: Shapes, a: Int, i: Int, j: Int): boolean {
  const f = g.field[a]
  return i >= 0 && j >= 0 && i < g.fieldColumns[f] && j < g.fieldRows[f]
}

/** Whether node (i, j) is on the border of the field. */
export function isBorder(g: Shapes, a: Int, i: Int, j: Int): boolean {
  const f = g.field[a]
  return i === 0 || j === 0 || i === g.fieldColumns[f] - 1 || j === g.fieldRows[f] - 1
}

/** Writes edge: feature 1, 2 or 3 of node (i, j). Returns how many faces it has, 0 when there is no such edge or it is out of reach. */
export function fieldEdge(g: Shapes, a: Int, i: Int, j: Int, kind: Int): Int {
  const i1 = kind === 2 ? i : i + 1
  const j1 = kind === 1 ? j : j + 1
  if (!isNode(g, a, i, j) || !isNode(g, a, i1, j1)) return 0
  fieldNode(edge, 0, g, a, i, j)
  fieldNode(edge, 3, g, a, i1, j1)
  if (!isEdgeNear()) return 0
  let faces = 0
  for (let side = 0; side < 2; side++) {
    const wi = side === 0 ? i + 1 : kind === 2 ? i - 1 : i
    const wj = side === 0 ? (kind === 3 ? j : j + 1) : kind === 1 ? j - 1 : kind === 2 ? j : j + 1
    if (isNode(g, a, wi, wj)) fieldNode(edge, 6 + 3 * faces++, g, a, wi, wj)
  }
  return faces
}

/** Whether the point x[o] is within reach of the shape. */
export function isNear(x: Vec, o: Int): boolean {
  const u = x[o] - shape[9]
  const v = x[o + 1] - shape[10]
  const w = x[o + 2] - shape[11]
  return u * u + v * v + w * w <= reach2[0]
}

/** Reads edge. Whether the point of it nearest to the shape's centre is within reach. */
function isEdgeNear(): boolean {
  let dot = 0
  let square = 0
  for (let k = 0; k < 3; k++) {
    const d = edge[3 + k] - edge[k]
    dot += d * (shape[9 + k] - edge[k])
    square += d * d
  }
  const t = dot / square
  const s = t > 1 ? 1 : t > 0 ? t : 0
  for (let k = 0; k < 3; k++) around[k] = edge[k] + s * (edge[3 + k] - edge[k])
  return isNear(around, 0)
}

/** Writes face: feature 4 or 5 of node (i, j). False when there is none, or its plane is out of reach. */
export function fieldFace(g: Shapes, a: Int, i: Int, j: Int, kind: Int): boolean {
  if (!isNode(g, a, i + 1, j + 1)) return false
  const low = kind === 4
  fieldNode(face, 0, g, a, low ? i + 1 : i, low ? j : j + 1)
  fieldNode(face, 3, g, a, low ? i + 1 : i, low ? j + 1 : j)
  fieldNode(face, 6, g, a, low ? i : i + 1, low ? j : j + 1)
  const ux = face[3] - face[0]
  const uy = face[4] - face[1]
  const uz = face[5] - face[2]
  const vx = face[6] - face[0]
  const vy = face[7] - face[1]
  const vz = face[8] - face[2]
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
  face[9] = nx / length
  face[10] = ny / length
  face[11] = nz / length
  const height = face[9] * (shape[9] - face[0]) + face[10] * (shape[10] - face[1]) + face[11] * (shape[11] - face[2])
  return height <= 0 || height * height <= reach2[0]
}

/** Writes face: the one above or below the point at x[o]. Returns its feature number (4, 5; node by `span` rules), or 0 beside the field. */
export function faceAt(g: Shapes, a: Int, x: Vec, o: Int): Int {
  const f = g.field[a]
  const u = ((x[o] / g.size[3 * a] + 1) * (g.fieldColumns[f] - 1)) / 2
  const v = ((x[o + 1] / g.size[3 * a + 1] + 1) * (g.fieldRows[f] - 1)) / 2
  if (!(u >= 0 && v >= 0 && u <= g.fieldColumns[f] - 1 && v <= g.fieldRows[f] - 1)) return 0
  const iu = Math.floor(u)
  const iv = Math.floor(v)
  const i = iu > g.fieldColumns[f] - 2 ? g.fieldColumns[f] - 2 : iu | 0
  const j = iv > g.fieldRows[f] - 2 ? g.fieldRows[f] - 2 : iv | 0
  const kind = u - i >= v - j ? 4 : 5
  fieldFace(g, a, i, j, kind)
  return featureOf(g, a, i, j, kind, 0)
}

/** One number for a feature of the field and one of 16 parts of the shape; never below 64. */
export function featureOf(g: Shapes, a: Int, i: Int, j: Int, kind: Int, part: Int): Int {
  return 64 + (8 * ((j * g.fieldColumns[g.field[a]] + i) % CELLS) + kind) * 16 + part
}

/** Whether direction n[o] leaves the surface on all sides of node (i, j), at x[p]. */
export function leavesNode(g: Shapes, a: Int, i: Int, j: Int, n: Vec, o: Int, x: Vec, p: Int): boolean {
  for (let k = 0; k < 6; k++) {
    const wi = i + NEXT_I[k]
    const wj = j + NEXT_J[k]
    if (!isNode(g, a, wi, wj)) continue
    fieldNode(around, 0, g, a, wi, wj)
    if (!falls(n, o, around, 0, x, p)) return false
  }
  return true
}

/** Reads edge with its faces. Whether direction n[o], across the edge, leaves the surface on both sides. */
export function leavesEdge(faces: Int, n: Vec, o: Int): boolean {
  return falls(n, o, edge, 6, edge, 0) && (faces < 2 || falls(n, o, edge, 9, edge, 0))
}

/** n·(w − q) ≤ 0, but for rounding */
export function falls(n: Vec, o: Int, w: Vec, i: Int, q: Vec, j: Int): boolean {
  const x = w[i] - q[j]
  const y = w[i + 1] - q[j + 1]
  const z = w[i + 2] - q[j + 2]
  const rise = n[o] * x + n[o + 1] * y + n[o + 2] * z
  return rise <= 0 || rise * rise <= CONE * CONE * (x * x + y * y + z * z)
}

/** Reads next[6], the gap. Adds the contact half-way between x and the other surface, which lies along side · n[o]. */
export function addHalfway(c: Contacts, g: Shapes, a: Int, b: Int, x: Vec, side: Int, n: Vec, o: Int, feature: Int): void {
  const { next } = c
  const half = side * 0.5 * next[6]
  for (let k = 0; k < 3; k++) {
    next[k] = x[k] + half * n[o + k]
    next[3 + k] = n[o + k]
  }
  addFieldContact(c, g, a, b, feature)
}

/** Reads face. Adds the contact of the point x of geom b with the plane of the face. */
export function addOnFace(c: Contacts, g: Shapes, a: Int, b: Int, x: Vec, feature: Int): void {
  let gap = 0
  for (let k = 0; k < 3; k++) gap += face[9 + k] * (x[k] - face[k])
  c.next[6] = gap
  addHalfway(c, g, a, b, x, -1, face, 9, feature)
}

/** Writes seg[6 …]: edge as start and direction. */
export function setEdgeSegment(seg: Vec): void {
  for (let k = 0; k < 3; k++) {
    seg[6 + k] = edge[k]
    seg[9 + k] = edge[3 + k] - edge[k]
  }
}

/** Writes the unit normal of both directions of seg, pointing up. */
export function commonNormal(normal: Vec, seg: Vec): void {
  const x = seg[4] * seg[11] - seg[5] * seg[10]
  const y = seg[5] * seg[9] - seg[3] * seg[11]
  const z = seg[3] * seg[10] - seg[4] * seg[9]
  const length = (z < 0 ? -1 : 1) * Math.sqrt(x * x + y * y + z * z)
  normal[0] = x / length
  normal[1] = y / length
  normal[2] = z / length
}

/** Reads next in the field's frame. Adds the contact of field a and geom b; repeated points and the shallowest of too many are dropped. */
export function addFieldContact(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int): void {
  const { next, X_WG: X } = c
  const i = 12 * a
  if (!(next[6] <= c.margin[0])) return
  for (let k = 0; k < 6; k += 3) {
    const x = next[k]
    const y = next[k + 1]
    const z = next[k + 2]
    const p = k === 0 ? 1 : 0
    next[k] = X[i] * x + X[i + 1] * y + X[i + 2] * z + p * X[i + 9]
    next[k + 1] = X[i + 3] * x + X[i + 4] * y + X[i + 5] * z + p * X[i + 10]
    next[k + 2] = X[i + 6] * x + X[i + 7] * y + X[i + 8] * z + p * X[i + 11]
  }
  const same = SAME * g.radius[b]
  let shallowest = -1
  let most = next[6]
  let count = 0
  for (let k = c.count - 1; k >= 0 && c.geomA[k] === a && c.geomB[k] === b; k--) {
    count++
    const x = c.point[3 * k] - next[0]
    const y = c.point[3 * k + 1] - next[1]
    const z = c.point[3 * k + 2] - next[2]
    const cosine = c.normal[3 * k] * next[3] + c.normal[3 * k + 1] * next[4] + c.normal[3 * k + 2] * next[5]
    if (x * x + y * y + z * z <= same * same && cosine > 0.99) return
    if (c.gap[k] > most) {
      most = c.gap[k]
      shallowest = k
    }
  }
  if (count < MAX_CONTACTS) addContact(c, g, a, b, feature)
  else if (shallowest >= 0) writeContact(c, g, a, b, feature, shallowest)
}
