/**
 * The last digits of the normal where a cylinder or an ellipsoid touches: GJK and EPA creep up on a curved surface, Newton's method does not.
 *
 * gap(n) is to be maximal over unit vectors. With w the point of M that attains it and H = −∇²gap, the sum of the Hessians of both support functions,
 *   gradient on the sphere  T w,   Hessian  −(T H Tᵀ + gap 1),   T two tangents
 * Flat parts and edges are kinks of gap, at which the maximum often lies: the normals of the faces and the directions across the edges that GJK or EPA
 * ended on are tried as well, Newton's method then going round the edge. Whichever n has the largest gap is the answer.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import { CYLINDER, ELLIPSOID, type Hulls } from '../../model/shapes.js'
import { at, corner, extent, isPolytope, kind, least, rel, SCALE, size, supportAlong, w } from './core.js'

/** points of A (9) and B (9) at which the search ended, as corners or −1, and how many */
export const ends = { count: new Int32Array(1), corner: new Int32Array(6), point: new Float64Array(18) }

const ROUNDS = 20
const HALVINGS = 6
/** of the size: a gradient so small is none */
const FLAT = 1e-15
/** of a cylinder's radius: points of a rim farther apart than this lie on its cap */
const SPREAD = 0.05

// what a side ended on: 0 nothing, 1 an edge, 2 a face
const rank = new Int32Array(2)
// direction of the edge, or normal of the face
const flat = new Float64Array(6)
const trial = new Float64Array(3)
const start = new Float64Array(3)
const t1 = new Float64Array(3)
const t2 = new Float64Array(3)
const local = new Float64Array(9)
const K = new Float64Array(3)

/** largest gap found, and that at the trial */
export const best = new Float64Array(2)

/** Reads ends. n ← the unit normal near n with the largest gap, which goes to best. */
export function polish(hulls: Hulls, n: Vec): void {
  for (let k = 0; k < 3; k++) start[k] = n[k]
  supportAlong(hulls, n)
  best[0] = least[0]
  for (let side = 0; side < 2; side++) {
    findFlat(side)
    if (rank[side] !== 2) continue
    const sign = flat[3 * side] * start[0] + flat[3 * side + 1] * start[1] + flat[3 * side + 2] * start[2] < 0 ? -1 : 1
    for (let k = 0; k < 3; k++) trial[k] = sign * flat[3 * side + k]
    supportAlong(hulls, trial)
    best[1] = least[0]
    keepBetter(n, false)
  }
  if (rank[0] === 1 && rank[1] === 1) {
    cross(trial, 0, flat, 0, flat, 3)
    if (normalize(trial, start)) {
      supportAlong(hulls, trial)
      best[1] = least[0]
      keepBetter(n, false)
    }
  }
  for (let side = 0; side < 2; side++) {
    if (rank[side] !== 1) continue
    // from where the search ended, made normal to the edge
    const along = start[0] * flat[3 * side] + start[1] * flat[3 * side + 1] + start[2] * flat[3 * side + 2]
    for (let k = 0; k < 3; k++) trial[k] = start[k] - along * flat[3 * side + k]
    if (!normalize(trial, start)) continue
    newton(hulls, side)
    keepBetter(n, true)
  }
  for (let k = 0; k < 3; k++) trial[k] = n[k]
  newton(hulls, -1)
  keepBetter(n, true)
}

/** of the size: what is off by less than this is not */
const STILL = 1e-9
const LEVEL = 1e-10

// points of each side that are furthest along n, as seen along n (2 each), how many, and the radius of a cap
const seen = new Float64Array(2 * 2 * 4)
const many = new Int32Array(2)
// differences of the two sides' points
const across = new Float64Array(2 * 4 * 4)
const cap = new Float64Array(2)
const spot = new Float64Array(3)

/**
 * Whether n is a maximum, proven: some of the points furthest along n of the two sides are across from each other. Corners are known from `ends`.
 * Leaves the support points in `at`.
 */
