/**
 * Gear's methods: Adams–Moulton of order 1 to 12 and backward differences of order 1 to 5 in Nordsieck form, step size and order
 * chosen as Hindmarsh does [Gear; Odepack].
 *
 * Letters of [Odepack]: q order, z history, l coefficients, e correction (`acor`), dsm error of the step in units of what is allowed.
 * The weights are those of the begin of the step, also over its retries.
 */
import type { Vec } from '../../math/types.js'
import { memoryLayout, memoryViews } from '../memory-layout.js'
import { ADAMS_ORDER, adamsCoefficients, BDF_ORDER, bdfCoefficients } from './coefficients.js'
import {
  AT,
  CORRECTOR_SCALARS,
  type CorrectorWork,
  functionalCorrector,
  G,
  L0,
  LIMIT,
  newtonCorrector,
  RETRY,
  H as STEP_NOW,
  singleCorrector,
} from './corrector.js'
import { krylovSolver } from './krylov.js'
import { correct, createMove, evaluate, predict, rescale, retract } from './nordsieck.js'
import { takeRoot } from './nth-root.js'
import { createStatistics, type Integrator, type IntegratorOptions, type OdeProblem, STEP, TIME } from './problem.js'
import { errorWeights, firstStep, largestEntry, weightedDistance, weightedNorm } from './weighted-norm.js'

// scalars of the memory
const T = TIME
const H = STEP // the history is scaled to it
const Q = 2
const COUNTDOWN = 3 // steps until a change of order or step is considered
const GROWTH = 4 // largest factor of the next change
const LAST = 5 // size of the last step
const CAP = 6 // steps are kept below this for a while after a failure
const SCALARS = 7

// numbers handed from function to function: V8 boxes those that cross a call
const ERROR = 0 // of the step, in units of what is allowed
const HERE = 1 // factors of the step that this order and its neighbours suggest
const UP = 2
const DOWN = 3
const RATIO = 4
const WHEN = 5
const PASSED = 6

const MOST_FAILURES = 10
const FIRST_GROWTH = 1e4
const USUAL_GROWTH = 10
const GROWTH_AFTER_FAILURE = 2
/**
 * A step of Adams' method that failed is not tried again at once: steps stay below this part of it, and are let go by this factor a
 * step. Without it a run at the bound of stability fails every third step; it is the one departure from Hindmarsh's control.
 */
const BELOW_FAILED = 0.85
const RELEASE = 1.1
/** changes that gain less are not worth the disturbance */
const WORTH = 1.1

export interface MultistepOptions extends IntegratorOptions {
  /** Step and order stay as given to `startWith`: for convergence tests. */
  readonly fixed?: boolean
}

export interface Multistep extends Integrator {
  /** Begins at t with this history of order q for steps of h. */
  startWith(t: number, h: number, q: number, z: Vec): void
}

