/**
 * Tendons around spheres and cylinders: where the line from a to b touches the geom, and how long it lies on it; as MuJoCo has it.
 *
 * Both are a circle in a plane: that of a, b and the centre for a sphere, the one across the axis for a cylinder, along which the line climbs
 * evenly. Outside the circle the line leaves at the tangents, on the side of a side site or else the shorter way; a side site within the circle
 * puts the line inside, where it touches in one point, with equal angles:
 *   asin(A z) + asin(B z) − 2 asin(z) + G = 0,   A = r/|a|, B = r/|b|, G the angle between a and b
 */
import { squared } from '../math/own.js'
import type { Vec } from '../math/types.js'
import { WRAP_CYLINDER } from '../model/model.js'
import { angleOfPoint } from '../printed/arrays.js'

const SMALLEST = 1e-15
// of the root inside: MuJoCo stops there too, and further digits would only differ from its own
const NEAR_ONE = 1 - 1e-7
const TOLERANCE = 1e-6
const ITERATIONS = 20

const NO_WRAP = -1

// points in the plane: ends, touching points, side; the two candidates
const d = new Float64Array(4)
const touch = new Float64Array(4)
const side = new Float64Array(2)
const choices = new Float64Array(8)
const axes = new Float64Array(6)
const normal = new Float64Array(3)
const length3 = new Float64Array(1)

/**
 * Reads p (9): a, b and the side site in the frame of the geom, whose radius is radii[w]. Writes out (7): the points at which the line comes and goes, in that frame, and
 * the length between them; −1 for that where the line passes by.
 */
export function wrapAround(out: Vec, p: Vec, kind: number, radii: Vec, w: number, hasSide: boolean): void {
  const radius = radii[w]
  out[6] = NO_WRAP
  if (isShort(p, 0) || isShort(p, 3) || radius < SMALLEST) return
  if (kind === WRAP_CYLINDER) {
    axes.fill(0)
    axes[0] = 1
    axes[4] = 1
  } else spanPlane(p)
  for (let e = 0; e < 2; e++) for (let r = 0; r < 2; r++) dot3(d, 2 * e + r, p, 3 * e, axes, 3 * r)
  let inside = false
  if (hasSide) {
    norm3(length3, p, 6)
    inside = length3[0] < radius
    dot3(side, 0, p, 6, axes, 0)
    dot3(side, 1, p, 6, axes, 3)
    const length = Math.sqrt(side[0] * side[0] + side[1] * side[1])
    // what has no direction is on the first axis
    side[0] = length < SMALLEST ? radius : (side[0] * radius) / length
    side[1] = length < SMALLEST ? 0 : (side[1] * radius) / length
  }
  if (inside) touchInside(out, radii, w)
  else touchOutside(out, radii, w, hasSide)
  if (out[6] < 0) return
  for (let e = 0; e < 2; e++) for (let r = 0; r < 3; r++) out[3 * e + r] = touch[2 * e] * axes[r] + touch[2 * e + 1] * axes[3 + r]
  if (kind !== WRAP_CYLINDER) return

  // climbs evenly from a to b
  const arc = out[6]
  const before = Math.sqrt(squared(p[0] - out[0]) + squared(p[1] - out[1]))
  const after = Math.sqrt(squared(p[3] - out[3]) + squared(p[4] - out[4]))
  const slope = (p[5] - p[2]) / (before + arc + after)
  out[2] = p[2] + slope * before
  out[5] = p[2] + slope * (before + arc)
  const height = out[5] - out[2]
  out[6] = Math.sqrt(arc * arc + height * height)
}

/** axes ← of the plane through a, b and the origin, the first one along a. */
function spanPlane(p: Vec): void {
  norm3(length3, p, 0)
  for (let r = 0; r < 3; r++) axes[r] = p[r] / length3[0]
  cross(normal, 0, p, 0, p, 3)
  if (isShort(normal, 0)) {
    // on one line with the origin: any plane, across the largest component of a
    const x = Math.abs(axes[0])
    const y = Math.abs(axes[1])
    const z = Math.abs(axes[2])
    const largest = z > x && z > y ? 2 : y > x && y > z ? 1 : 0
    for (let r = 0; r < 3; r++) axes[3 + r] = r === largest ? 0 : 1
    cross(normal, 0, axes, 0, axes, 3)
  }
  norm3(length3, normal, 0)
  for (let r = 0; r < 3; r++) normal[r] /= length3[0]
  cross(axes, 3, normal, 0, axes, 0)
}

