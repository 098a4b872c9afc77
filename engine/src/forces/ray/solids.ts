/**
 * Rays against round and square solids and planes, in closed form, in the frame of the shape. A ray that starts inside hits the far side; a plane is
 * hit from its front only, and inside the extents that it is drawn with, as in MuJoCo.
 */
import type { Vec } from '../../math/types.js'
import { BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE, SPHERE } from '../../model/shapes.js'
import { offer } from './hit.js'

/** Offers the hits on a shape of this kind with the sizes size[o …]. */
export function hitSolid(ray: Vec, shape: number, size: Vec, o: number): void {
  if (shape === SPHERE) hitBall(ray, size[o], 0, 0)
  else if (shape === CAPSULE) {
    hitTube(ray, size[o], size[o + 1])
    hitBall(ray, size[o], size[o + 1], 1)
    hitBall(ray, size[o], -size[o + 1], -1)
  } else if (shape === CYLINDER) {
    hitTube(ray, size[o], size[o + 1])
    hitDisc(ray, size[o], size[o + 1])
    hitDisc(ray, size[o], -size[o + 1])
  } else if (shape === ELLIPSOID) hitEllipsoid(ray, size[o], size[o + 1], size[o + 2])
  else if (shape === BOX) hitBox(ray, size, o)
  else if (shape === PLANE) hitPlane(ray, size[o], size[o + 1])
}

/** A ball about (0, 0, z); of it all (side 0), or what is above (1) or below (−1) its centre. */
function hitBall(ray: Vec, radius: number, center: number, side: number): void {
  const z = ray[2] - center
  const b = ray[0] * ray[3] + ray[1] * ray[4] + z * ray[5]
  const c = ray[0] * ray[0] + ray[1] * ray[1] + z * z - radius * radius
  const square = b * b - c
  if (square < 0) return
  const root = Math.sqrt(square)
  for (let s = -1; s < 2; s += 2) {
    const t = -b + s * root
    const high = z + t * ray[5]
    if (side * high >= 0) offer(t, ray[0] + t * ray[3], ray[1] + t * ray[4], high)
  }
}

/** The side of a cylinder along z, without its ends. */
function hitTube(ray: Vec, radius: number, half: number): void {
  const a = ray[3] * ray[3] + ray[4] * ray[4]
  const b = ray[0] * ray[3] + ray[1] * ray[4]
  const c = ray[0] * ray[0] + ray[1] * ray[1] - radius * radius
  const square = b * b - a * c
  if (a === 0 || square < 0) return
  const root = Math.sqrt(square)
  for (let s = -1; s < 2; s += 2) {
    const t = (-b + s * root) / a
    if (Math.abs(ray[2] + t * ray[5]) <= half) offer(t, ray[0] + t * ray[3], ray[1] + t * ray[4], 0)
  }
}

function hitDisc(ray: Vec, radius: number, height: number): void {
  const t = (height - ray[2]) / ray[5]
  const x = ray[0] + t * ray[3]
  const y = ray[1] + t * ray[4]
  if (x * x + y * y <= radius * radius) offer(t, 0, 0, height > 0 ? 1 : -1)
}

function hitEllipsoid(ray: Vec, rx: number, ry: number, rz: number): void {
  const x = 1 / (rx * rx)
  const y = 1 / (ry * ry)
  const z = 1 / (rz * rz)
  const a = x * ray[3] * ray[3] + y * ray[4] * ray[4] + z * ray[5] * ray[5]
  const b = x * ray[0] * ray[3] + y * ray[1] * ray[4] + z * ray[2] * ray[5]
  const c = x * ray[0] * ray[0] + y * ray[1] * ray[1] + z * ray[2] * ray[2] - 1
  const square = b * b - a * c
  if (square < 0) return
  const root = Math.sqrt(square)
  for (let s = -1; s < 2; s += 2) {
    const t = (-b + s * root) / a
    offer(t, x * (ray[0] + t * ray[3]), y * (ray[1] + t * ray[4]), z * (ray[2] + t * ray[5]))
  }
}

function hitBox(ray: Vec, size: Vec, o: number): void {
  for (let r = 0; r < 3; r++) {
    const s = (r + 1) % 3
    const u = (r + 2) % 3
    for (let side = -1; side < 2; side += 2) {
      const t = (side * size[o + r] - ray[r]) / ray[3 + r]
      if (!(Math.abs(ray[s] + t * ray[3 + s]) <= size[o + s] && Math.abs(ray[u] + t * ray[3 + u]) <= size[o + u])) continue
      offer(t, r === 0 ? side : 0, r === 1 ? side : 0, r === 2 ? side : 0)
    }
  }
}

/** Half extents of 0 are endless. */
function hitPlane(ray: Vec, x: number, y: number): void {
  if (!(ray[5] < 0)) return
  const t = -ray[2] / ray[5]
  const isInside = (x <= 0 || Math.abs(ray[0] + t * ray[3]) <= x) && (y <= 0 || Math.abs(ray[1] + t * ray[4]) <= y)
  if (isInside) offer(t, 0, 0, 1)
}
