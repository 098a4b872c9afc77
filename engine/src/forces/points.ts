/**
 * Points fixed to bodies: where they are, how they move, and forces on them, with Γ(x) = (−[x] 1).
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'

/** out = R x + p: the point in the world. */
export function pointPosition(out: Vec, o: number, d: Data, body: number, x: Vec, j: number): void {
  const X = d.X_WB
  const i = 12 * body
  const a = x[j]
  const b = x[j + 1]
  const c = x[j + 2]
  out[o] = X[i + 9] + X[i] * a + X[i + 1] * b + X[i + 2] * c
  out[o + 1] = X[i + 10] + X[i + 3] * a + X[i + 4] * b + X[i + 5] * c
  out[o + 2] = X[i + 11] + X[i + 6] * a + X[i + 7] * b + X[i + 8] * c
}

/** out = R (v + w × x): the point's velocity in the world. */
export function pointVelocity(out: Vec, o: number, d: Data, body: number, x: Vec, j: number): void {
  const { X_WB: X, V } = d
  const i = 12 * body
  const b = 6 * body
  const vx = V[b + 3] + V[b + 1] * x[j + 2] - V[b + 2] * x[j + 1]
  const vy = V[b + 4] + V[b + 2] * x[j] - V[b] * x[j + 2]
  const vz = V[b + 5] + V[b] * x[j + 1] - V[b + 1] * x[j]
  out[o] = X[i] * vx + X[i + 1] * vy + X[i + 2] * vz
  out[o + 1] = X[i + 3] * vx + X[i + 4] * vy + X[i + 5] * vz
  out[o + 2] = X[i + 6] * vx + X[i + 7] * vy + X[i + 8] * vz
}

/** J[o …] += s · wᵀ R Γ(x): the row that gives s times the velocity of the point along the world direction w[k …]. */
export function addPointRow(J: Vec, o: number, d: Data, body: number, x: Vec, j: number, s: number, w: Vec, k: number): void {
  const X = d.X_WB
  const i = 12 * body
  const gx = s * w[k]
  const gy = s * w[k + 1]
  const gz = s * w[k + 2]
  const fx = X[i] * gx + X[i + 3] * gy + X[i + 6] * gz
  const fy = X[i + 1] * gx + X[i + 4] * gy + X[i + 7] * gz
  const fz = X[i + 2] * gx + X[i + 5] * gy + X[i + 8] * gz
  J[o] += x[j + 1] * fz - x[j + 2] * fy
  J[o + 1] += x[j + 2] * fx - x[j] * fz
  J[o + 2] += x[j] * fy - x[j + 1] * fx
  J[o + 3] += fx
  J[o + 4] += fy
  J[o + 5] += fz
}

/** f += ± Γᵀ Rᵀ F: a world force at the point; sign is 1 or −1. */
export function addPointForce(f: Vec, d: Data, body: number, x: Vec, j: number, sign: 1 | -1, F: Vec, k: number): void {
  addPointRow(f, 6 * body, d, body, x, j, sign, F, k)
}
