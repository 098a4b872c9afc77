/**
 * Forces in the joints of a batch: springs, dampers, armature of free joints, actuators, and those from outside. Equations and the order of
 * sums are those of `forces/joint-forces` and `forces/actuators`.
 */
import { quatAt } from '../joints/curved.kernel.js'
import { type Int, type Lanes, sub, type Varied } from '../math/values/columns.js'
import { logQuat, mulQuatInverse, type Quat, quatRotation } from '../math/values/rotation.js'
import { cross, rotateBack, type Vec3 } from '../math/values/spatial.js'
import { FREE, type Tree } from '../model/tables.js'
import { COORDINATE, type Group, ROTATION, type Step } from './tables.js'

const restAt = (x: Varied<number>, k: Int): Quat => [x[k], x[k + 1], x[k + 2], x[k + 3]]

function pull(g: Group, s: Step, k: Int, stretch: Vec3): void {
  for (let r = 0; r < 3; r++) s.qf[k + r] = s.qf[k + r] - g.stiffness[k + r] * stretch[r]
}

/** Springs of balls and free joints: the rotation vector from rest, and the way from rest along the body's axes. */
function pullCurved(m: Tree, g: Group, s: Step, q: Lanes<number>, step: Int): void {
  const k = m.stepQ[step]
  const j = m.stepV[step]
  const free = m.stepKind[step] === FREE
  const at = free ? k + 3 : k
  pull(g, s, j, logQuat(mulQuatInverse(restAt(g.rest, at), quatAt(q, at))))
  if (free) {
    const way = sub<Vec3>([q[k], q[k + 1], q[k + 2]], [g.rest[k], g.rest[k + 1], g.rest[k + 2]])
    pull(g, s, j + 3, rotateBack(quatRotation(quatAt(q, at)), way))
  }
}

/** Armature of a free joint moves along with its body: force w × A u and moment u × A u. */
function addArmatureBias(m: Tree, s: Step, v: Lanes<number>, k: Int): void {
  const w: Vec3 = [v[k], v[k + 1], v[k + 2]]
  const u: Vec3 = [v[k + 3], v[k + 4], v[k + 5]]
  const p: Vec3 = [m.armature[k + 3] * u[0], m.armature[k + 4] * u[1], m.armature[k + 5] * u[2]]
  const moment = cross(u, p)
  const force = cross(w, p)
  for (let r = 0; r < 3; r++) s.qf[k + r] = s.qf[k + r] - moment[r]
  for (let r = 0; r < 3; r++) s.qf[k + 3 + r] = s.qf[k + 3 + r] - force[r]
}

const clamp = (x: number, [low, high]: readonly [number, number]): number => Math.min(Math.max(x, low), high)

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

/** force = clamp(a₀ + a₁ l + a₂ l̇), a = gain · clamp(control) + bias */
function addActuators(g: Group, s: Step, q: Lanes<number>, v: Lanes<number>): void {
  for (let k = 0; k < g.nv; k++) s.drive[k] = 0
  for (let n = 0; n < g.actuatorCount; n++) {
    const j = g.actuatorV[n]
    const length = transmissionLength(g, q, n)
    let rate = 0
    for (let r = 0; r < g.actuatorNv[n]; r++) rate = rate + g.gear[6 * n + r] * v[j + r]
    const u = clamp(g.control[n], g.controlRange[n])
    const gain = g.gain[n]
    const bias = g.bias[n]
    const line: Vec3 = [gain[0] * u + bias[0], gain[1] * u + bias[1], gain[2] * u + bias[2]]
    const force = clamp(line[0] + line[1] * length + line[2] * rate, g.forceRange[n])
    for (let r = 0; r < g.actuatorNv[n]; r++) s.drive[j + r] = s.drive[j + r] + g.gear[6 * n + r] * force
  }
  for (let k = 0; k < g.nv; k++) {
    const drive = s.drive[k]
    s.qf[k] = s.qf[k] + (g.ranged === 1 ? clamp(drive, g.dofRange[k]) : drive)
  }
}

/** Reads q, v, tau, control. Writes qf. @kernel */
export function jointForces(m: Tree, g: Group, s: Step, q: Lanes<number>, v: Lanes<number>): void {
  for (let k = 0; k < g.nv; k++) {
    const c = g.coordinate[k]
    s.qf[k] = c < 0 ? 0 : 0 - g.stiffness[k] * (q[c] - g.rest[c])
  }
  for (let n = 0; n < g.sprungCount; n++) pullCurved(m, g, s, q, g.sprung[n])
  for (let k = 0; k < g.nv; k++) s.qf[k] = s.qf[k] - g.damping[k] * v[k]
  for (let n = 0; n < g.armedCount; n++) addArmatureBias(m, s, v, g.armed[n])
  if (g.actuatorCount > 0) addActuators(g, s, q, v)
  for (let k = 0; k < g.nv; k++) s.qf[k] = s.qf[k] + g.tau[k]
}
