/**
 * A box on a height field: its corners on the faces below them, peaks against the box, ridges against its edges.
 */
import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import type { Contacts } from '../contacts.js'
import { closestOnSegments } from '../shapes/segments.js'
import {
  addHalfway,
  addOnFace,
  commonNormal,
  faceAt,
  featureOf,
  fieldEdge,
  fieldNode,
  isNear,
  leavesEdge,
  leavesNode,
  setEdgeSegment,
  shape,
  span,
} from './field-grid.js'

/** slack of the cone of a box edge, as a sine */
const CONE = 1e-9

const x = new Float64Array(3)
const local = new Float64Array(3)
const normal = new Float64Array(3)
const seg = new Float64Array(12)
const st = new Float64Array(3)

/** Reads shape, span. */
export function fieldBox(c: Contacts, g: Shapes, a: Int, b: Int): void {
  for (let v = 0; v < 8; v++) boxCorner(c, g, a, b, v)
  for (let j = span[2]; j <= span[3]; j++) {
    for (let i = span[0]; i <= span[1]; i++) {
      boxOnNode(c, g, a, b, i, j)
      for (let kind = 1; kind < 4; kind++) boxOnEdge(c, g, a, b, i, j, kind)
    }
  }
}

function boxCorner(c: Contacts, g: Shapes, a: Int, b: Int, v: Int): void {
  const sx = v & 1 ? g.size[3 * b] : -g.size[3 * b]
  const sy = v & 2 ? g.size[3 * b + 1] : -g.size[3 * b + 1]
  const sz = v & 4 ? g.size[3 * b + 2] : -g.size[3 * b + 2]
  for (let k = 0; k < 3; k++) x[k] = shape[9 + k] + shape[3 * k] * sx + shape[3 * k + 1] * sy + shape[3 * k + 2] * sz
  if (faceAt(g, a, x, 0) !== 0) addOnFace(c, g, a, b, x, v)
}

/** Node (i, j) against the box: the way from its nearest face, edge or corner, or out through the face that is nearest. */
function boxOnNode(c: Contacts, g: Shapes, a: Int, b: Int, i: Int, j: Int): void {
  fieldNode(x, 0, g, a, i, j)
  if (!isNear(x, 0)) return
  let d2 = 0
  let least = Number.POSITIVE_INFINITY
  let axis = 0
  for (let k = 0; k < 3; k++) {
    const p = shape[k] * (x[0] - shape[9]) + shape[3 + k] * (x[1] - shape[10]) + shape[6 + k] * (x[2] - shape[11])
    const h = g.size[3 * b + k]
    const over = p > h ? p - h : p < -h ? p + h : 0
    local[k] = over
    d2 += over * over
    const inside = h - (p < 0 ? -p : p)
    if (inside < least) {
      least = inside
      axis = p < 0 ? -1 - k : k
    }
  }
  const d = Math.sqrt(d2)
  let gap = d
  if (d > 0) for (let k = 0; k < 3; k++) local[k] /= d
  else {
    gap = -least
    for (let k = 0; k < 3; k++) local[k] = axis === k ? 1 : axis === -1 - k ? -1 : 0
  }
  if (!(gap <= c.margin[0])) return
  // from the field into the box
  for (let r = 0; r < 3; r++) normal[r] = -(shape[3 * r] * local[0] + shape[3 * r + 1] * local[1] + shape[3 * r + 2] * local[2])
  if (!leavesNode(g, a, i, j, normal, 0, x, 0)) return
  c.next[6] = gap
  addHalfway(c, g, a, b, x, 1, normal, 0, featureOf(g, a, i, j, 0, 0))
}

/** The twelve edges of the box against an edge of the field. */
function boxOnEdge(c: Contacts, g: Shapes, a: Int, b: Int, i: Int, j: Int, kind: Int): void {
  const faces = fieldEdge(g, a, i, j, kind)
  if (faces === 0) return
  setEdgeSegment(seg)
  for (let e = 0; e < 12; e++) {
    const k = e >> 2
    const p = (k + 1) % 3
    const q = (k + 2) % 3
    const sp = e & 1 ? 1 : -1
    const sq = e & 2 ? 1 : -1
    const h = g.size[3 * b + k]
    for (let r = 0; r < 3; r++) {
      const d = h * shape[3 * r + k]
      seg[r] = shape[9 + r] + sp * g.size[3 * b + p] * shape[3 * r + p] + sq * g.size[3 * b + q] * shape[3 * r + q] - d
      seg[3 + r] = 2 * d
    }
    if (closestOnSegments(st, 0, seg, 0, 6) !== 0) continue
    commonNormal(normal, seg)
    // the box is on the upper side of both its faces there
    const np = sp * (normal[0] * shape[p] + normal[1] * shape[3 + p] + normal[2] * shape[6 + p])
    const nq = sq * (normal[0] * shape[q] + normal[1] * shape[3 + q] + normal[2] * shape[6 + q])
    if (np > CONE || nq > CONE || !leavesEdge(faces, normal, 0)) continue
    addRidge(c, g, a, b, featureOf(g, a, i, j, kind, e), faces)
  }
}

/** Reads seg, st, normal. On the border of the field an edge below is not taken for an overlap: half of the directions are open to the side. */
function addRidge(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int, faces: Int): void {
  let gap = 0
  for (let k = 0; k < 3; k++) {
    x[k] = seg[k] + st[0] * seg[3 + k]
    gap += normal[k] * (x[k] - seg[6 + k] - st[1] * seg[9 + k])
  }
  if (faces < 2 && gap < 0) return
  c.next[6] = gap
  addHalfway(c, g, a, b, x, -1, normal, 0, feature)
}
