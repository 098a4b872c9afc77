/**
 * State: all that the next step depends on.
 */
import type { Vec } from '../math/types.js'
import type { Model } from './model.js'

export interface State {
  t: number
  readonly q: Vec
  readonly v: Vec
  /** the solver's own memory: history, warm start, active set */
  s: Vec
  /** joint forces from outside (nv) */
  readonly tau: Vec
  /** one number an actuator, 0 at the start; another array may be assigned, of the same length */
  control: Vec
  /** activations of actuators that follow their control with a lag (na), 0 at the start */
  act: Vec
  /** the time at which the activations hold, while a step is made from there, and its size; not a number: they hold at t */
  since: Vec
}

/** The state at the file's initial position, at rest. */
export function createState(model: Model): State {
  return stateOf(model, model.q0.slice(), new Float64Array(model.nv), new Float64Array(model.nv))
}

/**
 * A state at t = 0 with these arrays. All states are made here: the time begins as a number with a fraction part, for a record that first held an
 * integer is another kind of record to compilers, and code that was compiled for one simulation would be thrown away by the next.
 */
export function stateOf({ nu, na, timestep }: Model, q: Vec, v: Vec, tau: Vec): State {
  const state: State = {
    t: Number.NaN,
    q,
    v,
    s: new Float64Array(0),
    tau,
    control: new Float64Array(nu),
    act: new Float64Array(na),
    since: Float64Array.of(Number.NaN, timestep),
  }
  state.t = 0
  return state
}

/** Refuses a control vector that does not have a number for every actuator. */
export function checkControl({ nu, actuators: { names } }: Model, control: Vec): void {
  if (control.length === nu) return
  const list = names.slice(0, MOST_NAMES).map((name, k) => `'${name || k}'`)
  if (names.length > MOST_NAMES) list.push(`and ${names.length - MOST_NAMES} more`)
  const each = nu === 0 ? '; the model has no actuators' : `; one for each actuator: ${list.join(', ')}`
  throw new RangeError(`control: expected ${nu} numbers, got ${control.length}${each}`)
}

// names of actuators in a message
const MOST_NAMES = 12

/** Copies all of b to a; both belong to one model. */
export function copyState(a: State, b: State): void {
  a.t = b.t
  a.q.set(b.q)
  a.v.set(b.v)
  a.tau.set(b.tau)
  if (a.s.length !== b.s.length) a.s = new Float64Array(b.s.length)
  a.s.set(b.s)
  if (a.control.length !== b.control.length) a.control = new Float64Array(b.control.length)
  a.control.set(b.control)
  a.act.set(b.act)
  a.since.set(b.since)
}

/** What actuators are told becomes that of b: the same arrays, no copies. */
export function shareInputs(a: State, b: State): void {
  a.control = b.control
  a.act = b.act
  a.since = b.since
}
