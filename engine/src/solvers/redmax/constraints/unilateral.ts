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
import { type Contacts, createContacts, mostContacts, reserveContacts } from '../../../contact/contacts.js'
import { findContacts } from '../../../contact/find-contacts.js'
import { MOST, ROWS, SPENT } from '../../../contact/solve/problem.js'
import { markPoints } from '../../../contact/tracking/material-points.js'
import { createSweep } from '../../../contact/tracking/swept.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { addContacts } from '../work.js'
import { contactMemory } from './contact-memory.js'
import { DEEP } from './floors.js'
import type { Forest } from './forest.js'
import { createSoftRows } from './soft-equalities.js'
import type { PlacedStep } from './step-rows.js'
import { CONTACT_ROOM, DONE, FAR, IMPULSE_ROOM, OTHER_LIMITS, OVERLAPS, START } from './trial-rows.js'
import { createUnilateralRows, FOUND, type PlacedRows, reserveLambda, reserveMemory } from './unilateral-rows.js'

export interface Unilateral extends PlacedRows {
  readonly m: Model
  readonly d: Data
  /** constraints that give way; they have no impulses in λ, for nothing of them is carried on */
  readonly soft: Rows
  /** of the step at hand (`work`) */
  readonly work: Vec
  /** `last` is of the step before, and λ of rows that are no more */
  isFirst: boolean
  /** State.s of the last step, and the parts of it that hold forces of dry friction, contacts, and how long trees have been calm */
  memory: { readonly of: Vec; readonly friction: Vec; readonly contacts: Vec; readonly calm: Vec }
}

// overlaps that are looked at; beyond them there is no hope
const PROBED = 64

/** `mayRest`: trees of the forest that may come to rest, as of `findRestable`. */
export function createUnilateral(
  m: Model,
  d: Data,
  contact: boolean,
  work: Vec,
  arena: ContactArena,
  forest: Forest,
  mayRest: Int32Array,
): Unilateral {
  const contacts = createContacts(m.shapes, undefined, arena)
  const touching = contact && m.shapes.count > 1
  const probe = createContacts(m.shapes, touching ? PROBED : 0, arena)
  const pushed = createContacts(m.shapes, undefined, arena)
  const sweep = createSweep(m.shapes, probe)
  const slots = touching ? contactMemory(m) : 0
  const rows = createUnilateralRows(m, arena, createLimitRows(m), contacts, probe, pushed, sweep, slots, forest, mayRest)
  const soft = createSoftRows(m)
  rows.touching = touching ? 1 : 0
  rows.softRows = soft.count
  rows.rows = soft.count + rows.rubbing.length
  const none = new Float64Array(0)
  return Object.assign(rows, { m, d, soft, work, isFirst: false, memory: { of: none, friction: none, contacts: none, calm: none } })
}

/** Whether limits, dry friction or shapes that touch may give rows. */
export function mayPush({ limits, soft, rubbing, touching }: Unilateral): boolean {
  return limits.g.length > 0 || soft.count > 0 || rubbing.length > 0 || touching === 1
}

/** Reads the kinematics of data. Takes these, q and v as the configuration on trial, and writes the constraints that give way. */
export function takeTrial(u: Unilateral, q: Vec, v: Vec, clock: Vec): void {
  const { m, d, soft } = u
  if (soft.count > 0) updateRows(soft, m, d, q, clock)
  u.X_WB.set(d.X_WB)
  u.V.set(d.V)
  u.q.set(q)
  u.v.set(v)
}

/** Limits and contacts of the configuration on trial, without impulses, and where these were found. */
export function findUnilateral(u: Unilateral): void {
  let wanted = u.arena.routines.findNewRows(u.at, START)
  while (wanted !== DONE) {
    const from = provide(u, wanted)
    wanted = u.arena.routines.findNewRows(u.at, from)
  }
  addFinding(u)
}

/** The same, with λ of the last solve, and their gaps compared with those at the start of the step. */
export function findPushing(u: Unilateral): void {
  if (!u.isFirst) {
    // room for them follows that of the contacts; what it held is replaced
    if (u.pushed.capacity < u.contacts.capacity) reserveContacts(u.pushed, u.contacts.capacity)
    u.arena.routines.keepPushed(u.at)
  }
  u.isFirst = false
  let wanted = u.arena.routines.findTrialRows(u.at, START)
  while (wanted !== DONE) {
    const from = provide(u, wanted)
    wanted = u.arena.routines.findTrialRows(u.at, from)
  }
  addFinding(u)
}

