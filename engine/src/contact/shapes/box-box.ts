/**
 * Contacts of two boxes: fifteen separating axes, then the overlap of the two faces that look at each other.
 *
 * The largest separation over 3 + 3 face normals and 9 cross products of edges bounds the distance from below, and is exactly minus
 * the depth when the boxes overlap (these are the face normals of the Minkowski difference). Then
 *   face axis: the other box's opposite face clipped to the sides of this one; gap = height over the face (≤ 8 points);
 *   edge axis: the closest points of the two supporting edges (1 point);
 * and where the boxes are apart and none of these points attains the bound, the exact closest points of the boxes as well.
 *
 * Departs from the textbook in two ways that keep resting boxes on the same features: the face of box B is taken only when clearly
 * better than that of A, and a cross product that nearly is a face normal only when it is clearly better than the face.
 */

import type { Shapes } from '../../model/shapes.js'
import { addContact, type Contacts } from '../contacts.js'
import { clipFaces } from './box-clip.js'
import { closestOfBoxes } from './box-distance.js'

/** cross products of edges shorter than this are no axis */
const PARALLEL = 1e-6
/** the first face wins unless another axis is better by this share of its separation, or of the boxes' size */
const BETTER = 0.02
const BETTER_SIZE = 1e-9
/** a cross product within this cosine of the best face normal must be better by ALIGNED_BETTER */
const ALIGNED = 0.98
const ALIGNED_BETTER = 0.05
/** the least gap of clipped points may exceed the bound by this share of the boxes' size; beyond, the exact closest points join them */
const EXACT = 1e-7

// B in A's frame: rotation C (9), translation t (3); edge axis in A's frame (3) and its separation
const rel = new Float64Array(12)
const edge = new Float64Array(4)
const face = new Float64Array(2)
// witness points of A and B in A's frame (6), normal (3), distance
const pair = new Float64Array(10)
const least = new Float64Array(1)

export function boxBox(c: Contacts, g: Shapes, a: number, b: number): void {
  relativePose(c, a, b)
  const margin = c.margin[0]
  const scale = g.radius[a] + g.radius[b]

  const faceA = bestFace(g, a, b, 0)
  const sepA = face[0]
  if (sepA > margin) return
  const faceB = bestFace(g, a, b, 1)
  const sepB = face[1]
  if (sepB > margin) return
  const edges = bestEdges(g, a, b)
  const sepEdge = edge[3]
  if (edges >= 0 && sepEdge > margin) return

  const tolerance = BETTER * (sepA < 0 ? -sepA : sepA) + BETTER_SIZE * scale
  const second = sepB > sepA + tolerance
  const sepFace = second ? sepB : sepA
  let bound = sepA > sepB ? sepA : sepB
  if (edges >= 0 && sepEdge > bound) bound = sepEdge

  let overEdge = edges >= 0 && sepEdge > sepFace + BETTER_SIZE * scale
  if (overEdge) {
    // cosine between the edge axis and the normal of the face, which is row or column of C
    let cosine = 0
    for (let k = 0; k < 3; k++) cosine += edge[k] * (second ? rel[3 * k + faceB] : k === faceA ? 1 : 0)
    const needed = ALIGNED_BETTER * (sepFace < 0 ? -sepFace : sepFace)
    if ((cosine > ALIGNED || cosine < -ALIGNED) && sepEdge < sepFace + needed) overEdge = false
  }

  least[0] = Number.POSITIVE_INFINITY
  if (overEdge) addEdges(c, g, a, b, edges)
  else if (second) clipFaces(c, g, b, a, faceB, a, b, least)
  else clipFaces(c, g, a, b, faceA, a, b, least)

  if (bound > 0 && !(least[0] <= bound + EXACT * scale)) {
    closestOfBoxes(pair, rel, g, a, b)
    // a distance lost in rounding has no direction
    if (pair[9] > 1e-12 * scale && pair[9] < least[0]) addPair(c, g, a, b, 1 << 11)
  }
}

/** Writes rel: C = R_Aᵀ R_B, t = R_Aᵀ (p_B − p_A). */
function relativePose(c: Contacts, a: number, b: number): void {
  const { X_WG: X } = c
  const i = 12 * a
  const j = 12 * b
  const x = X[j + 9] - X[i + 9]
  const y = X[j + 10] - X[i + 10]
  const z = X[j + 11] - X[i + 11]
  for (let r = 0; r < 3; r++) {
    for (let s = 0; s < 3; s++) rel[3 * r + s] = X[i + r] * X[j + s] + X[i + 3 + r] * X[j + 3 + s] + X[i + 6 + r] * X[j + 6 + s]
    rel[9 + r] = X[i + r] * x + X[i + 3 + r] * y + X[i + 6 + r] * z
  }
}

/** Face normal of box A (of = 0) or B (of = 1) with the largest separation; its number is returned, the separation goes to face[of]. */
function bestFace(g: Shapes, a: number, b: number, of: number): number {
  let best = 0
  face[of] = Number.NEGATIVE_INFINITY
  const own = of === 0 ? a : b
  const other = of === 0 ? b : a
  for (let k = 0; k < 3; k++) {
    let t = 0
    let reach = g.size[3 * own + k]
    for (let r = 0; r < 3; r++) {
      const cosine = of === 0 ? rel[3 * k + r] : rel[3 * r + k]
      reach += g.size[3 * other + r] * (cosine < 0 ? -cosine : cosine)
      t += of === 0 ? (r === k ? rel[9 + r] : 0) : rel[9 + r] * cosine
    }
    const separation = (t < 0 ? -t : t) - reach
    if (separation > face[of]) {
      face[of] = separation
      best = k
    }
  }
  return best
}

