/**
 * Rows of a step that push one way or rub: limits of joints and tendons, dry friction in joints, contacts. They follow the equalities, in
 * this order, `ROWS` impulses a contact.
 *
 * Contacts are found once, at the first configuration on trial, which is where the motion would lead without forces, with a margin that follows the speed.
 * As long as no body gets further from there than the margin, nothing else can touch, and the same points are followed; where one does
 * they are found anew. A row asks for gap(q) + h J x ≥ floor, with the floor that its gap at the start of the step allows: 0, or a
 * share of an overlap that was there already, so that it opens without a blow. Rows are known again by their key, the limit or the pair of
 * shapes with its corner; their forces go with them.
 */

import { addOtherLimits, createLimitRows } from '../../../constraints/rows/limits.js'
import { type Rows, updateRows } from '../../../constraints/rows/rows.js'
import type { ContactArena } from '../../../contact/arena.js'
import { type Contacts, createContacts, reserveContacts } from '../../../contact/contacts.js'
import { findContacts, findTouching, startSweep } from '../../../contact/find-contacts.js'
import { ROWS } from '../../../contact/solve/problem.js'
import { copyContact } from '../../../contact/tracking/copy-contact.js'
import { markPoints, movePoints } from '../../../contact/tracking/material-points.js'
import { createSweep, type PlacedSweep } from '../../../contact/tracking/swept.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { addContacts, isSpent } from '../work.js'
import { STEP } from './constraint-work.js'
import { contactMemory } from './contact-memory.js'
import { DEEP } from './floors.js'
import { createSoftRows } from './soft-equalities.js'
import { createUnilateralRows, type PlacedRows, reserveMemory, type UnilateralRows } from './unilateral-rows.js'

export interface Unilateral extends PlacedRows {
  readonly m: Model
  readonly d: Data
  /** constraints that give way; they have no impulses in λ, for nothing of them is carried on */
  readonly soft: Rows
  /** of the step at hand (`work`) */
  readonly work: Vec
  /** false: shapes pass through each other */
  readonly touching: boolean
  /** what is met on the way from the start; looked for where that is `swept` */
  readonly sweep: PlacedSweep
  swept: boolean
  /** `last` is of the step before, and λ of rows that are no more */
  isFirst: boolean
  /** State.s of the last step, and the part of it that holds contacts */
  memory: { readonly of: Vec; readonly contacts: Vec }
}

/** m: contacts closer than this are rows, of what moves within a step and of what rests; less misses what a step closes, more brings rows that do nothing */
const MARGIN = 0.01
const LEAST_MARGIN = 5e-4
// of the way that the fastest shape makes in a step
const OF_WAY = 1.5
// limits nearer than this, in metres or radians, or than the motion reaches in two steps, are rows
const NEAR = 0.05
// overlaps that are looked at; beyond them there is no hope
const PROBED = 64

export function createUnilateral(m: Model, d: Data, contact: boolean, work: Vec, arena: ContactArena): Unilateral {
  const contacts = createContacts(m.shapes, undefined, arena)
  const touching = contact && m.shapes.count > 1
  const probe = createContacts(m.shapes, touching ? PROBED : 0, arena)
  const pushed = createContacts(m.shapes, undefined, arena)
  const rows = createUnilateralRows(m, arena, createLimitRows(m), contacts, probe, pushed, touching ? contactMemory(m) : 0)
  const sweep = createSweep(m.shapes, probe)
  const memory = { of: rows.slots, contacts: rows.slots }
  return Object.assign(rows, { m, d, soft: createSoftRows(m), work, touching, sweep, swept: false, isFirst: false, memory })
}

/** Whether limits, dry friction or shapes that touch may give rows. */
export function mayPush({ limits, soft, rubbing, touching }: Unilateral): boolean {
  return limits.g.length > 0 || soft.count > 0 || rubbing.length > 0 || touching
}

