/**
 * The constants of the cost model, on the machine at hand. The engine reads no clock: one is given to it.
 */
import type { Model } from '../model/model.js'
import { createState } from '../model/state.js'
import { createAdams } from '../solvers/ode/adams.js'
import { createModelProblem } from '../solvers/ode/model-problem.js'
import type { Costs } from './cost.js'

/** seconds of the four exchanges over one edge between threads that share memory, where nobody measures them */
export const THREAD_ROITM = 2e-6

export interface Measures {
  /** seconds from any moment on */
  readonly clock: () => number
  /** measures ROITM: seconds that the four exchanges of one evaluation over one edge take on the transport that is to be used */
  readonly roundTrip?: () => number
  /** what is known already, and is not measured */
  readonly given?: Partial<Costs>
}

// long against the grain of a clock, short against a time slice
const SAMPLE = 1e-3
const SAMPLES = 9
// until the compilers are done
const WARM_UP = 0.05
// most steps are then accepted
const TOLERANCES = { rtol: 1e-4, atol: 1e-4 }

/** CMPTM: an evaluation of this model in Gear's method, from its initial state on, the median of a few samples, by body; ROITM: what `roundTrip` finds, else `THREAD_ROITM`. */
export function measureCosts(model: Model, { clock, roundTrip, given = {} }: Measures): Costs {
  const { cmptm = evaluationTime(model, clock) / Math.max(1, model.nbody - 1), roitm = roundTrip ? roundTrip() : THREAD_ROITM } = given
  return { ...given, cmptm, roitm }
}

/** Seconds of one evaluation in Gear's method, with all that is done for it. */
function evaluationTime(model: Model, clock: () => number): number {
  const problem = createModelProblem(model)
  const integrator = createAdams(problem, TOLERANCES)
  const y = new Float64Array(problem.n)
  problem.read(y, createState(model))
  integrator.start(0, y)
  const evaluate = (): void => {
    if (integrator.advance() !== 'ok') integrator.start(0, y)
  }
  const begin = clock()
  let calls = 0
  do {
    evaluate()
    calls++
  } while (clock() - begin < WARM_UP)
  const repeats = Math.max(1, Math.round((calls * SAMPLE) / WARM_UP))
  const times = Array.from({ length: SAMPLES }, () => {
    const start = clock()
    for (let k = 0; k < repeats; k++) evaluate()
    return (clock() - start) / repeats
  })
  return times.sort((a, b) => a - b)[SAMPLES >> 1]
}
