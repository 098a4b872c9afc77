/**
 * Explicit Runge–Kutta methods with error control ([Jung] Table II).
 *
 * Step doubling: one step of h against two of h/2, e = (y₂ − y₁)/(2^p − 1); accepted with y₂ + e, so that the result is of order p + 1.
 * On rejection the first half step becomes the next long step. Embedded: e = y_high − y_low, the higher order is kept.
 * As in the paper no evaluation is shared between the long and the half steps.
 *
 * Dense output is of degree five: through begin, middle and end where steps are doubled; through the last two steps where they are not
 * (for the first step after a start the middle is computed, once, and only if it is asked for).
 */

import { pow } from '../../math/own.js'
import type { Vec } from '../../math/types.js'
import { memoryLayout, memoryViews } from '../memory-layout.js'
import { type HermiteNode, hermite } from './hermite.js'
import { takeRoot } from './nth-root.js'
import {
  type AdvanceStatus,
  createStatistics,
  type Integrator,
  type IntegratorOptions,
  isFar,
  type OdeProblem,
  STEP,
  TIME,
} from './problem.js'
import type { Tableau } from './tableaus.js'
import { errorWeights, firstStep, largestEntry, weightedNorm } from './weighted-norm.js'

const SAFETY = 0.9

// scalars of the memory
const T = TIME // reached
const H = STEP // next step
const T_BEGIN = 2 // begin of the last step
const T_THIRD = 3 // third node of the dense output
const KNOWN = 4 // 1: the rate at the end of the last step is known
const THIRD = 5 // 1: the third node is known
const SCALARS = 6

// numbers handed from function to function: V8 boxes those that cross a call
const FROM = 0 // begin of a step, and its size
const SIZE = 1
const ERROR = 2 // in units of what is allowed
const FACTOR = 3
const PASSED = 4

