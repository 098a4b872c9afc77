/**
 * The nearest hit of a ray so far. A ray is origin (3) and unit direction (3); distances count along it, from 0 on.
 */
import type { Vec } from '../../math/types.js'

/** distance, normal in the frame of the ray */
export const nearest = new Float64Array(4)

/** Takes a hit with normal (x, y, z), of any length, at distance t, where it is the nearest so far. */
export function offer(t: number, x: number, y: number, z: number): void {
  if (!(t >= 0 && t < nearest[0])) return
  nearest[0] = t
  nearest[1] = x
  nearest[2] = y
  nearest[3] = z
}

/** Whether the ray enters the box with corners bounds[o …], lower then upper, before the nearest hit. */
export function entersBox(ray: Vec, bounds: Vec, o: number): boolean {
  let from = 0
  let to = nearest[0]
  for (let r = 0; r < 3; r++) {
    const inverse = 1 / ray[3 + r]
    const a = (bounds[o + r] - ray[r]) * inverse
    const b = (bounds[o + 3 + r] - ray[r]) * inverse
    // along a face 0 · ∞ is no number, and says nothing
    const low = a < b ? a : b
    const high = a < b ? b : a
    if (low > from) from = low
    if (high < to) to = high
  }
  return from <= to
}

/**
 * Offers the triangle with corners a[i …], a[j …], a[k …], seen from both sides: [Möller 1997].
 */
export function hitTriangle(ray: Vec, a: Vec, i: number, j: number, k: number): void {
  const ux = ray[3]
  const uy = ray[4]
  const uz = ray[5]
  const px = a[j] - a[i]
  const py = a[j + 1] - a[i + 1]
  const pz = a[j + 2] - a[i + 2]
  const qx = a[k] - a[i]
  const qy = a[k + 1] - a[i + 1]
  const qz = a[k + 2] - a[i + 2]
  const hx = uy * qz - uz * qy
  const hy = uz * qx - ux * qz
  const hz = ux * qy - uy * qx
  const det = px * hx + py * hy + pz * hz
  if (det === 0) return
  const sx = ray[0] - a[i]
  const sy = ray[1] - a[i + 1]
  const sz = ray[2] - a[i + 2]
  const v = (sx * hx + sy * hy + sz * hz) / det
  if (!(v >= 0 && v <= 1)) return
  const gx = sy * pz - sz * py
  const gy = sz * px - sx * pz
  const gz = sx * py - sy * px
  const w = (ux * gx + uy * gy + uz * gz) / det
  if (!(w >= 0 && v + w <= 1)) return
  const x = py * qz - pz * qy
  const y = pz * qx - px * qz
  const z = px * qy - py * qx
  // towards where the ray comes from
  const side = x * ux + y * uy + z * uz > 0 ? -1 : 1
  offer((qx * gx + qy * gy + qz * gz) / det, side * x, side * y, side * z)
}
