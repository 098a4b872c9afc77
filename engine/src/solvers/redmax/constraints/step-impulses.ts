/**
 * What the impulses of the last solve do: on velocities, as work, and which row they could not hold.
 */

import { tangentBasis } from '../../../contact/rows.js'
import { isSoft } from '../../../contact/softness.js'
import { EQUALITY, ROWS } from '../../../contact/solve/problem.js'
import { ratesBefore } from '../../../contact/tracking/material-points.js'
import type { Vec } from '../../../math/types.js'
import type { Int } from '../../../math/values/columns.js'
import { STEP } from './constraint-work.js'
import type { ConvexStep } from './convex-step.js'
import { isSoftLimit, mostOpeningWork } from './floors.js'
import type { StepRows } from './step-rows.js'
import { DONE, followTrialRows } from './trial-rows.js'
import type { Unilateral } from './unilateral.js'
import { WORK } from './unilateral-rows.js'

/** out, F of the system ← Jᵀ λ of limits, dry friction and contacts in the last solve, as joint forces and wrenches, at the rows followed last. */
export function takePushes({ system, rows: s }: ConvexStep, out: Vec): void {
  out.set(s.push)
  system.F.set(s.F)
}

/** As `followTrialRows`, and with all that `measurePushes`. @routine */
export function followPushes(s: StepRows, from: Int, settled: Int): Int {
  const wanted = followTrialRows(s.unilateral, from, settled)
  if (wanted === DONE) measurePushes(s)
  return wanted
}

/**
 * push, F ← Jᵀ λ of limits, dry friction and contacts in the last solve, at the configuration of the rows found last: contacts push at their points as they are there. Springs
 * are left out: their forces are in the residual already. number[WORK] ← the work of these. @routine
 */
export function measurePushes(s: StepRows): void {
  if (s.unilateral.rows === 0) return
  pushJoints(s)
  pushBodies(s)
  s.unilateral.number[WORK] = 0
  sumWork(s)
}

/** push ← Jᵀ γ of the blocks between springs and contacts; equalities are left to others. */
function pushJoints({ tree, problem: p, springs, contactBlocks, push, x }: StepRows): void {
  const { nv, place } = tree
  x.fill(0, 0, nv)
  for (let k = springs; k < contactBlocks; k++) {
    const f = p.kind[k] === EQUALITY ? 0 : p.gamma[ROWS * k]
    if (f !== 0) for (let e = 0; e < p.width[k]; e++) x[p.column[p.first[k] + e]] += f * p.J[p.entry[k] + e]
  }
  for (let k = 0; k < nv; k++) push[k] = x[place[k]]
}

/** F ← what contacts do to their bodies. */
function pushBodies(s: StepRows): void {
  const { first, limits, rubbing, contacts, lambda } = s.unilateral
  const touch = first + limits.count + rubbing.length
  s.F.fill(0, 0, s.F.length)
  for (let k = 0; k < contacts.count; k++) {
    const o = touch + ROWS * k
    if (lambda[o] === 0) continue
    tangentBasis(frame, 0, contacts.normal, 3 * k)
    // impulse and moment about the contact's point, in the world
    for (let r = 0; r < 3; r++) {
      const n = contacts.normal[3 * k + r]
      frame[6 + r] = lambda[o] * n + lambda[o + 1] * frame[r] + lambda[o + 2] * frame[3 + r]
      frame[9 + r] = lambda[o + 3] * n + lambda[o + 4] * frame[r] + lambda[o + 5] * frame[3 + r]
    }
    pushBody(s, contacts.bodyA[k], contacts.point, 3 * k, -1)
    pushBody(s, contacts.bodyB[k], contacts.point, 3 * k, 1)
  }
}

/** scratch: tangents, impulse and moment of a contact; or its normal and tangents */
const frame = new Float64Array(12)

/** F of a body += sign times the impulse frame[6 …] at the point x[i …], and the moment frame[9 …], all in the world. */
function pushBody({ unilateral, F }: StepRows, body: Int, x: Vec, i: Int, sign: number): void {
  if (body === 0) return
  const { X_WB: X } = unilateral
  const f = frame
  const j = 12 * body
  const rx = x[i] - X[j + 9]
  const ry = x[i + 1] - X[j + 10]
  const rz = x[i + 2] - X[j + 11]
  const mx = sign * (f[9] + ry * f[8] - rz * f[7])
  const my = sign * (f[10] + rz * f[6] - rx * f[8])
  const mz = sign * (f[11] + rx * f[7] - ry * f[6])
  for (let r = 0; r < 3; r++) {
    F[6 * body + r] += X[j + r] * mx + X[j + 3 + r] * my + X[j + 6 + r] * mz
    F[6 * body + 3 + r] += sign * (X[j + r] * f[6] + X[j + 3 + r] * f[7] + X[j + 6 + r] * f[8])
  }
}

