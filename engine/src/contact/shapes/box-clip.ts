/**
 * Face against face: the face of the incident box that looks most against the reference face, clipped to the sides of the reference
 * face (Sutherland–Hodgman in the plane of the face). At most 8 points, each with its height over the face as gap.
 *
 * A corner keeps its number; the point that side s cuts from edge e (0 … 3 of the incident face, 4 … 7 along the sides) is 4 + 4 e + s, so
 * that features survive small motions.
 */
import type { Vec } from '../../math/types.js'
import type { Shapes } from '../../model/shapes.js'
import { addContact, type Contacts } from '../contacts.js'

/** points nearer than this share of the boxes' size are one */
const SAME = 1e-9
/** of the boxes' size: corners so near a side are neither inside nor cut, or rounding would give boxes that lie flush others in every step */
const FLUSH = 1e-6
const MAX_CORNERS = 12
/** numbers of points in one pair of faces */
const IDS = 36

// incident box in the reference box's frame
const rel = new Float64Array(12)
// polygon as u, v, height; twice, one to read and one to write
const poly = new Float64Array(6 * MAX_CORNERS)
const ids = new Int32Array(2 * MAX_CORNERS)
// edge that leaves each point
const edges = new Int32Array(2 * MAX_CORNERS)

/**
 * Box `p` gives the reference face (axis k), box `q` the incident one; contacts are those of geoms a and b, one of which is p.
 * Writes the least gap to least[0].
 */
export function clipFaces(c: Contacts, g: Shapes, p: number, q: number, k: number, a: number, b: number, least: Vec): void {
  const { X_WG: X } = c
  const i = 12 * p
  const j = 12 * q
  for (let r = 0; r < 3; r++) {
    rel[9 + r] = 0
    for (let s = 0; s < 3; s++) {
      rel[3 * r + s] = X[i + r] * X[j + s] + X[i + 3 + r] * X[j + 3 + s] + X[i + 6 + r] * X[j + 6 + s]
      rel[9 + r] += X[i + 3 * s + r] * (X[j + 9 + s] - X[i + 9 + s])
    }
  }
  const sign = rel[9 + k] < 0 ? -1 : 1

  // face of q that looks most against the reference normal
  let m = 0
  let most = -1
  for (let s = 0; s < 3; s++) {
    const cosine = rel[3 * k + s] < 0 ? -rel[3 * k + s] : rel[3 * k + s]
    if (cosine > most + 1e-9) {
      most = cosine
      m = s
    }
  }
  const side = sign * rel[3 * k + m] > 0 ? -1 : 1
  const u = (k + 1) % 3
  const v = (k + 2) % 3
  const m1 = (m + 1) % 3
  const m2 = (m + 2) % 3
  const scale = g.radius[p] + g.radius[q]
  for (let n = 0; n < 4; n++) {
    const x0 = side * g.size[3 * q + m]
    const x1 = n === 1 || n === 2 ? g.size[3 * q + m1] : -g.size[3 * q + m1]
    const x2 = n >= 2 ? g.size[3 * q + m2] : -g.size[3 * q + m2]
    poly[3 * n] = rel[9 + u] + rel[3 * u + m] * x0 + rel[3 * u + m1] * x1 + rel[3 * u + m2] * x2
    poly[3 * n + 1] = rel[9 + v] + rel[3 * v + m] * x0 + rel[3 * v + m1] * x1 + rel[3 * v + m2] * x2
    poly[3 * n + 2] = sign * (rel[9 + k] + rel[3 * k + m] * x0 + rel[3 * k + m1] * x1 + rel[3 * k + m2] * x2) - g.size[3 * p + k]
    ids[n] = n
    edges[n] = n
  }
  let count = 4
  for (let s = 0; s < 4; s++) count = clip(g, s < 2 ? 3 * p + u : 3 * p + v, s, count, p, q)

  // faces number: which box gives the reference, its face, the incident face
  const faces = (((p === b ? 1 : 0) * 6 + 2 * k + (sign > 0 ? 1 : 0)) * 6 + 2 * m + (side > 0 ? 1 : 0)) * IDS
  const start = c.count
  for (let n = 0; n < count; n++) {
    const height = poly[3 * n + 2]
    if (height < least[0]) least[0] = height
    if (isRepeated(n, SAME * scale)) continue
    addHeight(c, g, p, k, sign, a, b, n, (1 << 12) + faces + ids[n])
  }
  // nothing of the face is over the reference face: its deepest corner stands in when the boxes overlap
  if (c.count === start && count === 0) addDeepest(c, g, p, q, k, sign, a, b, least)
}

