/** What of a model position trajectories leave out, in sentences for people. */
import { builtInForces } from '../../../forces/index.js'
import { jointTypes } from '../../../joints/index.js'
import { ACTUATOR_JOINT, type Model } from '../../../model/model.js'
import { leftOut } from '../../left-out.js'

/** forces that the kernels have; of loads and actuators only some, of which there is more to say */
const HELD: ReadonlySet<string> = new Set([
  ...['gravity', 'gravity compensation', 'joint springs', 'joint dampers', 'springs', 'loads', 'body damping'],
  ...['drag along body axes', 'contact', 'actuators'],
])

/** Whether actuator n drives one plain coordinate of a joint. */
export function drivenCoordinate({ actuators, jointType }: Model, n: number): boolean {
  const { kind, target, pullsActive, pullsPassive } = actuators
  if (kind[n] !== ACTUATOR_JOINT || pullsActive[n] === 1 || pullsPassive[n] === 1) return false
  const { nv, linear } = jointTypes[jointType[target[n]]]
  return nv === 1 && linear
}

/** Whether load k is a force fixed in the world: others are no gradients of an energy. */
export function isDead({ loads: { wrench, follows } }: Model, k: number): boolean {
  return follows[k] === 0 && wrench.subarray(6 * k, 6 * k + 3).every((x) => x === 0)
}

export function leftOutOfTrajectories(m: Model): string[] {
  const name = 'batches of trajectories'
  const list = leftOut(m, { name })
  const instead = 'take createSimulation with position to have'
  const say = (count: number, one: string, many: string): void => {
    if (count > 0) list.push(`${count === 1 ? one : `${count} ${many}`}: left out by ${name}; ${instead} ${count === 1 ? 'it' : 'them'}`)
  }
  const each = (count: number): number[] => Array.from({ length: count }, (_, k) => k)
  for (const k of m.forces) if (!HELD.has(builtInForces[k].name)) list.push(`${builtInForces[k].name}: left out by ${name}; ${instead} it`)
  say(m.tendons.armed.length, 'armature of a tendon', 'armatures of tendons')
  say(each(m.loads.count).filter((k) => !isDead(m, k)).length, 'a load that turns', 'loads that turn')
  say(
    each(m.nu).filter((n) => !drivenCoordinate(m, n)).length,
    'an actuator that does not drive one coordinate of a joint',
    'actuators that do not drive one coordinate of a joint',
  )
  const ranged = each(m.nv).filter((k) => [0, 1].some((side) => Number.isFinite(m.actuators.dofRange[2 * k + side])))
  say(ranged.length, 'the range of the force of a joint', 'ranges of the forces of joints')
  if (m.na > 0) list.push(`${m.na} actuators with activation dynamics: ${name} let them act at once, without lag; ${instead} it`)
  return list
}
