/** Comparisons and differences that the conformance suites share. */

import { integrate, type Model, type Vec } from 'limber'
import { expect } from 'vitest'

/** Largest difference, relative to the largest number of the two (or to `scale`, where that is larger). */
export function relativeError(a: ArrayLike<number>, b: ArrayLike<number>, scale = 0): number {
  if (a.length !== b.length) return Number.NaN
  let most = 0
  let size = scale
  for (let k = 0; k < a.length; k++) {
    const e = Math.abs(a[k] - b[k])
    if (Number.isNaN(e)) return Number.NaN
    if (e > most) most = e
    size = Math.max(size, Math.abs(a[k]), Math.abs(b[k]))
  }
  return most === 0 ? 0 : most / size
}

/** Fails with the error shown, and where a number is NaN. */
export function expectNear(a: ArrayLike<number>, b: ArrayLike<number>, tolerance: number, scale = 0): void {
  expect(a.length).toBe(b.length)
  expect(relativeError(a, b, scale)).toBeLessThanOrEqual(tolerance)
}

/** q ⊕ h x as a new array. */
export function moved(model: Model, q: Vec, x: Vec, h: number): Vec {
  const out = q.slice()
  integrate(model, out, x, h)
  return out
}

/**
 * The twist X⁻¹ Ẋ of a pose at X[x] whose value a little later and a little earlier is at A and B, 2ε apart in time.
 * Angular then linear, in the frame of X.
 */
export function twistBetween(X: Vec, x: number, A: Vec, B: Vec, epsilon: number): number[] {
  const rate = (k: number): number => (A[x + k] - B[x + k]) / (2 * epsilon)
  // W = Rᵀ Ṙ
  const W = (i: number, j: number): number => X[x + i] * rate(j) + X[x + 3 + i] * rate(3 + j) + X[x + 6 + i] * rate(6 + j)
  const linear = (i: number): number => X[x + i] * rate(9) + X[x + 3 + i] * rate(10) + X[x + 6 + i] * rate(11)
  return [(W(2, 1) - W(1, 2)) / 2, (W(0, 2) - W(2, 0)) / 2, (W(1, 0) - W(0, 1)) / 2, linear(0), linear(1), linear(2)]
}

/** [0, …, 1 at k, …, 0] */
export function unitVector(n: number, k: number): Float64Array {
  const x = new Float64Array(n)
  x[k] = 1
  return x
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  return sum
}

/** M x for a dense row-major M */
export function multiply(M: Vec, x: ArrayLike<number>): Float64Array {
  const n = x.length
  return Float64Array.from({ length: n }, (_, r) => dot(M.subarray(r * n, (r + 1) * n), x))
}

/** Derivative at 0 of a function of one number, by five points: what is left over is h⁴ times the fifth derivative, and rounding over h. */
export function derivative(f: (h: number) => ArrayLike<number>, h: number): number[] {
  const [a, b, c, d] = [f(-2 * h), f(-h), f(h), f(2 * h)].map((x) => Array.from(x))
  return a.map((x, k) => (8 * (c[k] - b[k]) - (d[k] - x)) / (12 * h))
}
