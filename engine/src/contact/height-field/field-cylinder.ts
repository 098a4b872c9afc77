/**
 * Rims and ends of a cylinder on a height field.
 *
 * Rims: for each face the points that a plane there would meet (deepest point of each rim, three more on the lower one), kept where they are
 * over that face; and the lowest points on whatever face is below them. Ends: peaks under the disc, and ridges where they pass under its rim, along the axis. The side is `field-axis`.
 * Exact on faces and peaks; a rim that leans on a ridge is held along the axis instead of across both.
 */
import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import type { Contacts } from '../contacts.js'
import {
  addHalfway,
  addOnFace,
  edge,
  face,
  faceAt,
  featureOf,
  fieldEdge,
  fieldFace,
  fieldNode,
  isNear,
  leavesEdge,
  leavesNode,
  shape,
  span,
} from './field-grid.js'

const FLAT = 1e-8
const INSIDE = 1e-12
const PART = 3
/** edges more nearly along the axis than this (square of the sine) do not pass under the end */
const STEEP = 1e-6

const rim = new Float64Array(9)
const x = new Float64Array(3)
const normal = new Float64Array(3)

/** Reads shape, span. */
export function fieldCylinder(c: Contacts, g: Shapes, a: Int, b: Int): void {
  rimsBelow(c, g, a, b)
  for (let j = span[2]; j <= span[3]; j++) {
    for (let i = span[0]; i <= span[1]; i++) {
      endOnNode(c, g, a, b, i, j)
      for (let kind = 1; kind < 4; kind++) endOnEdge(c, g, a, b, i, j, kind)
      for (let kind = 4; kind < 6; kind++) {
        if (!fieldFace(g, a, i, j, kind)) continue
        rimDirections(g, b)
        for (let k = 0; k < 5; k++) rimOnFace(c, g, a, b, k, featureOf(g, a, i, j, kind, PART + k))
      }
    }
  }
}

/** Lowest points of the rims as seen along z, each against the face below it: where a slope changes under the cylinder no face owns one. */
function rimsBelow(c: Contacts, g: Shapes, a: Int, b: Int): void {
  face[9] = 0
  face[10] = 0
  face[11] = 1
  rimDirections(g, b)
  for (let k = 0; k < 5; k++) {
    rimPoint(k)
    if (faceAt(g, a, x, 0) > 0) addOnFace(c, g, a, b, x, k)
  }
}

/** Reads face, shape. Writes rim: axis pointing down to the face (length h), steepest radius u, radius across v. */
function rimDirections(g: Shapes, b: Int): void {
  const r = g.size[3 * b]
  const h = g.size[3 * b + 1]
  const along = shape[2] * face[9] + shape[5] * face[10] + shape[8] * face[11]
  const sign = along > 0 ? -1 : 1
  let length = 0
  for (let k = 0; k < 3; k++) {
    rim[k] = sign * shape[3 * k + 2]
    rim[3 + k] = sign * along * rim[k] - face[9 + k]
    length += rim[3 + k] * rim[3 + k]
  }
  length = Math.sqrt(length)
  for (let k = 0; k < 3; k++) rim[3 + k] = length > FLAT ? (r * rim[3 + k]) / length : r * shape[3 * k]
  for (let k = 0; k < 3; k++) {
    const p = (k + 1) % 3
    const q = (k + 2) % 3
    rim[6 + k] = rim[p] * rim[3 + q] - rim[q] * rim[3 + p]
  }
  for (let k = 0; k < 3; k++) rim[k] *= h
}

/** Reads rim, shape. Writes x: rim point k. */
function rimPoint(k: Int): void {
  const side = k === 4 ? -1 : 1
  const cu = k === 0 || k === 4 ? 1 : k === 3 ? -1 : 0
  const cv = k === 1 ? 1 : k === 2 ? -1 : 0
  for (let r = 0; r < 3; r++) x[r] = shape[9 + r] + side * rim[r] + cu * rim[3 + r] + cv * rim[6 + r]
}

