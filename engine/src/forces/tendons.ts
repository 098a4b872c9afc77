/**
 * Tendons: a length made of straight lines over points of bodies, or of weighted joint coordinates, with a spring that is slack
 * between two lengths and a damper.
 *
 *   l = Σ |x_{i+1} − x_i| / divisor + Σ c_j q_j,   force φ = −k e − d l̇ along l,   e = l − high above, l − low below, 0 between
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { addPointForce, pointPosition, pointVelocity } from './points.js'

const SHORTEST = 1e-12

const a = new Float64Array(3)
const b = new Float64Array(3)
const n = new Float64Array(3)

/** n ← direction from path point i to i + 1; returns the distance, 0 where they meet. */
function segment(m: Model, d: Data, i: number): number {
  const { pathBody, pathPoint } = m.tendons
  pointPosition(a, 0, d, pathBody[i], pathPoint, 3 * i)
  pointPosition(b, 0, d, pathBody[i + 1], pathPoint, 3 * (i + 1))
  for (let r = 0; r < 3; r++) n[r] = b[r] - a[r]
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
  if (length < SHORTEST) return 0
  for (let r = 0; r < 3; r++) n[r] /= length
  return length
}

/** Reads X_WB, q. */
export function tendonLength(m: Model, d: Data, q: Vec, k: number): number {
  const { pathStart, pathBody, pathPoint, dofStart, dofQ, dofCoefficient } = m.tendons
  let length = 0
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i++) {
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    else if (pathBody[i + 1] >= 0) length += segment(m, d, i) / divisor
  }
  for (let i = dofStart[k]; i < dofStart[k + 1]; i++) length += dofCoefficient[i] * q[dofQ[i]]
  return length
}

/** Reads X_WB, V, v. */
export function tendonRate(m: Model, d: Data, v: Vec, k: number): number {
  const { pathStart, pathBody, pathPoint, dofStart, dofV, dofCoefficient } = m.tendons
  let rate = 0
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i++) {
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    else if (pathBody[i + 1] >= 0 && pathBody[i] !== pathBody[i + 1] && segment(m, d, i) > 0) {
      pointVelocity(a, 0, d, pathBody[i], pathPoint, 3 * i)
      pointVelocity(b, 0, d, pathBody[i + 1], pathPoint, 3 * (i + 1))
      rate += (n[0] * (b[0] - a[0]) + n[1] * (b[1] - a[1]) + n[2] * (b[2] - a[2])) / divisor
    }
  }
  for (let i = dofStart[k]; i < dofStart[k + 1]; i++) rate += dofCoefficient[i] * v[dofV[i]]
  return rate
}

/** Adds the force φ along the length of tendon k: wrenches to f, joint forces to qf. */
export function addTendonForce(m: Model, d: Data, k: number, force: number, f: Vec, qf: Vec): void {
  const { pathStart, pathBody, pathPoint, dofStart, dofV, dofCoefficient } = m.tendons
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i++) {
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    else if (pathBody[i + 1] >= 0 && pathBody[i] !== pathBody[i + 1] && segment(m, d, i) > 0) {
      addPointForce(f, d, pathBody[i], pathPoint, 3 * i, -force / divisor, n, 0)
      addPointForce(f, d, pathBody[i + 1], pathPoint, 3 * (i + 1), force / divisor, n, 0)
    }
  }
  for (let i = dofStart[k]; i < dofStart[k + 1]; i++) qf[dofV[i]] += dofCoefficient[i] * force
}

/** How far the length is outside the slack range. */
function excess(m: Model, length: number, k: number): number {
  const { restLow, restHigh } = m.tendons
  if (length > restHigh[k]) return length - restHigh[k]
  if (length < restLow[k]) return length - restLow[k]
  return 0
}

export const tendons: Force = {
  name: 'tendons',
  apply(m, d, { q, v }) {
    const { count, stiffness, damping } = m.tendons
    for (let k = 0; k < count; k++) {
      let force = 0
      if (stiffness[k] !== 0) force -= stiffness[k] * excess(m, tendonLength(m, d, q, k), k)
      if (damping[k] !== 0) force -= damping[k] * tendonRate(m, d, v, k)
      if (force !== 0) addTendonForce(m, d, k, force, d.f, d.qf)
    }
  },
  energy(m, d, { q }) {
    const { count, stiffness } = m.tendons
    let twice = 0
    for (let k = 0; k < count; k++) {
      if (stiffness[k] === 0) continue
      const e = excess(m, tendonLength(m, d, q, k), k)
      twice += stiffness[k] * e * e
    }
    return 0.5 * twice
  },
}