/** Keeps what is inside of side s: ±u or ±v up to size[h]. Reads and writes poly, ids, edges; returns the number of points. */
function clip(g: Shapes, h: number, s: number, count: number, p: number, q: number): number {
  const axis = s >> 1
  const sign = s & 1 ? -1 : 1
  const limit = g.size[h]
  const flush = FLUSH * (g.radius[p] + g.radius[q])
  const to = 3 * MAX_CORNERS
  let made = 0
  for (let n = 0; n < count; n++) {
    const e = n + 1 < count ? n + 1 : 0
    const dn = sign * poly[3 * n + axis] - limit
    const de = sign * poly[3 * e + axis] - limit
    if (dn <= flush) {
      for (let r = 0; r < 3; r++) poly[to + 3 * made + r] = poly[3 * n + r]
      edges[MAX_CORNERS + made] = edges[n]
      ids[MAX_CORNERS + made++] = ids[n]
    }
    if ((dn < -flush && de > flush) || (dn > flush && de < -flush)) {
      const f = dn / (dn - de)
      for (let r = 0; r < 3; r++) poly[to + 3 * made + r] = poly[3 * n + r] + f * (poly[3 * e + r] - poly[3 * n + r])
      poly[to + 3 * made + axis] = sign * limit
      edges[MAX_CORNERS + made] = dn < 0 ? 4 + s : edges[n]
      ids[MAX_CORNERS + made++] = 4 + 4 * edges[n] + s
    }
  }
  for (let n = 0; n < 3 * made; n++) poly[n] = poly[to + n]
  for (let n = 0; n < made; n++) {
    ids[n] = ids[MAX_CORNERS + n]
    edges[n] = edges[MAX_CORNERS + n]
  }
  return made
}

/** Whether an earlier point of the polygon is the same as point n: boxes without thickness fold their faces. */
function isRepeated(n: number, same: number): boolean {
  for (let m = 0; m < n; m++) {
    const du = poly[3 * m] - poly[3 * n]
    const dv = poly[3 * m + 1] - poly[3 * n + 1]
    const dh = poly[3 * m + 2] - poly[3 * n + 2]
    if (du * du + dv * dv + dh * dh <= same * same) return true
  }
  return false
}

/** Adds point n of the polygon over face (k, sign) of box p. */
function addHeight(c: Contacts, g: Shapes, p: number, k: number, sign: number, a: number, b: number, n: number, feature: number): void {
  const { next, X_WG: X } = c
  const i = 12 * p
  const u = (k + 1) % 3
  const v = (k + 2) % 3
  const x = poly[3 * n]
  const y = poly[3 * n + 1]
  const z = sign * (g.size[3 * p + k] + 0.5 * poly[3 * n + 2])
  // the face looks from its own box to the other
  const towards = p === a ? sign : -sign
  for (let r = 0; r < 3; r++) {
    next[r] = X[i + 9 + r] + X[i + 3 * r + u] * x + X[i + 3 * r + v] * y + X[i + 3 * r + k] * z
    next[3 + r] = towards * X[i + 3 * r + k]
  }
  next[6] = poly[3 * n + 2]
  addContact(c, g, a, b, feature)
}

function addDeepest(c: Contacts, g: Shapes, p: number, q: number, k: number, sign: number, a: number, b: number, least: Vec): void {
  const u = (k + 1) % 3
  const v = (k + 2) % 3
  poly[0] = rel[9 + u]
  poly[1] = rel[9 + v]
  poly[2] = sign * rel[9 + k] - g.size[3 * p + k]
  for (let s = 0; s < 3; s++) {
    const h = sign * rel[3 * k + s] > 0 ? -g.size[3 * q + s] : g.size[3 * q + s]
    poly[0] += h * rel[3 * u + s]
    poly[1] += h * rel[3 * v + s]
    poly[2] += sign * h * rel[3 * k + s]
  }
  if (poly[2] > 0) return
  least[0] = poly[2]
  addHeight(c, g, p, k, sign, a, b, 0, 1 << 12)
}
