/**
 * Explicit Runge–Kutta methods with error control (Jung, Table II; note 20 section 4).
 *
 * Step doubling: one step of h against two of h/2, e = (y₂ − y₁)/(2^p − 1); accepted with y₂ + e, so that the result is of order p + 1.
 * On rejection the first half step becomes the next long step. Embedded: e = y_high − y_low, the higher order is kept.
 * As in the paper no evaluation is shared between the long and the half steps.
 *
 * Dense output is of degree five: through begin, middle and end where steps are doubled; through the last two steps where they are not
 * (for the first step after a start the middle is computed, once, and only if it is asked for).
 */
import type { Vec } from '../../math/types.js'
import { type HermiteNode, hermite } from './hermite.js'
import { nthRoot } from './nth-root.js'
import { type AdvanceStatus, createStatistics, type Integrator, type IntegratorOptions, type OdeProblem } from './problem.js'
import type { Tableau } from './tableaus.js'
import { errorWeights, firstStep, weightedNorm } from './weighted-norm.js'

const SAFETY = 0.9

// scalars of the memory
const T = 0 // reached
const T_BEGIN = 1 // begin of the last step
const T_THIRD = 2 // third node of the dense output
const H = 3 // next step
const KNOWN = 4 // 1: the rate at the end of the last step is known
const THIRD = 5 // 1: the third node is known
const SCALARS = 6

export function createRungeKutta(problem: OdeProblem, { order, a, b, c, low }: Tableau, options: IntegratorOptions): Integrator {
  const { n, chart } = problem
  const { rtol, atol, hmax = Number.POSITIVE_INFINITY, hmin = 0 } = options
  const stages = b.length
  const nbase = chart?.size ?? 0
  const memory = new Float64Array(SCALARS + nbase + 6 * n)
  chart?.bind(memory.subarray(SCALARS, SCALARS + nbase))
  const vector = (k: number): Vec => memory.subarray(SCALARS + nbase + k * n, SCALARS + nbase + (k + 1) * n)
  const begin: HermiteNode = { y: vector(0), f: vector(1) }
  const end: HermiteNode = { y: vector(2), f: vector(3) }
  const third: HermiteNode = { y: vector(4), f: vector(5) }
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
  const statistics = createStatistics()

  /** out ← y advanced by h; rates[0] must hold f(t, y). */
  const step = (out: Vec, t: number, y: Vec, h: number): void => {
    for (let i = 1; i < stages; i++) {
      combine(stage, y, h, rates, a[i])
      problem.rate(rates[i], t + c[i] * h, stage)
    }
    combine(out, y, h, rates, b)
  }

  const knowEnd = (): void => {
    if (memory[KNOWN] === 1) return
    problem.rate(end.f, memory[T], end.y)
    memory[KNOWN] = 1
  }

  const recenter = (): void => {
    if (!chart?.leaving(end.y)) return
    chart.begin(end.y)
    chart.move(third.y, third.f, third.y)
    chart.move(begin.y, begin.f, begin.y)
    chart.move(end.y, end.f, end.y)
    chart.commit()
    statistics.moves++
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
        step(long, t, end.y, h)
      }
      problem.rate(rates[0], t, end.y)
      step(half, t, end.y, h / 2)
      problem.rate(rates[0], t + h / 2, half)
      error.set(rates[0])
      step(next, t + h / 2, half, h / 2)
      const scale = 1 / (2 ** order - 1)
      for (let k = 0; k < n; k++) long[k] = (next[k] - long[k]) * scale
      const e = weightedNorm(long, 0, w)
      if (e <= 1) {
        begin.y.set(end.y)
        third.f.set(error)
        for (let k = 0; k < n; k++) {
          third.y[k] = half[k] + 0.5 * long[k]
          end.y[k] = next[k] + long[k]
        }
        memory[T_THIRD] = t + h / 2
        memory[THIRD] = 1
        finish(t, h, e)
        return 'ok'
      }
      statistics.rejected++
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
      step(next, t, end.y, h)
      for (let k = 0; k < n; k++) {
        let sum = 0
        for (let i = 0; i < stages; i++) sum += weights[i] * rates[i][k]
        error[k] = h * sum
      }
      const e = weightedNorm(error, 0, w)
      if (e <= 1) {
        third.y.set(begin.y)
        third.f.set(begin.f)
        memory[T_THIRD] = memory[T_BEGIN]
        memory[THIRD] = memory[T_BEGIN] < t ? 1 : 0
        begin.y.set(end.y)
        end.y.set(next)
        finish(t, h, e)
        return 'ok'
      }
      statistics.rejected++
      h *= e > 1 ? Math.max(smallest, SAFETY / nthRoot(e, root)) : 0.25
    }
  }

  const finish = (t: number, h: number, e: number): void => {
    begin.f.set(end.f)
    memory[T_BEGIN] = t
    memory[T] = t + h
    memory[KNOWN] = 0
    memory[H] = Math.min(hmax, h * Math.min(largest, Math.max(smallest, SAFETY / nthRoot(Math.max(e, 1e-10), root))))
    statistics.steps++
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
      errorWeights(problem, w, end.y, 0, stage, rtol, atol)
      problem.rate(end.f, t, end.y)
      memory[KNOWN] = 1
      memory[H] = Math.min(hmax, firstStep(rtol, weightedNorm(end.f, 0, w)))
    },

    advance() {
      recenter()
      if (low) knowEnd()
      errorWeights(problem, w, end.y, 0, stage, rtol, atol)
      if (!(weightedNorm(end.y, 0, w) < Number.POSITIVE_INFINITY)) return 'not-finite'
      return errorRow ? embedded(errorRow) : doubled()
    },

    dense(out, t) {
      if (t >= memory[T]) {
        out.set(end.y)
        return
      }
      knowEnd()
      const t0 = memory[T_BEGIN]
      const h = memory[T] - t0
      if (memory[THIRD] === 0) {
        // first step after a start: the middle by a step of half the size
        rates[0].set(begin.f)
        step(third.y, t0, begin.y, h / 2)
        problem.rate(third.f, t0 + h / 2, third.y)
        memory[T_THIRD] = t0 + h / 2
        memory[THIRD] = 1
      }
      hermite(out, t, t0, begin, memory[T], end, memory[T_THIRD], third)
    },
  }
}

/** out ← y + h Σ weights · rates */
function combine(out: Vec, y: Vec, h: number, rates: readonly Vec[], weights: readonly number[]): void {
  for (let k = 0; k < out.length; k++) out[k] = y[k]
  for (let i = 0; i < weights.length; i++) {
    const x = h * weights[i]
    if (x === 0) continue
    const f = rates[i]
    for (let k = 0; k < out.length; k++) out[k] += x * f[k]
  }
}
