/**
 * Gear's method for stiff problems: backward differences of order 1 to 5 in Nordsieck form, step size and order chosen as Hindmarsh does
 * [Gear; Odepack], the corrector by Newton's method.
 *
 * The weights are those of the begin of the step, also over its retries.
 */
import { memoryLayout, memoryViews } from '../memory-layout.js'
import { BDF_ORDER, bdfCoefficients } from './coefficients.js'
import { AT, CORRECTOR_SCALARS, type CorrectorWork, G, L0, LIMIT, newtonCorrector, RETRY, H as STEP_NOW } from './corrector.js'
import { krylovSolver } from './krylov.js'
import type { Multistep, MultistepOptions } from './multistep.js'
import { correct, createMove, evaluate, predict, rescale, retract } from './nordsieck.js'
import { createStatistics, groupsOf, kinematicCount, type OdeProblem, STEP, TIME } from './problem.js'
import {
  ACCEPT,
  CHANGE,
  CODE,
  COUNTDOWN,
  createStepControl,
  ERROR,
  HIGHEST,
  KEEP,
  LAST,
  MOST_FAILURES,
  NEXT,
  ORDER,
  Q,
  RAISE,
  RATIO,
  RETRACT,
  SCALARS,
} from './step-control.js'
import { errorWeights, firstStep, largestEntry, rowNorm, weightedDistance, weightedNorm } from './weighted-norm.js'

// numbers handed from function to function: V8 boxes those that cross a call
const WHEN = 0
const SIZE = 1
const PASSED = 2

export function createBdf(problem: OdeProblem, options: MultistepOptions): Multistep {
  const { n, chart } = problem
  const { rtol, atol, hmax = Number.POSITIVE_INFINITY, hmin = 0, fixed = false } = options
  const maxOrder = Math.min(BDF_ORDER, options.maxOrder ?? BDF_ORDER)
  const table = bdfCoefficients()
  const layout = memoryLayout({ scalars: SCALARS, base: chart?.size ?? 0, corrector: CORRECTOR_SCALARS, z: (maxOrder + 2) * n, eBefore: n })
  const memory = new Float64Array(layout.length)
  const { base, corrector: correctorMemory, z, eBefore } = memoryViews(layout, memory)
  chart?.bind(base)
  const moveHistory = chart && chart.patches > 0 ? createMove(chart, n, maxOrder, kinematicCount(problem), false) : undefined
  const { count } = groupsOf(problem)
  const w = new Float64Array(n)
  const e = new Float64Array(n)
  const y = new Float64Array(n)
  const f = new Float64Array(n)
  const at = new Float64Array(AT)
  const given = new Float64Array(PASSED)
  const statistics = createStatistics()
  const work: CorrectorWork = { problem, z, w, e, y, f, statistics, memory: correctorMemory, at }
  const corrector = newtonCorrector(work, krylovSolver(work))
  const control = createStepControl(memory, table, { maxOrder, hmax, cautious: false, fixed })
  const { transition, norms } = control

  /** The order as an integer: a double, as the memory holds it, would be boxed in each call it is handed to. */
  const order = (): number => memory[Q] | 0

  const settle = (): void => {
    const code = transition[CODE]
    const q = transition[ORDER] | 0
    const { l } = table[q]
    if ((code & ACCEPT) !== 0) correct(z, n, q, l, e, 0, n)
    if ((code & KEEP) !== 0) eBefore.set(e)
    if ((code & RETRACT) !== 0) retract(z, n, q, 0, n)
    if ((code & RAISE) !== 0) for (let i = 0; i < n; i++) z[(q + 1) * n + i] = (e[i] * l[q]) / (q + 1)
    if (transition[RATIO] !== 1) rescale(z, n, transition[NEXT] | 0, transition, RATIO, 0, n)
  }

  /** z₁ ← the rate where the history ends, for a step of memory[STEP]. */
  const startFirstOrder = (): void => {
    control.scale()
    for (let i = 0; i < n; i++) z[n + i] = f[i]
    settle()
  }

  const rateAtFront = (): void => {
    for (let i = 0; i < n; i++) y[i] = z[i]
    problem.clock[0] = memory[TIME]
    problem.rate(f, y)
  }

  const begin = (t: number): void => {
    control.begin(t)
    z.fill(0)
    eBefore.fill(0)
    corrector.reset()
  }

  /** Sizes of the highest row and of the change of e, where the control will ask for them. */
  const measure = (accepted: boolean): void => {
    const q = order()
    const x = accepted ? table[q].l[q] : 0
    rowNorm(norms, HIGHEST, z, q * n, x, e, w)
    weightedDistance(norms, CHANGE, e, eBefore, w)
  }

  const dense = (out: Float64Array): void => {
    given[WHEN] = (given[WHEN] - memory[TIME]) / memory[STEP]
    evaluate(out, z, n, order(), given, WHEN, 0, n)
  }

  return {
    problem,
    memory,
    statistics,
    time: () => memory[TIME],
    lastTime: () => memory[TIME] - memory[LAST],
    stepSize: () => memory[STEP],
    order,

    start(t, y0) {
      begin(t)
      memory[Q] = 1
      memory[COUNTDOWN] = 2
      z.set(y0)
      errorWeights(problem, w, y0, rtol, atol)
      rateAtFront()
      weightedNorm(given, SIZE, f, 0, w)
      memory[STEP] = Math.min(hmax, firstStep(rtol, given[SIZE]))
      startFirstOrder()
    },

    startWith(t, h, q, history) {
      begin(t)
      memory[Q] = q
      memory[COUNTDOWN] = q + 1
      memory[STEP] = h
      z.set(history)
    },

    advance() {
      if (moveHistory) statistics.moves += moveHistory(z, order(), memory, STEP, 1, count)
      for (let i = 0; i < n; i++) y[i] = z[i]
      errorWeights(problem, w, y, rtol, atol)
      weightedNorm(given, SIZE, y, 0, w)
      if (!(given[SIZE] < Number.POSITIVE_INFINITY)) return 'not-finite'
      let failures = 0
      let unconverged = 0
      for (;;) {
        const h = memory[STEP]
        const q = order()
        const t = memory[TIME] + h
        if (t === memory[TIME] || h < hmin) return 'step-too-small'
        const { l, error } = table[q]
        predict(z, n, q, 0, n)
        at[STEP_NOW] = h
        at[L0] = l[0]
        at[G] = l[0] * h
        at[LIMIT] = (error * 0.5) / (q + 2)
        problem.clock[0] = t
        const converged = corrector.correct()
        weightedNorm(norms, ERROR, e, 0, w)
        norms[ERROR] /= error
        if (converged && (norms[ERROR] <= 1 || fixed)) {
          if (control.considers()) measure(true)
          control.accept()
          settle()
          statistics.steps++
          return 'ok'
        }
        statistics.rejected++
        if (!converged) {
          statistics.unconverged++
          control.retry(at[RETRY])
          settle()
          if (++unconverged > MOST_FAILURES) return 'step-too-small'
        } else if (++failures >= MOST_FAILURES) {
          control.retry(1)
          settle()
          return 'step-too-small'
        } else if (failures >= 3) {
          control.restart()
          settle()
          rateAtFront()
          startFirstOrder()
        } else {
          measure(false)
          control.shorten()
          settle()
        }
      }
    },

    worst: () => largestEntry(e, w),

    dense(out, t) {
      given[WHEN] = t
      dense(out)
    },

    denseAt(out, when) {
      given[WHEN] = when[0]
      dense(out)
    },
  }
}
