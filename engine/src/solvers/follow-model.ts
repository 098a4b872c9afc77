/**
 * A change of parameters: the same solver goes on with another model of the same shape. Its stepper is created anew, because steppers keep what they
 * derive from a model; for users there is one report, and its totals go on.
 */
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'
import { type Running, type SolverSetup, startSolver, type Totals } from './setup.js'
import type { StepReport } from './solver.js'

/** The stepper of `model` in place of `before`; `state` is given where a run is under way. Throws, and nothing has changed, where the solver refuses. */
export function followModel(
  setup: SolverSetup,
  before: Running,
  model: Model,
  forces: readonly Force[],
  state: State | undefined,
): Running {
  const { solver } = setup
  const refusal = solver.refuses(model)
  if (refusal !== null) throw new RangeError(`solver ${solver.name} cannot go on with other parameters of '${model.name}': ${refusal}`)
  const { stepper, report } = startSolver(setup, model, forces)
  if (state) {
    before.stepper.save?.(state)
    const memory = state.s
    stepper.init(state)
    // what a solver keeps where a state is written, it keeps here
    if (stepper.enter && memory.length === state.s.length) {
      state.s.set(memory)
      stepper.enter(state)
    }
  }
  if (stepper.detail && before.stepper.detail) stepper.detail.importance.set(before.stepper.detail.importance)
  const { totals, shown } = before
  for (const key of keysOf(totals)) totals[key] += before.report[key] ?? 0
  before.stepper.close?.()
  showReport(shown, report, totals)
  return { stepper, report, shown, totals }
}

/** Totals begin anew, as after a reset. */
export function forgetTotals(totals: Totals): void {
  for (const key of keysOf(totals)) totals[key] = 0
}

const keysOf = (totals: Totals): (keyof Totals)[] => Object.keys(totals) as (keyof Totals)[]

/** From now on every entry of `shown` is that of `report`, with the totals of what went before. */
function showReport(shown: StepReport, report: Readonly<StepReport>, totals: Totals): void {
  const show = (key: string, get: () => unknown): void => {
    Object.defineProperty(shown, key, { get, enumerable: true, configurable: true })
  }
  for (const key of Object.keys(report)) show(key, () => Reflect.get(report, key))
  for (const key of keysOf(totals)) {
    // those that are absent mean that there is nothing of the kind
    show(key, () => (totals[key] === 0 ? report[key] : totals[key] + (report[key] ?? 0)))
  }
}
