/**
 * Limits of joints and tendons as unilateral rows C v ≤ gap/h, λ ≥ 0.
 *
 *   lower: C = −e, gap = q − lower      upper: C = e, gap = upper − q
 *   ball, angle θ = |r| ≤ θmax with r the rotation vector from the pose as drawn: C = r/θ, gap = θmax − θ
 *   tendon: the same with its length and the gradient of it
 * A row is there when it may act: gap ≤ margin + horizon · (speed towards the limit).
 */

import type { Contacts } from '../../contact/contacts.js'
import { addTendonForce, tendonLength } from '../../forces/tendons.js'
import { jointTypes, neutral } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { clearRow } from './couplings.js'
import { allocateRows, type Rows, tendonTouches } from './rows.js'

/**
 * `g` is the gap, negative where the limit is passed; `target` the speed towards it; `source` is twice the number in the lists below, plus 1 for
 * an upper limit. @record
 */
export interface LimitRows extends Rows {
  /** margin (rad or m), horizon (s): which rows are there. Infinite margin, the default: all of them */
  readonly reach: Vec
  /** velocities with limits and their coordinates, then joints limited by an angle, then tendons */
  readonly velocities: Int32Array
  readonly coordinates: Int32Array
  readonly balls: Int32Array
  readonly tendons: Int32Array
  /** lower and upper limit of each of these velocities */
  readonly bounds: Vec
  /** of all three lists: softness as MuJoCo has it, 2 and 5 each, solref 0 0 where it is hard, and from how far it pushes */
  readonly solref: Vec
  readonly solimp: Vec
  readonly margin: Vec
  readonly drawn: Vec
}

/** an angle below this has no direction to be limited in */
const SMALLEST = 1e-9

const ONE = Float64Array.of(1)
const MINUS = Float64Array.of(-1)
/** value of a limited quantity */
const value = new Float64Array(1)
/** at which it comes nearer to its limit */
const speed = new Float64Array(1)

export function createLimitRows(m: Model): LimitRows {
  const velocities: number[] = []
  const coordinates: number[] = []
  const balls: number[] = []
  const limited = (limits: Vec, k: number): boolean => Number.isFinite(limits[2 * k]) || Number.isFinite(limits[2 * k + 1])
  for (let j = 0; j < m.njoint; j++) {
    const type = jointTypes[m.jointType[j]]
    const k = m.jointV[j]
    if (!type.linear) {
      if (type.nv > 0 && !type.absolute && limited(m.limits, k)) balls.push(j)
      continue
    }
    for (let e = 0; e < type.nv; e++) {
      if (!limited(m.limits, k + e)) continue
      velocities.push(k + e)
      coordinates.push(m.jointQ[j] + e)
    }
  }
  const tendons = m.tendons.names.map((_, k) => k).filter((k) => limited(m.constraints.tendonLimits, k))
  const touches = tendons.map((k) => tendonTouches(m, [k]))
  const blocks = touches.reduce((sum, { bodies }) => sum + bodies.length, 0)
  const dofs = touches.reduce((sum, touched) => sum + touched.dofs.length, 0)
  const drawn = new Float64Array(m.nq)
  neutral(m, drawn)
  const rows = allocateRows(
    m,
    2 * velocities.length + balls.length + 2 * tendons.length,
    2 * blocks,
    2 * velocities.length + 3 * balls.length + 2 * dofs,
  )
  // the velocity or the tendon that says how soft each is
  const owners = [...velocities, ...balls.map((j) => m.jointV[j]), ...tendons]
  const softness = (name: 'limitSolref' | 'limitSolimp' | 'limitMargin', size: number): Vec =>
    Float64Array.from(
      owners.flatMap((k, at) => {
        const from = at < velocities.length + balls.length ? m : m.tendons
        return [...from[name].subarray(size * k, size * (k + 1))]
      }),
    )
  // not spread: the records of two simulations would then be of two kinds to compilers
  return Object.assign(rows, {
    reach: Float64Array.of(Number.POSITIVE_INFINITY, 0),
    velocities: Int32Array.from(velocities),
    coordinates: Int32Array.from(coordinates),
    balls: Int32Array.from(balls),
    tendons: Int32Array.from(tendons),
    bounds: Float64Array.from(velocities.flatMap((k) => [m.limits[2 * k], m.limits[2 * k + 1]])),
    solref: softness('limitSolref', 2),
    solimp: softness('limitSolimp', 5),
    margin: softness('limitMargin', 1),
    drawn,
  })
}

