/** All that forces do where they act in the joints alone and have no energy: dampers, armature of free joints, actuators. `in-joints` says when that is. */
import type { Int, Lanes, Varied } from '../math/values/columns.js'
import type { Tree } from '../model/tables.js'
import { applyDrives, type Motors, type Range, stiffenJoints, stiffenSums, type TendonSums } from './actuators.kernel.js'
import { addToAll, biasArmature, resist } from './joint-forces.kernel.js'

export interface InJoints {
  /** 1: there are such forces */
  readonly damped: Int
  readonly biased: Int
  readonly driven: Int
  readonly damping: Varied<number>
  readonly control: Lanes<number>
  /** scratch, a number a velocity: what actuators do */
  readonly own: Lanes<number>
  /** stiffness and damping of actuators on sums */
  readonly held: Lanes<Range>
}

/** qf += all of them. */
export function pushJoints(m: Tree, j: InJoints, g: Motors, s: TendonSums, qf: Lanes<number>, q: Lanes<number>, v: Lanes<number>): void {
  if (j.damped === 1) resist(m, qf, j.damping, v, 1, m.nbody)
  if (j.biased === 1) biasArmature(m, qf, v, 1, m.nbody)
  if (j.driven === 1) applyDrives(m, g, s, qf, j.own, j.control, q, v, 1, m.nbody)
}

/** Stiffness and damping of all velocities += those of all of these forces, but for actuators on sums, which go to `held`. */
export function stiffenAll(
  m: Tree,
  j: InJoints,
  g: Motors,
  s: TendonSums,
  stiffness: Lanes<number>,
  damping: Lanes<number>,
  q: Lanes<number>,
  v: Lanes<number>,
): void {
  if (j.damped === 1) addToAll(m, damping, j.damping)
  if (j.driven === 1) {
    stiffenJoints(g, j.own, j.control, q, v, stiffness, damping)
    stiffenSums(g, s, j.control, q, v, j.held)
  }
}