/** Rows found last, a contact counted as one. */
export function rowCount({ limits, soft, rubbing, contacts }: Unilateral): number {
  return limits.count + soft.count + rubbing.length + contacts.count
}

/** Impulses of these rows. */
export function impulseCount({ limits, rubbing, contacts }: Unilateral): number {
  return limits.count + rubbing.length + ROWS * contacts.count
}

/** Reads the kinematics, q, v. Writes limits and contacts, and where these were found. */
export function findUnilateral(u: Unilateral, q: Vec, v: Vec, clock: Vec): void {
  const { d, contacts, work } = u
  takeMotion(u, clock)
  findLimits(u, q, v, clock)
  contacts.count = 0
  if (!u.touching) return
  u.arena.routines.setMargin(u.at)
  u.found.set(d.X_WB)
  findTouches(u)
  addContacts(work, contacts)
  if (contacts.overflow > 0 && !isSpent(work)) {
    // more than ever before: more room, which allocates, and only then
    reserveContacts(contacts, 2 * (contacts.capacity + contacts.overflow))
    reserveMemory(u)
    findTouches(u)
  }
}

/** X_WB, V and the clock ← those of data. */
function takeMotion({ d, X_WB, V, clock }: Unilateral, now: Vec): void {
  X_WB.set(d.X_WB)
  V.set(d.V)
  clock.set(now)
}

function findLimits(u: Unilateral, q: Vec, v: Vec, clock: Vec): void {
  const { m, d, limits, soft, arena } = u
  if (soft.count > 0) updateRows(soft, m, d, q, clock)
  if (limits.g.length === 0) return
  limits.reach[0] = NEAR
  limits.reach[1] = 2 * clock[STEP]
  u.q.set(q)
  u.v.set(v)
  arena.routines.updateJointLimits(limits.at, u.q.byteOffset, u.v.byteOffset)
  addOtherLimits(limits, m, d, q, v)
}

/** margin[0] ← from how far things may come to touch in a step, by the speed of the fastest. Reads V. @routine */
export function setMargin({ nbody, V, reach, margin, clock }: UnilateralRows): void {
  let fastest = 0
  for (let i = 1; i < nbody; i++) {
    if (reach[i] === 0) continue
    const o = 6 * i
    const turn = Math.sqrt(V[o] * V[o] + V[o + 1] * V[o + 1] + V[o + 2] * V[o + 2])
    const speed = Math.sqrt(V[o + 3] * V[o + 3] + V[o + 4] * V[o + 4] + V[o + 5] * V[o + 5]) + turn * reach[i]
    if (speed > fastest) fastest = speed
  }
  margin[0] = Math.min(MARGIN, Math.max(LEAST_MARGIN, OF_WAY * clock[STEP] * fastest))
}

/** Whether no body of data is further from where contacts were found than half their margin: then nothing else can touch. */
export function isWithinMargin(u: Unilateral): boolean {
  if (!u.touching) return true
  u.X_WB.set(u.d.X_WB)
  return u.arena.routines.isNear(u.at) === 1
}

/** The same of X_WB. @routine */
export function isNear({ nbody, X_WB: X, found, reach, margin }: UnilateralRows): boolean {
  for (let i = 1; i < nbody; i++) {
    if (reach[i] === 0) continue
    const o = 12 * i
    let turn = 0
    for (let k = o; k < o + 9; k++) turn += (X[k] - found[k]) * (X[k] - found[k])
    const x = X[o + 9] - found[o + 9]
    const y = X[o + 10] - found[o + 10]
    const z = X[o + 11] - found[o + 11]
    // |R − R₀| = √8 sin(θ/2), the chord of a point at distance r is 2 r sin(θ/2)
    if (!(Math.sqrt(x * x + y * y + z * z) + Math.sqrt(0.5 * turn) * reach[i] <= 0.5 * margin[0])) return false
  }
  return true
}