// m/s or rad/s: a rigid row that misses more, and more than this share of the motion, cannot be held
const CONFLICT = 0.02
const OF_MOTION = 0.2

/**
 * The limit or contact that cannot hold together with `first` equalities, as solved last, by its place in λ; −1: there is none. Only to be asked with equalities:
 * without them something always gives way.
 */
export function worstRow(
  { problem: p, rows: { blockOf, touch, speed } }: ConvexStep,
  { limits, rubbing, contacts }: Unilateral,
  first: number,
): number {
  let worst = -1
  let most = Math.max(CONFLICT, OF_MOTION * speed[0])
  const rows = limits.count + rubbing.length + contacts.count
  for (let r = 0; r < rows; r++) {
    const b = blockOf[first + r]
    const isContact = first + r >= touch
    if (b < 0 || p.rigid[b] === 0 || (r >= limits.count && !isContact)) continue
    const passes = p.lift[b] - p.w[ROWS * b]
    if (passes <= most) continue
    most = passes
    worst = isContact ? touch + ROWS * (first + r - touch) : first + r
  }
  return worst
}

/** out[o] += work of limits and contacts that opened a gap since the start, and of friction that drove, with the velocity v; loops may have moved bodies since rows were found. */
export function addWork({ d, rows: s }: ConvexStep, u: Unilateral, out: Vec, o: number, v: Vec): void {
  u.X_WB.set(d.X_WB)
  u.V.set(d.V)
  u.v.set(v)
  u.number[WORK] = out[o]
  s.arena.routines.sumWork(s.at)
  out[o] = u.number[WORK]
}

/** number[WORK] += that. @routine */
export function sumWork(s: StepRows): void {
  const { unilateral: u } = s
  const { first, limits, rubbing, contacts, from, lambda, v, clock, number } = u
  for (let r = 0; r < limits.count; r++)
    number[WORK] += (lambda[first + r] * opened(limits.g[r], from[r], isSoftLimit(limits, r))) / clock[STEP]
  let sum = 0
  for (let e = 0; e < rubbing.length; e++) sum += Math.max(0, lambda[first + limits.count + e] * v[rubbing[e]])
  if (u.softRows > 0) addSoftWork(s, u.softRows)
  const touch = first + limits.count + rubbing.length
  for (let k = 0; k < contacts.count; k++) {
    const i = touch + ROWS * k
    if (lambda[i] === 0) continue
    const way = opened(contacts.gap[k] - contacts.offset[k], from[limits.count + k], isSoft(contacts.softness, 7 * k))
    sum += (lambda[i] * way) / clock[STEP]
    for (let r = 0; r < 3; r++) frame[r] = contacts.normal[3 * k + r]
    tangentBasis(frame, 3, contacts.normal, 3 * k)
    ratesBefore(rates, 0, contacts, contacts.shapes, u.X_WB, u.V, k, frame)
    sum += Math.max(0, lambda[i + 1] * rates[1] + lambda[i + 2] * rates[2])
  }
  number[WORK] += Math.min(sum, mostOpeningWork(u))
}

const rates = new Float64Array(ROWS)

/** number[WORK] += what constraints that give way put into the motion: their energy is none of the model's. Blocks of the last solve. */
function addSoftWork({ tree, problem: p, unilateral, softBlocks, x }: StepRows, soft: Int): void {
  const { v, number } = unilateral
  for (let k = 0; k < tree.nv; k++) x[tree.place[k]] = v[k]
  for (let b = softBlocks; b < softBlocks + soft; b++) {
    let rate = 0
    for (let e = 0; e < p.width[b]; e++) rate += p.J[p.entry[b] + e] * x[p.column[p.first[b] + e]]
    number[WORK] += Math.max(0, p.gamma[ROWS * b] * rate)
  }
}

/** How far a gap was pushed open: of rigid rows only as long as it was an overlap, for what they push apart further is their own error. */
function opened(gap: number, from: number, soft: boolean): number {
  const end = soft ? gap : Math.min(0, gap)
  return end > from ? end - from : 0
}
