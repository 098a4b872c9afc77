/**
 * Gear's method as an integrator whose evaluations are done by several processors. This is processor 0: control phase, clock and dense output.
 */
import { type AdamsPasses, driveAdams } from '../solvers/ode/adams.js'
import { ADAMS_ORDER, adamsCoefficients } from '../solvers/ode/coefficients.js'
import type { ModelProblem } from '../solvers/ode/model-problem.js'
import type { MultistepOptions } from '../solvers/ode/multistep.js'
import { createStatistics, type Integrator, STEP, TIME } from '../solvers/ode/problem.js'
import { createStepControl, LAST, Q, TRANSITION } from '../solvers/ode/step-control.js'
import { largestEntry } from '../solvers/ode/weighted-norm.js'
import {
  type AdamsProcessor,
  AGAIN,
  CHANGE,
  DENSE,
  EVALUATE,
  FRESH,
  LOAD,
  ORDER,
  READ,
  SAVE,
  SETTLE,
  START,
  STEP as STEP_NOW,
  WHEN,
} from './passes/adams.js'
import { WHAT } from './passes/orders.js'

export interface DistributedIntegrator extends Integrator {
  readonly problem: ModelProblem
  collect(): void
  spread(): void
}

/** `processor` is that of number 0; `complete` carries out its order, and those of the others where they run in the same thread. */
export function createDistributedAdams(processor: AdamsProcessor, complete: () => void, options: MultistepOptions): DistributedIntegrator {
  const { problem, history, memory, order } = processor
  const { n, clock } = problem
  const maxOrder = Math.min(ADAMS_ORDER, options.maxOrder ?? ADAMS_ORDER)
  const statistics = createStatistics()
  const control = createStepControl(memory, adamsCoefficients(), {
    maxOrder,
    hmax: options.hmax ?? Number.POSITIVE_INFINITY,
    cautious: true,
    fixed: false,
  })
  // a transition that was decided goes out with the next order
  let pending = false

  const give = (what: number, fresh: boolean): void => {
    order[WHAT] = what
    order[SETTLE] = pending ? 1 : 0
    order[FRESH] = fresh ? 1 : 0
    order[STEP_NOW] = memory[STEP]
    order[ORDER] = memory[Q]
    for (let k = 0; k < TRANSITION; k++) order[CHANGE + k] = control.transition[k]
    pending = false
    complete()
  }
  const evaluate = (what: number, fresh: boolean): void => {
    order[WHEN] = clock[0]
    give(what, fresh)
    if (fresh) statistics.moves += processor.moves()
  }
  const passes: AdamsPasses = {
    sums: history.sums,
    when: clock,
    settle() {
      pending = true
    },
    start: (fresh) => evaluate(START, fresh),
    attempt: (fresh) => evaluate(EVALUATE, fresh),
    again: () => evaluate(AGAIN, false),
  }
  const driver = driveAdams(control, passes, memory, processor.corrector, n, options, statistics)

  const look = (out: Float64Array): void => {
    order[WHEN] = (order[WHEN] - memory[TIME]) / memory[STEP]
    give(DENSE, false)
    out.set(history.y)
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
      pending = false
      give(READ, false)
      driver.start(t)
    },
    advance: driver.advance,
    worst: () =>
      largestEntry(
        history.e,
        history.iw.map((x) => 1 / x),
      ),
    dense(out, t) {
      order[WHEN] = t
      look(out)
    },
    denseAt(out, when) {
      order[WHEN] = when[0]
      look(out)
    },
    collect: () => give(SAVE, false),
    spread() {
      pending = false
      give(LOAD, false)
    },
  }
}
