/**
 * Steps of scheme second-order in which a limit or a contact pushes: those of backward Euler, of the first order.
 *
 * The stages of the second order cannot make them: a push in the middle of a step is no smooth force, and a linearised step keeps velocity
 * products explicit, so that a ball that rolls by θ a step gains the share θ²/2 of its speed. Backward Euler has its memory in State.s behind
 * that of the stages. It begins with the velocity of the state and goes on as long as such steps follow each other.
 */
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { createState, type State, shareInputs, stateOf } from '../../../model/state.js'
import type { StepReport } from '../../solver.js'
import type { BackwardEulerStepper } from '../backward-euler/backward-euler.js'
import type { HeldPlaces } from '../constraints/step-constraints.js'

export interface Impact {
  readonly model: Model
  readonly stepper: BackwardEulerStepper
  /** the state as backward Euler sees it: the same arrays, of the memory its own part; and the memory that it is a part of */
  inner: State
  memory: Vec
}

export function createImpact(model: Model, stepper: BackwardEulerStepper): Impact {
  const inner = createState(model)
  return { model, stepper, inner, memory: inner.s }
}

/**
 * A step of span[0] from the state. `isBegun`: the memory of backward Euler, at[backwardEuler], is that of the step before, and the state is as it was
 * where the step fails; else it begins with what the state holds, and writes that memory in any case.
 */
export function impactStep(
  impact: Impact,
  state: State,
  span: Vec,
  at: HeldPlaces & { readonly backwardEuler: number },
  isBegun: boolean,
): Readonly<StepReport> {
  const { stepper } = impact
  // as long as it is the same state
  if (impact.memory !== state.s || impact.inner.q !== state.q) lookInto(impact, state, at.backwardEuler)
  const { inner } = impact
  inner.t = state.t
  shareInputs(inner, state)
  if (!isBegun) {
    const { s } = inner
    const { at: own, size } = stepper.memory
    s.fill(0)
    for (let k = 0; k < size.held; k++) s[own.held + k] = state.s[at.held + k]
    for (let k = 0; k < size.tautPose; k++) s[own.tautPose + k] = state.s[at.tautPose + k]
    stepper.adopt(inner)
  }
  const report = stepper.advance(inner, span)
  if (report.status === 'ok') state.t = inner.t
  return report
}

function lookInto(impact: Impact, state: State, o: number): void {
  const { model, stepper } = impact
  impact.memory = state.s
  impact.inner = stateOf(model, state.q, state.v, state.tau)
  impact.inner.s = state.s.subarray(o, o + stepper.ns)
}
