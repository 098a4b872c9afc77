/**
 * Forces in the joints of a batch, in the order in which those of a model act, and those from outside. The equations of actuators are those of
 * `forces/actuators`.
 */
import { clamp, controlledLine, forceOn } from '../forces/actuators.kernel.js'
import { biasArmature, pullJoints, resist } from '../forces/joint-forces.kernel.js'
import { quatAt } from '../joints/curved.kernel.js'
import type { Int, Lanes } from '../math/values/columns.js'
import { logQuat } from '../math/values/rotation.js'
import type { Tree, Work } from '../model/tables.js'
import { COORDINATE, type Group, ROTATION, type Step } from './tables.js'

/** Length of the transmission of actuator n, times gear. */
function transmissionLength(g: Group, q: Lanes<number>, n: Int): number {
  const k = g.actuatorQ[n]
  const kind = g.lengthKind[n]
  if (kind === COORDINATE) return g.gear[6 * n] * q[k]
  if (kind === ROTATION) {
    const turn = logQuat(quatAt(q, k))
    return g.gear[6 * n] * turn[0] + g.gear[6 * n + 1] * turn[1] + g.gear[6 * n + 2] * turn[2]
  }
  return 0
}

/** Whatever the joint; lag and curves of muscles are left out. */
function addActuators(g: Group, s: Step, q: Lanes<number>, v: Lanes<number>): void {
  for (let k = 0; k < g.nv; k++) s.drive[k] = 0
  for (let n = 0; n < g.actuatorCount; n++) {
    const j = g.actuatorV[n]
    const length = transmissionLength(g, q, n)
    let rate = 0
    for (let r = 0; r < g.actuatorNv[n]; r++) rate = rate + g.gear[6 * n + r] * v[j + r]
    const force = clamp(forceOn(controlledLine(g, g.control, n), length, rate), g.forceRange[n])
    for (let r = 0; r < g.actuatorNv[n]; r++) s.drive[j + r] = s.drive[j + r] + g.gear[6 * n + r] * force
  }
  for (let k = 0; k < g.nv; k++) {
    const drive = s.drive[k]
    s.qf[k] = s.qf[k] + (g.ranged === 1 ? clamp(drive, g.dofRange[k]) : drive)
  }
}

/** Reads q, v, tau, control. Writes qf. @kernel */
export function jointForces(m: Tree, d: Work, g: Group, s: Step, q: Lanes<number>, v: Lanes<number>): void {
  for (let k = 0; k < g.nv; k++) s.qf[k] = 0
  pullJoints(m, s.qf, d.u, g.stiffness, g.rest, q, 1, m.nbody)
  resist(m, s.qf, g.damping, v, 1, m.nbody)
  biasArmature(m, s.qf, v, 1, m.nbody)
  if (g.actuatorCount > 0) addActuators(g, s, q, v)
  for (let k = 0; k < g.nv; k++) s.qf[k] = s.qf[k] + g.tau[k]
}