export function isMaximum(hulls: Hulls, n: Vec): boolean {
  const scale = extent[SCALE]
  for (let k = 0; k < 3; k++) trial[k] = n[k]
  supportAlong(hulls, n)
  tangents()
  for (let side = 0; side < 2; side++) seeSide(side)
  const reach = STILL * scale + cap[0] + cap[1]
  // differences of the points: the origin must be within reach of a segment between two of them, or inside a triangle of three
  const count = many[0] * many[1]
  for (let k = 0; k < count; k++) {
    const i = k % many[0]
    const j = (k / many[0]) | 0
    for (let r = 0; r < 2; r++) across[2 * k + r] = seen[8 + 2 * j + r] - seen[2 * i + r]
  }
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < i || j === 0; j++) {
      const ax = across[2 * i]
      const ay = across[2 * i + 1]
      const bx = across[2 * j]
      const by = across[2 * j + 1]
      const dx = bx - ax
      const dy = by - ay
      const square = dx * dx + dy * dy
      const t = square > 0 ? -(ax * dx + ay * dy) / square : 0
      const s = t < 0 ? 0 : t > 1 ? 1 : t
      const x = ax + s * dx
      const y = ay + s * dy
      if (x * x + y * y <= reach * reach) return true
      for (let k = 0; k < j; k++) {
        const cx = across[2 * k]
        const cy = across[2 * k + 1]
        const p = ax * by - ay * bx
        const q = bx * cy - by * cx
        const r = cx * ay - cy * ax
        if ((p > 0 && q > 0 && r > 0) || (p < 0 && q < 0 && r < 0)) return true
      }
    }
  }
  return false
}

/** Writes seen, many, cap of a side. */
function seeSide(side: Int): void {
  const scale = extent[SCALE]
  many[side] = 0
  cap[side] = 0
  if (kind[side] === CYLINDER) {
    const o = 3 * side
    const ax = side === 0 ? 0 : rel[2]
    const ay = side === 0 ? 0 : rel[5]
    const az = side === 0 ? 1 : rel[8]
    const along = ax * trial[0] + ay * trial[1] + az * trial[2]
    if (along * along > 1 - LEVEL * LEVEL) {
      // a whole cap: its middle
      const h = (side === 0 ? along : -along) < 0 ? -size[o + 1] : size[o + 1]
      cap[side] = size[o]
      spot[0] = (side === 0 ? 0 : rel[9]) + h * ax
      spot[1] = (side === 0 ? 0 : rel[10]) + h * ay
      spot[2] = (side === 0 ? 0 : rel[11]) + h * az
      see(side, spot, 0)
      return
    }
    const x = at[o]
    const y = at[o + 1]
    const z = at[o + 2]
    see(side, at, o)
    if (!(along < LEVEL && along > -LEVEL)) return
    // the other end of the side
    const middle = side === 0 ? z : ax * (x - rel[9]) + ay * (y - rel[10]) + az * (z - rel[11])
    spot[0] = x - 2 * middle * ax
    spot[1] = y - 2 * middle * ay
    spot[2] = z - 2 * middle * az
    see(side, spot, 0)
    return
  }
  see(side, at, 3 * side)
  if (!isPolytope(side)) return
  const top = trial[0] * at[3 * side] + trial[1] * at[3 * side + 1] + trial[2] * at[3 * side + 2]
  for (let k = 0; k < ends.count[0]; k++) {
    const p = 9 * side + 3 * k
    if (ends.corner[3 * side + k] === corner[side]) continue
    const level = trial[0] * ends.point[p] + trial[1] * ends.point[p + 1] + trial[2] * ends.point[p + 2] - top
    if (level < LEVEL * scale && level > -LEVEL * scale) see(side, ends.point, p)
  }
}

/** Adds the point p[i …] to what is seen of a side. */
function see(side: Int, p: Vec, i: Int): void {
  const x = p[i]
  const y = p[i + 1]
  const z = p[i + 2]
  const o = 8 * side + 2 * many[side]++
  seen[o] = t1[0] * x + t1[1] * y + t1[2] * z
  seen[o + 1] = t2[0] * x + t2[1] * y + t2[2] * z
}

