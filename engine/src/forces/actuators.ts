/**
 * Actuators: force = gain · u + bias through a joint, a tendon or a site.
 *
 *   u = clamp(control) or the activation,  gain = g0 + g1 l + g2 l̇,  bias = b0 + b1 l + b2 l̇,  l the transmission's length times gear
 * which is a straight line, force = a₀ + a₁ l + a₂ l̇ with a_i = g_i u + b_i, inside the force's range. The curves of a muscle, in place of
 * gain or bias, give a₀ alone. Those without lag on a coordinate of a joint, or on a tendon that is a sum of some, are left to `actuators.kernel`.
 */

import { logQuat } from '../joints/curved.js'
import { jointTypes } from '../joints/index.js'
import { current } from '../kernels/tables.js'
import type { Vec } from '../math/types.js'
import { type Data, deliver, given } from '../model/data.js'
import type { Force } from '../model/force.js'
import { ACTUATOR_JOINT, ACTUATOR_TENDON, type Model, MUSCLE_SIZE } from '../model/model.js'
import type { State } from '../model/state.js'
import { addStiffEntry, openStiffRow, type StiffTerms } from '../model/stiff-terms.js'
import { addForceToParent } from '../printed/arrays.js'
import { jacobianTransposeProduct } from '../tree/jacobian.js'
import { actuatorInput, addMuscleBias, addMuscleGain } from './activation.js'
import { addLift } from './gravity.js'
import { addTendonForce, addTendonRow, tendonLength, tendonRate } from './tendons.js'

/** out (3) ← a₀, a₁, a₂ of actuator k at its control or activation, where its length and rate are x[0], x[1]: only muscles ask for these. */
export function motorLine(out: Vec, m: Model, s: State, k: number, x: Vec): void {
  const { gain, bias, pullsActive, pullsPassive, active, passive, lengthRange } = m.actuators
  actuatorInput(input, 0, m, s, k)
  const u = input[0]
  for (let r = 0; r < 3; r++) out[r] = gain[3 * k + r] * u + bias[3 * k + r]
  if (pullsActive[k] === 1) addMuscleGain(out, input, active, MUSCLE_SIZE * k, lengthRange, 2 * k, x)
  if (pullsPassive[k] === 1) addMuscleBias(out, passive, MUSCLE_SIZE * k, lengthRange, 2 * k, x)
}

const input = new Float64Array(1)

/** Reads the kinematics. Writes the force of actuator k, inside its range, to out[o]. */
export function actuatorForce(out: Vec, o: number, m: Model, d: Data, s: State, k: number): void {
  const { forceRange } = m.actuators
  measureTransmission(m, d, s, k)
  motorLine(a, m, s, k, work)
  out[o] = Math.min(Math.max(a[0] + a[1] * work[LENGTH] + a[2] * work[RATE], forceRange[2 * k]), forceRange[2 * k + 1])
}

const a = new Float64Array(3)
const wrench = new Float64Array(6)
const work = new Float64Array(2)
const LENGTH = 0
const RATE = 1

export const actuators: Force = {
  name: 'actuators',
  apply(m, d, s, from = 1, to = m.nbody) {
    const { indirect, ranged, compensated } = m.actuators
    if (ranged === 0 && indirect.length === 0) return driveAlone(m, d, s, from, to)
    // the range of a joint holds for all that comes through it, wrenches on bodies beyond it included
    const lifted = ranged === 1 && sumActuators(m, d, s)
    if (ranged === 0) driveAll(m, d, s)
    if (ranged === 0 && indirect.length > 0) for (let k = 6 * from; k < 6 * to; k++) d.f[k] += d.F[k]
    d.kernels.addDrives(d.tree, d.tables.actuators.start, d.qf.byteOffset, d.u.byteOffset, from, to)
    if (!lifted) return
    // the lift is among the forces already
    for (let k = 0; k < m.nv; k++) {
      const i = m.velocityBody[k]
      if (compensated[k] === 1 && i >= from && i < to) d.qf[k] -= d.D[k]
    }
  },
  linearize: linearizeActuators,
}

/** qf += what actuators do where all of them are left to kernels, and joints have no ranges. */
function driveAlone(m: Model, d: Data, s: State, from: number, to: number): void {
  const table = current(d.tables.actuators, m.actuators)
  const sums = current(d.tables.sums, m.tendons)
  const control = given(d, d.control, s.control)
  const { byteOffset: own } = d.u
  d.kernels.applyDrives(d.tree, table, sums, d.qf.byteOffset, own, control, given(d, d.q, s.q), given(d, d.v, s.v), from, to)
}

/** u ← joint forces of all actuators, each inside its own range; F ← wrenches on bodies, where any of them is indirect. */
function driveAll(m: Model, d: Data, s: State): void {
  const { indirect } = m.actuators
  const table = current(d.tables.actuators, m.actuators)
  const sums = current(d.tables.sums, m.tendons)
  d.kernels.driveJoints(d.tree, table, sums, d.u.byteOffset, given(d, d.control, s.control), given(d, d.q, s.q), given(d, d.v, s.v))
  if (indirect.length > 0) d.F.fill(0)
  for (let e = 0; e < indirect.length; e++) pullActuator(m, d, s, indirect[e], d.F, d.u)
}

