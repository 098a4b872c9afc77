/**
 * Checks of what users hand to `reset` and `step`.
 */
import { hintAt } from '../build/problems.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'

/** A state to start from: what is left out is that of the model's initial state. A keyframe of the model is one. */
export interface StartFrom extends Partial<Pick<State, 't' | 'q' | 'v' | 'tau' | 'control' | 'act'>> {
  /** the same as t, as keyframes call it */
  readonly time?: number
}

/** The keyframe of this name, or the state that was given. Throws RangeError on names that the model does not have. */
export function startFrom(model: Model, given: StartFrom | string | undefined): StartFrom | undefined {
  if (given === undefined || (typeof given === 'object' && given !== null)) return given
  if (typeof given !== 'string') throw new RangeError(`reset: expected a state or the name of a keyframe, got ${String(given)}`)
  const found = model.keyframes.find(({ name }) => name === given)
  if (found) return found
  const names = model.keyframes.map(({ name }) => name).filter((name) => name !== '')
  throw new RangeError(`reset: expected the name of a keyframe, got '${given}'${hintAt(given, names)}`)
}

/** Throws RangeError on anything but a whole number of steps; a fraction was meant as seconds. */
export function checkSteps(n: unknown): void {
  if (Number.isInteger(n) && (n as number) >= 0) return
  const remedy = typeof n === 'number' && n > 0 && Number.isFinite(n) ? `; to advance by ${n} seconds, call advance(${n})` : ''
  throw new RangeError(`step: expected a whole number of steps, got ${typeof n === 'string' ? `'${n}'` : String(n)}${remedy}`)
}
