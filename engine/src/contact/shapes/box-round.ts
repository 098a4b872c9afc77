/**
 * Contacts of a sphere or a capsule (geom a) with a box (geom b), in the box's frame.
 *
 * Sphere: closest point of the box by clamping; a centre inside leaves through the nearest face.
 * Capsule: the squared distance of p + t d to the box is convex and piecewise quadratic in t, its slope piecewise linear with breaks where
 * the line crosses the planes of the faces; the zero of the slope is found between two breaks. Where the axis runs along a face or an
 * edge the far end of that stretch is a second contact. An axis that enters the box leaves it along the axis of least overlap, among
 * the face normals and their cross products with d (separating axes; exact for a segment and a box).
 */

import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import { addContact, type Contacts } from '../contacts.js'

/** a core this near to the box (share of its size) counts as inside: no direction could be told from rounding */
const INSIDE = 1e-10
/** coordinates this little beyond a face (share of the box) count as over it */
const OVER = 1e-9
/** cross products shorter than this are no axis */
const PARALLEL = 1e-6
/** a second contact nearer than this share of the capsule to the first says nothing new */
const APART = 1e-3

// core point (3), outward normal (3), distance of the core along it: all in the box's frame
const core = new Float64Array(7)
// start and direction of the axis in the box's frame
const line = new Float64Array(6)
const breaks = new Float64Array(8)
const slopeAt = new Float64Array(8)

/** Centre (end = 0) or end (−1, 1) of geom a's axis, in the frame of box b, to out[o]. */
function toBox(out: Vec, o: Int, c: Contacts, a: Int, b: Int, end: Int, g: Shapes): void {
  const { X_WG: X } = c
  const i = 12 * a
  const j = 12 * b
  const t = end * g.size[3 * a + 1]
  const x = X[i + 9] + t * X[i + 2] - X[j + 9]
  const y = X[i + 10] + t * X[i + 5] - X[j + 10]
  const z = X[i + 11] + t * X[i + 8] - X[j + 11]
  for (let k = 0; k < 3; k++) out[o + k] = X[j + k] * x + X[j + 3 + k] * y + X[j + 6 + k] * z
}

/** Reads core. Adds the contact of the ball about the core point, of geom a's radius, with the box. */
function addCore(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int): void {
  const { next, X_WG: X } = c
  const j = 12 * b
  const r = g.size[3 * a]
  const gap = core[6] - r
  const s = r + 0.5 * gap
  for (let k = 0; k < 3; k++) {
    const n = X[j + 3 * k] * core[3] + X[j + 3 * k + 1] * core[4] + X[j + 3 * k + 2] * core[5]
    next[k] = X[j + 9 + k] + X[j + 3 * k] * core[0] + X[j + 3 * k + 1] * core[1] + X[j + 3 * k + 2] * core[2] - s * n
    next[3 + k] = -n
  }
  next[6] = gap
  addContact(c, g, a, b, feature)
}

/** Reads core[0..2]. Writes the way from the box to it, or out of the box. */
function leaveBox(g: Shapes, b: Int): void {
  let d2 = 0
  let face = 0
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < 3; k++) {
    const h = g.size[3 * b + k]
    const x = core[k]
    const over = x > h ? x - h : x < -h ? x + h : 0
    core[3 + k] = over
    d2 += over * over
    const inside = h - (x < 0 ? -x : x)
    if (inside < least) {
      least = inside
      face = k
    }
  }
  const d = Math.sqrt(d2)
  core[6] = d
  if (d > 0) {
    for (let k = 3; k < 6; k++) core[k] /= d
    return
  }
  for (let k = 0; k < 3; k++) core[3 + k] = k !== face ? 0 : core[k] < 0 ? -1 : 1
  core[6] = -least
}

export function sphereBox(c: Contacts, g: Shapes, a: Int, b: Int): void {
  toBox(core, 0, c, a, b, 0, g)
  leaveBox(g, b)
  addCore(c, g, a, b, 0)
}