/** D ← what the compensation of gravity does in the joints, if that counts as actuation in any; uses F. */
function compensate(m: Model, d: Data): boolean {
  if (!m.actuators.compensated.includes(1)) return false
  d.F.fill(0)
  for (let i = 1; i < m.nbody; i++) addLift(d.F, m, d, i)
  jacobianTransposeProduct(m, d, d.D, d.F)
  return true
}

/**
 * Motors with feedback are stiff: force = a₀ + a₁ l + a₂ l̇ while it is inside its range. What holds back (a₁, a₂ < 0) is taken
 * implicitly, on joints, tendons, and the rate of sites. Where the range of a joint cuts off what all of them do there, no motor of that joint holds back.
 */
function linearizeActuators(m: Model, d: Data, s: State, terms: StiffTerms): void {
  const { count, indirect, kind, target, gear, site, forceRange, ranged } = m.actuators
  if (count === 0) return
  if (ranged === 1) sumActuators(m, d, s)
  stiffenDirect(m, d, s, terms)
  for (let e = 0; e < indirect.length; e++) {
    const k = indirect[e]
    if (ranged === 1 && kind[k] === ACTUATOR_JOINT && isCutOff(m, d, target[k])) continue
    measureTransmission(m, d, s, k)
    motorLine(a, m, s, k, work)
    const stiffness = Math.max(0, -a[1])
    const damping = Math.max(0, -a[2])
    if (stiffness === 0 && damping === 0) continue
    const force = a[0] + a[1] * work[LENGTH] + a[2] * work[RATE]
    if (force < forceRange[2 * k] || force > forceRange[2 * k + 1]) continue
    const j = target[k]
    const square = gear[6 * k] * gear[6 * k]
    if (kind[k] === ACTUATOR_JOINT) {
      const { nv, linear, absolute } = jointTypes[m.jointType[j]]
      if (nv === 1) {
        terms.jointStiffness[m.jointV[j]] += square * stiffness
        terms.jointDamping[m.jointV[j]] += square * damping
        continue
      }
      const row = openStiffRow(terms)
      for (let r = 0; r < nv; r++) if (gear[6 * k + r] !== 0) terms.J[addStiffEntry(terms, -1 - m.jointV[j] - r)] = gear[6 * k + r]
      // only quaternions have a length here
      terms.stiffness[row] = linear || absolute ? 0 : stiffness
      terms.damping[row] = damping
      continue
    }
    if (kind[k] === ACTUATOR_TENDON) {
      const row = addTendonRow(m, d, terms, j)
      terms.stiffness[row] = square * stiffness
      terms.damping[row] = square * damping
    } else if (damping > 0 && j > 0) {
      siteWrench(gear, site, k)
      const row = openStiffRow(terms)
      const o = addStiffEntry(terms, j)
      for (let r = 0; r < 6; r++) terms.J[o + r] = wrench[r]
      terms.damping[row] = damping
    }
  }
}

/** Those that are left to kernels, at what `sumActuators` found where joints have ranges. */
function stiffenDirect(m: Model, d: Data, s: State, terms: StiffTerms): void {
  const table = current(d.tables.actuators, m.actuators)
  const control = given(d, d.control, s.control)
  const q = given(d, d.q, s.q)
  const v = given(d, d.v, s.v)
  const stiffness = given(d, d.x, terms.jointStiffness)
  const damping = given(d, d.z, terms.jointDamping)
  d.kernels.stiffenJoints(table, d.u.byteOffset, control, q, v, stiffness, damping)
  deliver(d, d.x, terms.jointStiffness)
  deliver(d, d.z, terms.jointDamping)
  if (m.actuators.summed.length === 0) return
  d.kernels.stiffenSums(table, current(d.tables.sums, m.tendons), control, q, v, d.held.byteOffset)
  addSumRows(m, d, terms)
}

/** A row for each actuator on a sum that holds back, as `held` of data says. */
export function addSumRows(m: Model, d: Data, terms: StiffTerms): void {
  const { summed, target } = m.actuators
  for (let e = 0; e < summed.length; e++) {
    if (d.held[2 * e] === 0 && d.held[2 * e + 1] === 0) continue
    const row = addTendonRow(m, d, terms, target[summed[e]])
    terms.stiffness[row] = d.held[2 * e]
    terms.damping[row] = d.held[2 * e + 1]
  }
}

/** out ← force of each actuator (nu); l and rate ← its length and the rate of that. Reads the kinematics. */
export function actuatorForces(out: Vec, l: Vec, rate: Vec, m: Model, d: Data, s: State): void {
  for (let k = 0; k < m.actuators.count; k++) {
    actuatorForce(out, k, m, d, s, k)
    l[k] = work[LENGTH]
    rate[k] = work[RATE]
  }
}

