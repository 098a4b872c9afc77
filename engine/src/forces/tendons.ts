/**
 * Tendons: a length made of straight lines over points of bodies and arcs around geoms, or of weighted joint coordinates, with a spring that
 * is slack between two lengths and a damper.
 *
 *   l = Σ (|x_{i+1} − x_i| + arc_i) / divisor + Σ c_j q_j,   force φ = −k e − d l̇ along l,   e = l − high above, l − low below, 0 between
 *
 * Around a geom the line comes and goes at tangents, so that to first order it moves with the points of the geom that it touches there.
 * Lengths, rates and forces travel in arrays: a number handed over a call that is not inlined costs an allocation.
 */

import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { addStiffEntry, openStiffRow, type StiffTerms } from '../model/stiff-terms.js'
import { sumOf } from './energy.js'
import { addPointForce, addPointRow, pointPosition, pointVelocity } from './points.js'
import { wrapAround } from './wrapping.js'

const SHORTEST = 1e-12

const a = new Float64Array(3)
const b = new Float64Array(3)
const pull = new Float64Array(3)
const work = new Float64Array(1)

/** The leg from a point of the path to the next: one straight piece, or two with an arc between them. */
const leg = {
  pieces: 0,
  /** entries of the path that it takes up; 0 at a pulley and at the end of a branch */
  entries: 0,
  /** of each piece: its two bodies, the points on them (3 each), direction from one to the other and the distance, 0 where they meet */
  body: new Int32Array(4),
  point: new Float64Array(12),
  line: new Float64Array(8),
  /** length on the geom */
  arc: new Float64Array(1),
}
const ends = new Float64Array(9)
const world = new Float64Array(9)
const touched = new Float64Array(7)

/** leg ← what begins at entry i of the path, which is not its last. */
function measureLeg(m: Model, d: Data, i: number): void {
  const { pathBody, pathPoint, pathWrap } = m.tendons
  leg.pieces = 0
  leg.entries = 1
  leg.arc[0] = 0
  if (pathBody[i] < 0 || pathBody[i + 1] < 0) return
  const wraps = pathWrap[i + 1] >= 0
  const end = wraps ? i + 2 : i + 1
  leg.entries = end - i
  setEnd(0, pathBody[i], pathPoint, 3 * i)
  setEnd(1, pathBody[end], pathPoint, 3 * end)
  leg.pieces = 1
  if (wraps && goesRound(m, d, pathWrap[i + 1], pathBody[i + 1])) {
    leg.pieces = 2
    leg.arc[0] = touched[6]
    const geom = pathBody[i + 1]
    leg.body[3] = leg.body[1]
    for (let r = 0; r < 3; r++) {
      leg.point[9 + r] = leg.point[3 + r]
      leg.point[3 + r] = touched[r]
      leg.point[6 + r] = touched[3 + r]
    }
    leg.body[1] = geom
    leg.body[2] = geom
  }
  for (let e = 0; e < leg.pieces; e++) measurePiece(d, e)
}

function setEnd(e: number, body: number, points: Vec, o: number): void {
  leg.body[e] = body
  for (let r = 0; r < 3; r++) leg.point[3 * e + r] = points[o + r]
}

function measurePiece(d: Data, e: number): void {
  const { body, point, line } = leg
  pointPosition(a, 0, d, body[2 * e], point, 6 * e)
  pointPosition(b, 0, d, body[2 * e + 1], point, 6 * e + 3)
  const o = 4 * e
  for (let r = 0; r < 3; r++) line[o + r] = b[r] - a[r]
  const length = Math.sqrt(line[o] * line[o] + line[o + 1] * line[o + 1] + line[o + 2] * line[o + 2])
  line[o + 3] = length < SHORTEST ? 0 : length
  if (length < SHORTEST) return
  for (let r = 0; r < 3; r++) line[o + r] /= length
}

/** touched ← where the leg meets geom w, in the frame of its body, and the length on it; false where it passes by. */
function goesRound(m: Model, d: Data, w: number, geom: number): boolean {
  const { wrapKind, wrapRadius, wrapPose: X, wrapSide, wrapSidePoint } = m.tendons
  const hasSide = wrapSide[w] >= 0
  pointPosition(world, 0, d, leg.body[0], leg.point, 0)
  pointPosition(world, 3, d, leg.body[1], leg.point, 3)
  if (hasSide) pointPosition(world, 6, d, wrapSide[w], wrapSidePoint, 3 * w)
  for (let e = 0; e < (hasSide ? 3 : 2); e++) {
    // world → body → geom
    toLocal(a, 0, d.X_WB, 12 * geom, world, 3 * e)
    toLocal(ends, 3 * e, X, 12 * w, a, 0)
  }
  wrapAround(touched, ends, wrapKind[w], wrapRadius, w, hasSide)
  if (touched[6] < 0) return false
  const i = 12 * w
  for (let e = 0; e < 2; e++) {
    for (let r = 0; r < 3; r++) a[r] = touched[3 * e + r]
    for (let r = 0; r < 3; r++) touched[3 * e + r] = X[i + 9 + r] + X[i + 3 * r] * a[0] + X[i + 3 * r + 1] * a[1] + X[i + 3 * r + 2] * a[2]
  }
  return true
}