/** Writes touch and the arc in out[6]. */
function touchOutside(out: Vec, radii: Vec, w: number, hasSide: boolean): void {
  const radius = radii[w]
  const square = radius * radius
  const a = d[0] * d[0] + d[1] * d[1]
  const b = d[2] * d[2] + d[3] * d[3]
  if (a < square || b < square) return
  const dx = d[2] - d[0]
  const dy = d[3] - d[1]
  const dd = dx * dx + dy * dy
  if (dd < SMALLEST) return

  // nearest point of the straight line to the centre
  const at = Math.min(Math.max(-(dx * d[0] + dy * d[1]) / dd, 0), 1)
  const nx = d[0] + at * dx
  const ny = d[1] + at * dy
  if (nx * nx + ny * ny > square && (!hasSide || nx * side[0] + ny * side[1] >= 0)) return

  // the two ways round
  const ta = Math.sqrt(a - square)
  const tb = Math.sqrt(b - square)
  let best = 0
  let better = Number.NEGATIVE_INFINITY
  for (let i = 0; i < 2; i++) {
    const s = i === 0 ? radius : -radius
    const o = 4 * i
    choices[o] = (d[0] * square + s * d[1] * ta) / a
    choices[o + 1] = (d[1] * square - s * d[0] * ta) / a
    choices[o + 2] = (d[2] * square - s * d[3] * tb) / b
    choices[o + 3] = (d[3] * square + s * d[2] * tb) / b
    let good = 0
    if (hasSide) {
      const x = choices[o] + choices[o + 2]
      const y = choices[o + 1] + choices[o + 3]
      const length = Math.sqrt(x * x + y * y)
      good = length < SMALLEST ? side[0] : (x * side[0] + y * side[1]) / length
    } else good = -(squared(choices[o] - choices[o + 2]) + squared(choices[o + 1] - choices[o + 3]))
    if (cross2(o)) good = -10000
    // of two equal ones the second
    if (i === 0 || good >= better) {
      best = i
      better = good
    }
  }
  for (let r = 0; r < 4; r++) touch[r] = choices[4 * best + r]
  if (cross2(4 * best)) return
  const turn = touch[1] * touch[2] - touch[0] * touch[3]
  arc[SINE] = Math.abs(turn)
  arc[COSINE] = touch[0] * touch[2] + touch[1] * touch[3]
  measureAngle()
  let angle = arc[ANGLE]
  if ((turn > 0 && best === 1) || (turn < 0 && best === 0)) angle = 2 * Math.PI - angle
  out[6] = radius * angle
}

/** Whether the lines from the ends to the touching points choices[o …] cross each other. */
function cross2(o: number): boolean {
  const ax = choices[o] - d[0]
  const ay = choices[o + 1] - d[1]
  const bx = choices[o + 2] - d[2]
  const by = choices[o + 3] - d[3]
  const det = by * ax - bx * ay
  if (Math.abs(det) < SMALLEST) return false
  const x = d[0] - d[2]
  const y = d[1] - d[3]
  const s = (bx * y - by * x) / det
  const t = (ax * y - ay * x) / det
  return s >= 0 && s <= 1 && t >= 0 && t <= 1
}

