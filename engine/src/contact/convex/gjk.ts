/**
 * Distance of two cores that are apart: the point of M = B − A nearest to the origin, by the algorithm of [GJK].
 *
 * A simplex of at most four points of M, and its point v nearest to the origin: w, the furthest of M along −v, gives the bound
 * v·w / |v| from below; as long as this is not |v| itself, w joins the simplex, which loses the points that v does not need.
 */
import type { Int } from '../../math/values/columns.js'
import type { Hulls } from '../../model/shapes.js'
import { at, corner, least, rel, supportAlong, w } from './core.js'

const ROUNDS = 60
/** of an edge: a tetrahedron lower than this is flat */
const FLAT = 1e-8

/** points of M, with those of A and B they come from and their corners; weights that make up v */
export const simplex = {
  count: new Int32Array(1),
  w: new Float64Array(12),
  a: new Float64Array(12),
  b: new Float64Array(12),
  cornerA: new Int32Array(4),
  cornerB: new Int32Array(4),
  weight: new Float64Array(4),
}
/** the point nearest to the origin */
export const v = new Float64Array(3)

export const APART = 0
/** they overlap, or are nearer than `near` */
export const TOUCHING = 1
/** farther than `far` */
export const FAR = 2

// best of several faces: weights and which points
const best = new Float64Array(4)
const part = new Float64Array(3)

/** distances beyond which they are far and within which they touch, and how far the distance squared may be from its bound, as a share of it */
export const limits = new Float64Array(3)

/** Reads limits. Writes simplex and v. */
export function gjk(hulls: Hulls): Int {
  simplex.count[0] = 0
  v[0] = rel[9]
  v[1] = rel[10]
  v[2] = rel[11]
  return goOn(hulls)
}

/** The same from where it stopped. */
export function goOn(hulls: Hulls): Int {
  const far = limits[0]
  const near = limits[1]
  const close = limits[2]
  let vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
  if (!(vv > 0)) {
    v[0] = 1
    vv = 1
  }
  for (let round = 0; round < ROUNDS; round++) {
    supportAlong(hulls, v)
    const vw = least[0]
    // M lies beyond this plane
    if (vw > 0 && vw * vw > far * far * vv) return FAR
    if (simplex.count[0] > 0 && (vv - vw <= close * vv || isKnown())) return APART
    push()
    const before = simplex.count[0] === 1 ? Number.POSITIVE_INFINITY : vv
    if (!nearest()) return TOUCHING
    vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    if (vv <= near * near) return TOUCHING
    // rounding: no nearer than before
    if (!(vv < before)) return APART
  }
  return APART
}

function isKnown(): boolean {
  for (let k = 0; k < simplex.count[0]; k++) {
    const o = 3 * k
    if (simplex.w[o] === w[0] && simplex.w[o + 1] === w[1] && simplex.w[o + 2] === w[2]) return true
  }
  return false
}

function push(): void {
  const k = simplex.count[0]++
  for (let r = 0; r < 3; r++) {
    simplex.w[3 * k + r] = w[r]
    simplex.a[3 * k + r] = at[r]
    simplex.b[3 * k + r] = at[3 + r]
  }
  simplex.cornerA[k] = corner[0]
  simplex.cornerB[k] = corner[1]
}

/** Writes v and the weights of the simplex's points, and drops those without. False if it holds the origin. */
function nearest(): boolean {
  const { weight } = simplex
  const count = simplex.count[0]
  weight.fill(0, 0, 4)
  if (count === 1) weight[0] = 1
  else if (count === 2) {
    onSegment(0, 1)
    weight[0] = part[0]
    weight[1] = part[1]
  } else if (count === 3) {
    onTriangle(0, 1, 2)
    for (let k = 0; k < 3; k++) weight[k] = part[k]
  } else if (!onTetrahedron()) return false
  let kept = 0
  for (let k = 0; k < count; k++) {
    if (!(weight[k] > 0)) continue
    if (kept !== k) {
      for (let r = 0; r < 3; r++) {
        simplex.w[3 * kept + r] = simplex.w[3 * k + r]
        simplex.a[3 * kept + r] = simplex.a[3 * k + r]
        simplex.b[3 * kept + r] = simplex.b[3 * k + r]
      }
      simplex.cornerA[kept] = simplex.cornerA[k]
      simplex.cornerB[kept] = simplex.cornerB[k]
      weight[kept] = weight[k]
    }
    kept++
  }
  simplex.count[0] = kept
  for (let r = 0; r < 3; r++) {
    v[r] = 0
    for (let k = 0; k < kept; k++) v[r] += weight[k] * simplex.w[3 * k + r]
  }
  return true
}

