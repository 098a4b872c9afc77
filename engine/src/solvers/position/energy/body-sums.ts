/**
 * How terms add what they know of a body: gradients with respect to points and poses, second derivatives as 6 × 6 matrices.
 */
import type { Vec } from '../../../math/types.js'

/** Adds the gradient g (body axes) of an energy of the body point x: W += g (x;1)ᵀ. */
export function addPointGradient(W: Vec, body: number, x: Vec, j: number, g: Vec, k: number): void {
  const o = 12 * body
  for (let r = 0; r < 3; r++) {
    const s = g[k + r]
    W[o + 3 * r] += s * x[j]
    W[o + 3 * r + 1] += s * x[j + 1]
    W[o + 3 * r + 2] += s * x[j + 2]
    W[o + 9 + r] += s
  }
}

/** Adds Γᵀ H Γ for a symmetric H (9, body axes) at the body point x, Γ = (−[x] 1). */
export function addPointHessian(bodies: Vec, body: number, x: Vec, j: number, H: Vec): void {
  const o = 21 * body
  const a = x[j]
  const b = x[j + 1]
  const c = x[j + 2]
  // K = [x] H, rows
  for (let col = 0; col < 3; col++) {
    K[col] = b * H[6 + col] - c * H[3 + col]
    K[3 + col] = c * H[col] - a * H[6 + col]
    K[6 + col] = a * H[3 + col] - b * H[col]
  }
  // −K [x]
  bodies[o] += K[2] * b - K[1] * c
  bodies[o + 1] += K[0] * c - K[2] * a
  bodies[o + 2] += K[1] * a - K[0] * b
  bodies[o + 3] += K[3] * c - K[5] * a
  bodies[o + 4] += K[4] * a - K[3] * b
  bodies[o + 5] += K[7] * a - K[6] * b
  for (let r = 0; r < 9; r++) bodies[o + 6 + r] += K[r]
  bodies[o + 15] += H[0]
  bodies[o + 16] += H[1]
  bodies[o + 17] += H[2]
  bodies[o + 18] += H[4]
  bodies[o + 19] += H[5]
  bodies[o + 20] += H[8]
}

/** Adds a wrench (moment; force) that pulls on the body: its gradient is the opposite. */
export function addWrench(W: Vec, body: number, f: Vec, k: number): void {
  const o = 12 * body
  const x = 0.5 * f[k]
  const y = 0.5 * f[k + 1]
  const z = 0.5 * f[k + 2]
  W[o + 1] += z
  W[o + 3] -= z
  W[o + 2] -= y
  W[o + 6] += y
  W[o + 5] += x
  W[o + 7] -= x
  W[o + 9] -= f[k + 3]
  W[o + 10] -= f[k + 4]
  W[o + 11] -= f[k + 5]
}

/** out (9) ← Rᵀ H R for the rotation of the pose at X[x]; H symmetric, 9 numbers. */
export function turnMatrix(out: Vec, X: Vec, x: number, H: Vec): void {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) K[3 * r + c] = H[3 * r] * X[x + c] + H[3 * r + 1] * X[x + 3 + c] + H[3 * r + 2] * X[x + 6 + c]
  }
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out[3 * r + c] = X[x + r] * K[c] + X[x + 3 + r] * K[3 + c] + X[x + 6 + r] * K[6 + c]
  }
}

/** out[o] ← a · b of six numbers; in an array, because a number handed back by a call that is not inlined is an allocation. */
export function setDot6(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  out[o] = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3] + a[i + 4] * b[j + 4] + a[i + 5] * b[j + 5]
}

const K = new Float64Array(9)