export function createRungeKutta(problem: OdeProblem, { order, a, b, c, low }: Tableau, options: IntegratorOptions): Integrator {
  const { n, chart } = problem
  const { rtol, atol, hmax = Number.POSITIVE_INFINITY, hmin = 0 } = options
  const stages = b.length
  const nbase = chart?.size ?? 0
  const layout = memoryLayout({ scalars: SCALARS, base: nbase, y0: n, f0: n, y1: n, f1: n, y2: n, f2: n })
  const memory = new Float64Array(layout.length)
  const { base, y0, f0, y1, f1, y2, f2 } = memoryViews(layout, memory)
  chart?.bind(base)
  const begin: HermiteNode = { y: y0, f: f0 }
  const end: HermiteNode = { y: y1, f: f1 }
  const third: HermiteNode = { y: y2, f: f2 }
  const rates = b.map(() => new Float64Array(n))
  const stage = new Float64Array(n)
  const long = new Float64Array(n)
  const half = new Float64Array(n)
  const next = new Float64Array(n)
  const error = new Float64Array(n)
  const w = new Float64Array(n)
  const errorRow = low && b.map((x, i) => x - low[i])
  // the clamps of the paper's two kinds of control
  const smallest = low ? 0.1 : 0.5
  const largest = low ? 4 : 2
  const root = low ? order : order + 1
  const given = new Float64Array(PASSED)
  const times = new Float64Array(4)
  const statistics = createStatistics()
  let worst = 0

  /** out ← y advanced from given[FROM] by given[SIZE]; rates[0] must hold its rate. */
  const step = (out: Vec, y: Vec): void => {
    for (let i = 1; i < stages; i++) {
      combine(stage, y, given, SIZE, rates, a[i])
      problem.clock[0] = given[FROM] + c[i] * given[SIZE]
      problem.rate(rates[i], stage)
    }
    combine(out, y, given, SIZE, rates, b)
  }

  const knowEnd = (): void => {
    if (memory[KNOWN] === 1) return
    problem.clock[0] = memory[T]
    problem.rate(end.f, end.y)
    memory[KNOWN] = 1
  }

  const recenter = (): void => {
    if (chart === undefined || !isFar(chart, end.y, 0, n)) return
    for (let p = 0; p < chart.patches; p++) {
      if (!isFar(chart, end.y, chart.first[p], chart.end[p])) continue
      chart.begin(p, end.y)
      chart.move(p, third.y, third.f, third.y)
      chart.move(p, begin.y, begin.f, begin.y)
      chart.move(p, end.y, end.f, end.y)
      chart.commit(p)
      statistics.moves++
    }
  }

  /** Takes the step from `end` to `next`; the node in the middle goes to `half` and error[]. */
  const doubled = (): AdvanceStatus => {
    const t = memory[T]
    let h = memory[H]
    let reuse = false
    for (;;) {
      if (t + h / 2 === t || h < hmin) return 'step-too-small'
      if (!reuse) {
        knowEnd()
        rates[0].set(end.f)
        given[FROM] = t
        given[SIZE] = h
        step(long, end.y)
      }
      problem.clock[0] = t
      problem.rate(rates[0], end.y)
      given[FROM] = t
      given[SIZE] = h / 2
      step(half, end.y)
      problem.clock[0] = t + h / 2
      problem.rate(rates[0], half)
      error.set(rates[0])
      given[FROM] = t + h / 2
      step(next, half)
      const scale = 1 / (pow(2, order) - 1)
      for (let k = 0; k < n; k++) long[k] = (next[k] - long[k]) * scale
      weightedNorm(given, ERROR, long, 0, w)
      if (given[ERROR] <= 1) {
        begin.y.set(end.y)
        third.f.set(error)
        for (let k = 0; k < n; k++) {
          third.y[k] = half[k] + 0.5 * long[k]
          end.y[k] = next[k] + long[k]
        }
        memory[T_THIRD] = t + h / 2
        memory[THIRD] = 1
        given[SIZE] = h
        finish()
        return 'ok'
      }
      statistics.rejected++
      worst = largestEntry(long, w)
      // e is not a number: the step went where there is no force; halve as well, the clock ends it
      long.set(half)
      reuse = true
      h *= 0.5
    }
  }

  const embedded = (weights: readonly number[]): AdvanceStatus => {
    const t = memory[T]
    let h = memory[H]
    for (;;) {
      if (t + h === t || h < hmin) return 'step-too-small'
      rates[0].set(end.f)
      given[FROM] = t
      given[SIZE] = h
      step(next, end.y)
      for (let k = 0; k < n; k++) {
        let sum = 0
        for (let i = 0; i < stages; i++) sum += weights[i] * rates[i][k]
        error[k] = h * sum
      }
      weightedNorm(given, ERROR, error, 0, w)
      if (given[ERROR] <= 1) {
        third.y.set(begin.y)
        third.f.set(begin.f)
        memory[T_THIRD] = memory[T_BEGIN]
        memory[THIRD] = memory[T_BEGIN] < t ? 1 : 0
        begin.y.set(end.y)
        end.y.set(next)
        given[SIZE] = h
        finish()
        return 'ok'
      }
      statistics.rejected++
      worst = largestEntry(error, w)
      if (given[ERROR] > 1) {
        takeRoot(given, ERROR, root)
        h *= Math.max(smallest, SAFETY / given[ERROR])
      } else {
        h *= 0.25
      }
    }
  }

  /** A step of given[SIZE] was good. */
  const finish = (): void => {
    const h = given[SIZE]
    begin.f.set(end.f)
    memory[T_BEGIN] = memory[T]
    memory[T] += h
    memory[KNOWN] = 0
    given[FACTOR] = Math.max(given[ERROR], 1e-10)
    takeRoot(given, FACTOR, root)
    memory[H] = Math.min(hmax, h * Math.min(largest, Math.max(smallest, SAFETY / given[FACTOR])))
    statistics.steps++
  }

  /** out ← y at times[3] */
  const look = (out: Vec): void => {
    if (times[3] >= memory[T]) {
      out.set(end.y)
      return
    }
    knowEnd()
    const t0 = memory[T_BEGIN]
    const h = memory[T] - t0
    if (memory[THIRD] === 0) {
      // first step after a start: the middle by a step of half the size
      rates[0].set(begin.f)
      given[FROM] = t0
      given[SIZE] = h / 2
      step(third.y, begin.y)
      problem.clock[0] = t0 + h / 2
      problem.rate(third.f, third.y)
      memory[T_THIRD] = t0 + h / 2
      memory[THIRD] = 1
    }
    times[0] = t0
    times[1] = memory[T]
    times[2] = memory[T_THIRD]
    hermite(out, times, begin, end, third)
  }

  return {
    problem,
    memory,
    statistics,
    time: () => memory[T],
    lastTime: () => memory[T_BEGIN],
    stepSize: () => memory[H],
    order: () => (low ? order : order + 1),

    start(t, y) {
      memory[T] = t
      memory[T_BEGIN] = t
      memory[THIRD] = 0
      end.y.set(y)
      begin.y.set(y)
      errorWeights(problem, w, end.y, rtol, atol)
      problem.clock[0] = t
      problem.rate(end.f, end.y)
      memory[KNOWN] = 1
      weightedNorm(given, ERROR, end.f, 0, w)
      memory[H] = Math.min(hmax, firstStep(rtol, given[ERROR]))
    },

    advance() {
      recenter()
      if (low) knowEnd()
      errorWeights(problem, w, end.y, rtol, atol)
      weightedNorm(given, ERROR, end.y, 0, w)
      if (!(given[ERROR] < Number.POSITIVE_INFINITY)) return 'not-finite'
      return errorRow ? embedded(errorRow) : doubled()
    },

    worst: () => worst,

    dense(out, t) {
      times[3] = t
      look(out)
    },

    denseAt(out, when) {
      times[3] = when[0]
      look(out)
    },
  }
}

/** out ← y + h Σ weights · rates, h = size[o] */
function combine(out: Vec, y: Vec, size: Vec, o: number, rates: readonly Vec[], weights: readonly number[]): void {
  const h = size[o]
  for (let k = 0; k < out.length; k++) out[k] = y[k]
  for (let i = 0; i < weights.length; i++) {
    const x = h * weights[i]
    if (x === 0) continue
    const f = rates[i]
    for (let k = 0; k < out.length; k++) out[k] += x * f[k]
  }
}
