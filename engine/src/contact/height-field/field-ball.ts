/**
 * A sphere, an ellipsoid or an end of a capsule on a height field: every local minimum of its distance to the surface.
 *
 * Sphere: foot of the centre on faces, edges and nodes, kept where the way to the centre leaves the surface on all sides. Exact.
 * Ellipsoid: the same in coordinates in which it is the unit sphere, y = D⁻¹ Rᵀ (x − p), which keeps planes planes and cones cones; the
 * real normal is n = R D⁻¹ y/|…| and the gap n·(p − q) − |D Rᵀ n|. Exact on faces; on edges and nodes exact when touching and of second
 * order in the gap otherwise.
 * A centre below the surface is pushed out along the normal of the face above it.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import type { Contacts } from '../contacts.js'
import {
  addFieldContact,
  edge,
  face,
  faceAt,
  falls,
  featureOf,
  fieldEdge,
  fieldFace,
  fieldNode,
  isNear,
  shape,
  span,
} from './field-grid.js'

/** half axes are taken as at least this share of the largest */
const THIN = 1e-4
/** slack of barycentric coordinates: a foot lost between two faces by rounding is found by both, and kept once */
const INSIDE = 1e-12
/** a centre nearer than this share of the radius to an edge or a node has no direction */
const COINCIDENT = 1e-12

/** centre of the ball, in the field's frame */
export const centre = new Float64Array(3)
// map into the frame where the shape is round: 3 × 3, about the centre
const map = new Float64Array(9)
// real half axes and rotation of the shape: R (9), half axes (3)
const half = new Float64Array(3)
// corners in that frame
const tri = new Float64Array(12)
const at = new Float64Array(3)
const way = new Float64Array(3)
const NEXT_I = Int32Array.of(1, 1, 0, -1, -1, 0)
const NEXT_J = Int32Array.of(0, 1, 1, 0, -1, -1)

/** Reads centre, shape, span. Adds the contacts of the ball of geom b about the centre; `part` tells the ends of a capsule apart. */
export function fieldBall(c: Contacts, g: Shapes, a: Int, b: Int, ellipsoid: boolean, part: Int): void {
  roundFrame(g, b, ellipsoid)
  const under = faceAt(g, a, centre, 0)
  if (under > 0) {
    const height = face[9] * (centre[0] - face[0]) + face[10] * (centre[1] - face[1]) + face[11] * (centre[2] - face[2])
    if (height < 0) {
      for (let k = 0; k < 3; k++) {
        way[k] = face[9 + k]
        at[k] = face[k]
      }
      addWay(c, g, a, b, under + part)
      return
    }
  }
  for (let j = span[2]; j <= span[3]; j++) {
    for (let i = span[0]; i <= span[1]; i++) {
      ballNode(c, g, a, b, i, j, part)
      for (let kind = 1; kind < 4; kind++) ballEdge(c, g, a, b, i, j, kind, part)
      for (let kind = 4; kind < 6; kind++) ballFace(c, g, a, b, i, j, kind, part)
    }
  }
}

function roundFrame(g: Shapes, b: Int, ellipsoid: boolean): void {
  const r = g.size[3 * b]
  let most = 0
  for (let k = 0; k < 3; k++) {
    half[k] = ellipsoid ? g.size[3 * b + k] : r
    if (half[k] > most) most = half[k]
  }
  for (let k = 0; k < 3; k++) {
    const scale = !ellipsoid || most === 0 ? 1 : half[k] > THIN * most ? 1 / half[k] : 1 / (THIN * most)
    for (let s = 0; s < 3; s++) map[3 * k + s] = ellipsoid ? scale * shape[3 * s + k] : k === s ? 1 : 0
  }
}

/** out = D⁻¹ Rᵀ (x − centre) */
function toRound(out: Vec, o: Int, x: Vec, i: Int): void {
  const u = x[i] - centre[0]
  const v = x[i + 1] - centre[1]
  const w = x[i + 2] - centre[2]
  for (let k = 0; k < 3; k++) out[o + k] = map[3 * k] * u + map[3 * k + 1] * v + map[3 * k + 2] * w
}

/**
 * Reads way (real unit normal) and at (a real point of the surface's tangent plane).
 * Adds the contact between that plane and the support point of the shape.
 */
