/**
 * Energies in the joints over a step, δ from its start (`energy/joint-terms`):
 *   springs   ½ k dist(rest, q)²
 *   dampers   d/(2h) δ²
 *   armature  a/(2h²) dist(δ of the step before, δ)²
 *   forces    −τ δ
 *   motors    −∫ clamp(a₀ + a₁ δ) dδ, the rate being δ/h
 */
import { clamp, controlledLine } from '../../../forces/actuators.kernel.js'
import { stretchCurved } from '../../../forces/joint-forces.kernel.js'
import { placeAt, quatAt } from '../../../joints/curved.kernel.js'
import { add, any, type Int, type Lanes } from '../../../math/values/columns.js'
import { mulQuat, normalizeQuat, quatRotation } from '../../../math/values/rotation.js'
import { rotate } from '../../../math/values/spatial.js'
import { FREE, type Tree } from '../../../model/tables.js'
import type { Trajectories, TrajectoryStep } from './tables.js'

/** Adds an energy. */
export function addEnergy(s: TrajectoryStep, value: number, size: number): void {
  const E = s.E[0]
  s.E[0] = { inertial: E.inertial, potential: E.potential + value, size: E.size + size }
}

/** The joints whose velocities are rates of coordinates. */
function addPlain(m: Tree, g: Trajectories, s: TrajectoryStep): void {
  let sum = 0
  let size = 0
  for (let k = 0; k < g.nv; k++) {
    const c = m.coordinate[k]
    if (c >= 0) {
      const z = s.z[c]
      const start = g.q[c] - g.rest[c]
      const rate = g.damping[k] * g.perStep[0]
      const inertia = m.armature[k] * g.perSquare[0]
      const ahead = z - g.last[c]
      const elastic = 0.5 * g.stiffness[k] * z * (2 * start + z)
      const damped = 0.5 * rate * z * z + 0.5 * inertia * ahead * ahead
      const work = g.tau[k] * z
      sum = sum + (elastic + damped - work)
      size = size + (Math.abs(elastic) + damped + Math.abs(work))
      s.joint[k] = g.stiffness[k] * (start + z) + rate * z + inertia * ahead - g.tau[k]
      s.joints[k] = g.stiffness[k] + rate
    } else {
      s.joint[k] = -g.tau[k]
      s.joints[k] = 0
    }
  }
  addEnergy(s, sum, size)
}

/** q ⊕ z of the ball or free joint of step n. */
export function moveCurved(m: Tree, out: Lanes<number>, q: Lanes<number>, z: Lanes<number>, n: Int): void {
  const k = m.stepQ[n]
  if (m.stepKind[n] === FREE) {
    const start = placeAt(q, k)
    const moved = placeAt(z, k)
    const p = add(start.p, rotate(quatRotation(start.turn), moved.p))
    const turn = normalizeQuat(mulQuat(start.turn, moved.turn))
    for (let r = 0; r < 3; r++) out[k + r] = p[r]
    for (let r = 0; r < 4; r++) out[k + 3 + r] = turn[r]
  } else {
    const turn = normalizeQuat(mulQuat(quatAt(q, k), quatAt(z, k)))
    for (let r = 0; r < 4; r++) out[k + r] = turn[r]
  }
}

const endOf = (m: Tree, n: Int): Int => (m.stepKind[n] === FREE ? m.stepV[n] + 6 : m.stepV[n] + 3)

/** The ball or free joint of step n. */
function addCurved(m: Tree, g: Trajectories, s: TrajectoryStep, n: Int): void {
  const first = m.stepV[n]
  const end = endOf(m, n)
  let sum = 0
  let size = 0
  const clear = (x: Lanes<number>): void => {
    for (let k = first; k < end; k++) x[k] = 0
  }
  // springs
  let stiff = 0
  for (let k = first; k < end; k++) stiff = stiff + g.stiffness[k]
  if (any(stiff > 0)) {
    clear(s.x)
    clear(s.xStart)
    moveCurved(m, s.qNow, g.q, s.z, n)
    stretchCurved(m, s.x, g.stiffness, g.rest, s.qNow, n)
    stretchCurved(m, s.xStart, g.stiffness, g.rest, g.q, n)
    for (let k = first; k < end; k++) {
      const elastic = 0.5 * g.stiffness[k] * (s.x[k] - s.xStart[k]) * (s.x[k] + s.xStart[k])
      sum = sum + elastic
      size = size + Math.abs(elastic)
      s.joint[k] = s.joint[k] + g.stiffness[k] * s.x[k]
      s.joints[k] = s.joints[k] + g.stiffness[k]
    }
  }
  // dampers and forces from outside
  let used = 0
  for (let k = first; k < end; k++) used = used + (g.damping[k] + Math.abs(g.tau[k]))
  if (any(used > 0)) {
    clear(s.x)
    for (let k = first; k < end; k++) s.xStart[k] = 1
    stretchCurved(m, s.x, s.xStart, g.still, s.z, n)
    for (let k = first; k < end; k++) {
      const rate = g.damping[k] * g.perStep[0]
      const damped = 0.5 * rate * s.x[k] * s.x[k]
      const work = g.tau[k] * s.x[k]
      sum = sum + (damped - work)
      size = size + (damped + Math.abs(work))
      s.joint[k] = s.joint[k] + rate * s.x[k]
      s.joints[k] = s.joints[k] + rate
    }
  }
  // armature
  let inert = 0
  for (let k = first; k < end; k++) inert = inert + m.armature[k]
  if (any(inert > 0)) {
    clear(s.x)
    stretchCurved(m, s.x, m.armature, g.last, s.z, n)
    for (let k = first; k < end; k++) {
      const inertia = m.armature[k] * g.perSquare[0]
      const kinetic = 0.5 * inertia * s.x[k] * s.x[k]
      sum = sum + kinetic
      size = size + kinetic
      s.joint[k] = s.joint[k] + inertia * s.x[k]
    }
  }
  addEnergy(s, sum, size)
}

/** Motors on coordinates. */
function addMotors(g: Trajectories, s: TrajectoryStep): void {
  let sum = 0
  let size = 0
  for (let e = 0; e < g.motorCount; e++) {
    const n = g.motor[e]
    const k = g.motorV[e]
    const c = g.motorQ[e]
    const gear = g.motorGear[e]
    const line = controlledLine(g, g.control, n)
    const range = g.forceRange[n]
    const moved = gear * s.z[c]
    const slope = line[1] + line[2] * g.perStep[0]
    const start = line[0] + line[1] * (gear * g.q[c])
    const wanted = start + slope * moved
    const force = clamp(wanted, range)
    const zero = clamp(start, range)
    const isFree = force === wanted
    const isStraight = isFree && zero === start
    const bent = slope === 0 ? force * moved : (force * (wanted - 0.5 * force) - zero * (start - 0.5 * zero)) / slope
    const work = isStraight ? moved * (start + 0.5 * slope * moved) : bent
    sum = sum - work
    size = size + Math.abs(work)
    s.joint[k] = s.joint[k] - gear * force
    s.joints[k] = s.joints[k] - (isFree ? slope * gear * gear : 0)
  }
  addEnergy(s, sum, size)
}

/** Reads q, z. Writes joint, joints, and adds to E. @kernel */
export function addJointEnergies(m: Tree, g: Trajectories, s: TrajectoryStep): void {
  addPlain(m, g, s)
  for (let e = 0; e < m.curvedCount; e++) addCurved(m, g, s, m.curved[e])
  if (g.motorCount > 0) addMotors(g, s)
}
