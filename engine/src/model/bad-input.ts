/**
 * Names a number that no step can start from: NaN or infinity that a program wrote to the state.
 */
import type { Vec } from '../math/types.js'
import type { Model } from './model.js'
import type { State } from './state.js'

export interface BadInput {
  /** which number it is, by the name of its joint or actuator, and the remedy */
  readonly message: string
  /** −1: of no joint */
  readonly joint: number
}

/** The first number of the state that is NaN or, with `orInfinite`, infinite after controls are clamped to their range. */
export function findBadInput(m: Model, state: State, orInfinite = true): BadInput | undefined {
  const isBad = orInfinite ? (x: number): boolean => !Number.isFinite(x) : Number.isNaN
  if (isBad(state.t)) return { message: sentence('t', state.t, 'a finite number of seconds'), joint: -1 }
  for (const [j, joint] of m.joints.entries()) {
    const { name, body, iq, nq, iv, nv } = joint
    // the joint of a driven body is not the user's
    const owner = m.driven.includes(body) ? `driven body '${m.bodies[body].name}'` : `joint '${name}'`
    const message =
      ofJoint('q', state.q, iq, nq, owner, isBad) ??
      ofJoint('v', state.v, iv, nv, owner, isBad) ??
      ofJoint('tau', state.tau, iv, nv, owner, isBad)
    if (message !== undefined) return { message, joint: j }
  }
  const { names, activation, controlRange } = m.actuators
  for (let k = 0; k < m.nu; k++) {
    const actuator = `actuator '${names[k] || k}'`
    const control = state.control[k]
    if (isBad(Math.min(Math.max(control, controlRange[2 * k]), controlRange[2 * k + 1])))
      return { message: sentence(`control of ${actuator}`, control), joint: -1 }
    const act = activation[k] < 0 ? 0 : state.act[activation[k]]
    if (isBad(act)) return { message: sentence(`act of ${actuator}`, act), joint: -1 }
  }
  return undefined
}

function ofJoint(
  what: string,
  numbers: Vec,
  first: number,
  count: number,
  owner: string,
  isBad: (x: number) => boolean,
): string | undefined {
  for (let k = 0; k < count; k++) {
    const x = numbers[first + k]
    if (!isBad(x)) continue
    return sentence(`${what} of ${owner}`, x, count > 1 ? `a finite number to state.${what}[${first + k}]` : undefined)
  }
  return undefined
}

function sentence(what: string, value: number, wanted = 'a finite number'): string {
  return `${what} is ${value}; write ${wanted} before the step`
}