/** Writes part: weights of points i and j for the point of their segment nearest to the origin. */
function onSegment(i: Int, j: Int): void {
  const { w: p } = simplex
  let dot = 0
  let square = 0
  for (let r = 0; r < 3; r++) {
    const d = p[3 * j + r] - p[3 * i + r]
    dot -= d * p[3 * i + r]
    square += d * d
  }
  const t = square > 0 ? dot / square : 0
  part[1] = t < 0 ? 0 : t > 1 ? 1 : t
  part[0] = 1 - part[1]
}

/** Writes part for triangle i j k, by the regions of its corners, edges and inside. */
function onTriangle(i: Int, j: Int, k: Int): void {
  const { w: p } = simplex
  const a = 3 * i
  const b = 3 * j
  const c = 3 * k
  let d1 = 0
  let d2 = 0
  let d3 = 0
  let d4 = 0
  let d5 = 0
  let d6 = 0
  for (let r = 0; r < 3; r++) {
    const ab = p[b + r] - p[a + r]
    const ac = p[c + r] - p[a + r]
    d1 -= ab * p[a + r]
    d2 -= ac * p[a + r]
    d3 -= ab * p[b + r]
    d4 -= ac * p[b + r]
    d5 -= ab * p[c + r]
    d6 -= ac * p[c + r]
  }
  part[0] = 0
  part[1] = 0
  part[2] = 0
  if (d1 <= 0 && d2 <= 0) part[0] = 1
  else if (d3 >= 0 && d4 <= d3) part[1] = 1
  else if (d6 >= 0 && d5 <= d6) part[2] = 1
  else {
    const vc = d1 * d4 - d3 * d2
    const vb = d5 * d2 - d1 * d6
    const va = d3 * d6 - d5 * d4
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
      part[1] = d1 / (d1 - d3)
      part[0] = 1 - part[1]
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
      part[2] = d2 / (d2 - d6)
      part[0] = 1 - part[2]
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      part[2] = (d4 - d3) / (d4 - d3 + (d5 - d6))
      part[1] = 1 - part[2]
    } else {
      const s = 1 / (va + vb + vc)
      part[1] = vb * s
      part[2] = vc * s
      part[0] = 1 - part[1] - part[2]
    }
  }
}

/** Writes weight for the nearest point of the faces that the origin is outside of; false if there is none. */
function onTetrahedron(): boolean {
  const { w: p, weight } = simplex
  let least = Number.POSITIVE_INFINITY
  for (let skip = 0; skip < 4; skip++) {
    const i = skip === 0 ? 1 : 0
    const j = skip <= 1 ? 2 : 1
    const k = skip <= 2 ? 3 : 2
    const a = 3 * i
    const b = 3 * j
    const c = 3 * k
    const ux = p[b] - p[a]
    const uy = p[b + 1] - p[a + 1]
    const uz = p[b + 2] - p[a + 2]
    const tx = p[c] - p[a]
    const ty = p[c + 1] - p[a + 1]
    const tz = p[c + 2] - p[a + 2]
    const nx = uy * tz - uz * ty
    const ny = uz * tx - ux * tz
    const nz = ux * ty - uy * tx
    const o = 3 * skip
    const fourth = nx * (p[o] - p[a]) + ny * (p[o + 1] - p[a + 1]) + nz * (p[o + 2] - p[a + 2])
    const origin = -(nx * p[a] + ny * p[a + 1] + nz * p[a + 2])
    // a flat tetrahedron has no inside, and its faces say nothing of where the origin is
    const height = fourth * fourth
    if (origin * fourth > 0 && height > FLAT * FLAT * (nx * nx + ny * ny + nz * nz) * (ux * ux + uy * uy + uz * uz)) continue
    onTriangle(i, j, k)
    let d2 = 0
    for (let r = 0; r < 3; r++) {
      const x = part[0] * p[a + r] + part[1] * p[b + r] + part[2] * p[c + r]
      d2 += x * x
    }
    if (d2 < least) {
      least = d2
      best.fill(0, 0, 4)
      best[i] = part[0]
      best[j] = part[1]
      best[k] = part[2]
    }
  }
  if (least === Number.POSITIVE_INFINITY) return false
  for (let k = 0; k < 4; k++) weight[k] = best[k]
  return true
}