/** Ball at parameter breaks[7] of the axis. */
function addBall(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int): void {
  const t = breaks[7]
  for (let k = 0; k < 3; k++) core[k] = line[k] + t * line[3 + k]
  leaveBox(g, b)
  addCore(c, g, a, b, feature)
}

/** Reads line. Half the slope of the squared distance at breaks[k], to slopeAt[k]. */
function slope(g: Shapes, b: Int, k: Int): void {
  const t = breaks[k]
  let sum = 0
  for (let r = 0; r < 3; r++) {
    const h = g.size[3 * b + r]
    const x = line[r] + t * line[3 + r]
    if (x > h) sum += line[3 + r] * (x - h)
    else if (x < -h) sum += line[3 + r] * (x + h)
  }
  slopeAt[k] = sum
}

/** Reads line. Writes the parameter of the axis nearest to the box to breaks[7]. */
function nearest(g: Shapes, b: Int): void {
  // where the axis crosses the planes of the faces, in order
  let n = 1
  breaks[0] = 0
  for (let r = 0; r < 6; r++) {
    const k = r >> 1
    const h = r & 1 ? g.size[3 * b + k] : -g.size[3 * b + k]
    const t = (h - line[k]) / line[3 + k]
    if (!(t > 0 && t < 1)) continue
    let at = n++
    while (breaks[at - 1] > t) {
      breaks[at] = breaks[at - 1]
      at--
    }
    breaks[at] = t
  }
  // from the far end back to where the slope is no longer positive
  breaks[7] = 1
  slope(g, b, 7)
  if (slopeAt[7] <= 0) return
  let right = 1
  let slopeRight = slopeAt[7]
  for (let k = n - 1; k >= 0; k--) {
    const t = breaks[k]
    slope(g, b, k)
    const s = slopeAt[k]
    if (s <= 0) {
      breaks[7] = s === slopeRight ? t : t + ((right - t) * -s) / (slopeRight - s)
      return
    }
    right = t
    slopeRight = s
  }
  breaks[7] = 0
}

export function capsuleBox(c: Contacts, g: Shapes, a: Int, b: Int): void {
  toBox(line, 0, c, a, b, -1, g)
  toBox(line, 3, c, a, b, 1, g)
  for (let k = 0; k < 3; k++) line[3 + k] -= line[k]
  nearest(g, b)
  const t = breaks[7]

  let d2 = 0
  let from = 0
  let to = 1
  let free = 0
  const scale = g.radius[b]
  for (let k = 0; k < 3; k++) {
    const h = g.size[3 * b + k]
    const x = line[k] + t * line[3 + k]
    const over = x > h ? x - h : x < -h ? -h - x : 0
    d2 += over * over
    if (over > OVER * scale) continue
    // the stretch of the axis over the same face or edge
    free++
    const d = line[3 + k]
    if (d === 0) continue
    const t1 = (h - line[k]) / d
    const t2 = (-h - line[k]) / d
    const low = t1 < t2 ? t1 : t2
    const high = t1 < t2 ? t2 : t1
    if (low > from) from = low
    if (high < to) to = high
  }
  if (!(d2 > INSIDE * INSIDE * scale * scale)) {
    leaveWithAxis(c, g, a, b)
    return
  }
  const far = to - t > t - from ? to : from
  addBall(c, g, a, b, t < far || (t === far && t < 0.5) ? 0 : 1)
  if (free === 0 || !(far - t > APART || t - far > APART)) return
  breaks[7] = far
  addBall(c, g, a, b, t < far ? 1 : 0)
}