/** Whether the range of joint j cuts off what its actuators do, as summed last. */
function isCutOff(m: Model, { u: own }: Data, j: number): boolean {
  const { dofRange } = m.actuators
  const first = m.jointV[j]
  for (let k = first; k < first + jointTypes[m.jointType[j]].nv; k++)
    if (own[k] < dofRange[2 * k] || own[k] > dofRange[2 * k + 1]) return true
  return false
}

/** u ← what all actuators together would do in the joints without their ranges; D ← the lift that counts as theirs. Uses F of Data. Whether there is any. */
function sumActuators(m: Model, d: Data, s: State): boolean {
  const own = d.u
  driveAll(m, d, s)
  if (m.actuators.indirect.length > 0) {
    jacobianTransposeProduct(m, d, d.D, d.F)
    for (let k = 0; k < m.nv; k++) own[k] += d.D[k]
  }
  const compensated = compensate(m, d)
  if (compensated) for (let k = 0; k < m.nv; k++) if (m.actuators.compensated[k] === 1) own[k] += d.D[k]
  return compensated
}

/** qf ← what all actuators together do in the joints. Reads the kinematics; uses D, F and u of Data. */
export function actuatorJointForces(qf: Vec, m: Model, d: Data, s: State): void {
  const { dofRange } = m.actuators
  sumActuators(m, d, s)
  for (let k = 0; k < m.nv; k++) qf[k] = Math.min(Math.max(d.u[k], dofRange[2 * k]), dofRange[2 * k + 1])
}

/** out (nv) ← what a unit force of actuator k does in the joints. Reads the kinematics; uses F of Data. */
export function actuatorMoment(out: Vec, m: Model, d: Data, s: State, k: number): void {
  const own = new Float64Array(m.nv)
  d.F.fill(0)
  measureTransmission(m, d, s, k)
  work[0] = 1
  addTransmissionForce(m, d, k, d.F, own)
  jacobianTransposeProduct(m, d, out, d.F)
  for (let i = 0; i < m.nv; i++) out[i] += own[i]
}

function pullActuator(m: Model, d: Data, s: State, k: number, pull: Vec, own: Vec): void {
  actuatorForce(work, 0, m, d, s, k)
  addTransmissionForce(m, d, k, pull, own)
}

/** work ← length and rate: a joint's coordinate, a tendon's length, each times gear; sites and free joints have a rate only. */
function measureTransmission(m: Model, d: Data, s: State, k: number): void {
  const { kind, target, gear, site } = m.actuators
  const j = target[k]
  work[LENGTH] = 0
  work[RATE] = 0
  if (kind[k] === ACTUATOR_JOINT) {
    const { nv, linear, absolute } = jointTypes[m.jointType[j]]
    if (nv === 1) work[LENGTH] = gear[6 * k] * s.q[m.jointQ[j]]
    else if (!linear && !absolute) {
      // a quaternion has the rotation vector for its coordinates
      logQuat(local, 0, s.q, m.jointQ[j])
      for (let r = 0; r < 3; r++) work[LENGTH] += gear[6 * k + r] * local[r]
    }
    for (let r = 0; r < nv; r++) work[RATE] += gear[6 * k + r] * s.v[m.jointV[j] + r]
  } else if (kind[k] === ACTUATOR_TENDON) {
    tendonLength(work, LENGTH, m, d, s.q, j)
    tendonRate(work, RATE, m, d, s.v, j)
    work[LENGTH] *= gear[6 * k]
    work[RATE] *= gear[6 * k]
  } else {
    siteWrench(gear, site, k)
    for (let r = 0; r < 6; r++) work[RATE] += wrench[r] * d.V[6 * j + r]
  }
}

/** Adds the force work[0] of actuator k: joint forces to own, wrenches to f. */
function addTransmissionForce(m: Model, d: Data, k: number, f: Vec, own: Vec): void {
  const { kind, target, gear, site } = m.actuators
  const j = target[k]
  if (kind[k] === ACTUATOR_JOINT) {
    for (let r = 0; r < jointTypes[m.jointType[j]].nv; r++) own[m.jointV[j] + r] += gear[6 * k + r] * work[0]
  } else if (kind[k] === ACTUATOR_TENDON) {
    work[0] *= gear[6 * k]
    addTendonForce(m, d, j, work, 0, f, own)
  } else {
    siteWrench(gear, site, k)
    for (let r = 0; r < 6; r++) f[6 * j + r] += wrench[r] * work[0]
  }
}

/** wrench ← gear (force, torque) in the site's frame, as a wrench of the body. */
function siteWrench(gear: Vec, site: Vec, k: number): void {
  for (let r = 0; r < 6; r++) wrench[r] = 0
  for (let r = 0; r < 3; r++) {
    local[r] = gear[6 * k + 3 + r]
    local[3 + r] = gear[6 * k + r]
  }
  addForceToParent(wrench, 0, site, 12 * k, local, 0)
}

const local = new Float64Array(6)
