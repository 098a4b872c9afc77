/**
 * Poses: 12 numbers, rotation R row-major (9), then position p (3). X_AB maps coordinates of B to those of A: x_A = R x_B + p.
 * Outputs must not overlap inputs unless a function says so.
 */
import type { Vec } from './types.js'

export function setIdentityPose(out: Vec, o: number): void {
  for (let k = 0; k < 12; k++) out[o + k] = 0
  out[o] = 1
  out[o + 4] = 1
  out[o + 8] = 1
}

/** out = a b */
export function mulPose(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  const b0 = b[j]
  const b1 = b[j + 1]
  const b2 = b[j + 2]
  const b3 = b[j + 3]
  const b4 = b[j + 4]
  const b5 = b[j + 5]
  const b6 = b[j + 6]
  const b7 = b[j + 7]
  const b8 = b[j + 8]
  const px = b[j + 9]
  const py = b[j + 10]
  const pz = b[j + 11]
  let x = a[i]
  let y = a[i + 1]
  let z = a[i + 2]
  out[o] = x * b0 + y * b3 + z * b6
  out[o + 1] = x * b1 + y * b4 + z * b7
  out[o + 2] = x * b2 + y * b5 + z * b8
  out[o + 9] = x * px + y * py + z * pz + a[i + 9]
  x = a[i + 3]
  y = a[i + 4]
  z = a[i + 5]
  out[o + 3] = x * b0 + y * b3 + z * b6
  out[o + 4] = x * b1 + y * b4 + z * b7
  out[o + 5] = x * b2 + y * b5 + z * b8
  out[o + 10] = x * px + y * py + z * pz + a[i + 10]
  x = a[i + 6]
  y = a[i + 7]
  z = a[i + 8]
  out[o + 6] = x * b0 + y * b3 + z * b6
  out[o + 7] = x * b1 + y * b4 + z * b7
  out[o + 8] = x * b2 + y * b5 + z * b8
  out[o + 11] = x * px + y * py + z * pz + a[i + 11]
}

/** out = R x + p; may work in place */
export function transformPoint(out: Vec, o: number, X: Vec, i: number, x: Vec, j: number): void {
  const a = x[j]
  const b = x[j + 1]
  const c = x[j + 2]
  out[o] = X[i] * a + X[i + 1] * b + X[i + 2] * c + X[i + 9]
  out[o + 1] = X[i + 3] * a + X[i + 4] * b + X[i + 5] * c + X[i + 10]
  out[o + 2] = X[i + 6] * a + X[i + 7] * b + X[i + 8] * c + X[i + 11]
}