/** Reads X_WB, V, q, v, rows.reach. Writes the rows that may act, and their count. */
export function updateLimitRows(rows: LimitRows, m: Model, d: Data, q: Vec, v: Vec): void {
  updateJointLimits(rows, q, v)
  addOtherLimits(rows, m, d, q, v)
}

/** The rows of limited velocities alone. @routine */
export function updateJointLimits(rows: LimitRows, q: Vec, v: Vec): void {
  const { velocities, coordinates, bounds } = rows
  rows.count = 0
  for (let e = 0; e < velocities.length; e++) {
    value[0] = q[coordinates[e]]
    for (let side = 0; side < 2; side++) {
      beginLimit(rows, 2 * e + side, bounds, 2 * e + side)
      appendDof(rows, velocities[e], side === 0 ? MINUS : ONE, 0)
      speed[0] = 0
      addDofSpeed(rows, v)
      finishLimit(rows)
    }
  }
}

/** Adds those of angles and tendons, after the others. */
export function addOtherLimits(rows: LimitRows, m: Model, d: Data, q: Vec, v: Vec): void {
  const { velocities, balls, tendons } = rows
  for (let e = 0; e < balls.length; e++) ballRow(rows, m, q, v, e)
  for (let e = 0; e < tendons.length; e++) {
    tendonLength(value, 0, m, d, q, tendons[e])
    for (let side = 0; side < 2; side++) {
      beginLimit(rows, 2 * (velocities.length + balls.length + e) + side, m.constraints.tendonLimits, 2 * tendons[e] + side)
      appendTendon(rows, m, d, tendons[e], side === 0 ? MINUS : ONE)
      speed[0] = 0
      addDofSpeed(rows, v)
      addBodySpeed(rows, d)
      finishLimit(rows)
    }
  }
}

function ballRow(rows: LimitRows, m: Model, q: Vec, v: Vec, e: number): void {
  const j = rows.balls[e]
  const k = m.jointV[j]
  const type = jointTypes[m.jointType[j]]
  const r = rows.qf
  type.difference(m, j, r, rows.drawn, q)
  let square = 0
  for (let s = 0; s < type.nv; s++) square += r[k + s] * r[k + s]
  const angle = Math.sqrt(square)
  if (angle < SMALLEST) return
  value[0] = angle
  beginLimit(rows, 2 * (rows.velocities.length + e) + 1, m.limits, 2 * k + 1)
  for (let s = 0; s < type.nv; s++) {
    r[k + s] /= angle
    appendDof(rows, k + s, r, k + s)
  }
  speed[0] = 0
  addDofSpeed(rows, v)
  finishLimit(rows)
}

/** Row rows.count, from `value` to the limit at limits[i]; odd sources are upper limits. */
function beginLimit(rows: LimitRows, source: Int, limits: Vec, i: Int): void {
  const r = rows.count
  rows.source[r] = source
  rows.g[r] = source % 2 === 0 ? value[0] - limits[i] : limits[i] - value[0]
  rows.bodyStart[r + 1] = rows.bodyStart[r]
  rows.dofStart[r + 1] = rows.dofStart[r]
}

function appendDof(rows: LimitRows, k: Int, x: Vec, i: Int): void {
  const e = rows.dofStart[rows.count + 1]++
  rows.dof[e] = k
  rows.coefficient[e] = x[i]
}

function appendTendon(rows: LimitRows, m: Model, d: Data, k: number, sign: Vec): void {
  const r = rows.count
  const { pathStart, pathBody, dofStart, dofV } = m.tendons
  for (let i = pathStart[k]; i < pathStart[k + 1]; i++) {
    if (pathBody[i] > 0 && !listed(rows.body, rows.bodyStart[r], rows.bodyStart[r + 1], pathBody[i]))
      rows.body[rows.bodyStart[r + 1]++] = pathBody[i]
  }
  for (let i = dofStart[k]; i < dofStart[k + 1]; i++) {
    if (!listed(rows.dof, rows.dofStart[r], rows.dofStart[r + 1], dofV[i])) rows.dof[rows.dofStart[r + 1]++] = dofV[i]
  }
  clearRow(rows, r)
  addTendonForce(m, d, k, sign, 0, rows.f, rows.qf)
  for (let e = rows.bodyStart[r]; e < rows.bodyStart[r + 1]; e++)
    for (let s = 0; s < 6; s++) rows.J[6 * e + s] = rows.f[6 * rows.body[e] + s]
  for (let e = rows.dofStart[r]; e < rows.dofStart[r + 1]; e++) rows.coefficient[e] = rows.qf[rows.dof[e]]
}

