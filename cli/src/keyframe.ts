/**
 * `--keyframe NAME`: the stored states of a model.
 */
import type { Model, State } from 'limber'
import { refuse } from './problem.js'
import { hint } from './suggest.js'

/** The keyframe of this name or number. */
export function findKeyframe(model: Model, name: string): Model['keyframes'][number] {
  const frame = model.keyframes.find((frame) => frame.name === name) ?? model.keyframes[/^\d+$/.test(name) ? Number(name) : -1]
  if (frame) return frame
  const known = model.keyframes.map((frame, i) => frame.name || String(i))
  return refuse(
    `--keyframe ${name}`,
    known.length > 0 ? `there is no keyframe of this name${hint(name, known)}` : 'the model has no keyframes',
  )
}

/** Sets the state to a keyframe, by its name or its number. */
export function applyKeyframe(model: Model, state: State, name: string): void {
  const frame = findKeyframe(model, name)
  state.t = frame.time
  state.q.set(frame.q)
  state.v.set(frame.v)
  state.control.set(frame.control)
  state.act.set(frame.act)
}
