/**
 * Tendons: a length made of straight lines over points of bodies, or of weighted joint coordinates, with a spring that is slack
 * between two lengths and a damper.
 *
 *   l = Σ |x_{i+1} − x_i| / divisor + Σ c_j q_j,   force φ = −k e − d l̇ along l,   e = l − high above, l − low below, 0 between
 *
 * Lengths, rates and forces travel in arrays: a number handed over a call that is not inlined costs an allocation.
 */

import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { addStiffEntry, openStiffRow, type StiffTerms } from '../model/stiff-terms.js'
import { sumOf } from './energy.js'
import { addPointForce, addPointRow, pointPosition, pointVelocity } from './points.js'

const SHORTEST = 1e-12

const a = new Float64Array(3)
const b = new Float64Array(3)
const n = new Float64Array(4)
const LENGTH = 3
const pull = new Float64Array(3)
const work = new Float64Array(1)

/** n ← direction from path point i to i + 1, and the distance, 0 where they meet. */
function segment(m: Model, d: Data, i: number): void {
  const { pathBody, pathPoint } = m.tendons
  pointPosition(a, 0, d, pathBody[i], pathPoint, 3 * i)
  pointPosition(b, 0, d, pathBody[i + 1], pathPoint, 3 * (i + 1))
  for (let r = 0; r < 3; r++) n[r] = b[r] - a[r]
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
  n[LENGTH] = length < SHORTEST ? 0 : length
  if (length < SHORTEST) return
  for (let r = 0; r < 3; r++) n[r] /= length
}

/** Reads X_WB, q. Writes out[o]: the length of tendon k. */
export function tendonLength(out: Vec, o: number, m: Model, d: Data, q: Vec, k: number): void {
  const { pathStart, pathBody, pathPoint, dofStart, dofQ, dofCoefficient } = m.tendons
  let length = 0
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i++) {
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    else if (pathBody[i + 1] >= 0) {
      segment(m, d, i)
      length += n[LENGTH] / divisor
    }
  }
  for (let i = dofStart[k]; i < dofStart[k + 1]; i++) length += dofCoefficient[i] * q[dofQ[i]]
  out[o] = length
}

/** Reads X_WB, V, v. Writes out[o]: the rate of the length of tendon k. */
export function tendonRate(out: Vec, o: number, m: Model, d: Data, v: Vec, k: number): void {
  const { pathStart, pathBody, pathPoint, dofStart, dofV, dofCoefficient } = m.tendons
  let rate = 0
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i++) {
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    else if (pathBody[i + 1] >= 0 && pathBody[i] !== pathBody[i + 1]) {
      segment(m, d, i)
      if (n[LENGTH] === 0) continue
      pointVelocity(a, 0, d, pathBody[i], pathPoint, 3 * i)
      pointVelocity(b, 0, d, pathBody[i + 1], pathPoint, 3 * (i + 1))
      rate += (n[0] * (b[0] - a[0]) + n[1] * (b[1] - a[1]) + n[2] * (b[2] - a[2])) / divisor
    }
  }
  for (let i = dofStart[k]; i < dofStart[k + 1]; i++) rate += dofCoefficient[i] * v[dofV[i]]
  out[o] = rate
}

/** Adds the force x[i0] along the length of tendon k, on the bodies from … to − 1: wrenches to f, joint forces to qf. */
export function addTendonForce(m: Model, d: Data, k: number, x: Vec, i0: number, f: Vec, qf: Vec, from = 0, to = m.nbody): void {
  const { pathStart, pathBody, pathPoint, dofStart, dofV, dofCoefficient } = m.tendons
  const force = x[i0]
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i++) {
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    else if (pathBody[i + 1] >= 0 && pathBody[i] !== pathBody[i + 1]) {
      segment(m, d, i)
      if (n[LENGTH] === 0) continue
      for (let r = 0; r < 3; r++) pull[r] = (force / divisor) * n[r]
      const a = pathBody[i]
      const b = pathBody[i + 1]
      if (a >= from && a < to) addPointForce(f, d, a, pathPoint, 3 * i, -1, pull, 0)
      if (b >= from && b < to) addPointForce(f, d, b, pathPoint, 3 * (i + 1), 1, pull, 0)
    }
  }
  for (let i = dofStart[k]; i < dofStart[k + 1]; i++) {
    const body = m.velocityBody[dofV[i]]
    if (body >= from && body < to) qf[dofV[i]] += dofCoefficient[i] * force
  }
}