function listed(list: Int32Array, from: number, to: number, x: number): boolean {
  for (let e = from; e < to; e++) if (list[e] === x) return true
  return false
}

/** speed[0] += what velocities do towards the limit of row rows.count */
function addDofSpeed({ count: r, dofStart, dof, coefficient }: LimitRows, v: Vec): void {
  let sum = speed[0]
  for (let e = dofStart[r]; e < dofStart[r + 1]; e++) sum += coefficient[e] * v[dof[e]]
  speed[0] = sum
}

/** The same of bodies. */
function addBodySpeed({ count: r, bodyStart, body, J }: LimitRows, { V }: Data): void {
  for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) for (let s = 0; s < 6; s++) speed[0] += J[6 * e + s] * V[6 * body[e] + s]
}

/** Keeps the row if it may act; `target` ← speed[0], towards the limit. */
function finishLimit(rows: LimitRows): void {
  const r = rows.count
  const towards = speed[0]
  rows.target[r] = towards
  const reach = towards > 0 ? rows.reach[0] + rows.reach[1] * towards : rows.reach[0]
  if (rows.g[r] <= reach && rows.g[r] < Number.POSITIVE_INFINITY) rows.count++
}

/** `upper limit of joint 'knee'`. */
export function limitName(rows: LimitRows, m: Model, r: number): string {
  const { velocities, balls, tendons } = rows
  const side = rows.source[r] % 2 === 0 ? 'lower' : 'upper'
  const at = rows.source[r] >> 1
  if (at >= velocities.length + balls.length)
    return `${side} limit of tendon '${m.tendons.names[tendons[at - velocities.length - balls.length]]}'`
  const k = at < velocities.length ? velocities[at] : m.jointV[balls[at - velocities.length]]
  const joint = m.joints.find(({ iv, nv }) => k >= iv && k < iv + nv)
  return `${side} limit of joint '${joint?.name}'`
}

/**
 * What cannot hold together, by name, and the remedy: equalities and limits with a force, pairs of bodies that touch, and the worst row.
 * λ of equalities, from row `first` on of limits, of others, and from row `touch` on of contacts, `stride` each. Allocates.
 */
export function conflict(
  m: Model,
  equalities: Rows,
  limits: LimitRows,
  contacts: Contacts,
  lambda: Vec,
  first: number,
  touch: number,
  stride: number,
  worst: number,
): string {
  const names = new Set<string>()
  for (let r = 0; r < equalities.count; r++) if (lambda[r] !== 0) names.add(`constraint '${m.constraints.names[equalities.source[r]]}'`)
  for (let r = 0; r < limits.count; r++) {
    const row = first + r
    if (lambda[row] > 0 || limits.g[r] < 0 || row === worst) names.add(limitName(limits, m, r))
  }
  const pairs = new Set<string>()
  const body = (i: number): string => (i === 0 ? 'the world' : `'${m.bodies[i].name}'`)
  for (let k = 0; k < contacts.count; k++) {
    const row = touch + stride * k
    if (lambda[row] > 0 || contacts.gap[k] < 0 || row === worst)
      pairs.add(`contact of ${body(contacts.bodyA[k])} and ${body(contacts.bodyB[k])}`)
  }
  const all = [...names, ...pairs]
  const list = all.length > MOST_NAMES ? `${all.slice(0, MOST_NAMES).join(', ')} and ${all.length - MOST_NAMES} more` : all.join(', ')
  const remedy = ['widen a limit', 'remove a constraint', 'slow a motion down']
  if (pairs.size > 0) remedy.push('exclude bodies that overlap from contact')
  return `${list || 'the constraints'} cannot hold together; ${remedy.slice(0, -1).join(', ')}, or ${remedy.at(-1)}`
}

// a longer list helps nobody
const MOST_NAMES = 8
