/** What a model holds and a batch does not simulate, in sentences for people. */
import { builtInForces } from '../forces/index.js'
import { ACTUATOR_JOINT, type Model } from '../model/model.js'
import { leftOut } from '../solvers/left-out.js'

/** forces that kernels of a batch have */
const held: readonly string[] = ['gravity', 'joint springs', 'joint dampers', 'armature of free joints', 'actuators']

export function leftOutOfBatch(m: Model): string[] {
  const list = leftOut(m, { name: 'batches' })
  const instead = 'take createSimulation to have'
  for (const k of m.forces) {
    const { name } = builtInForces[k]
    if (!held.includes(name)) list.push(`${name}: left out by batches; ${instead} them`)
  }
  if (m.tendons.armed.length > 0) list.push(`armature of tendons: left out by batches; ${instead} it`)
  const elsewhere = m.actuators.kind.filter((kind) => kind !== ACTUATOR_JOINT).length
  if (elsewhere > 0) list.push(`${elsewhere} actuators on tendons or sites: left out by batches; put them on joints, or ${instead} them`)
  const lagging = m.na
  if (lagging > 0) list.push(`${lagging} actuators with activation dynamics: batches let them act at once, without lag; ${instead} it`)
  const muscles = m.actuators.pullsActive.filter((x, k) => x === 1 || m.actuators.pullsPassive[k] === 1).length
  if (muscles > 0) list.push(`${muscles} muscles: left out by batches; ${instead} them`)
  return list
}
