/**
 * Which force is not a number, for the message of a step that failed. Allocates.
 */
import { createData } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'
import { forwardKinematics } from '../tree/kinematics.js'
import { forcesOf } from './index.js'

/** The name of the first force that adds NaN or infinity at this state, now or h seconds later, where implicit steps take it; empty if none does. */
export function findBadForce(model: Model, own: readonly Force[], state: State, h: number): string {
  return badForceAt(model, own, state) || badForceAt(model, own, { ...state, t: state.t + h })
}

function badForceAt(model: Model, own: readonly Force[], state: State): string {
  const data = createData(model, { forces: own })
  forwardKinematics(model, data, state.q, state.v)
  data.f.fill(0)
  data.qf.fill(0)
  for (const force of forcesOf(model, data)) {
    force.apply(model, data, state)
    if (!data.f.every(Number.isFinite) || !data.qf.every(Number.isFinite)) return force.name
  }
  return ''
}