/**
 * The same rows at another configuration, and what the impulses of the last solve do there; where bodies are too far from where contacts were found, these anew. `settled`: not even then, for
 * corners that take turns would not let an iteration end.
 */
export function followPushing(u: Unilateral, s: PlacedStep, settled: boolean): void {
  const stays = settled ? 1 : 0
  let wanted = u.arena.routines.followPushes(s.at, START, stays)
  while (wanted !== DONE && wanted !== FAR) {
    const from = provide(u, wanted)
    wanted = u.arena.routines.followPushes(s.at, from, stays)
  }
  if (wanted === DONE) return
  findPushing(u)
  u.arena.routines.measurePushes(s.at)
}

/** Does what a routine wants, which may move the arena, and tells from which stage on it may be called again (`trial-rows`). */
function provide(u: Unilateral, wanted: number): number {
  const { m, d, limits, rubbing, contacts } = u
  if (wanted === OTHER_LIMITS) addOtherLimits(limits, m, d, u.q, u.v)
  else if (wanted === IMPULSE_ROOM) reserveLambda(u, u.first + limits.count + rubbing.length + ROWS * contacts.count)
  else if (wanted === OVERLAPS) {
    probeAll(u, u.X0, 0)
    addContacts(u.work, u.probe)
  } else if (wanted === CONTACT_ROOM) {
    if (u.work[SPENT] + u.number[FOUND] > u.work[MOST]) return CONTACT_ROOM
    const most = mostContacts(m.shapes)
    if (contacts.count + contacts.overflow > most) {
      // more than a step may have: it ends as one whose work is spent, which is told
      u.work[SPENT] = u.work[MOST] + 1
      return CONTACT_ROOM
    }
    // more than ever before: more room, which allocates, and only then
    reserveContacts(contacts, Math.min(most, 2 * (contacts.capacity + contacts.overflow)))
    reserveMemory(u)
    return OTHER_LIMITS
  }
  return wanted
}

/** The work of finding contacts counts, once where they were found anew for want of room. */
function addFinding({ work, number }: Unilateral): void {
  work[SPENT] += number[FOUND]
  number[FOUND] = 0
}

/** Whether no body of data is further from where contacts were found than half their margin: then nothing else can touch. */
export function isWithinMargin(u: Unilateral): boolean {
  if (u.touching === 0) return true
  u.X_WB.set(u.d.X_WB)
  return u.arena.routines.isNear(u.at) === 1
}

/** Points of all contacts, found at the poses X of bodies, in these. @routine */
export function markAll(c: Contacts, X: Vec): void {
  markPoints(c, c.shapes, X, 0)
}

/** What is met on the way from the poses of data counts from now on. */
export function markWay(u: Unilateral): void {
  takeStart(u)
  u.arena.routines.startWay(u.at)
}

/** The same for Newton's method. `known`: forces are those of the slots, else of the last solve. */
export function startTrials(u: Unilateral, known: boolean): void {
  takeStart(u)
  u.isFirst = true
  u.arena.routines.startRows(u.at, known ? 1 : 0)
}

function takeStart({ d, X0, V0 }: Unilateral): void {
  X0.set(d.X_WB)
  V0.set(d.V)
}

/** Fills the probe with all contacts at these poses, those at rest included. Its tests are those of this search alone: who looks takes no work from the steps that follow. */
export function probeAll({ m, probe }: Unilateral, X: Vec, margin: number): void {
  probe.tests = 0
  findContacts(probe, m.shapes, X, margin)
  if (probe.overflow === 0) return
  const most = mostContacts(m.shapes)
  if (probe.count + probe.overflow > most) return
  // more than ever before, which allocates, and only then
  reserveContacts(probe, Math.min(most, 2 * (probe.capacity + probe.overflow)))
  findContacts(probe, m.shapes, X, margin)
}

/** Looks whether hard shapes overlap at the poses of data by more than they did at the start, be they among the rows or not. */
export function detectOverlap(u: Unilateral): boolean {
  const { m, d, probe, work, arena } = u
  if (u.touching === 0) return false
  probe.tests = 0
  findContacts(probe, m.shapes, d.X_WB, 0.5 * DEEP)
  addContacts(work, probe)
  u.X_WB.set(d.X_WB)
  arena.routines.markAll(probe.at, u.X_WB.byteOffset)
  return arena.routines.isProbeDeeper(u.at) === 1
}
