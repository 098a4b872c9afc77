/**
 * Closest points of two boxes that are apart, exactly: the least over the corners of each against the other box (by clamping) and over
 * the inner points of all pairs of edges (along the common normal).
 *
 * 16 corners and 9 × 16 pairs of edges; called only for boxes within the margin whose closest features are not a face and a corner.
 */
import type { Vec } from '../../math/types.js'
import type { Shapes } from '../../model/shapes.js'

const PARALLEL2 = 1e-12

const corner = new Float64Array(3)
const local = new Float64Array(3)

/** Reads rel (pose of box b in box a's frame). Writes out: point of a (3), point of b (3), unit normal from a to b (3), distance. */
export function closestOfBoxes(out: Vec, rel: Vec, g: Shapes, a: number, b: number): void {
  out[9] = Number.POSITIVE_INFINITY
  cornersOfB(out, rel, g, a, b)
  cornersOfA(out, rel, g, a, b)
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) edgePairs(out, rel, g, a, b, i, j)
  const d = Math.sqrt(out[9])
  out[9] = d
  for (let k = 0; k < 3; k++) out[6 + k] = (out[3 + k] - out[k]) / d
}

function cornersOfB(out: Vec, rel: Vec, g: Shapes, a: number, b: number): void {
  for (let v = 0; v < 8; v++) {
    const x = v & 1 ? g.size[3 * b] : -g.size[3 * b]
    const y = v & 2 ? g.size[3 * b + 1] : -g.size[3 * b + 1]
    const z = v & 4 ? g.size[3 * b + 2] : -g.size[3 * b + 2]
    let d2 = 0
    for (let k = 0; k < 3; k++) {
      const p = rel[9 + k] + rel[3 * k] * x + rel[3 * k + 1] * y + rel[3 * k + 2] * z
      const h = g.size[3 * a + k]
      const q = p > h ? h : p < -h ? -h : p
      corner[k] = p
      local[k] = q
      d2 += (p - q) * (p - q)
    }
    if (!(d2 < out[9])) continue
    out[9] = d2
    for (let k = 0; k < 3; k++) {
      out[k] = local[k]
      out[3 + k] = corner[k]
    }
  }
}

function cornersOfA(out: Vec, rel: Vec, g: Shapes, a: number, b: number): void {
  for (let v = 0; v < 8; v++) {
    corner[0] = v & 1 ? g.size[3 * a] : -g.size[3 * a]
    corner[1] = v & 2 ? g.size[3 * a + 1] : -g.size[3 * a + 1]
    corner[2] = v & 4 ? g.size[3 * a + 2] : -g.size[3 * a + 2]
    let d2 = 0
    for (let s = 0; s < 3; s++) {
      const p = rel[s] * (corner[0] - rel[9]) + rel[3 + s] * (corner[1] - rel[10]) + rel[6 + s] * (corner[2] - rel[11])
      const h = g.size[3 * b + s]
      const q = p > h ? h : p < -h ? -h : p
      local[s] = q
      d2 += (p - q) * (p - q)
    }
    if (!(d2 < out[9])) continue
    out[9] = d2
    for (let k = 0; k < 3; k++) {
      out[k] = corner[k]
      out[3 + k] = rel[9 + k] + rel[3 * k] * local[0] + rel[3 * k + 1] * local[1] + rel[3 * k + 2] * local[2]
    }
  }
}

/** The 4 × 4 pairs of edges along A_i and B_j. */
function edgePairs(out: Vec, rel: Vec, g: Shapes, a: number, b: number, i: number, j: number): void {
  const cosine = rel[3 * i + j]
  const p = (i + 1) % 3
  const q = (i + 2) % 3
  const sine2 = rel[3 * p + j] * rel[3 * p + j] + rel[3 * q + j] * rel[3 * q + j]
  if (!(sine2 > PARALLEL2)) return
  const j1 = (j + 1) % 3
  const j2 = (j + 2) % 3
  for (let e = 0; e < 16; e++) {
    corner[i] = 0
    corner[p] = e & 1 ? g.size[3 * a + p] : -g.size[3 * a + p]
    corner[q] = e & 2 ? g.size[3 * a + q] : -g.size[3 * a + q]
    const x1 = e & 4 ? g.size[3 * b + j1] : -g.size[3 * b + j1]
    const x2 = e & 8 ? g.size[3 * b + j2] : -g.size[3 * b + j2]
    let ra = 0
    let rb = 0
    for (let k = 0; k < 3; k++) {
      local[k] = rel[9 + k] + rel[3 * k + j1] * x1 + rel[3 * k + j2] * x2
      const r = local[k] - corner[k]
      if (k === i) ra = r
      rb += r * rel[3 * k + j]
    }
    const x = (ra - cosine * rb) / sine2
    const y = (cosine * ra - rb) / sine2
    const hx = g.size[3 * a + i]
    const hy = g.size[3 * b + j]
    if (!(x >= -hx && x <= hx && y >= -hy && y <= hy)) continue
    corner[i] = x
    let d2 = 0
    for (let k = 0; k < 3; k++) {
      local[k] += y * rel[3 * k + j]
      d2 += (local[k] - corner[k]) * (local[k] - corner[k])
    }
    if (!(d2 < out[9])) continue
    out[9] = d2
    for (let k = 0; k < 3; k++) {
      out[k] = corner[k]
      out[3 + k] = local[k]
    }
  }
}