/** Reads rim, face. Rim point k, if it is over or under the face. */
function rimOnFace(c: Contacts, g: Shapes, a: Int, b: Int, k: Int, feature: Int): void {
  rimPoint(k)
  // seen from above
  const ux = face[3] - face[0]
  const uy = face[4] - face[1]
  const vx = face[6] - face[0]
  const vy = face[7] - face[1]
  const px = x[0] - face[0]
  const py = x[1] - face[1]
  const det = ux * vy - uy * vx
  const s = (px * vy - py * vx) / det
  const t = (ux * py - uy * px) / det
  if (s >= -INSIDE && t >= -INSIDE && s + t <= 1 + INSIDE) addOnFace(c, g, a, b, x, feature)
}

/** Writes normal: the axis, pointing up. */
function upwards(): void {
  const sign = shape[8] < 0 ? -1 : 1
  for (let k = 0; k < 3; k++) normal[k] = sign * shape[3 * k + 2]
}

/** Reads normal, x (a point of the field). Adds its contact with the lower end. */
function addEnd(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int): void {
  let along = 0
  for (let k = 0; k < 3; k++) along += (x[k] - shape[9 + k]) * normal[k]
  c.next[6] = -g.size[3 * b + 1] - along
  addHalfway(c, g, a, b, x, 1, normal, 0, feature)
}

/** Node (i, j) under the lower end of the cylinder. */
function endOnNode(c: Contacts, g: Shapes, a: Int, b: Int, i: Int, j: Int): void {
  fieldNode(x, 0, g, a, i, j)
  if (!isNear(x, 0)) return
  upwards()
  const r = g.size[3 * b]
  let along = 0
  let square = 0
  for (let k = 0; k < 3; k++) {
    const d = x[k] - shape[9 + k]
    along += d * normal[k]
    square += d * d
  }
  if (!(square - along * along < r * r) || along > 0) return
  if (leavesNode(g, a, i, j, normal, 0, x, 0)) addEnd(c, g, a, b, featureOf(g, a, i, j, 0, PART))
}

/** Points where an edge of the field passes under the rim of the lower end. */
function endOnEdge(c: Contacts, g: Shapes, a: Int, b: Int, i: Int, j: Int, kind: Int): void {
  const faces = fieldEdge(g, a, i, j, kind)
  if (faces === 0) return
  upwards()
  // distance of p + t d from the axis: qa t² + 2 qb t + qc = 0 on the rim
  const r = g.size[3 * b]
  let pn = 0
  let dn = 0
  let pp = 0
  let pd = 0
  let dd = 0
  for (let k = 0; k < 3; k++) {
    const p = edge[k] - shape[9 + k]
    const d = edge[3 + k] - edge[k]
    pn += p * normal[k]
    dn += d * normal[k]
    pp += p * p
    pd += p * d
    dd += d * d
  }
  const qa = dd - dn * dn
  const qb = pd - pn * dn
  const qc = pp - pn * pn - r * r
  const disc = qb * qb - qa * qc
  if (!(disc > 0 && qa > STEEP * dd)) return
  // the part of the normal across the edge must leave the surface
  for (let k = 0; k < 3; k++) normal[k] -= (dn / dd) * (edge[3 + k] - edge[k])
  const leaves = leavesEdge(faces, normal, 0)
  upwards()
  if (!leaves) return
  const root = Math.sqrt(disc)
  for (let side = 0; side < 2; side++) {
    const t = (-qb + (side === 0 ? -root : root)) / qa
    if (!(t > 0 && t < 1)) continue
    if (pn + t * dn > 0) continue
    for (let k = 0; k < 3; k++) x[k] = edge[k] + t * (edge[3 + k] - edge[k])
    addEnd(c, g, a, b, featureOf(g, a, i, j, kind, PART + 5 + side))
  }
}
