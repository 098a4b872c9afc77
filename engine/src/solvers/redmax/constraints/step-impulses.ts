/**
 * What the impulses of the last solve do: on velocities, as work, and which row they could not hold.
 */

import { tangentBasis } from '../../../contact/rows.js'
import { isSoft } from '../../../contact/softness.js'
import { EQUALITY, ROWS } from '../../../contact/solve/problem.js'
import { ratesBefore } from '../../../contact/tracking/material-points.js'
import type { Vec } from '../../../math/types.js'
import { jacobianTransposeProduct } from '../../../tree/jacobian.js'
import { STEP } from './constraint-work.js'
import { type ConvexStep, contactFrame } from './convex-step.js'
import { isSoftLimit, mostOpeningWork, type Unilateral } from './unilateral.js'

/**
 * b += Jᵀ λ of limits, dry friction and contacts in the last solve, at the kinematics of data: contacts push at their points as they are now. Springs are left
 * out: their forces are in b already.
 */
export function addImpulsesOf(c: ConvexStep, { limits, rubbing, contacts }: Unilateral, first: number, lambda: Vec, b: Vec): void {
  const { m, d, system, forest, problem: p, x, springs, contactBlocks, frame } = c
  const touch = first + limits.count + rubbing.length
  const { place } = forest
  x.fill(0)
  for (let k = springs; k < contactBlocks; k++) {
    const f = p.kind[k] === EQUALITY ? 0 : p.gamma[ROWS * k]
    if (f !== 0) for (let e = 0; e < p.width[k]; e++) x[p.column[p.first[k] + e]] += f * p.J[p.entry[k] + e]
  }
  for (let k = 0; k < m.nv; k++) b[k] += x[place[k]]
  if (contacts.count === 0) return
  const { F } = system
  F.fill(0)
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
    pushBody(F, d.X_WB, contacts.bodyA[k], contacts.point, 3 * k, frame, -1)
    pushBody(F, d.X_WB, contacts.bodyB[k], contacts.point, 3 * k, frame, 1)
  }
  jacobianTransposeProduct(m, d, x, F)
  for (let k = 0; k < m.nv; k++) b[k] += x[k]
}

/** F of a body += sign times the impulse f[6 …] at the point x[i …], and the moment f[9 …], all in the world. */
function pushBody(F: Vec, X: Vec, body: number, x: Vec, i: number, f: Vec, sign: number): void {
  if (body === 0) return
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
 * The limit or contact that cannot hold together with `first` equalities, as solved last, by its place in λ; −1: there is none. Without equalities
 * something always gives way.
 */
export function worstRow(
  { solver: { speed }, problem: p, blockOf, touch }: ConvexStep,
  { limits, rubbing, contacts }: Unilateral,
  first: number,
): number {
  let worst = -1
  let most = Math.max(CONFLICT, OF_MOTION * speed.motion)
  const rows = first > 0 ? limits.count + rubbing.length + contacts.count : 0
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

/** out[o] += work of limits and contacts that opened a gap since the start, and of friction that drove, with the velocity v; λ and rows from `first` on. */
export function addWork(c: ConvexStep, u: Unilateral, out: Vec, o: number, lambda: Vec, first: number, v: Vec, clock: Vec): void {
  const { m, d, before: rates, frame } = c
  const { limits, rubbing, contacts, from } = u
  for (let r = 0; r < limits.count; r++)
    out[o] += (lambda[first + r] * opened(limits.g[r], from[r], isSoftLimit(m, limits, r))) / clock[STEP]
  let sum = 0
  for (let e = 0; e < rubbing.length; e++) sum += Math.max(0, lambda[first + limits.count + e] * v[rubbing[e]])
  addSoftWork(c, u, v, out, o)
  const touch = first + limits.count + rubbing.length
  for (let k = 0; k < contacts.count; k++) {
    const i = touch + ROWS * k
    if (lambda[i] === 0) continue
    const way = opened(contacts.gap[k] - contacts.offset[k], from[limits.count + k], isSoft(contacts.softness, 7 * k))
    sum += (lambda[i] * way) / clock[STEP]
    contactFrame(frame, contacts, k)
    ratesBefore(rates, 0, contacts, m.shapes, d.X_WB, d.V, k, frame)
    sum += Math.max(0, lambda[i + 1] * rates[1] + lambda[i + 2] * rates[2])
  }
  out[o] += Math.min(sum, mostOpeningWork(u))
}

/** out[o] += what constraints that give way put into the motion: their energy is none of the model's. Blocks of the last solve. */
function addSoftWork(
  { problem: p, softBlocks, forest: { place }, x }: ConvexStep,
  { soft }: Unilateral,
  v: Vec,
  out: Vec,
  o: number,
): void {
  if (soft.count === 0) return
  for (let k = 0; k < v.length; k++) x[place[k]] = v[k]
  for (let b = softBlocks; b < softBlocks + soft.count; b++) {
    let rate = 0
    for (let e = 0; e < p.width[b]; e++) rate += p.J[p.entry[b] + e] * x[p.column[p.first[b] + e]]
    out[o] += Math.max(0, p.gamma[ROWS * b] * rate)
  }
}

/** How far a gap was pushed open: of rigid rows only as long as it was an overlap, for what they push apart further is their own error. */
function opened(gap: number, from: number, soft: boolean): number {
  const end = soft ? gap : Math.min(0, gap)
  return end > from ? end - from : 0
}