/** x[i] ← how far the length x[i] of tendon k is outside its slack range. */
export function excess(m: Model, x: Vec, i: number, k: number): void {
  const { restLow, restHigh } = m.tendons
  if (x[i] > restHigh[k]) x[i] -= restHigh[k]
  else if (x[i] < restLow[k]) x[i] -= restLow[k]
  else x[i] = 0
}

/** Offset of a body's entry in the row, which is the last one; opened where it has none yet. */
function rowEntry(terms: StiffTerms, row: number, body: number): number {
  for (let e = terms.start[row]; e < terms.start[row + 1]; e++) if (terms.body[e] === body) return 6 * e
  return addStiffEntry(terms, body)
}

/** Opens the row of tendon k's length, with neither stiffness nor damping yet. Returns its number. */
export function addTendonRow(m: Model, d: Data, terms: StiffTerms, k: number): number {
  const { pathStart, pathBody, pathPoint, dofStart, dofV, dofCoefficient } = m.tendons
  const row = openStiffRow(terms)
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i++) {
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    else if (pathBody[i + 1] >= 0 && pathBody[i] !== pathBody[i + 1]) {
      segment(m, d, i)
      if (n[LENGTH] === 0) continue
      for (let end = 0; end < 2; end++) {
        const body = pathBody[i + end]
        if (body === 0) continue
        addPointRow(terms.J, rowEntry(terms, row, body), d, body, pathPoint, 3 * (i + end), (end === 0 ? -1 : 1) / divisor, n, 0)
      }
    }
  }
  for (let i = dofStart[k]; i < dofStart[k + 1]; i++) terms.J[rowEntry(terms, row, -1 - dofV[i])] += dofCoefficient[i]
  return row
}

export const tendons: Force = {
  name: 'tendons',
  apply(m, d, { q, v }, from = 1, to = m.nbody) {
    const { count, stiffness, damping } = m.tendons
    for (let k = 0; k < count; k++) {
      let force = 0
      if (stiffness[k] !== 0) {
        tendonLength(work, 0, m, d, q, k)
        excess(m, work, 0, k)
        force -= stiffness[k] * work[0]
      }
      if (damping[k] !== 0) {
        tendonRate(work, 0, m, d, v, k)
        force -= damping[k] * work[0]
      }
      if (force === 0) continue
      work[0] = force
      addTendonForce(m, d, k, work, 0, d.f, d.qf, from, to)
    }
  },
  linearize(m, d, { q }, terms) {
    const { count, stiffness, damping, restLow, restHigh } = m.tendons
    for (let k = 0; k < count; k++) {
      if (stiffness[k] === 0 && damping[k] === 0) continue
      const row = addTendonRow(m, d, terms, k)
      tendonLength(work, 0, m, d, q, k)
      const slack = work[0] >= restLow[k] && work[0] <= restHigh[k] && restLow[k] < restHigh[k]
      terms.stiffness[row] = slack ? 0 : stiffness[k]
      terms.damping[row] = damping[k]
    }
  },
  addEnergy(m, d, { q }, out, o) {
    const { count, stiffness } = m.tendons
    let twice = 0
    for (let k = 0; k < count; k++) {
      if (stiffness[k] === 0) continue
      tendonLength(work, 0, m, d, q, k)
      excess(m, work, 0, k)
      twice += stiffness[k] * work[0] * work[0]
    }
    out[o] += 0.5 * twice
  },
  energy: (m, d, s) => sumOf(tendons, m, d, s),
}
