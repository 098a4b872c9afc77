/** Why an environment failed, in a sentence that names it, the number or the joint, and a remedy. */
import { findBadInput } from '../model/bad-input.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'

/** A step that was tried again: what it would have led to. */
export interface Retried {
  readonly q: Float64Array
  readonly v: Float64Array
}

type Varied = readonly (readonly [string, Float64Array])[]

/** What from outside keeps an environment from going on. */
function explainInput(m: Model, e: number, state: State, varied: Varied): string | undefined {
  const bad = findBadInput(m, state)
  if (bad) return `environment ${e}: ${bad.message}, then reset it`
  for (const [name, numbers] of varied) {
    const k = numbers.findIndex((x) => !Number.isFinite(x))
    if (k >= 0) return `environment ${e}: number ${k} of parameter '${name}' is ${numbers[k]}; write a finite one, then reset it`
  }
  return undefined
}

export function explainEnvironment(m: Model, e: number, state: State, varied: Varied, timestep: number, retry: () => Retried): string {
  const input = explainInput(m, e, state, varied)
  if (input !== undefined) return input
  const next = retry()
  const joint = firstLost(m, state, next)
  const at = `the step of ${timestep} s at t = ${state.t.toPrecision(6)} s`
  if (joint < 0) return `environment ${e}: ${at} failed with inputs that were changed since; it goes on with those that it has now`
  const { name, body, iv, nv } = m.joints[joint]
  const speed = Math.max(...state.v.subarray(iv, iv + nv).map(Math.abs))
  return `environment ${e}: ${at} diverged at joint '${name}' of body '${m.bodies[body].name}', whose velocity was ${speed.toPrecision(3)}; take a smaller timestep, smaller gains or less stiffness, or check the masses there, then reset it`
}

/** The same of a position trajectory, whose search reached its limit of iterations. */
export function explainTrajectory(m: Model, e: number, state: State, varied: Varied, timestep: number, iterations: number): string {
  const input = explainInput(m, e, state, varied)
  if (input !== undefined) return input
  const speeds = m.joints.map(({ iv, nv }) => Math.max(0, ...state.v.subarray(iv, iv + nv).map(Math.abs)))
  const { name, body } = m.joints[speeds.indexOf(Math.max(...speeds))]
  const at = `the step of ${timestep} s at t = ${state.t.toPrecision(6)} s`
  return `environment ${e}: ${at} did not converge in ${iterations} iterations; its fastest joint is '${name}' of body '${m.bodies[body].name}', at ${Math.max(...speeds).toPrecision(3)}; take a smaller timestep, more iterations or a larger tolerance, then reset it`
}

/** The fastest of the joints whose next numbers are not finite: one pass over the tree takes all others with it. −1: all are finite. */
function firstLost(m: Model, { v }: State, next: Retried): number {
  let found = -1
  let most = -1
  for (const [j, { iq, nq, iv, nv }] of m.joints.entries()) {
    const isLost = !next.v.subarray(iv, iv + nv).every(Number.isFinite) || !next.q.subarray(iq, iq + nq).every(Number.isFinite)
    if (!isLost) continue
    const speed = Math.max(0, ...v.subarray(iv, iv + nv).map(Math.abs))
    if (speed > most) {
      most = speed
      found = j
    }
  }
  return found
}
