/**
 * A stepper of this family whose start lies on the constraints that its equations hold.
 */
import { closeState } from '../../constraints/assembly/close-state.js'
import { areLoopsHeld } from '../../constraints/loops/loops.js'
import type { Model } from '../../model/model.js'
import { copyState, createState, type State } from '../../model/state.js'
import type { Stepper } from '../solver.js'

/** A start, and a state that was written between steps, is moved onto the constraints, or refused by the next step with the reason. */
export function holdLoops<S extends Stepper>(model: Model, stepper: S): S {
  if (!areLoopsHeld(model) || !model.constraints.active.includes(1)) return stepper
  const { report } = stepper
  const refused = createState(model)
  let reason = ''
  let notes: readonly string[] = []

  const close = (state: State): void => {
    const found = closeState(model, state)
    notes = found.notes
    reason = found.refusal
    if (reason !== '') copyState(refused, state)
  }
  const isRefused = ({ t, q }: State): boolean => {
    if (reason === '' || refused.t !== t) return false
    for (let k = 0; k < q.length; k++) if (refused.q[k] !== q[k]) return false
    return true
  }
  const refuse = (): S['report'] => Object.assign(report, { status: 'not-converged', message: reason } as const)

  return {
    ...stepper,
    init(state) {
      close(state)
      stepper.init(state)
    },
    enter(state) {
      close(state)
      stepper.enter?.(state)
    },
    step: (state, h) => (isRefused(state) ? refuse() : stepper.step(state, h)),
    warnings: (state) => [...(stepper.warnings?.(state) ?? []), ...notes],
  }
}
