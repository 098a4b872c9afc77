/**
 * The Nordsieck history: row j of z is h^j y^(j)/j!, so that y(t + s h) = Σ z_j s^j. Rows of n numbers, one after the other. Functions take the
 * entries a … b − 1 and go through all rows of an entry before the next one: the rows are read side by side, once.
 */
import type { Vec } from '../../math/types.js'
import { sampleWeights } from './coefficients.js'
import { type Chart, isFar } from './problem.js'

/** z ← its Taylor series one step later: the product with Pascal's triangle. */
export function predict(z: Vec, n: number, q: number, a: number, b: number): void {
  for (let i = a; i < b; i++) {
    for (let k = 0; k < q; k++) {
      // what was just added is the next summand
      let sum = z[q * n + i]
      for (let o = (q - 1) * n + i; o >= k * n; o -= n) {
        sum += z[o]
        z[o] = sum
      }
    }
  }
}

/** Takes `predict` back. */
export function retract(z: Vec, n: number, q: number, a: number, b: number): void {
  for (let i = a; i < b; i++) {
    for (let k = 0; k < q; k++) for (let o = (q - 1) * n + i; o >= k * n; o -= n) z[o] -= z[o + n]
  }
}

/** z_j += l_j e */
export function correct(z: Vec, n: number, q: number, l: Vec, e: Vec, a: number, b: number): void {
  for (let i = a; i < b; i++) {
    const x = e[i]
    for (let j = 0, o = i; j <= q; j++, o += n) z[o] += l[j] * x
  }
}

/** The history for a step ratios[i0] times as long. */
export function rescale(z: Vec, n: number, q: number, ratios: Vec, i0: number, a: number, b: number): void {
  const ratio = ratios[i0]
  let power = 1
  for (let j = 1; j <= q; j++) {
    power *= ratio
    for (let o = j * n + a; o < j * n + b; o++) z[o] *= power
  }
}

/** out ← Σ z_j s^j, s = at[k] */
export function evaluate(out: Vec, z: Vec, n: number, q: number, at: Vec, k: number, a: number, b: number): void {
  const s = at[k]
  for (let i = a; i < b; i++) {
    let x = z[q * n + i]
    for (let o = (q - 1) * n + i; o >= 0; o -= n) x = x * s + z[o]
    out[i] = x
  }
}

/** Takes the history z of order q for steps of at[k], and the groups from … to − 1. How many patches were moved. */
export type MoveHistory = (z: Vec, q: number, at: Vec, k: number, from: number, to: number) => number

/**
 * Makes the function that carries the history of joints that have gone far over to charts about their own latest points. What the formula
 * interpolates is kept: Adams the rates at t, t − h, … t − (q−1)h, backward differences the values at t … t − q h.
 */
export function createMove(chart: Chart, n: number, maxOrder: number, kinematic: number, byRates: boolean): MoveHistory {
  const { first, end, start } = chart
  const sample = new Float64Array(n)
  const moved = new Float64Array(n)
  const rate = new Float64Array(n)
  const most = first.reduce((m, k, p) => Math.max(m, end[p] - k), 0)
  const samples = new Float64Array((maxOrder + 1) * most)
  const weights = Array.from({ length: maxOrder + 2 }, (_, count) => sampleWeights(count))
  const past = new Float64Array(1)
  const inOrder = first.every((k, p) => p === 0 || k > first[p - 1])

  const look = (z: Vec, q: number, p: number): void => {
    evaluate(sample, z, n, q, past, 0, first[p], end[p])
    evaluate(sample, z, n, q, past, 0, kinematic + first[p], kinematic + end[p])
  }

  const movePatch = (z: Vec, q: number, h: number, p: number): void => {
    const k0 = first[p]
    const m = end[p] - k0
    const count = byRates ? q : q + 1
    for (let r = 0; r < count; r++) {
      past[0] = -r
      look(z, q, p)
      chart.move(p, moved, rate, sample)
      for (let k = 0; k < m; k++) samples[r * m + k] = byRates ? h * rate[k0 + k] : moved[k0 + k]
    }
    const W = weights[count]
    for (let k = 0; k < m; k++) {
      const o = k0 + k
      z[o] = 0
      for (let j = 0; j < count; j++) {
        let sum = 0
        for (let r = 0; r < count; r++) sum += W[j * count + r] * samples[r * m + k]
        // a polynomial of rates is integrated: coefficient j of the rate belongs to s^(j+1)
        if (byRates) z[o + (j + 1) * n] = sum / (j + 1)
        else z[o + j * n] = sum
      }
    }
  }

  return (z, q, at, k0, from, to) => {
    let moves = 0
    if (start[from] === start[to]) return moves
    if (inOrder && !isFar(chart, z, first[start[from]], end[start[to] - 1])) return moves
    for (let p = start[from]; p < start[to]; p++) {
      if (!isFar(chart, z, first[p], end[p])) continue
      past[0] = 0
      look(z, q, p)
      chart.begin(p, sample)
      movePatch(z, q, at[k0], p)
      chart.commit(p)
      moves++
    }
    return moves
  }
}
