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
  /** one number an actuator; empty: the actuators are idle */
  control: Vec
}

/** The state at the file's initial position, at rest. */
export function createState(model: Model): State {
  return {
    t: 0,
    q: model.q0.slice(),
    v: new Float64Array(model.nv),
    s: new Float64Array(0),
    tau: new Float64Array(model.nv),
    control: new Float64Array(0),
  }
}

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
}
