/**
 * The equations of motion with every force of the model and the user's own: forward and inverse dynamics, mass matrix, energies.
 */
import { updateJoints } from '../joints/index.js'
import type { Vec } from '../math/types.js'
import { type Data, near } from '../model/data.js'
import type { Model } from '../model/model.js'
import { velocityEnd } from '../model/modes.js'
import { checkControl, type State } from '../model/state.js'
import { aba, abaFromCoordinates } from '../tree/aba.js'
import { crba } from '../tree/crba.js'
import { forwardKinematics, updateVelocities } from '../tree/kinematics.js'
import { kineticEnergy } from '../tree/momentum.js'
import { rnea } from '../tree/rnea.js'
import { builtInForces, forcesOf } from './index.js'
import { addTendonInertiaForce, addTendonMass, correctAcceleration, tendonJacobian } from './tendon-armature.js'

export interface Energy {
  readonly kinetic: number
  /** gravity and elastic energy */
  readonly potential: number
}

/** Accelerations into data.a, from gravity, the model's forces, those of data.own, and the joint forces tau (nv; default none). */
export function forwardDynamics(model: Model, data: Data, given: State, tau?: Vec): void {
  checkState(model, given)
  if (tau !== undefined) checkLength('tau', tau, model.nv)
  data.evaluations++
  const state = near(data, given)
  const { qf, a, loaded } = data
  // built-in forces in the joints need no kinematics: then the recursion's own sweep is all there is
  if (loaded) forwardKinematics(model, data, state.q, state.v)
  else if (data.own.length > 0) updateJoints(model, data, state.q)
  if (loaded) applyForces(model, data, state)
  else applyJointForces(model, data, state, 1, model.nbody)
  if (tau !== undefined) for (let k = 0; k < model.nv; k++) qf[k] += tau[k]
  if (loaded) aba(model, data, state.v, qf, a)
  else abaFromCoordinates(model, data, state.q, state.v, qf, a)
  if (model.tendons.armed.length > 0) {
    if (!loaded) updateVelocities(model, data, state.v)
    correctAcceleration(model, data, a)
  }
}

/** Joint forces into data.tau that, on top of the model's own, produce the accelerations a (nv). */
export function inverseDynamics(model: Model, data: Data, state: State, a: Vec): void {
  checkState(model, state)
  checkLength('a', a, model.nv)
  forwardKinematics(model, data, state.q, state.v)
  applyForces(model, data, state)
  const { qf, tau } = data
  rnea(model, data, a, tau)
  if (model.tendons.armed.length > 0) addTendonInertiaForce(model, data, a, tau)
  for (let k = 0; k < model.nv; k++) tau[k] -= qf[k]
}

/** Dense nv × nv mass matrix, row-major, into out. */
export function massMatrix(model: Model, data: Data, state: State, out: Vec): void {
  checkState(model, state)
  checkLength('out', out, model.nv * model.nv)
  forwardKinematics(model, data, state.q, state.v)
  crba(model, data, out)
  if (model.tendons.armed.length > 0) addTendonMass(model, data, out)
}

/** Kinetic and potential energy at the state. */
export function energy(model: Model, data: Data, state: State): Energy {
  checkState(model, state)
  forwardKinematics(model, data, state.q, state.v)
  let potential = 0
  for (const force of forcesOf(model, data)) potential += force.energy?.(model, data, state) ?? 0
  return { kinetic: kineticEnergy(model, data, state.v) + tendonKineticEnergy(model, data, state.v), potential }
}

/** Reads the kinematics. Writes f and qf, of the bodies from … to − 1: the sum of the model's forces and the user's own. */
export function applyForces(m: Model, d: Data, s: State, from = 1, to = m.nbody): void {
  // the world's row too, where forces may leave what they push against
  d.f.fill(0, from === 1 ? 0 : 6 * from, 6 * to)
  applyJointForces(m, d, s, from, to)
}

/** The same where none of them pulls at bodies: f stays as it is. */
export function applyJointForces(m: Model, d: Data, s: State, from: number, to: number): void {
  const { qf, own } = d
  const { forces, iv } = m
  if (to - from === m.nbody - 1) qf.fill(0)
  else for (let i = from; i < to; i++) for (let k = iv[i], end = velocityEnd(m, i); k < end; k++) qf[k] = 0
  for (let k = 0; k < forces.length; k++) {
    const force = builtInForces[forces[k]]
    // gravity is the world's upward acceleration
    if (!force.inertial) force.apply(m, d, s, from, to)
  }
  for (let k = 0; k < own.length; k++) own[k].apply(m, d, s, from, to)
}

function tendonKineticEnergy(m: Model, d: Data, v: Vec): number {
  const { armed, armature } = m.tendons
  if (armed.length === 0) return 0
  tendonJacobian(m, d)
  let twice = 0
  for (let r = 0; r < armed.length; r++) {
    let rate = 0
    for (let k = 0; k < m.nv; k++) rate += d.tendonJ[r * m.nv + k] * v[k]
    twice += armature[armed[r]] * rate * rate
  }
  return 0.5 * twice
}

function checkState(m: Model, s: State): void {
  checkLength('state.q', s.q, m.nq)
  checkLength('state.v', s.v, m.nv)
  checkControl(m, s.control)
}

function checkLength(name: string, x: Vec, n: number): void {
  if (x.length !== n) throw new RangeError(`${name}: expected ${n} numbers, got ${x.length}`)
}