/** Keeps the trial where its gap is larger, or equal to rounding after Newton's method, which knows the normal better. */
function keepBetter(n: Vec, refined: boolean): void {
  if (!(best[1] > best[0] - (refined ? FLAT * extent[SCALE] : 0))) return
  for (let k = 0; k < 3; k++) n[k] = trial[k]
  best[0] = best[1]
}

/** Writes rank and flat of a side. */
function findFlat(side: Int): void {
  const { corner: id, point } = ends
  const count = ends.count[0]
  const o = 9 * side
  rank[side] = 0
  if (kind[side] === ELLIPSOID || count < 2) return
  if (isPolytope(side)) {
    // distinct corners
    let second = -1
    let third = -1
    for (let k = 1; k < count; k++) {
      if (id[3 * side + k] === id[3 * side]) continue
      if (second < 0) second = k
      else if (id[3 * side + k] !== id[3 * side + second]) third = k
    }
    if (second < 0) return
    rank[side] = third < 0 ? 1 : 2
    for (let r = 0; r < 3; r++) {
      t1[r] = point[o + 3 * second + r] - point[o + r]
      t2[r] = third < 0 ? 0 : point[o + 3 * third + r] - point[o + r]
    }
    if (third < 0) for (let r = 0; r < 3; r++) flat[3 * side + r] = t1[r]
    else cross(flat, 3 * side, t1, 0, t2, 0)
    const f = 3 * side
    const length = Math.sqrt(flat[f] * flat[f] + flat[f + 1] * flat[f + 1] + flat[f + 2] * flat[f + 2])
    if (!(length > 0)) rank[side] = 0
    for (let r = 0; r < 3; r++) flat[3 * side + r] /= length
    return
  }
  // cylinder: its side where both rims are met, a cap where points of one rim are far apart
  for (let r = 0; r < 3; r++) flat[3 * side + r] = side === 0 ? (r === 2 ? 1 : 0) : rel[3 * r + 2]
  const radius = size[3 * side]
  for (let k = 1; k < count; k++) {
    let along = 0
    let square = 0
    for (let r = 0; r < 3; r++) {
      const d = point[o + 3 * k + r] - point[o + r]
      along += d * flat[3 * side + r]
      square += d * d
    }
    if (along > size[3 * side + 1] || along < -size[3 * side + 1]) {
      rank[side] = 1
      return
    }
    if (square > SPREAD * SPREAD * radius * radius) rank[side] = 2
  }
}

/** trial ← where Newton's method comes to from it, across the edge of `side` if that is one; best[1] ← the gap there. */
function newton(hulls: Hulls, side: Int): void {
  const scale = extent[SCALE]
  supportAlong(hulls, trial)
  let gap = least[0]
  best[1] = gap
  let before = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    if (side >= 0) {
      cross(t1, 0, trial, 0, flat, 3 * side)
      if (!normalize(t1, t1)) return
      t2.fill(0, 0, 3)
    } else tangents()
    const r1 = t1[0] * w[0] + t1[1] * w[1] + t1[2] * w[2]
    const r2 = t2[0] * w[0] + t2[1] * w[1] + t2[2] * w[2]
    const square = r1 * r1 + r2 * r2
    // at the end the gap no longer changes, but the gradient still gets smaller
    if (square <= FLAT * FLAT * scale * scale || (round > 2 && square > 0.25 * before && square < STILL * STILL * scale * scale)) return
    before = square
    K[0] = gap
    K[1] = 0
    K[2] = gap
    if (!addCurvature(0) || !addCurvature(1)) return
    if (side >= 0) K[2] = 1
    const det = K[0] * K[2] - K[1] * K[1]
    if (!(K[0] > 0 && det > 0)) return
    let d1 = (K[2] * r1 - K[1] * r2) / det
    let d2 = (K[0] * r2 - K[1] * r1) / det
    for (let k = 0; k < 3; k++) local[k] = trial[k]
    let found = Number.NEGATIVE_INFINITY
    for (let half = 0; half < HALVINGS; half++) {
      for (let k = 0; k < 3; k++) trial[k] = local[k] + d1 * t1[k] + d2 * t2[k]
      normalize(trial, trial)
      supportAlong(hulls, trial)
      found = least[0]
      if (found >= gap - FLAT * scale) break
      d1 *= 0.25
      d2 *= 0.25
    }
    if (!(found >= gap - FLAT * scale)) {
      for (let k = 0; k < 3; k++) trial[k] = local[k]
      return
    }
    gap = found
    best[1] = gap
  }
}

