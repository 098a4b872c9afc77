/**
 * The Nordsieck history: row i of z is h^i y^(i)/i!, so that y(t + s h) = Σ z_i s^i. Rows of n numbers, one after the other.
 */
import type { Vec } from '../../math/types.js'
import { sampleWeights } from './coefficients.js'
import type { Chart } from './problem.js'

/** z ← its Taylor series one step later: the product with Pascal's triangle. */
export function predict(z: Vec, n: number, q: number): void {
  for (let k = 0; k < q; k++) {
    for (let j = q - 1; j >= k; j--) {
      const a = j * n
      const b = a + n
      for (let i = 0; i < n; i++) z[a + i] += z[b + i]
    }
  }
}

/** Takes `predict` back. */
export function retract(z: Vec, n: number, q: number): void {
  for (let k = 0; k < q; k++) {
    for (let j = q - 1; j >= k; j--) {
      const a = j * n
      const b = a + n
      for (let i = 0; i < n; i++) z[a + i] -= z[b + i]
    }
  }
}

/** z_i += l_i e */
export function correct(z: Vec, n: number, q: number, l: Vec, e: Vec): void {
  for (let j = 0; j <= q; j++) {
    const a = j * n
    const x = l[j]
    for (let i = 0; i < n; i++) z[a + i] += x * e[i]
  }
}

/** The history for a step ratios[i0] times as long. */
export function rescale(z: Vec, n: number, q: number, ratios: Vec, i0: number): void {
  const ratio = ratios[i0]
  let power = 1
  for (let j = 1; j <= q; j++) {
    power *= ratio
    for (let i = j * n; i < (j + 1) * n; i++) z[i] *= power
  }
}

/** out ← Σ z_i s^i, s = at[k] */
export function evaluate(out: Vec, z: Vec, n: number, q: number, at: Vec, k: number): void {
  const s = at[k]
  for (let i = 0; i < n; i++) out[i] = z[q * n + i]
  for (let j = q - 1; j >= 0; j--) for (let i = 0; i < n; i++) out[i] = out[i] * s + z[j * n + i]
}

/** Takes the history z of order q for steps of at[k]. */
export type MoveHistory = (z: Vec, q: number, at: Vec, k: number) => void

/**
 * Makes the function that carries the history over to a chart about its own latest point. What the formula interpolates is kept:
 * Adams the rates at t, t − h, … t − (q−1)h, backward differences the values at t … t − q h.
 */
export function createMove(chart: Chart, n: number, maxOrder: number, byRates: boolean): MoveHistory {
  const { components } = chart
  const m = components.length
  const sample = new Float64Array(n)
  const moved = new Float64Array(n)
  const rate = new Float64Array(n)
  const samples = new Float64Array((maxOrder + 1) * m)
  const weights = Array.from({ length: maxOrder + 2 }, (_, count) => sampleWeights(count))

  const past = new Float64Array(1)

  return (z, q, at, k0) => {
    const h = at[k0]
    for (let i = 0; i < n; i++) sample[i] = z[i]
    chart.begin(sample)
    const count = byRates ? q : q + 1
    for (let p = 0; p < count; p++) {
      past[0] = -p
      evaluate(sample, z, n, q, past, 0)
      chart.move(moved, rate, sample)
      for (let k = 0; k < m; k++) samples[p * m + k] = byRates ? h * rate[components[k]] : moved[components[k]]
    }
    const W = weights[count]
    for (let k = 0; k < m; k++) {
      z[components[k]] = 0
      for (let j = 0; j < count; j++) {
        let sum = 0
        for (let p = 0; p < count; p++) sum += W[j * count + p] * samples[p * m + k]
        // a polynomial of rates is integrated: coefficient j of the rate belongs to s^(j+1)
        if (byRates) z[(j + 1) * n + components[k]] = sum / (j + 1)
        else z[j * n + components[k]] = sum
      }
    }
    chart.commit()
  }
}