/** Pair of edges 3 i + j with the largest separation along A_i × B_j, −1 if all are parallel. Writes edge: axis from A to B, separation. */
function bestEdges(g: Shapes, a: number, b: number): number {
  let best = -1
  edge[3] = Number.NEGATIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const p = (i + 1) % 3
    const q = (i + 2) % 3
    for (let j = 0; j < 3; j++) {
      // A_i × B_j in A's frame: component p is −C_qj, component q is C_pj
      const lp = -rel[3 * q + j]
      const lq = rel[3 * p + j]
      const length = Math.sqrt(lp * lp + lq * lq)
      if (!(length > PARALLEL)) continue
      const j1 = (j + 1) % 3
      const j2 = (j + 2) % 3
      const c1 = rel[3 * i + j1]
      const c2 = rel[3 * i + j2]
      const t = rel[9 + p] * lp + rel[9 + q] * lq
      const reach =
        g.size[3 * a + p] * (lp < 0 ? -lp : lp) +
        g.size[3 * a + q] * (lq < 0 ? -lq : lq) +
        g.size[3 * b + j1] * (c2 < 0 ? -c2 : c2) +
        g.size[3 * b + j2] * (c1 < 0 ? -c1 : c1)
      const separation = ((t < 0 ? -t : t) - reach) / length
      if (separation > edge[3]) {
        best = 3 * i + j
        const s = (t < 0 ? -1 : 1) / length
        edge[i] = 0
        edge[p] = s * lp
        edge[q] = s * lq
        edge[3] = separation
      }
    }
  }
  return best
}

/** Reads edge. Adds the contact of the two edges that reach furthest along the axis, unless they pass each other beside their ends. */
function addEdges(c: Contacts, g: Shapes, a: number, b: number, edges: number): void {
  const i = (edges / 3) | 0
  const j = edges % 3
  let feature = edges
  // middle of A's edge, and of B's, in A's frame
  for (let k = 0; k < 3; k++) {
    pair[k] = k === i ? 0 : edge[k] < 0 ? -g.size[3 * a + k] : g.size[3 * a + k]
    pair[3 + k] = rel[9 + k]
    if (k !== i && edge[k] < 0) feature |= 1 << (4 + k)
  }
  for (let s = 0; s < 3; s++) {
    if (s === j) continue
    const along = edge[0] * rel[s] + edge[1] * rel[3 + s] + edge[2] * rel[6 + s]
    const h = along < 0 ? g.size[3 * b + s] : -g.size[3 * b + s]
    for (let k = 0; k < 3; k++) pair[3 + k] += h * rel[3 * k + s]
    if (along < 0) feature |= 1 << (7 + s)
  }
  // closest points of the lines: A + x e_i and B + y C_j, with r from A to B
  const cosine = rel[3 * i + j]
  let ra = 0
  let rb = 0
  for (let k = 0; k < 3; k++) {
    const r = pair[3 + k] - pair[k]
    if (k === i) ra = r
    rb += r * rel[3 * k + j]
  }
  const cp = rel[3 * ((i + 1) % 3) + j]
  const cq = rel[3 * ((i + 2) % 3) + j]
  const sine2 = cp * cp + cq * cq
  const x = (ra - cosine * rb) / sine2
  const y = (cosine * ra - rb) / sine2
  const hx = g.size[3 * a + i]
  const hy = g.size[3 * b + j]
  const slack = 1e-9 * (hx + hy)
  const outside = x > hx + slack || x < -hx - slack || y > hy + slack || y < -hy - slack
  // apart and beside each other: the exact closest points say more
  if (outside && edge[3] > 0) return
  pair[i] += x > hx ? hx : x < -hx ? -hx : x
  const yc = y > hy ? hy : y < -hy ? -hy : y
  for (let k = 0; k < 3; k++) {
    pair[3 + k] += yc * rel[3 * k + j]
    pair[6 + k] = edge[k]
  }
  pair[9] = edge[3]
  least[0] = edge[3]
  addPair(c, g, a, b, (1 << 10) + feature)
}

/** Reads pair. Adds the contact between the two points along the normal. */
function addPair(c: Contacts, g: Shapes, a: number, b: number, feature: number): void {
  const { next, X_WG: X } = c
  const i = 12 * a
  const x = 0.5 * (pair[0] + pair[3])
  const y = 0.5 * (pair[1] + pair[4])
  const z = 0.5 * (pair[2] + pair[5])
  for (let k = 0; k < 3; k++) {
    next[k] = X[i + 9 + k] + X[i + 3 * k] * x + X[i + 3 * k + 1] * y + X[i + 3 * k + 2] * z
    next[3 + k] = X[i + 3 * k] * pair[6] + X[i + 3 * k + 1] * pair[7] + X[i + 3 * k + 2] * pair[8]
  }
  next[6] = pair[9]
  addContact(c, g, a, b, feature)
}