/** Writes touch, twice the same point, and 0 in out[6]. */
function touchInside(out: Vec, radii: Vec, w: number): void {
  const radius = radii[w]
  const a = Math.sqrt(d[0] * d[0] + d[1] * d[1])
  const b = Math.sqrt(d[2] * d[2] + d[3] * d[3])
  if (a <= radius || b <= radius || a < SMALLEST || b < SMALLEST) return
  const dx = d[2] - d[0]
  const dy = d[3] - d[1]
  const dd = dx * dx + dy * dy
  if (dd > SMALLEST) {
    const at = -(dx * d[0] + dy * d[1]) / dd
    if (at > 0 && at < 1 && Math.sqrt(squared(d[0] + at * dx) + squared(d[1] + at * dy)) <= radius) return
  }

  // the middle, where there is nothing better
  const mx = 0.5 * (d[0] + d[2])
  const my = 0.5 * (d[1] + d[3])
  const middle = Math.sqrt(mx * mx + my * my)
  touch[0] = middle < SMALLEST ? radius : (radius * mx) / middle
  touch[1] = middle < SMALLEST ? 0 : (radius * my) / middle
  touch[2] = touch[0]
  touch[3] = touch[1]
  const cosine = (a * a + b * b - dd) / (2 * a * b)
  if (cosine < -1 + SMALLEST) return
  out[6] = 0
  if (cosine > 1 - SMALLEST) return
  arc[SINE] = Math.sqrt(1 - cosine * cosine)
  arc[COSINE] = cosine
  measureAngle()
  root[G] = arc[ANGLE]
  root[A] = radius / a
  root[B] = radius / b

  root[Z] = NEAR_ONE
  measureGap()
  if (root[GAP] > 0) return
  let round = 0
  for (; round < ITERATIONS && Math.abs(root[GAP]) > TOLERANCE; round++) {
    const z = root[Z]
    const slope = slopeOf(root[A], z) + slopeOf(root[B], z) - 2 * slopeOf(1, z)
    if (slope > -SMALLEST) return
    const next = z - root[GAP] / slope
    if (next > z) return
    root[Z] = next
    measureGap()
    if (root[GAP] > TOLERANCE) return
  }
  if (round >= ITERATIONS) return

  // from the end that comes first, counter-clockwise, by asin(z) − asin(k z)
  const first = d[0] * d[3] - d[1] * d[2] > 0
  const x = (first ? d[0] : d[2]) / (first ? a : b)
  const y = (first ? d[1] : d[3]) / (first ? a : b)
  const z = root[Z]
  const kz = z * (first ? root[A] : root[B])
  const cz = Math.sqrt(1 - z * z)
  const ck = Math.sqrt(1 - kz * kz)
  const sine = z * ck - cz * kz
  const cos = cz * ck + z * kz
  touch[0] = radius * (cos * x - sine * y)
  touch[1] = radius * (sine * x + cos * y)
  touch[2] = touch[0]
  touch[3] = touch[1]
}

// numbers travel in arrays: handed over a call that is not inlined they cost an allocation
const arc = new Float64Array(3)
const SINE = 0
const COSINE = 1
const ANGLE = 2
const root = new Float64Array(5)
const A = 0
const B = 1
const G = 2
const Z = 3
const GAP = 4

function measureAngle(): void {
  angleOfPoint(arc, ANGLE, arc, SINE, arc, COSINE)
}

/** root[GAP] ← asin(A z) + asin(B z) − 2 asin(z) + G */
function measureGap(): void {
  root[GAP] = root[G]
  for (let e = 0; e < 3; e++) {
    const x = e < 2 ? root[e] * root[Z] : root[Z]
    arc[SINE] = x
    arc[COSINE] = Math.sqrt(1 - x * x)
    measureAngle()
    root[GAP] += (e < 2 ? 1 : -2) * arc[ANGLE]
  }
}

/** Derivative of asin(k z). */
const slopeOf = (k: number, z: number): number => k / Math.max(SMALLEST, Math.sqrt(1 - z * z * k * k))

/** out[0] ← |x| */
function norm3(out: Vec, x: Vec, i: number): void {
  out[0] = Math.sqrt(x[i] * x[i] + x[i + 1] * x[i + 1] + x[i + 2] * x[i + 2])
}

function isShort(x: Vec, i: number): boolean {
  return Math.sqrt(x[i] * x[i] + x[i + 1] * x[i + 1] + x[i + 2] * x[i + 2]) < SMALLEST
}

function dot3(out: Vec, o: number, x: Vec, i: number, y: Vec, j: number): void {
  out[o] = x[i] * y[j] + x[i + 1] * y[j + 1] + x[i + 2] * y[j + 2]
}

function cross(out: Vec, o: number, x: Vec, i: number, y: Vec, j: number): void {
  out[o] = x[i + 1] * y[j + 2] - x[i + 2] * y[j + 1]
  out[o + 1] = x[i + 2] * y[j] - x[i] * y[j + 2]
  out[o + 2] = x[i] * y[j + 1] - x[i + 1] * y[j]
}
