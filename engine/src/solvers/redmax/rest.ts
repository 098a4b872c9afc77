/**
 * Steps of what rests. A step that ends at the very numbers at which it began will do so again as long as nothing is changed from outside: such steps
 * are not made, and only time goes on. Nothing is rounded away for that; a run has the same bits as if every step were made.
 */
import type { Vec } from '../../math/types.js'
import { CONSTRAINT_MOTION } from '../../model/constraints.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import { copyState, createState, type State } from '../../model/state.js'
import type { Stepper, StepReport } from '../solver.js'

/** Leaves out steps of what rests; the stepper as it is where forces or motions may depend on time. */
export function restBetween(model: Model, stepper: Stepper, forces: readonly Force[]): Stepper {
  if (forces.length > 0 || dependsOnTime(model)) return stepper
  const { step } = stepper
  const report = stepper.report as StepReport
  const at = createState(model)
  const span = new Float64Array(1)
  let rests = false

  stepper.step = (state, h) => {
    if (!isStill(state.v)) {
      rests = false
      return step(state, h)
    }
    if (rests && span[0] === h && isSame(at, state)) {
      state.t += h
      report.steps++
      return report
    }
    copyState(at, state)
    span[0] = h
    const result = step(state, h)
    rests = result.status === 'ok' && isSame(at, state)
    return result
  }
  return stepper
}

/** Prescribed motions, activations of actuators, forces on bodies that change with time. */
const dependsOnTime = (m: Model): boolean => m.na > 0 || hasTimedForces(m) || m.constraints.kind.some((kind) => kind >= CONSTRAINT_MOTION)

/** Loads that travel, gusts of wind. */
export const hasTimedForces = ({ loads, medium }: Model): boolean => loads.moving.count > 0 || medium.gusts.count > 0

function isStill(v: Vec): boolean {
  for (let k = 0; k < v.length; k++) if (v[k] !== 0) return false
  return true
}

/** Whether all but the time is the same, what comes from outside included. */
function isSame(a: State, b: State): boolean {
  return (
    isEqual(a.q, b.q) &&
    isEqual(a.v, b.v) &&
    isEqual(a.s, b.s) &&
    isEqual(a.tau, b.tau) &&
    isEqual(a.control, b.control) &&
    isEqual(a.act, b.act)
  )
}

function isEqual(a: Vec, b: Vec): boolean {
  if (a.length !== b.length) return false
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false
  return true
}
