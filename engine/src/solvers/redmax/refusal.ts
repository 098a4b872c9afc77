/**
 * A start that no step can be made from: State.s holds that it was refused, and the reason is found again from the state itself, which is as it
 * was when it was refused.
 */
import { prepareStart } from '../../constraints/assembly/start.js'
import type { Model } from '../../model/model.js'
import { copyState, createState, type State } from '../../model/state.js'
import type { StepReport } from '../solver.js'

export interface Refusal {
  readonly model: Model
  readonly exact: boolean
  /** the state that the reason was found for last */
  readonly of: State
  reason: string
}

/** `exact` as of `prepareStart`. */
export function createRefusal(model: Model, exact: boolean): Refusal {
  return { model, exact, of: createState(model), reason: '' }
}

/** Reports why the state was refused as a start. Allocates where that is another state than last time. */
export function reportRefusal(r: Refusal, state: State, report: StepReport): void {
  const isSame = r.reason !== '' && r.of.t === state.t && r.of.q.every((x, k) => x === state.q[k])
  if (!isSame) {
    copyState(r.of, state)
    r.reason = prepareStart(r.model, r.of, { exact: r.exact }).refusal
  }
  report.status = 'not-converged'
  report.message = r.reason
}
