/**
 * Steps of scheme second-order in which a limit or a contact pushes: those of the robust scheme, of the first order.
 *
 * The stages of the second order cannot make them: a push in the middle of a step is no smooth force, and a linearised step keeps velocity
 * products explicit, so that a ball that rolls by θ a step gains the share θ²/2 of its speed. Memory in State.s is that of the robust scheme. It
 * begins with the velocity of the state and goes on as long as such steps follow each other.
 */
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { createState, type State } from '../../../model/state.js'
import type { Stepper, StepReport } from '../../solver.js'

/** The robust stepper, as one that others take part of their way with. */
export interface NewtonStepper extends Stepper {
  enter(state: State): void
  /** Prepares state.s for the pose and velocity of the state as they are, which close the loops. */
  adopt(state: State): void
  /** A step of span[0]: numbers that are handed over are boxed. */
  advance(state: State, span: Vec): Readonly<StepReport>
  /** whether a limit or a contact pushed in the last step */
  readonly pushes: boolean
}

export interface Struck {
  /** length of its part of State.s, from o on */
  readonly ns: number
  readonly pushes: boolean
  readonly stepper: NewtonStepper
  init(state: State): void
  enter(state: State): void
  /** A step of span[0] from the state; `begun`: its part of State.s is that of the step before. The state is as it was where it fails. */
  advance(state: State, span: Vec, begun: boolean): Readonly<StepReport>
}

export function createStruck(model: Model, stepper: NewtonStepper, o: number): Struck {
  const { ns } = stepper
  // the robust scheme has a State.s to itself
  const inner = createState(model)
  inner.s = new Float64Array(ns)

  const copyIn = (state: State): void => {
    inner.t = state.t
    inner.q.set(state.q)
    inner.v.set(state.v)
    inner.tau.set(state.tau)
    inner.control = state.control
  }

  return {
    ns,
    stepper,
    get pushes() {
      return stepper.pushes
    },
    init(state) {
      copyIn(state)
      stepper.init(inner)
    },
    enter(state) {
      copyIn(state)
      stepper.enter(inner)
    },
    advance(state, span, begun) {
      copyIn(state)
      if (begun) for (let k = 0; k < ns; k++) inner.s[k] = state.s[o + k]
      else {
        // what it held before is no part of the state
        inner.s.fill(0)
        stepper.adopt(inner)
      }
      const report = stepper.advance(inner, span)
      if (report.status !== 'ok') return report
      state.t = inner.t
      state.q.set(inner.q)
      state.v.set(inner.v)
      for (let k = 0; k < ns; k++) state.s[o + k] = inner.s[k]
      return report
    },
  }
}
