/**
 * Steps of scheme second-order in which a limit or a contact pushes: those of backward Euler, of the first order.
 *
 * The stages of the second order cannot make them: a push in the middle of a step is no smooth force, and a linearised step keeps velocity
 * products explicit, so that a ball that rolls by θ a step gains the share θ²/2 of its speed. Backward Euler has its memory in State.s behind
 * that of the stages. It begins with the velocity of the state and goes on as long as such steps follow each other.
 */
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { createState, type State, shareInputs } from '../../../model/state.js'
import type { StepReport } from '../../solver.js'
import type { BackwardEulerStepper } from '../backward-euler/backward-euler.js'
import type { HeldPlaces } from '../constraints/step-constraints.js'

export interface Impact {
  readonly stepper: BackwardEulerStepper
  /** a state whose memory is that of backward Euler alone */
  readonly inner: State
  /** that memory in the copy of the state that is made where a part begins */
  begun: Vec
}

export function createImpact(model: Model, stepper: BackwardEulerStepper): Impact {
  const inner = createState(model)
  inner.s = new Float64Array(stepper.ns)
  return { stepper, inner, begun: inner.s }
}

export function initImpact({ stepper, inner }: Impact, state: State): void {
  copyIn(inner, state)
  stepper.init(inner)
}

/**
 * A step of span[0] from the state, which has a copy. `isBegun`: the memory of backward Euler, at[backwardEuler], is that of the step before; else it
 * begins with what the state holds. The state is as it was where it fails.
 */
export function impactStep(
  { stepper, inner, begun }: Impact,
  state: State,
  span: Vec,
  at: HeldPlaces & { readonly backwardEuler: number },
  isBegun: boolean,
): Readonly<StepReport> {
  const { s } = inner
  copyIn(inner, state)
  if (isBegun) s.set(begun)
  else {
    const { at: own, size } = stepper.memory
    s.fill(0)
    for (let k = 0; k < size.held; k++) s[own.held + k] = state.s[at.held + k]
    for (let k = 0; k < size.tautPose; k++) s[own.tautPose + k] = state.s[at.tautPose + k]
    stepper.adopt(inner)
  }
  const report = stepper.advance(inner, span)
  if (report.status !== 'ok') return report
  state.t = inner.t
  state.q.set(inner.q)
  state.v.set(inner.v)
  state.s.set(s, at.backwardEuler)
  return report
}

function copyIn(inner: State, state: State): void {
  inner.t = state.t
  inner.q.set(state.q)
  inner.v.set(state.v)
  inner.tau.set(state.tau)
  shareInputs(inner, state)
}
