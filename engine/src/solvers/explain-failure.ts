/**
 * Why a step or a run failed: where, when, and what to try. Allocates.
 */
import { findBadForce } from '../forces/bad-force.js'
import type { Vec } from '../math/types.js'
import { findBadInput } from '../model/bad-input.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'
import type { StepReport } from './solver.js'

/** The message of a step of h seconds from the state, which failed in `parts` parts too. */
export function explainFailure(
  model: Model,
  forces: readonly Force[],
  state: State,
  report: Readonly<StepReport>,
  h: number,
  parts: number,
): string {
  const at = `at t = ${state.t.toPrecision(6)} s`
  if (report.status === 'bad-step') return `step of ${h} s ${at}: expected a positive, finite step`
  // whatever the solver makes of it, the cause is the number that was written
  const bad = findBadInput(model, state)
  if (bad) return bad.message
  if (report.message) return report.message
  const joint = report.joint >= 0 ? model.joints[report.joint] : undefined
  const where = joint ? ` at joint '${joint.name}' of body '${model.bodies[joint.body].name}'` : ''
  const force = findBadForce(model, forces, state, h)
  if (force !== '') return `force '${force}' is not a number ${at}; check what it divides by, and that it reads what the state holds`
  const what = report.status === 'not-converged' ? 'did not converge' : 'diverged'
  const also = parts > 1 ? `, also in ${parts} parts` : ''
  return `the step of ${h} s ${at} ${what}${where}${also}; take a smaller timestep, less stiffness, or check the masses there`
}

/** Whether a number that the program wrote, or a force of its own, is the cause. */
export function isUsersNumber(model: Model, forces: readonly Force[], state: State, h: number): boolean {
  const bad = findBadForce(model, forces, state, h)
  return findBadInput(model, state) !== undefined || forces.some(({ name }) => name === bad)
}

/** The message of a run whose energy grows without bound; `cause`: the force that is too fast, empty where it is not known. */
export function explainGrowth(model: Model, { t }: State, good: number, joint: number, h: number, cause: string): string {
  const { name, body } = model.joints[joint]
  const where = `joint '${name}' of body '${model.bodies[body].name}'`
  const why = cause === '' ? `take smaller steps than ${h} s, or solver redmax` : cause
  return `the motion grows without bound at ${where} at t = ${t.toPrecision(6)} s, and in smaller steps it does not: ${why}; the state is the last good one, of t = ${good.toPrecision(6)} s`
}

/** The joint with the largest velocity. */
export function fastestJoint({ joints }: Model, v: Vec): number {
  const speed = joints.map(({ iv, nv }) => Array.from({ length: nv }, (_, k) => Math.abs(v[iv + k])).reduce((a, b) => Math.max(a, b), 0))
  return speed.indexOf(Math.max(...speed))
}
