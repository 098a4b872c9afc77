/**
 * Kinematics for those who look at a state from outside: computed when asked for, and again only where the state has changed.
 */
import type { Vec } from '../math/types.js'
import { createData, type Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'
import { rotate, rotateBack } from '../printed/arrays.js'
import { jacobianTransposeProduct } from '../tree/jacobian.js'
import { forwardKinematics } from '../tree/kinematics.js'

export interface Look {
  /** with the parameters as they are; written by the simulation */
  model: Model
  readonly state: State
  /**
   * Poses and velocities of all bodies at the state as it is now; with the number of a body those of that one and of those it hangs on, which is found
   * out without looking at the others: so whoever reads all bodies does not look at all coordinates for each.
   */
  data(body?: number): Data
}

export function createLook(model: Model, state: State): Look {
  let data: Data | undefined
  let dataModel = model
  const seen = new Float64Array(model.nq + model.nv)
  const { parent, iq, iqEnd, iv, ivEnd, modes } = model
  /** Whether the coordinates that this body moves with are those of the last look. */
  const isPathSeen = (body: number): boolean => {
    const { q, v } = state
    for (let i = body; i > 0; i = parent[i]) {
      for (let k = iq[i]; k < iqEnd[i]; k++) if (seen[k] !== q[k]) return false
      for (let k = iv[i]; k < ivEnd[i]; k++) if (seen[q.length + k] !== v[k]) return false
    }
    return true
  }
  const isSeen = (): boolean => {
    const { q, v } = state
    for (let k = 0; k < q.length; k++) if (seen[k] !== q[k]) return false
    for (let k = 0; k < v.length; k++) if (seen[q.length + k] !== v[k]) return false
    return true
  }
  const look: Look = {
    model,
    state,
    data(body = -1) {
      // what forces read of data depends on the parameters too
      if (look.model !== dataModel) data = undefined
      // what hangs on a body that deforms moves with its modes too
      if (data !== undefined && (body < 0 || modes.count > 0 ? isSeen() : isPathSeen(body))) return data
      dataModel = look.model
      data ??= createData(dataModel)
      forwardKinematics(dataModel, data, state.q, state.v)
      seen.set(state.q)
      seen.set(state.v, state.q.length)
      return data
    },
  }
  return look
}

const x = new Float64Array(3)

/** out (3) ← the point p of body i, in the world. */
export function pointInWorld(out: Vec, d: Data, i: number, p: Vec): void {
  rotate(x, 0, d.X_WB, 12 * i, p, 0)
  for (let r = 0; r < 3; r++) out[r] = x[r] + d.X_WB[12 * i + 9 + r]
}

/** out (6) ← angular velocity of body i and velocity of its point p, along the axes of the world. */
export function velocityInWorld(out: Vec, d: Data, i: number, p: Vec): void {
  const { V, X_WB } = d
  const o = 6 * i
  rotate(out, 0, X_WB, 12 * i, V, o)
  // v + w × p in the body, then turned
  x[0] = V[o + 3] + V[o + 1] * p[2] - V[o + 2] * p[1]
  x[1] = V[o + 4] + V[o + 2] * p[0] - V[o] * p[2]
  x[2] = V[o + 5] + V[o] * p[1] - V[o + 1] * p[0]
  rotate(out, 3, X_WB, 12 * i, x, 0)
}

const axis = new Float64Array(3)

/** wrench[o …] (moment, force; body axes, about its origin) += torque and force at point p of body i, given along the axes of the world. */
export function addWrench(wrench: Vec, o: number, d: Data, i: number, torque: Vec, force: Vec, p: Vec): void {
  rotateBack(axis, 0, d.X_WB, 12 * i, force, 0)
  wrench[o] += p[1] * axis[2] - p[2] * axis[1]
  wrench[o + 1] += p[2] * axis[0] - p[0] * axis[2]
  wrench[o + 2] += p[0] * axis[1] - p[1] * axis[0]
  for (let r = 0; r < 3; r++) wrench[o + 3 + r] += axis[r]
  rotateBack(axis, 0, d.X_WB, 12 * i, torque, 0)
  for (let r = 0; r < 3; r++) wrench[o + r] += axis[r]
}

const none = new Float64Array(3)
const along = new Float64Array(3)

/** out (6 × nv, row by row) ← J with (angular velocity; velocity of point p) = J v, along the axes of the world. Overwrites F and tau. */
export function bodyJacobian(out: Vec, m: Model, d: Data, i: number, p: Vec): void {
  const { F, tau } = d
  for (let r = 0; r < 6; r++) {
    F.fill(0)
    along.fill(0)
    along[r % 3] = 1
    // a row of J is what a unit torque or force does to the joints
    addWrench(F, 6 * i, d, i, r < 3 ? along : none, r < 3 ? none : along, p)
    jacobianTransposeProduct(m, d, tau, F)
    for (let k = 0; k < m.nv; k++) out[r * m.nv + k] = tau[k]
  }
}