/** out = Rᵀ (x − p) */
function toLocal(out: Vec, o: number, X: Vec, i: number, x: Vec, j: number): void {
  const dx = x[j] - X[i + 9]
  const dy = x[j + 1] - X[i + 10]
  const dz = x[j + 2] - X[i + 11]
  for (let r = 0; r < 3; r++) out[o + r] = X[i + r] * dx + X[i + 3 + r] * dy + X[i + 6 + r] * dz
}

/** Reads X_WB, q. Writes out[o]: the length of tendon k. */
export function tendonLength(out: Vec, o: number, m: Model, d: Data, q: Vec, k: number): void {
  const { pathStart, pathBody, pathPoint, dofStart, dofQ, dofCoefficient } = m.tendons
  let length = 0
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i += leg.entries) {
    measureLeg(m, d, i)
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    for (let e = 0; e < leg.pieces; e++) length += leg.line[4 * e + 3] / divisor
    length += leg.arc[0] / divisor
  }
  for (let i = dofStart[k]; i < dofStart[k + 1]; i++) length += dofCoefficient[i] * q[dofQ[i]]
  out[o] = length
}

/** Reads X_WB, V, v. Writes out[o]: the rate of the length of tendon k. */
export function tendonRate(out: Vec, o: number, m: Model, d: Data, v: Vec, k: number): void {
  const { pathStart, pathBody, pathPoint, dofStart, dofV, dofCoefficient } = m.tendons
  const { body, point, line } = leg
  let rate = 0
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i += leg.entries) {
    measureLeg(m, d, i)
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    for (let e = 0; e < leg.pieces; e++) {
      const n = 4 * e
      if (line[n + 3] === 0 || body[2 * e] === body[2 * e + 1]) continue
      pointVelocity(a, 0, d, body[2 * e], point, 6 * e)
      pointVelocity(b, 0, d, body[2 * e + 1], point, 6 * e + 3)
      rate += (line[n] * (b[0] - a[0]) + line[n + 1] * (b[1] - a[1]) + line[n + 2] * (b[2] - a[2])) / divisor
    }
  }
  for (let i = dofStart[k]; i < dofStart[k + 1]; i++) rate += dofCoefficient[i] * v[dofV[i]]
  out[o] = rate
}

/** Adds the force x[i0] along the length of tendon k, on the bodies from … to − 1: wrenches to f, joint forces to qf. */
export function addTendonForce(m: Model, d: Data, k: number, x: Vec, i0: number, f: Vec, qf: Vec, from = 0, to = m.nbody): void {
  const { pathStart, pathBody, pathPoint, dofStart, dofV, dofCoefficient } = m.tendons
  const { body, point, line } = leg
  const force = x[i0]
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i += leg.entries) {
    measureLeg(m, d, i)
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    for (let e = 0; e < leg.pieces; e++) {
      const first = body[2 * e]
      const second = body[2 * e + 1]
      if (line[4 * e + 3] === 0 || first === second) continue
      for (let r = 0; r < 3; r++) pull[r] = (force / divisor) * line[4 * e + r]
      if (first >= from && first < to) addPointForce(f, d, first, point, 6 * e, -1, pull, 0)
      if (second >= from && second < to) addPointForce(f, d, second, point, 6 * e + 3, 1, pull, 0)
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
  const { body, point, line } = leg
  const row = openStiffRow(terms)
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i += leg.entries) {
    measureLeg(m, d, i)
    if (pathBody[i] < 0) divisor = pathPoint[3 * i]
    for (let e = 0; e < 2 * leg.pieces; e++) {
      const piece = e >> 1
      if (line[4 * piece + 3] === 0 || body[2 * piece] === body[2 * piece + 1] || body[e] === 0) continue
      const entry = rowEntry(terms, row, body[e])
      addPointRow(terms.J, entry, d, body[e], point, 3 * e, (e % 2 === 0 ? -1 : 1) / divisor, line, 4 * piece)
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
