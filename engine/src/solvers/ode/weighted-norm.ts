/**
 * The weighted norm |v| = sqrt(1/n Σ (v_i / w_i)²), and the first step that goes with it (Jung, section III C; [Odepack]).
 * Results are written to out[i]: a number returned from a call may be boxed.
 */
import type { Vec } from '../../math/types.js'
import type { OdeProblem } from './problem.js'

/** out[i] ← |v|; v is an array of at least o + n numbers. */
export function weightedNorm(out: Vec, i: number, v: Vec, o: number, w: Vec): void {
  const n = w.length
  let sum = 0
  for (let k = 0; k < n; k++) {
    const x = v[o + k] / w[k]
    sum += x * x
  }
  out[i] = Math.sqrt(sum / n)
}

/** out[i] ← |z + x e|, of the numbers of z from o on */
export function rowNorm(out: Vec, i: number, z: Vec, o: number, x: number, e: Vec, w: Vec): void {
  const n = w.length
  let sum = 0
  for (let k = 0; k < n; k++) {
    const r = (z[o + k] + x * e[k]) / w[k]
    sum += r * r
  }
  out[i] = Math.sqrt(sum / n)
}

/** The entry of v that is not finite, else the largest in units of its weight. */
export function largestEntry(v: Vec, w: Vec): number {
  let worst = 0
  let most = 0
  for (let k = 0; k < w.length; k++) {
    const x = Math.abs(v[k] / w[k])
    if (!(x < Number.POSITIVE_INFINITY)) return k
    if (x > most) {
      most = x
      worst = k
    }
  }
  return worst
}

/** out[i] ← |a − b| */
export function weightedDistance(out: Vec, i: number, a: Vec, b: Vec, w: Vec): void {
  const n = w.length
  let sum = 0
  for (let k = 0; k < n; k++) {
    const x = (a[k] - b[k]) / w[k]
    sum += x * x
  }
  out[i] = Math.sqrt(sum / n)
}

/** w_i = |y_i| rtol + atol, or rtol + atol where the problem measures an entry against one. */
export function errorWeights({ n, absolute }: OdeProblem, w: Vec, y: Vec, rtol: number, atol: number): void {
  for (let k = 0; k < n; k++) w[k] = (absolute !== undefined && absolute[k] === 1 ? 1 : Math.abs(y[k])) * rtol + atol
}

/** h with 1/h² = 1/tol + tol |f₀|²: the error of a first-order step is then about one weight. */
export function firstStep(rtol: number, rateNorm: number): number {
  const tol = Math.min(1e-3, Math.max(rtol, 100 * Number.EPSILON))
  return 1 / Math.sqrt(1 / tol + tol * rateNorm * rateNorm)
}
