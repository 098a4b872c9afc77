/**
 * A state to start from for those who hold constraints but no limits: pose and velocities are moved onto the constraints as little as can be (`assemble`).
 */
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { assemble } from './assemble.js'
import { movedNote, redundancyNote } from './notes.js'

export interface Closing {
  /** empty, or why there is no such pose */
  readonly refusal: string
  /** what users should know, in sentences */
  readonly notes: readonly string[]
}

/** Moves state.q and state.v. Where refused the state is as it was. */
export function closeState(m: Model, state: State): Closing {
  const q = state.q.slice()
  const v = state.v.slice()
  let found = assemble(m, q, { v, t: state.t })
  if (found.status === 'refused') {
    const { message } = found
    q.set(state.q)
    // what the digits of a file leave open may stay so
    found = assemble(m, q, { v, t: state.t, rounded: true })
    if (found.status === 'refused') return { refusal: message, notes: [] }
  }
  state.q.set(q)
  state.v.set(v)
  return { refusal: '', notes: [...movedNote(found.before), ...redundancyNote(found.redundant)] }
}
