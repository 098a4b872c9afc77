/**
 * Forces in the joints and their linearisation: springs, dampers and servos at the end of the step, the rest at its start.
 *
 *   A = M + diag,   diag = armature + h d + h² k        qf = τ − k (x + h v) − d v,  with k, d of springs, dampers and unsaturated servos
 * [RedMax] eq. 2.13. A servo on one velocity is implicit where its force is inside its range; one on several velocities is explicit.
 */
import { clamp, controlledLine, forceOn } from '../../forces/actuators.kernel.js'
import { biasArmature, stretchJoints } from '../../forces/joint-forces.kernel.js'
import { quatAt } from '../../joints/curved.kernel.js'
import type { Int } from '../../math/values/columns.js'
import { logQuat } from '../../math/values/rotation.js'
import type { Vec3 } from '../../math/values/spatial.js'
import type { Tree, Work } from '../../model/tables.js'
import type { Ground, GroundStep } from './tables.js'

/** Activation of actuator n at the end of the step. */
export function nextActivation(g: Ground, n: Int): number {
  const [keep, take] = g.follow[n]
  return clamp(keep * g.act[g.activation[n]] + take * clamp(g.control[n], g.controlRange[n]), g.actRange[n])
}

/** a₀, a₁, a₂ of actuator n: under its control, or under its activation. */
function lineOf(g: Ground, n: Int): Vec3 {
  if (g.activation[n] < 0) return controlledLine(g, g.control, n)
  const w = g.early[n] === 1 ? nextActivation(g, n) : g.act[g.activation[n]]
  const gain = g.gain[n]
  const bias = g.bias[n]
  return [gain[0] * w + bias[0], gain[1] * w + bias[1], gain[2] * w + bias[2]]
}

/** Rotation vector of a ball along the gears of actuator n. */
function turnLength(g: Ground, n: Int): number {
  const turn = logQuat(quatAt(g.q, g.turnQ[n]))
  const e = g.armStart[n]
  return g.armGear[e] * turn[0] + g.armGear[e + 1] * turn[1] + g.armGear[e + 2] * turn[2]
}

/** drive, servo += force and h (kv + h kp) of actuator n. */
function actuate(g: Ground, s: GroundStep, n: Int): void {
  const h = g.h[0]
  const first = g.armStart[n]
  const end = g.armStart[n + 1]
  let length = 0
  let rate = 0
  for (let e = first; e < end; e++) {
    if (g.armQ[e] >= 0) length = length + g.armGear[e] * g.q[g.armQ[e]]
    rate = rate + g.armGear[e] * g.v[g.armV[e]]
  }
  if (g.turnQ[n] >= 0) length = turnLength(g, n)
  const line = lineOf(g, n)
  const free = forceOn(line, length, rate)
  const force = clamp(free, g.forceRange[n])
  for (let e = first; e < end; e++) {
    const k = g.armV[e]
    s.drive[k] = s.drive[k] + g.armGear[e] * force
  }
  if (end - first === 1) {
    const k = g.armV[first]
    const kp = Math.max(0, -line[1])
    const kv = Math.max(0, -line[2])
    const square = g.armGear[first] * g.armGear[first]
    const isInside = force === free
    s.servo[k] = s.servo[k] + (isInside ? square * (h * (kv + h * kp)) : 0)
    s.drive[k] = s.drive[k] - (isInside ? square * (h * kp * g.v[k]) : 0)
  }
}

/** Springs and dampers of fixed tendon n, explicit. */
function pullTendon(g: Ground, s: GroundStep, n: Int): void {
  let length = 0
  let rate = 0
  for (let e = g.tendonStart[n]; e < g.tendonStart[n + 1]; e++) {
    length = length + g.tendonCoefficient[e] * g.q[g.tendonQ[e]]
    rate = rate + g.tendonCoefficient[e] * g.v[g.tendonV[e]]
  }
  const [k, d] = g.tendonLaw[n]
  const force = k * (clamp(length, g.tendonSlack[n]) - length) - d * rate
  for (let e = g.tendonStart[n]; e < g.tendonStart[n + 1]; e++) {
    const j = g.tendonV[e]
    s.qf[j] = s.qf[j] + g.tendonCoefficient[e] * force
  }
}

/** Reads q, v, tau, control, act. Writes qf, diag. @kernel */
export function linearise(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  const h = g.h[0]
  stretchJoints(m, d.u, g.stiffness, g.rest, g.q)
  for (let k = 0; k < g.nv; k++) {
    s.qf[k] = g.tau[k] - g.stiffness[k] * (d.u[k] + h * g.v[k]) - g.damping[k] * g.v[k]
    s.diag[k] = m.armature[k] + h * (g.damping[k] + h * g.stiffness[k])
    s.drive[k] = 0
    s.servo[k] = 0
    s.rowG[k] = 0
    s.rowPhi[k] = 0
  }
  biasArmature(m, s.qf, g.v, 1, m.nbody)
  for (let n = 0; n < g.tendonCount; n++) pullTendon(g, s, n)
  if (g.actuatorCount > 0) {
    for (let n = 0; n < g.actuatorCount; n++) actuate(g, s, n)
    for (let k = 0; k < g.nv; k++) {
      const drive = s.drive[k]
      const force = g.ranged === 1 ? clamp(drive, g.dofRange[k]) : drive
      s.qf[k] = s.qf[k] + force
      s.diag[k] = s.diag[k] + (force === drive ? s.servo[k] : 0)
    }
  }
}
