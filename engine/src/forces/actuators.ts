/**
 * Actuators: force = gain · u + bias through a joint, a tendon or a site; idle while the state holds no control.
 *
 *   u = clamp(control),  gain = g0 + g1 l + g2 l̇,  bias = b0 + b1 l + b2 l̇,  l the transmission's length times gear
 */
import type { Vec } from '../math/types.js'
import { addForceToParent } from '../math/spatial.js'
import { jointTypes } from '../joints/index.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import { ACTUATOR_JOINT, ACTUATOR_TENDON, type Model } from '../model/model.js'
import type { State } from '../model/state.js'
import { addTendonForce, tendonLength, tendonRate } from './tendons.js'

const wrench = new Float64Array(6)

export const actuators: Force = {
  name: 'actuators',
  apply(m, d, s) {
    if (s.control.length === 0) return
    const { count, gain, bias, controlRange, forceRange } = m.actuators
    const own = d.u
    for (let k = 0; k < m.nv; k++) own[k] = 0
    for (let k = 0; k < count; k++) {
      const length = transmissionLength(m, d, s, k)
      const rate = transmissionRate(m, d, s, k)
      const u = clamp(s.control[k], controlRange, 2 * k)
      const g = gain[3 * k] + gain[3 * k + 1] * length + gain[3 * k + 2] * rate
      const b = bias[3 * k] + bias[3 * k + 1] * length + bias[3 * k + 2] * rate
      addTransmissionForce(m, d, k, clamp(g * u + b, forceRange, 2 * k), own)
    }
    const range = m.actuators.dofRange
    for (let k = 0; k < m.nv; k++) d.qf[k] += clamp(own[k], range, 2 * k)
  },
}

function clamp(x: number, range: Vec, i: number): number {
  return x < range[i] ? range[i] : x > range[i + 1] ? range[i + 1] : x
}

/** A joint's coordinate, a tendon's length; a site has none. */
function transmissionLength(m: Model, d: Data, s: State, k: number): number {
  const { kind, target, gear } = m.actuators
  const j = target[k]
  if (kind[k] === ACTUATOR_JOINT) return jointTypes[m.jointType[j]].nv === 1 ? gear[6 * k] * s.q[m.jointQ[j]] : 0
  if (kind[k] === ACTUATOR_TENDON) return gear[6 * k] * tendonLength(m, d, s.q, j)
  return 0
}

function transmissionRate(m: Model, d: Data, s: State, k: number): number {
  const { kind, target, gear, site } = m.actuators
  const j = target[k]
  if (kind[k] === ACTUATOR_JOINT) {
    let rate = 0
    for (let r = 0; r < jointTypes[m.jointType[j]].nv; r++) rate += gear[6 * k + r] * s.v[m.jointV[j] + r]
    return rate
  }
  if (kind[k] === ACTUATOR_TENDON) return gear[6 * k] * tendonRate(m, d, s.v, j)
  siteWrench(gear, site, k, 1)
  let power = 0
  for (let r = 0; r < 6; r++) power += wrench[r] * d.V[6 * j + r]
  return power
}

function addTransmissionForce(m: Model, d: Data, k: number, force: number, own: Vec): void {
  const { kind, target, gear, site } = m.actuators
  const j = target[k]
  if (kind[k] === ACTUATOR_JOINT) {
    for (let r = 0; r < jointTypes[m.jointType[j]].nv; r++) own[m.jointV[j] + r] += gear[6 * k + r] * force
  } else if (kind[k] === ACTUATOR_TENDON) {
    addTendonForce(m, d, j, gear[6 * k] * force, d.f, own)
  } else {
    siteWrench(gear, site, k, force)
    for (let r = 0; r < 6; r++) d.f[6 * j + r] += wrench[r]
  }
}

/** wrench ← gear (force, torque) in the site's frame, times s, as a wrench of the body. */
function siteWrench(gear: Vec, site: Vec, k: number, s: number): void {
  for (let r = 0; r < 6; r++) wrench[r] = 0
  for (let r = 0; r < 3; r++) {
    local[r] = s * gear[6 * k + 3 + r]
    local[3 + r] = s * gear[6 * k + r]
  }
  addForceToParent(wrench, 0, site, 12 * k, local, 0)
}

const local = new Float64Array(6)