/** Reads line, which enters the box. Adds the contacts along the axis of least overlap. */
function leaveWithAxis(c: Contacts, g: Shapes, a: Int, b: Int): void {
  let least = Number.POSITIVE_INFINITY
  let axis = 0
  for (let k = 0; k < 3; k++) {
    const m = line[k] + 0.5 * line[3 + k]
    const e = 0.5 * line[3 + k]
    const overlap = g.size[3 * b + k] + (e < 0 ? -e : e) - (m < 0 ? -m : m)
    if (overlap < least) {
      least = overlap
      axis = k
    }
  }
  let edge = -1
  const dd = line[3] * line[3] + line[4] * line[4] + line[5] * line[5]
  for (let k = 0; k < 3; k++) {
    // d × e_k has the components (k+1: d_{k+2}, k+2: −d_{k+1})
    const p = (k + 1) % 3
    const q = (k + 2) % 3
    const length = Math.sqrt(line[3 + p] * line[3 + p] + line[3 + q] * line[3 + q])
    if (!(length * length > PARALLEL * PARALLEL * dd)) continue
    const lp = line[3 + q] / length
    const lq = -line[3 + p] / length
    const m = (line[p] + 0.5 * line[3 + p]) * lp + (line[q] + 0.5 * line[3 + q]) * lq
    const overlap = g.size[3 * b + p] * (lp < 0 ? -lp : lp) + g.size[3 * b + q] * (lq < 0 ? -lq : lq) - (m < 0 ? -m : m)
    if (overlap < least) {
      least = overlap
      edge = k
      const s = m < 0 ? -1 : 1
      core[3 + k] = 0
      core[3 + p] = s * lp
      core[3 + q] = s * lq
    }
  }
  if (edge >= 0) leaveOverEdge(c, g, a, b, edge)
  else leaveThroughFace(c, g, a, b, axis)
}

/** Reads core[3..5], the way out. One contact, where the axis passes the box's edge along k. */
function leaveOverEdge(c: Contacts, g: Shapes, a: Int, b: Int, k: Int): void {
  const p = (k + 1) % 3
  const q = (k + 2) % 3
  const xp = core[3 + p] < 0 ? -g.size[3 * b + p] : g.size[3 * b + p]
  const xq = core[3 + q] < 0 ? -g.size[3 * b + q] : g.size[3 * b + q]
  const dp = line[3 + p]
  const dq = line[3 + q]
  let t = ((xp - line[p]) * dp + (xq - line[q]) * dq) / (dp * dp + dq * dq)
  if (!(t > 0)) t = 0
  else if (t > 1) t = 1
  for (let r = 0; r < 3; r++) core[r] = line[r] + t * line[3 + r]
  core[6] = (core[p] - xp) * core[3 + p] + (core[q] - xq) * core[3 + q]
  addCore(c, g, a, b, 2)
}

/** Both ends of the axis against one face; the shallower one only as far as the face reaches. */
function leaveThroughFace(c: Contacts, g: Shapes, a: Int, b: Int, k: Int): void {
  const s = line[k] + 0.5 * line[3 + k] < 0 ? -1 : 1
  for (let r = 0; r < 3; r++) core[3 + r] = r === k ? s : 0
  const deepest = s * line[3 + k] < 0 ? 1 : 0
  for (let end = 0; end < 2; end++) {
    let t = end
    if (end !== deepest) {
      // clip from the deep end towards this one
      let reach = 1
      for (let r = 0; r < 3; r++) {
        if (r === k) continue
        const start = line[r] + deepest * line[3 + r]
        const d = end === 1 ? line[3 + r] : -line[3 + r]
        const h = g.size[3 * b + r]
        const way = d > 0 ? (h - start) / d : d < 0 ? (-h - start) / d : 1
        if (way < reach) reach = way
      }
      if (!(reach > APART)) continue
      t = end === 1 ? reach : 1 - reach
    }
    for (let r = 0; r < 3; r++) core[r] = line[r] + t * line[3 + r]
    core[6] = s * core[k] - g.size[3 * b + k]
    addCore(c, g, a, b, end)
  }
}
