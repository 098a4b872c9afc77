/**
 * Rays against single shapes in their own frames: how far along the ray its first surface is.
 */
import type { Vec } from '../math/types.js'
import { BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE, SPHERE } from '../model/shapes.js'

const SMALLEST = 1e-15
const MISS = -1

/** Distance from p along the unit vector v, both in the frame of the shape, to a shape of size[i …]; −1 where the ray misses it. */
export function rayDistance(shape: number, size: Vec, i: number, p: Vec, v: Vec): number {
  switch (shape) {
    case PLANE:
      return rayPlane(size, i, p, v)
    case SPHERE:
      return rayQuadric(p, v, 0, size[i], size[i], size[i])
    case ELLIPSOID:
      return rayQuadric(p, v, 0, size[i], size[i + 1], size[i + 2])
    case CAPSULE:
      return rayCapsule(size[i], size[i + 1], p, v)
    case CYLINDER:
      return rayCylinder(size[i], size[i + 1], p, v)
    case BOX:
      return rayBox(size, i, p, v)
    default:
      return MISS
  }
}

/** From in front only, inside its edges where it has any. */
function rayPlane(size: Vec, i: number, p: Vec, v: Vec): number {
  if (v[2] > -SMALLEST) return MISS
  const x = -p[2] / v[2]
  if (x < 0) return MISS
  for (let r = 0; r < 2; r++) if (size[i + r] > 0 && Math.abs(p[r] + x * v[r]) > size[i + r]) return MISS
  return x
}

/** a x² + 2 b x + c = 0: the lower root, or the upper one where that lies behind. */
function firstRoot(a: number, b: number, c: number): number {
  const square = b * b - a * c
  if (square < SMALLEST || a < SMALLEST) return MISS
  const root = Math.sqrt(square)
  const x = (-b - root) / a
  if (x >= 0) return x
  return (-b + root) / a >= 0 ? (-b + root) / a : MISS
}

/** Ellipsoid with these half axes, its centre at height z. */
function rayQuadric(p: Vec, v: Vec, z: number, a: number, b: number, c: number): number {
  const [px, py, pz] = [p[0] / a, p[1] / b, (p[2] - z) / c]
  const [vx, vy, vz] = [v[0] / a, v[1] / b, v[2] / c]
  return firstRoot(vx * vx + vy * vy + vz * vz, px * vx + py * vy + pz * vz, px * px + py * py + pz * pz - 1)
}

function nearer(x: number, y: number): number {
  return y >= 0 && (x < 0 || y < x) ? y : x
}

/** Where the ray meets the side of an endless cylinder, in turn its first and second point; −1 beyond ±half. */
function raySide(radius: number, half: number, p: Vec, v: Vec): number {
  const a = v[0] * v[0] + v[1] * v[1]
  const b = v[0] * p[0] + v[1] * p[1]
  const square = b * b - a * (p[0] * p[0] + p[1] * p[1] - radius * radius)
  if (square < SMALLEST || a < SMALLEST) return MISS
  let best = MISS
  for (let s = -1; s <= 1; s += 2) {
    const x = (-b + s * Math.sqrt(square)) / a
    if (x >= 0 && Math.abs(p[2] + x * v[2]) <= half) best = nearer(best, x)
  }
  return best
}

function rayCylinder(radius: number, half: number, p: Vec, v: Vec): number {
  let best = raySide(radius, half, p, v)
  if (Math.abs(v[2]) < SMALLEST) return best
  for (let s = -1; s <= 1; s += 2) {
    const x = (s * half - p[2]) / v[2]
    const ex = p[0] + x * v[0]
    const ey = p[1] + x * v[1]
    if (x >= 0 && ex * ex + ey * ey <= radius * radius) best = nearer(best, x)
  }
  return best
}

function rayCapsule(radius: number, half: number, p: Vec, v: Vec): number {
  let best = raySide(radius, half, p, v)
  for (let s = -1; s <= 1; s += 2) {
    // both points of the ball, of which only those beyond the straight part count
    const z = s * half
    const b = v[0] * p[0] + v[1] * p[1] + v[2] * (p[2] - z)
    const c = p[0] * p[0] + p[1] * p[1] + (p[2] - z) * (p[2] - z) - radius * radius
    if (b * b - c < SMALLEST) continue
    for (let t = -1; t <= 1; t += 2) {
      const x = -b + t * Math.sqrt(b * b - c)
      if (x >= 0 && s * (p[2] + x * v[2]) >= half) best = nearer(best, x)
    }
  }
  return best
}

function rayBox(size: Vec, i: number, p: Vec, v: Vec): number {
  let best = MISS
  for (let r = 0; r < 3; r++) {
    if (Math.abs(v[r]) < SMALLEST) continue
    for (let s = -1; s <= 1; s += 2) {
      const x = (s * size[i + r] - p[r]) / v[r]
      const j = (r + 1) % 3
      const k = (r + 2) % 3
      if (x >= 0 && Math.abs(p[j] + x * v[j]) <= size[i + j] && Math.abs(p[k] + x * v[k]) <= size[i + k]) best = nearer(best, x)
    }
  }
  return best
}