/** K += T ∇²h Tᵀ of a side at the trial; false at a point of it where there is none. */
function addCurvature(side: Int): boolean {
  if (isPolytope(side)) return true
  const o = 3 * side
  toLocal(side, trial, 0)
  const x = mine[0]
  const y = mine[1]
  const z = mine[2]
  toLocal(side, t1, 3)
  toLocal(side, t2, 6)
  if (kind[side] === CYLINDER) {
    const rho = Math.sqrt(x * x + y * y)
    if (!(rho > 1e-9)) return false
    const u = (x * mine[4] - y * mine[3]) / rho
    const v = (x * mine[7] - y * mine[6]) / rho
    const s = size[o] / rho
    K[0] += s * u * u
    K[1] += s * u * v
    K[2] += s * v * v
    return true
  }
  const a = size[o] * size[o]
  const b = size[o + 1] * size[o + 1]
  const c = size[o + 2] * size[o + 2]
  const h = Math.sqrt(a * x * x + b * y * y + c * z * z)
  const p = (a * x * mine[3] + b * y * mine[4] + c * z * mine[5]) / h
  const q = (a * x * mine[6] + b * y * mine[7] + c * z * mine[8]) / h
  K[0] += (a * mine[3] * mine[3] + b * mine[4] * mine[4] + c * mine[5] * mine[5] - p * p) / h
  K[1] += (a * mine[3] * mine[6] + b * mine[4] * mine[7] + c * mine[5] * mine[8] - p * q) / h
  K[2] += (a * mine[6] * mine[6] + b * mine[7] * mine[7] + c * mine[8] * mine[8] - q * q) / h
  return true
}

const mine = new Float64Array(9)

/** mine[o] ← direction d in the frame of a side */
function toLocal(side: Int, d: Vec, o: Int): void {
  for (let k = 0; k < 3; k++) mine[o + k] = side === 0 ? d[k] : rel[k] * d[0] + rel[3 + k] * d[1] + rel[6 + k] * d[2]
}

/** t1, t2 ← two unit vectors across the trial and each other */
function tangents(): void {
  const x = trial[0]
  const y = trial[1]
  const z = trial[2]
  // the axis that the normal leans to least
  const least = x * x <= y * y && x * x <= z * z ? 0 : y * y <= z * z ? 1 : 2
  for (let k = 0; k < 3; k++) t1[k] = (k === least ? 1 : 0) - trial[least] * trial[k]
  normalize(t1, t1)
  cross(t2, 0, trial, 0, t1, 0)
}

function cross(out: Vec, o: Int, a: Vec, i: Int, b: Vec, j: Int): void {
  const x = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1]
  const y = a[i + 2] * b[j] - a[i] * b[j + 2]
  const z = a[i] * b[j + 1] - a[i + 1] * b[j]
  out[o] = x
  out[o + 1] = y
  out[o + 2] = z
}

/** Makes x a unit vector that looks the way of `like`; false where it has no length to speak of. */
function normalize(x: Vec, like: Vec): boolean {
  const length = Math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
  if (!(length > 1e-9)) return false
  const s = x[0] * like[0] + x[1] * like[1] + x[2] * like[2] < 0 ? -1 / length : 1 / length
  for (let k = 0; k < 3; k++) x[k] *= s
  return true
}
