/** 3-vectors: functions on (array, offset), output first. Outputs may coincide with inputs. */
import type { Vec } from './types.js'

/** out = a × b */
export function cross(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  const ax = a[i]
  const ay = a[i + 1]
  const az = a[i + 2]
  const bx = b[j]
  const by = b[j + 1]
  const bz = b[j + 2]
  out[o] = ay * bz - az * by
  out[o + 1] = az * bx - ax * bz
  out[o + 2] = ax * by - ay * bx
}

/** out = R a, R row-major 3 × 3 */
export function rotate(out: Vec, o: number, R: Vec, r: number, a: Vec, i: number): void {
  const x = a[i]
  const y = a[i + 1]
  const z = a[i + 2]
  out[o] = R[r] * x + R[r + 1] * y + R[r + 2] * z
  out[o + 1] = R[r + 3] * x + R[r + 4] * y + R[r + 5] * z
  out[o + 2] = R[r + 6] * x + R[r + 7] * y + R[r + 8] * z
}

/** out = Rᵀ a */
export function rotateBack(out: Vec, o: number, R: Vec, r: number, a: Vec, i: number): void {
  const x = a[i]
  const y = a[i + 1]
  const z = a[i + 2]
  out[o] = R[r] * x + R[r + 3] * y + R[r + 6] * z
  out[o + 1] = R[r + 1] * x + R[r + 4] * y + R[r + 7] * z
  out[o + 2] = R[r + 2] * x + R[r + 5] * y + R[r + 8] * z
}
