/**
 * The straight part of a capsule or a cylinder on a height field: ridges and peaks that its side touches between the ends.
 *
 * Ridge: the common normal of axis and edge, where the closest points are inside both. Peak: the foot of the node on the axis.
 * Both only along directions that leave the surface; a normal of a height field points up, which gives the sign when they overlap. On the
 * border of the field, where half of the directions are open to the side, an axis below is not taken for an overlap.
 */
import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import type { Contacts } from '../contacts.js'
import { closestOnSegments } from '../shapes/segments.js'
import {
  addFieldContact,
  commonNormal,
  featureOf,
  fieldEdge,
  fieldNode,
  isBorder,
  isNear,
  leavesEdge,
  leavesNode,
  setEdgeSegment,
  shape,
  span,
} from './field-grid.js'

const PART = 2
/** shorter normals have no direction */
const SHORT = 1e-12

// axis, edge
const seg = new Float64Array(12)
const st = new Float64Array(3)
const normal = new Float64Array(3)
const node = new Float64Array(3)

/** Reads shape, span. Adds the contacts of the side of geom b with ridges and peaks. */
export function fieldAxis(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const h = g.size[3 * b + 1]
  if (!(h > 0)) return
  for (let k = 0; k < 3; k++) {
    const d = h * shape[3 * k + 2]
    seg[k] = shape[9 + k] - d
    seg[3 + k] = 2 * d
  }
  for (let j = span[2]; j <= span[3]; j++) {
    for (let i = span[0]; i <= span[1]; i++) {
      axisNode(c, g, a, b, i, j)
      for (let kind = 1; kind < 4; kind++) axisEdge(c, g, a, b, i, j, kind)
    }
  }
}

/** Reads normal, st[0]. Adds the contact of the side at parameter s of the axis with a surface point at distance st[2] along the normal. */
function addSide(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int): void {
  const { next } = c
  const r = g.size[3 * b]
  const gap = st[2] - r
  const s = r + 0.5 * gap
  for (let k = 0; k < 3; k++) {
    next[k] = seg[k] + st[0] * seg[3 + k] - s * normal[k]
    next[3 + k] = normal[k]
  }
  next[6] = gap
  addFieldContact(c, g, a, b, feature)
}

function axisEdge(c: Contacts, g: Shapes, a: Int, b: Int, i: Int, j: Int, kind: Int): void {
  const faces = fieldEdge(g, a, i, j, kind)
  if (faces === 0) return
  setEdgeSegment(seg)
  if (closestOnSegments(st, 0, seg, 0, 6) !== 0) return
  commonNormal(normal, seg)
  if (!leavesEdge(faces, normal, 0)) return
  st[2] = 0
  for (let k = 0; k < 3; k++) st[2] += normal[k] * (seg[k] + st[0] * seg[3 + k] - seg[6 + k] - st[1] * seg[9 + k])
  if (faces === 2 || st[2] > 0) addSide(c, g, a, b, featureOf(g, a, i, j, kind, PART))
}

function axisNode(c: Contacts, g: Shapes, a: Int, b: Int, i: Int, j: Int): void {
  fieldNode(node, 0, g, a, i, j)
  if (!isNear(node, 0)) return
  let dot = 0
  let square = 0
  for (let k = 0; k < 3; k++) {
    dot += seg[3 + k] * (node[k] - seg[k])
    square += seg[3 + k] * seg[3 + k]
  }
  const s = dot / square
  if (!(s > 0 && s < 1)) return
  let length = 0
  for (let k = 0; k < 3; k++) {
    normal[k] = seg[k] + s * seg[3 + k] - node[k]
    length += normal[k] * normal[k]
  }
  length = Math.sqrt(length)
  if (!(length > SHORT * g.radius[b])) return
  if (normal[2] < 0) {
    if (isBorder(g, a, i, j)) return
    length = -length
  }
  for (let k = 0; k < 3; k++) normal[k] /= length
  if (!leavesNode(g, a, i, j, normal, 0, node, 0)) return
  st[0] = s
  st[2] = length
  addSide(c, g, a, b, featureOf(g, a, i, j, 0, PART))
}