/** Contacts at the poses of data, and on the way there. */
function findTouches({ d, contacts, sweep, swept, pushed, margin }: Unilateral): void {
  contacts.margin[0] = margin[0]
  findTouching(contacts, sweep, swept, pushed, d.X_WB)
}

/** Reads λ of the rows found last, which start at `first`. What pushes is kept until the next call, or the start of a step. */
export function rememberPushed(u: Unilateral, first: number): void {
  const { contacts, pushed } = u
  // room for them follows that of the contacts; what it held is replaced
  if (pushed.capacity < contacts.capacity) reserveContacts(pushed, contacts.capacity)
  const touch = first + u.limits.count + u.rubbing.length
  pushed.count = 0
  for (let k = 0; k < contacts.count; k++) {
    if (u.lambda[touch + ROWS * k] > 0) copyContact(pushed, contacts, u.m.shapes, k, pushed.count++)
  }
}

/** As `findUnilateral`, but what touches is what touched at the last call, at points that went on with their bodies. */
export function followUnilateral(u: Unilateral, q: Vec, v: Vec, clock: Vec): void {
  takeMotion(u, clock)
  findLimits(u, q, v, clock)
  if (u.touching) u.arena.routines.followAll(u.contacts.at, u.X_WB.byteOffset)
}

/** Points of all contacts, found at the poses X of bodies, in these. @routine */
export function markAll(c: Contacts, X: Vec): void {
  markPoints(c, c.shapes, X, 0)
}

/** All contacts at points that went on with their bodies to the poses X. @routine */
export function followAll(c: Contacts, X: Vec): void {
  movePoints(c, c.shapes, X, 0)
}

/** What is met on the way from the poses of data counts from now on. */
export function markWay(u: Unilateral): void {
  u.X0.set(u.d.X_WB)
  u.V0.set(u.d.V)
  u.pushed.count = 0
  u.swept = u.touching
  if (u.touching) startSweep(u.sweep, u.contacts, u.d.X_WB)
}

/** Writes `from` and `floor` of the rows found last, by their gaps at the start of the step. Reads where bodies were found last. */
export function compareWithStart(u: Unilateral, clock: Vec): void {
  u.clock.set(clock)
  if (u.arena.routines.compareGaps(u.at) === 1) return
  // seen along a normal of its far side, what stands before a thin wall seems to be deep inside: then what overlapped is looked up
  findOverlapsAtStart(u)
  u.arena.routines.compareOverlaps(u.at)
}

/** Fills the probe with what overlapped at the start of the step. */
function findOverlapsAtStart(u: Unilateral): void {
  const { m, probe } = u
  findContacts(probe, m.shapes, u.X0, 0)
  if (probe.overflow === 0) return
  // more than ever before, which allocates, and only then
  reserveContacts(probe, 2 * (probe.capacity + probe.overflow))
  findContacts(probe, m.shapes, u.X0, 0)
}

/** Looks whether hard shapes overlap at the poses of data by more than they did at the start, be they among the rows or not. */
export function detectOverlap(u: Unilateral): boolean {
  const { m, d, probe, work, arena } = u
  if (!u.touching) return false
  findContacts(probe, m.shapes, d.X_WB, 0.5 * DEEP)
  addContacts(work, probe)
  u.X_WB.set(d.X_WB)
  arena.routines.markAll(probe.at, u.X_WB.byteOffset)
  return arena.routines.isProbeDeeper(u.at) === 1
}

/** Whether no hard gap found last is below its floor. */
export function isFeasible({ arena, at }: Unilateral): boolean {
  return arena.routines.keepsFloors(at) === 1
}

/** Gaps of the rows found last ← those before a motion h v; rates of the rows by v are in `rates`. */
export function takeGapsBack({ limits, contacts }: Unilateral, clock: Vec, rates: Vec): void {
  for (let r = 0; r < limits.count; r++) limits.g[r] -= clock[STEP] * rates[r]
  for (let k = 0; k < contacts.count; k++) contacts.gap[k] -= clock[STEP] * rates[limits.count + k]
}
