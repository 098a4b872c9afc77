/**
 * Gravity. Its pull is the world's upward acceleration in `tree/aba` and `tree/rnea`; here are its energy, and the lift of bodies
 * whose weight is carried.
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { sumOf } from './energy.js'
import { addLoad } from './moving-loads.js'

const com = new Float64Array(3)
const lift = new Float64Array(6)

export const gravity: Force = {
  name: 'gravity',
  jointsOnly: true,
  inertial: true,
  apply() {},
  addEnergy(m, d, _s, out, o) {
    const { nbody, inertia, gravity: g } = m
    const X = d.X_WB
    let sum = 0
    for (let i = 1; i < nbody; i++) {
      const o = 10 * i
      const x = 12 * i
      for (let r = 0; r < 3; r++) {
        const moment = X[x + 3 * r] * inertia[o + 1] + X[x + 3 * r + 1] * inertia[o + 2] + X[x + 3 * r + 2] * inertia[o + 3]
        sum -= g[r] * (inertia[o] * X[x + 9 + r] + moment)
      }
    }
    for (let n = 0; n < m.modes.bodies.length; n++) {
      const x = 12 * m.modes.bodies[n]
      for (let r = 0; r < 3; r++) for (let k = 0; k < 3; k++) sum -= g[r] * X[x + 3 * r + k] * d.dI[10 * n + 1 + k]
    }
    out[o] += sum
  },
  energy: (m, d, s) => sumOf(gravity, m, d, s),
}

/** F[6 i] += the lift of body i as a wrench of the body: moment, force. */
export function addLift(F: Vec, m: Model, { X_WB: X }: Data, i: number): void {
  const share = m.gravityCompensation[i]
  if (share === 0) return
  const c = 10 * i + 1
  const o = 6 * i
  // moment of the whole mass: (m c) × Rᵀ(−share g)
  for (let r = 0; r < 3; r++) {
    lift[3 + r] = 0
    for (let k = 0; k < 3; k++) lift[3 + r] -= share * X[12 * i + 3 * k + r] * m.gravity[k]
    F[o + 3 + r] += m.inertia[10 * i] * lift[3 + r]
  }
  F[o] += m.inertia[c + 1] * lift[5] - m.inertia[c + 2] * lift[4]
  F[o + 1] += m.inertia[c + 2] * lift[3] - m.inertia[c] * lift[5]
  F[o + 2] += m.inertia[c] * lift[4] - m.inertia[c + 1] * lift[3]
}

/** Lift at the centre of mass: −compensation · m g. */
export const gravityCompensation: Force = {
  name: 'gravity compensation',
  apply(m, d, _s, from = 1, to = m.nbody) {
    for (let i = from; i < to; i++) {
      const mass = m.inertia[10 * i]
      const share = m.gravityCompensation[i]
      if (share === 0 || mass === 0) continue
      for (let r = 0; r < 3; r++) {
        com[r] = m.inertia[10 * i + 1 + r] / mass
        lift[3 + r] = -share * mass * m.gravity[r]
      }
      addLoad(d, i, lift, 0, com, 0, 0)
    }
  },
}
