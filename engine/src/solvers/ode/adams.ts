/**
 * Gear's method for problems that are not stiff: Adams–Moulton of order 1 to 12 in Nordsieck form, step size and order chosen as Hindmarsh does
 * [Gear; Odepack].
 *
 * A step is a sequence of evaluations. Around each of them every entry of y is prepared and followed up by itself (`adams-history`), and the sums
 * of squares that come out decide how to go on (`step-control`). The evaluation is one call, or the passes of several processors.
 */
import type { Vec } from '../../math/types.js'
import { memoryLayout, memoryViews } from '../memory-layout.js'
import {
  type AdamsHistory,
  CORRECTION,
  createAdamsHistory,
  E,
  E_CHANGE,
  ORDER_NOW,
  ROW_AFTER,
  ROW_BEFORE,
  STEP_NOW,
  SUMS,
} from './adams-history.js'
import { ADAMS_ORDER, adamsCoefficients } from './coefficients.js'
import type { Multistep, MultistepOptions } from './multistep.js'
import { type AdvanceStatus, createStatistics, type IntegratorStatistics, type OdeProblem, STEP, TIME } from './problem.js'
import { CHANGE, COUNTDOWN, createStepControl, ERROR, HIGHEST, LAST, MOST_FAILURES, Q, SCALARS, type StepControl } from './step-control.js'
import { firstStep, largestEntry } from './weighted-norm.js'

/** What happens around one evaluation, on all entries or on those of every processor. */
export interface AdamsPasses {
  /** Sums of the evaluation, after it. */
  readonly sums: Vec
  /** when[0] is the time of the next evaluation: a number handed over in place is not boxed */
  readonly when: Vec
  /** Applies the control's transition. */
  settle(): void
  /** Evaluates at the begin: z₁ ← f, sums[E] of it; weights where `fresh`. */
  start(fresh: boolean): void
  /** A new step, or the same with another size: weights where `fresh`, prediction, evaluation, correction. */
  attempt(fresh: boolean): void
  /** Another correction of the same step. */
  again(): void
}

/** Memory of the method: scalars, centres of charts, history. */
export function adamsMemory(n: number, charts: number, maxOrder: number) {
  return memoryLayout({ scalars: SCALARS, base: charts, corrector: 1, z: (maxOrder + 2) * n, eBefore: n })
}

/** number in the corrector's memory: rate of convergence seen last */
const RATE = 0
const FIRST_RATE = 0.7
const MAX_ITERATIONS = 3
const SHORTEST_RETRY = 0.25
const LONGEST_RETRY = 0.7

export function createAdams(problem: OdeProblem, options: MultistepOptions): Multistep {
  const { n, chart } = problem
  const { rtol, atol, fixed = false } = options
  const plain = options.corrector === 'plain'
  const maxOrder = Math.min(ADAMS_ORDER, options.maxOrder ?? ADAMS_ORDER)
  const table = adamsCoefficients()
  const layout = adamsMemory(n, chart?.size ?? 0, maxOrder)
  const memory = new Float64Array(layout.length)
  const { base, z, eBefore } = memoryViews(layout, memory)
  chart?.bind(base)
  const history = createAdamsHistory(problem, table, { z, eBefore }, { rtol, atol, plain })
  const statistics = createStatistics()
  const control = createStepControl(memory, table, { maxOrder, hmax: options.hmax ?? Number.POSITIVE_INFINITY, cautious: true, fixed })
  const passes = onePass(problem, history, control, memory, statistics)
  const driver = driveAdams(control, passes, memory, layout.at.corrector, n, options, statistics)
  const at = new Float64Array(1)

  const dense = (out: Vec): void => {
    at[0] = (at[0] - memory[TIME]) / memory[STEP]
    history.now[ORDER_NOW] = memory[Q]
    history.evaluate(out, at, 0, 1, history.groups.count)
  }

  return {
    problem,
    memory,
    statistics,
    time: () => memory[TIME],
    lastTime: () => memory[TIME] - memory[LAST],
    stepSize: () => memory[STEP],
    order: () => memory[Q] | 0,

    start(t, y0) {
      history.y.set(y0)
      history.begin(1, history.groups.count)
      driver.start(t)
    },

    startWith(t, h, q, given) {
      control.begin(t)
      memory[layout.at.corrector + RATE] = FIRST_RATE
      memory[Q] = q
      memory[COUNTDOWN] = q + 1
      memory[STEP] = h
      z.fill(0)
      eBefore.fill(0)
      z.set(given)
    },

    advance: driver.advance,
    worst: () =>
      largestEntry(
        history.e,
        history.iw.map((x) => 1 / x),
      ),
    dense(out, t) {
      at[0] = t
      dense(out)
    },
    denseAt(out, when) {
      at[0] = when[0]
      dense(out)
    },
  }
}

