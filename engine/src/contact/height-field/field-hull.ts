/**
 * A hull on a height field: its corners on the faces below them, and the field's ridges and peaks against it.
 *
 * An edge of the field is a segment, and the segment and the hull are a convex pair like any other. Kept are the directions that leave the surface
 * there: the rest are those of the faces, which the corners see, or point into the ground.
 */

import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import { transformPoint } from '../../printed/arrays.js'
import type { Contacts } from '../contacts.js'
import { closest, findClosest } from '../convex/convex-pair.js'
import { extent, MARGIN, rel, SCALE, setSegment } from '../convex/core.js'
import { addHalfway, addOnFace, edge, faceAt, featureOf, fieldEdge, isNear, leavesEdge, leavesNode, shape, span } from './field-grid.js'

export const x = new Float64Array(3)
export const normal = new Float64Array(3)
// axes of the segment's frame in the field's, z along the edge: 9; its middle: 3
const frame = new Float64Array(12)
/** of an edge: nearer to its end is the end itself */
const END = 1e-9

/** Reads shape, span. */
export function fieldHull(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const { hulls } = g
  const h = hulls.of[b]
  for (let v = hulls.vertexStart[h]; v < hulls.vertexStart[h + 1]; v++) {
    transformPoint(x, 0, shape, 0, hulls.vertices, 3 * v)
    if (isNear(x, 0) && faceAt(g, a, x, 0) !== 0) addOnFace(c, g, a, b, x, (v - hulls.vertexStart[h]) % 64)
  }
  for (let j = span[2]; j <= span[3]; j++) {
    for (let i = span[0]; i <= span[1]; i++) for (let kind = 1; kind < 4; kind++) hullOnEdge(c, g, a, b, i, j, kind)
  }
}

function hullOnEdge(c: Contacts, g: Shapes, a: Int, b: Int, i: Int, j: Int, kind: Int): void {
  const faces = fieldEdge(g, a, i, j, kind)
  if (faces === 0 || !closestToEdge(c, g, b)) return
  const along = closest.a[2] / length[0]
  c.next[6] = closest.gap[0]
  if (along > -1 + END && along < 1 - END) {
    if (leavesEdge(faces, normal, 0)) addHalfway(c, g, a, b, x, 1, normal, 0, featureOf(g, a, i, j, kind, 0))
    return
  }
  // an end of the edge is a node, and belongs to several edges: the same point is kept once
  const end = along > 0
  const ni = kind !== 2 && end ? i + 1 : i
  const nj = kind !== 1 && end ? j + 1 : j
  if (leavesNode(g, a, ni, nj, normal, 0, x, 0)) addHalfway(c, g, a, b, x, 1, normal, 0, featureOf(g, a, ni, nj, 0, 0))
}

/** Reads edge, shape, margin. Writes closest, and normal and point x of the edge in the field's frame; false where they are farther apart. */
export function closestToEdge(c: Contacts, g: Shapes, b: Int): boolean {
  frameEdge()
  const half = length[0]
  // the hull in the frame of the edge
  for (let r = 0; r < 3; r++) {
    rel[9 + r] = 0
    for (let s = 0; s < 3; s++) {
      rel[3 * r + s] = frame[r] * shape[s] + frame[3 + r] * shape[3 + s] + frame[6 + r] * shape[6 + s]
      rel[9 + r] += frame[3 * s + r] * (shape[9 + s] - frame[9 + s])
    }
  }
  setSegment(g, length, b)
  extent[SCALE] = half + g.radius[b]
  extent[MARGIN] = c.margin[0]
  if (!findClosest(g.hulls)) return false
  const { normal: n } = closest
  for (let r = 0; r < 3; r++) normal[r] = frame[3 * r] * n[0] + frame[3 * r + 1] * n[1] + frame[3 * r + 2] * n[2]
  for (let r = 0; r < 3; r++) x[r] = frame[9 + r] + closest.a[2] * frame[3 * r + 2]
  return true
}

/** half the length of an edge */
const length = new Float64Array(1)

/** Reads edge. Writes frame, length. */
function frameEdge(): void {
  let square = 0
  for (let r = 0; r < 3; r++) {
    frame[3 * r + 2] = edge[3 + r] - edge[r]
    square += frame[3 * r + 2] * frame[3 * r + 2]
    frame[9 + r] = 0.5 * (edge[r] + edge[3 + r])
  }
  const whole = Math.sqrt(square)
  for (let r = 0; r < 3; r++) frame[3 * r + 2] /= whole
  // edges of a field are never upright: y is level and across
  const across = Math.sqrt(frame[2] * frame[2] + frame[5] * frame[5])
  frame[1] = -frame[5] / across
  frame[4] = frame[2] / across
  frame[7] = 0
  frame[0] = frame[4] * frame[8] - frame[7] * frame[5]
  frame[3] = frame[7] * frame[2] - frame[1] * frame[8]
  frame[6] = frame[1] * frame[5] - frame[4] * frame[2]
  length[0] = 0.5 * whole
}
