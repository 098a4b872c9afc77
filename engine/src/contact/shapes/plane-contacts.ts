/**
 * Contacts with a plane (geom a, normal its z axis, solid below): where the other shape reaches deepest.
 *
 * Every contact is a point x of the other shape's surface with gap n·(x − p); corners, ends and rim points, so that flat faces rest on
 * several of them. The deepest point is always among them, which makes the least gap exact.
 */

import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import { addContact, type Contacts } from '../contacts.js'

/** Reads next[0..2], a point of geom b's surface, or of plane a for its normal. Adds the contact half-way to the plane. */
function addPlanePoint(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int): void {
  const { next, X_WG: X } = c
  const o = 12 * a
  const nx = X[o + 2]
  const ny = X[o + 5]
  const nz = X[o + 8]
  const gap = nx * (next[0] - X[o + 9]) + ny * (next[1] - X[o + 10]) + nz * (next[2] - X[o + 11])
  next[0] -= 0.5 * gap * nx
  next[1] -= 0.5 * gap * ny
  next[2] -= 0.5 * gap * nz
  next[3] = nx
  next[4] = ny
  next[5] = nz
  next[6] = gap
  addContact(c, g, a, b, feature)
}

export function planeSphere(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const { next, X_WG: X } = c
  const r = g.size[3 * b]
  for (let k = 0; k < 3; k++) next[k] = X[12 * b + 9 + k] - r * X[12 * a + 2 + 3 * k]
  addPlanePoint(c, g, a, b, 0)
}

/** The two end spheres. */
export function planeCapsule(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const { next, X_WG: X } = c
  const r = g.size[3 * b]
  const h = g.size[3 * b + 1]
  for (let end = 0; end < 2; end++) {
    const t = end === 0 ? -h : h
    for (let k = 0; k < 3; k++) next[k] = X[12 * b + 9 + k] + t * X[12 * b + 2 + 3 * k] - r * X[12 * a + 2 + 3 * k]
    addPlanePoint(c, g, a, b, end)
  }
}

/** Support point x = c − R D² Rᵀn / |D Rᵀn|, D the half axes. */
export function planeEllipsoid(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const { next, X_WG: X } = c
  const i = 12 * a
  const j = 12 * b
  const sx = g.size[3 * b]
  const sy = g.size[3 * b + 1]
  const sz = g.size[3 * b + 2]
  // D Rᵀ n
  const x = sx * (X[j] * X[i + 2] + X[j + 3] * X[i + 5] + X[j + 6] * X[i + 8])
  const y = sy * (X[j + 1] * X[i + 2] + X[j + 4] * X[i + 5] + X[j + 7] * X[i + 8])
  const z = sz * (X[j + 2] * X[i + 2] + X[j + 5] * X[i + 5] + X[j + 8] * X[i + 8])
  const length = Math.sqrt(x * x + y * y + z * z)
  const s = length > 0 ? -1 / length : 0
  for (let k = 0; k < 3; k++) next[k] = X[j + 9 + k] + s * (X[j + 3 * k] * sx * x + X[j + 3 * k + 1] * sy * y + X[j + 3 * k + 2] * sz * z)
  addPlanePoint(c, g, a, b, 0)
}

const depth = new Float64Array(8)

/** The (up to) four deepest corners. */
export function planeBox(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const { next, X_WG: X } = c
  const i = 12 * a
  const j = 12 * b
  const margin = c.margin[0]
  let middle = 0
  for (let k = 0; k < 3; k++) middle += X[i + 2 + 3 * k] * (X[j + 9 + k] - X[i + 9 + k])
  // reach of each half edge along the normal
  const ex = g.size[3 * b] * (X[j] * X[i + 2] + X[j + 3] * X[i + 5] + X[j + 6] * X[i + 8])
  const ey = g.size[3 * b + 1] * (X[j + 1] * X[i + 2] + X[j + 4] * X[i + 5] + X[j + 7] * X[i + 8])
  const ez = g.size[3 * b + 2] * (X[j + 2] * X[i + 2] + X[j + 5] * X[i + 5] + X[j + 8] * X[i + 8])
  for (let v = 0; v < 8; v++) depth[v] = middle + (v & 1 ? ex : -ex) + (v & 2 ? ey : -ey) + (v & 4 ? ez : -ez)
  for (let v = 0; v < 8; v++) {
    if (!(depth[v] <= margin)) continue
    // a corner with four deeper ones is left out
    let deeper = 0
    for (let w = 0; w < 8; w++) if (depth[w] < depth[v] || (depth[w] === depth[v] && w < v)) deeper++
    if (deeper >= 4) continue
    const x = v & 1 ? g.size[3 * b] : -g.size[3 * b]
    const y = v & 2 ? g.size[3 * b + 1] : -g.size[3 * b + 1]
    const z = v & 4 ? g.size[3 * b + 2] : -g.size[3 * b + 2]
    for (let k = 0; k < 3; k++) next[k] = X[j + 9 + k] + X[j + 3 * k] * x + X[j + 3 * k + 1] * y + X[j + 3 * k + 2] * z
    addPlanePoint(c, g, a, b, v)
  }
}

/** below this sine of the angle between axis and normal no rim point is the deepest one, and the cylinder's own x axis chooses */
const FLAT = 1e-8

/** Lower rim: its deepest point and three more at right angles; upper rim: its deepest point. */
export function planeCylinder(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const { next, X_WG: X } = c
  const i = 12 * a
  const j = 12 * b
  const r = g.size[3 * b]
  const nx = X[i + 2]
  const ny = X[i + 5]
  const nz = X[i + 8]
  // axis, pointing down
  const along = X[j + 2] * nx + X[j + 5] * ny + X[j + 8] * nz
  const sign = along > 0 ? -1 : 1
  const ax = sign * X[j + 2]
  const ay = sign * X[j + 5]
  const az = sign * X[j + 8]
  const t = sign * along
  // steepest direction down in the plane of the rim
  let ux = t * ax - nx
  let uy = t * ay - ny
  let uz = t * az - nz
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz)
  const flat = !(length > FLAT)
  const s = flat ? r : r / length
  ux = s * (flat ? X[j] : ux)
  uy = s * (flat ? X[j + 3] : uy)
  uz = s * (flat ? X[j + 6] : uz)
  const vx = ay * uz - az * uy
  const vy = az * ux - ax * uz
  const vz = ax * uy - ay * ux
  const h = g.size[3 * b + 1]
  const start = c.count
  for (let k = 0; k < 5; k++) {
    if (k === 4 && c.count - start >= 4) return
    const side = k === 4 ? -h : h
    const cu = k === 0 || k === 4 ? 1 : k === 3 ? -1 : 0
    const cv = k === 1 ? 1 : k === 2 ? -1 : 0
    next[0] = X[j + 9] + side * ax + cu * ux + cv * vx
    next[1] = X[j + 10] + side * ay + cu * uy + cv * vy
    next[2] = X[j + 11] + side * az + cu * uz + cv * vz
    // numbered from the cylinder's own lower and upper end
    addPlanePoint(c, g, a, b, k + (sign > 0 ? 0 : 5))
  }
}