export function createMultistep(problem: OdeProblem, family: 'adams' | 'bdf', options: MultistepOptions): Multistep {
  const { n, chart } = problem
  const { rtol, atol, hmax = Number.POSITIVE_INFINITY, hmin = 0, fixed = false } = options
  const adams = family === 'adams'
  const highest = adams ? ADAMS_ORDER : BDF_ORDER
  const maxOrder = Math.min(highest, options.maxOrder ?? highest)
  const table = adams ? adamsCoefficients() : bdfCoefficients()

  const nbase = chart?.size ?? 0
  const rows = maxOrder + 2
  const layout = memoryLayout({ scalars: SCALARS, base: nbase, corrector: CORRECTOR_SCALARS, z: rows * n, eBefore: n })
  const memory = new Float64Array(layout.length)
  const { base, corrector: correctorMemory, z, eBefore } = memoryViews(layout, memory)
  chart?.bind(base)
  const moveHistory = chart && chart.components.length > 0 ? createMove(chart, n, maxOrder, adams) : undefined

  const w = new Float64Array(n)
  const e = new Float64Array(n)
  const y = new Float64Array(n)
  const f = new Float64Array(n)
  const at = new Float64Array(AT)
  const given = new Float64Array(PASSED)
  const statistics = createStatistics()
  const work: CorrectorWork = { problem, z, w, e, y, f, statistics, memory: correctorMemory, at }
  const explicit = options.corrector === 'plain' ? functionalCorrector : singleCorrector
  const corrector = adams ? explicit(work) : newtonCorrector(work, krylovSolver(work))

  /** The order as an integer: a double, as the memory holds it, would be boxed in each call it is handed to. */
  const order = (): number => memory[Q] | 0

  /** The history for a step given[RATIO] times as long, within the bounds. */
  const changeStep = (): void => {
    const ratio = Math.min(given[RATIO], memory[GROWTH])
    given[RATIO] = ratio / Math.max(1, (memory[H] * ratio) / Math.min(hmax, memory[CAP]))
    rescale(z, n, order(), given, RATIO)
    memory[H] *= given[RATIO]
    memory[COUNTDOWN] = memory[Q] + 1
  }

  /** After three failures in a row the history is not to be trusted: first order again, from the rate here. */
  const restartFirstOrder = (): void => {
    memory[H] *= 0.1
    memory[Q] = 1
    memory[COUNTDOWN] = 5
    for (let i = 0; i < n; i++) y[i] = z[i]
    problem.clock[0] = memory[T]
    problem.rate(f, y)
    for (let i = 0; i < n; i++) z[n + i] = memory[H] * f[i]
  }

  /** Step and order by the estimated errors of this order and its neighbours. */
  const considerChange = (failed: boolean): void => {
    const q = order()
    given[HERE] = given[ERROR]
    takeRoot(given, HERE, q + 1)
    given[RATIO] = 1 / (1.2 * given[HERE] + 1.2e-6)
    given[UP] = 0
    if (!failed && q < maxOrder) {
      weightedDistance(given, UP, e, eBefore, w)
      given[UP] /= table[q].up
      takeRoot(given, UP, q + 2)
      given[UP] = 1 / (1.4 * given[UP] + 1.4e-6)
    }
    given[DOWN] = 0
    if (q > 1) {
      weightedNorm(given, DOWN, z, q * n, w)
      given[DOWN] /= table[q].down
      takeRoot(given, DOWN, q)
      given[DOWN] = 1 / (1.3 * given[DOWN] + 1.3e-6)
    }
    let next = q
    if (given[UP] > given[RATIO] && given[UP] > given[DOWN]) {
      given[RATIO] = given[UP]
      next = q + 1
    } else if (given[DOWN] > given[RATIO]) {
      given[RATIO] = failed ? Math.min(1, given[DOWN]) : given[DOWN]
      next = q - 1
    }
    if (!failed && given[RATIO] < WORTH) {
      memory[COUNTDOWN] = 3
      return
    }
    if (next > q) for (let i = 0; i < n; i++) z[next * n + i] = (e[i] * table[q].l[q]) / next
    memory[Q] = next
    changeStep()
  }

  const accept = (): void => {
    const q = order()
    correct(z, n, q, table[q].l, e)
    memory[T] += memory[H]
    memory[LAST] = memory[H]
    memory[CAP] *= RELEASE
    statistics.steps++
    if (fixed) return
    memory[COUNTDOWN]--
    if (memory[COUNTDOWN] === 0) considerChange(false)
    else if (memory[COUNTDOWN] === 1 && q < maxOrder) eBefore.set(e)
    memory[GROWTH] = USUAL_GROWTH
  }

  const begin = (t: number): void => {
    memory[T] = t
    memory[LAST] = 0
    memory[GROWTH] = FIRST_GROWTH
    memory[CAP] = Number.POSITIVE_INFINITY
    eBefore.fill(0)
    corrector.reset()
  }

  return {
    problem,
    memory,
    statistics,
    time: () => memory[T],
    lastTime: () => memory[T] - memory[LAST],
    stepSize: () => memory[H],
    order,

    start(t, y0) {
      begin(t)
      memory[Q] = 1
      memory[COUNTDOWN] = 2
      y.set(y0)
      errorWeights(problem, w, y, e, rtol, atol)
      problem.clock[0] = t
      problem.rate(f, y)
      weightedNorm(given, ERROR, f, 0, w)
      memory[H] = Math.min(hmax, firstStep(rtol, given[ERROR]))
      z.fill(0)
      for (let i = 0; i < n; i++) {
        z[i] = y[i]
        z[n + i] = memory[H] * f[i]
      }
    },

    startWith(t, h, q, history) {
      begin(t)
      memory[Q] = q
      memory[COUNTDOWN] = q + 1
      memory[H] = h
      z.fill(0)
      z.set(history)
    },

    advance() {
      if (moveHistory && chart?.leaving(z)) {
        moveHistory(z, order(), memory, H)
        statistics.moves++
      }
      errorWeights(problem, w, z, y, rtol, atol)
      weightedNorm(given, ERROR, z, 0, w)
      if (!(given[ERROR] < Number.POSITIVE_INFINITY)) return 'not-finite'
      let failures = 0
      let unconverged = 0
      for (;;) {
        const h = memory[H]
        const q = order()
        const t = memory[T] + h
        if (t === memory[T] || h < hmin) return 'step-too-small'
        const { l, error } = table[q]
        predict(z, n, q)
        at[STEP_NOW] = h
        at[L0] = l[0]
        at[G] = l[0] * h
        at[LIMIT] = (error * 0.5) / (q + 2)
        problem.clock[0] = t
        const converged = corrector.correct(q)
        weightedNorm(given, ERROR, e, 0, w)
        given[ERROR] /= error
        if (converged && (given[ERROR] <= 1 || fixed)) {
          accept()
          return 'ok'
        }
        retract(z, n, q)
        memory[GROWTH] = GROWTH_AFTER_FAILURE
        if (adams) memory[CAP] = BELOW_FAILED * h
        statistics.rejected++
        if (!converged) {
          statistics.unconverged++
          if (++unconverged > MOST_FAILURES) return 'step-too-small'
          given[RATIO] = at[RETRY]
          changeStep()
        } else if (++failures >= MOST_FAILURES) {
          return 'step-too-small'
        } else if (failures >= 3) {
          restartFirstOrder()
        } else {
          considerChange(true)
        }
      }
    },

    worst: () => largestEntry(e, w),

    dense(out, t) {
      given[WHEN] = (t - memory[T]) / memory[H]
      evaluate(out, z, n, order(), given, WHEN)
    },

    denseAt(out, when) {
      given[WHEN] = (when[0] - memory[T]) / memory[H]
      evaluate(out, z, n, order(), given, WHEN)
    },
  }
}
