/**
 * Models whose forces all act in the joints, are kernels and have no energy beside that of weight: most robots. A step that evaluates them again and again does so together with the
 * rest of the evaluation, in one call, with numbers of the model that it takes once.
 */
import { current, type Fields, type Table, tableSize, writeTable } from '../kernels/tables.js'
import type { Vec } from '../math/types.js'
import { type Data, roomBeside } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { actuators } from './actuators.js'
import { gravity } from './gravity.js'
import { armatureBias, jointDampers } from './joint-forces.js'

const known: readonly Force[] = [gravity, jointDampers, armatureBias, actuators]

/** Numbers to ask `createData` for. */
export const jointForcesRoom = (m: Model): number => tableSize('InJoints', columns(m, known)) / 8

const columns = ({ damping }: Model, forces: readonly Force[]): Fields => {
  const has = (force: Force): number => (forces.includes(force) ? 1 : 0)
  const flags = { damped: has(jointDampers), biased: has(armatureBias), driven: has(actuators) }
  return { ...flags, ...(flags.damped && { damping }) }
}

/** The table of `in-joints.kernel`; undefined where other forces act, or actuators elsewhere than in joints. */
export function createJointForces(m: Model, d: Data, forces: readonly Force[]): Table | undefined {
  const { ranged, indirect } = m.actuators
  if (ranged === 1 || indirect.length > 0 || !forces.every((force) => known.includes(force))) return undefined
  const fields = { ...columns(m, forces), control: d.control, own: d.u, held: d.held }
  return writeTable('InJoints', fields, d.block, roomBeside(d, tableSize('InJoints', fields, d.block)).start)
}

/** Numbers of the model and controls as they are now. */
export function takeJointForces(table: Table, m: Model, d: Data, control: Vec): void {
  current(table, table.source)
  if (control.length === 0) return
  current(d.tables.actuators, m.actuators)
  current(d.tables.sums, m.tendons)
  d.control.set(control)
}