/** All entries in one go. */
function onePass(
  problem: OdeProblem,
  history: AdamsHistory,
  control: StepControl,
  memory: Vec,
  statistics: IntegratorStatistics,
): AdamsPasses {
  const { groups, sums, now, y, f } = history
  const { count, parent } = groups
  const roots = Int32Array.from(parent.keys()).filter((i) => i > 0 && parent[i] === 0)

  const join = (): void => {
    sums.fill(0, 0, SUMS)
    for (let r = roots.length - 1; r >= 0; r--) history.joinSums(roots[r])
  }
  const correct = (): void => {
    problem.rate(f, y)
    history.followUp(1, count)
    join()
  }
  const begin = (): void => {
    now[ORDER_NOW] = memory[Q]
    now[STEP_NOW] = memory[STEP]
  }

  return {
    sums,
    when: problem.clock,
    settle: () => history.settle(control.transition, 1, count),
    start(fresh) {
      begin()
      if (fresh) history.weigh(1, count)
      history.reset(1, count)
      problem.rate(f, y)
      history.followStart(1, count)
      join()
    },
    attempt(fresh) {
      begin()
      if (fresh) statistics.moves += history.weigh(1, count)
      history.predict(1, count)
      correct()
    },
    again() {
      history.moveOn(1, count)
      correct()
    },
  }
}

/** The control phase: which evaluation follows which. Knows sums only, so that it is the same for any number of processors. */
export function driveAdams(
  control: StepControl,
  passes: AdamsPasses,
  memory: Vec,
  corrector: number,
  n: number,
  { rtol, hmax = Number.POSITIVE_INFINITY, hmin = 0, fixed = false, corrector: kind }: MultistepOptions,
  statistics: IntegratorStatistics,
): { start(t: number): void; advance(): AdvanceStatus } {
  const table = adamsCoefficients()
  const { sums, when } = passes
  const { norms } = control
  const plain = kind === 'plain'
  /** the norms that belong to the sums; in an array, since numbers that cross a call are boxed */
  const size = new Float64Array(SUMS)
  const measure = (): void => {
    for (let k = 0; k < SUMS; k++) size[k] = Math.sqrt(sums[k] / n)
  }
  let retry = SHORTEST_RETRY

  /** Whether the corrections of this attempt settled; sets `retry` where they did not. */
  const converges = (): boolean => {
    retry = SHORTEST_RETRY
    measure()
    if (!plain) return size[E] < Number.POSITIVE_INFINITY
    const limit = (table[memory[Q] | 0].error * 0.5) / (memory[Q] + 2)
    let before = 0
    let contraction = 1
    for (let m = 0; ; m++) {
      const d = size[CORRECTION]
      if (m > 0) memory[corrector + RATE] = Math.max(0.2 * memory[corrector + RATE], d / before)
      if (d * Math.min(1, 1.5 * memory[corrector + RATE]) <= limit) return true
      if (m > 0) contraction = d / before
      if (!(d < Number.POSITIVE_INFINITY) || (m > 0 && d > 2 * before) || m === MAX_ITERATIONS - 1) break
      before = d
      passes.again()
      measure()
    }
    // the iteration contracts in proportion to the step: go where it contracts by half
    retry = Math.min(LONGEST_RETRY, Math.max(SHORTEST_RETRY, 0.5 / contraction))
    return false
  }

  /** First order from the rate where the history ends. */
  const restart = (): void => {
    control.restart()
    passes.settle()
    when[0] = memory[TIME]
    passes.start(false)
    control.scale()
    passes.settle()
  }

  return {
    start(t) {
      control.begin(t)
      memory[corrector + RATE] = FIRST_RATE
      memory[Q] = 1
      memory[COUNTDOWN] = 2
      when[0] = t
      passes.start(true)
      measure()
      memory[STEP] = Math.min(hmax, firstStep(rtol, size[E]))
      control.scale()
      passes.settle()
    },

    advance() {
      let failures = 0
      let unconverged = 0
      for (let fresh = true; ; fresh = false) {
        const h = memory[STEP]
        const t = memory[TIME] + h
        if (Number.isNaN(h)) return 'not-finite'
        if (t === memory[TIME] || h < hmin) return 'step-too-small'
        when[0] = t
        passes.attempt(fresh)
        const converged = converges()
        const { error } = table[memory[Q] | 0]
        norms[ERROR] = size[E] / error
        if (converged && (norms[ERROR] <= 1 || fixed)) {
          norms[CHANGE] = size[E_CHANGE]
          norms[HIGHEST] = size[ROW_AFTER]
          control.accept()
          passes.settle()
          statistics.steps++
          return 'ok'
        }
        statistics.rejected++
        norms[HIGHEST] = size[ROW_BEFORE]
        if (!converged) {
          statistics.unconverged++
          control.retry(retry)
          passes.settle()
          if (++unconverged > MOST_FAILURES) return 'step-too-small'
        } else if (++failures >= MOST_FAILURES) {
          control.retry(1)
          passes.settle()
          return 'step-too-small'
        } else if (failures >= 3) {
          restart()
        } else {
          control.shorten()
          passes.settle()
        }
      }
    },
  }
}