function addWay(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int): void {
  const { next } = c
  // D Rᵀ n; a sphere needs no rotation
  let x = half[0] * way[0]
  let y = half[1] * way[1]
  let z = half[2] * way[2]
  const turned = half[0] !== half[1] || half[1] !== half[2]
  if (turned) {
    x = half[0] * (shape[0] * way[0] + shape[3] * way[1] + shape[6] * way[2])
    y = half[1] * (shape[1] * way[0] + shape[4] * way[1] + shape[7] * way[2])
    z = half[2] * (shape[2] * way[0] + shape[5] * way[1] + shape[8] * way[2])
  }
  const width = Math.sqrt(x * x + y * y + z * z)
  const gap = way[0] * (centre[0] - at[0]) + way[1] * (centre[1] - at[1]) + way[2] * (centre[2] - at[2]) - width
  const s = width > 0 ? -1 / width : 0
  for (let k = 0; k < 3; k++) {
    const reach = turned
      ? shape[3 * k] * half[0] * x + shape[3 * k + 1] * half[1] * y + shape[3 * k + 2] * half[2] * z
      : half[0] * half[0] * way[k]
    next[k] = centre[k] + s * reach - 0.5 * gap * way[k]
    next[3 + k] = way[k]
  }
  next[6] = gap
  addFieldContact(c, g, a, b, feature)
}

/** Reads tri[0..2], the foot in the round frame. Writes way, the real unit normal there; false when the centre is on it. */
function wayFromFoot(): boolean {
  // n = −(map)ᵀ y
  let length = 0
  for (let k = 0; k < 3; k++) {
    way[k] = -(map[k] * tri[0] + map[3 + k] * tri[1] + map[6 + k] * tri[2])
    length += way[k] * way[k]
  }
  length = Math.sqrt(length)
  if (!(length > COINCIDENT * half[0])) return false
  for (let k = 0; k < 3; k++) way[k] /= length
  return true
}

function ballNode(c: Contacts, g: Shapes, a: Int, b: Int, i: Int, j: Int, part: Int): void {
  fieldNode(at, 0, g, a, i, j)
  if (!isNear(at, 0)) return
  toRound(tri, 0, at, 0)
  for (let k = 0; k < 3; k++) tri[6 + k] = -tri[k]
  const columns = g.fieldColumns[g.field[a]]
  const rows = g.fieldRows[g.field[a]]
  for (let k = 0; k < 6; k++) {
    const wi = i + NEXT_I[k]
    const wj = j + NEXT_J[k]
    if (wi < 0 || wj < 0 || wi >= columns || wj >= rows) continue
    fieldNode(way, 0, g, a, wi, wj)
    toRound(tri, 3, way, 0)
    if (!falls(tri, 6, tri, 3, tri, 0)) return
  }
  if (wayFromFoot()) addWay(c, g, a, b, featureOf(g, a, i, j, 0, part))
}

function ballEdge(c: Contacts, g: Shapes, a: Int, b: Int, i: Int, j: Int, kind: Int, part: Int): void {
  const faces = fieldEdge(g, a, i, j, kind)
  if (faces === 0) return
  toRound(tri, 0, edge, 0)
  toRound(tri, 3, edge, 3)
  let dot = 0
  let square = 0
  for (let k = 0; k < 3; k++) {
    const d = tri[3 + k] - tri[k]
    dot -= d * tri[k]
    square += d * d
  }
  const t = dot / square
  if (!(t > 0 && t < 1)) return
  for (let k = 0; k < 3; k++) {
    tri[k] += t * (tri[3 + k] - tri[k])
    tri[6 + k] = -tri[k]
    at[k] = edge[k] + t * (edge[3 + k] - edge[k])
  }
  for (let f = 0; f < faces; f++) {
    toRound(tri, 3, edge, 6 + 3 * f)
    if (!falls(tri, 6, tri, 3, tri, 0)) return
  }
  if (wayFromFoot()) addWay(c, g, a, b, featureOf(g, a, i, j, kind, part))
}

function ballFace(c: Contacts, g: Shapes, a: Int, b: Int, i: Int, j: Int, kind: Int, part: Int): void {
  if (!fieldFace(g, a, i, j, kind)) return
  // below the plane of the face: another face is the one to leave through
  if (face[9] * (centre[0] - face[0]) + face[10] * (centre[1] - face[1]) + face[11] * (centre[2] - face[2]) < 0) return
  for (let k = 0; k < 9; k += 3) toRound(tri, k, face, k)
  // barycentric coordinates of the origin's foot
  let uu = 0
  let uv = 0
  let vv = 0
  let pu = 0
  let pv = 0
  for (let k = 0; k < 3; k++) {
    const u = tri[3 + k] - tri[k]
    const v = tri[6 + k] - tri[k]
    uu += u * u
    uv += u * v
    vv += v * v
    pu -= u * tri[k]
    pv -= v * tri[k]
  }
  const det = uu * vv - uv * uv
  const s = (vv * pu - uv * pv) / det
  const t = (uu * pv - uv * pu) / det
  if (!(s >= -INSIDE && t >= -INSIDE && s + t <= 1 + INSIDE)) return
  for (let k = 0; k < 3; k++) {
    way[k] = face[9 + k]
    at[k] = face[k]
  }
  addWay(c, g, a, b, featureOf(g, a, i, j, kind, part))
}
