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

import { createLimitRows, type LimitRows, updateLimitRows } from '../../../constraints/rows/limits.js'
import { type Rows, updateRows } from '../../../constraints/rows/rows.js'
import type { ContactArena } from '../../../contact/arena.js'
import { type Contacts, createContacts, type PlacedContacts, reserveContacts } from '../../../contact/contacts.js'
import { findContacts, findWithin, placeGeoms } from '../../../contact/find-contacts.js'
import { tangentBasis } from '../../../contact/rows.js'
import { isSoft } from '../../../contact/softness.js'
import { ROWS } from '../../../contact/solve/problem.js'
import { addMissing, copyContact } from '../../../contact/tracking/copy-contact.js'
import { gapBefore, markPoints, movePoints, ratesBefore } from '../../../contact/tracking/material-points.js'
import { addSwept, createSweep, type Sweep } from '../../../contact/tracking/swept.js'
import { norm } from '../../../math/own.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { totalMass } from '../../../tree/momentum.js'
import { addContacts, isSpent } from '../work.js'
import { STEP } from './constraint-work.js'
import { createSoftRows } from './soft-equalities.js'

/** Limits and contacts of some earlier configuration: key, force in N (a limit's, or that of a contact in the world), lift of a contact */
interface Memory {
  count: number
  keys: Vec
  force: Vec
  lift: Vec
}

export interface Unilateral {
  readonly m: Model
  readonly d: Data
  readonly limits: LimitRows
  /** constraints that give way; they have no impulses in λ, for nothing of them is carried on */
  readonly soft: Rows
  /** of all bodies; m/s², 1 where there is none */
  readonly mass: number
  readonly gravity: number
  /** velocities with dry friction */
  readonly rubbing: Int32Array
  /** forces of that in the last step, N or N m */
  readonly rub: Vec
  /** of the step at hand (`work`) */
  readonly work: Vec
  /** false: shapes pass through each other */
  readonly touching: boolean
  readonly contacts: PlacedContacts
  /** contacts at some other pose */
  readonly probe: PlacedContacts
  /** what is met on the way from the start; looked for where that is `swept` */
  readonly sweep: Sweep
  swept: boolean
  /** contacts that pushed in the last solve: where other corners take their turn they stay, or an iteration would go to and fro */
  readonly pushed: PlacedContacts
  /** of limits, then contacts, found last: key, gap at the start of the step (infinite: not near then), least gap allowed at its end */
  keys: Vec
  from: Vec
  floor: Vec
  /** of contacts found last: by how much their normal rows are lowered because they slide */
  lift: Vec
  /** poses and twists of bodies at the start of the step, and where contacts were found last */
  readonly X0: Vec
  readonly V0: Vec
  readonly found: Vec
  /** m: how far the shapes of each body reach from its origin; margin[0] of the contacts found last */
  readonly reach: Vec
  readonly margin: Vec
  readonly last: Memory
  /** `last` is of the step before, and λ of rows that are no more */
  isFirst: boolean
  /** the step that the impulses λ brought last belong to */
  readonly span: Vec
  /** where the last search in the probe ended */
  cursor: number
  /** forces that were kept found no row to go to */
  changed: boolean
}

// of a passed gap, a step: more shoots bodies apart, less lets them sink in
const OPENING = 0.2
// m/s or rad/s: a deep overlap opens no faster
const FASTEST_OPENING = 1
/** m or rad: a gap below this is an overlap, and not what rounding and curvature leave */
export const OVERLAP = -1e-4
/** m: contacts closer than this are rows, of what moves within a step and of what rests; less misses what a step closes, more brings rows that do nothing */
const MARGIN = 0.01
const LEAST_MARGIN = 5e-4
// of the way that the fastest shape makes in a step
const OF_WAY = 1.5
// limits nearer than this, in metres or radians, or than the motion reaches in two steps, are rows
const NEAR = 0.05
// m or rad: what a step may miss a floor by, so that iterations end; the next one takes it for an overlap
const FLOOR_TOLERANCE = 1e-5
// overlaps that are looked at; beyond them there is no hope
const PROBED = 64
// m: no step of ours makes deeper overlaps
const DEEP = -1e-3
// of an overlap: what a step may change of one that was there, hidden by another corner
const HIDDEN = 0.5
// how much faster than at its end a gap may have closed on the way, because bodies turn
const FASTER = 2

const createMemory = (): Memory => ({ count: 0, keys: new Float64Array(0), force: new Float64Array(0), lift: new Float64Array(0) })

export function createUnilateral(m: Model, d: Data, contact: boolean, work: Vec, arena: ContactArena): Unilateral {
  const contacts = createContacts(m.shapes, undefined, arena)
  const touching = contact && m.shapes.count > 1
  const probe = createContacts(m.shapes, touching ? PROBED : 0, arena)
  const rubbing = Int32Array.from(m.friction.keys()).filter((k) => m.friction[k] > 0)
  const u: Unilateral = {
    m,
    d,
    limits: createLimitRows(m),
    soft: createSoftRows(m),
    mass: totalMass(m),
    gravity: norm(m.gravity) || 1,
    rubbing,
    rub: new Float64Array(rubbing.length),
    work,
    touching,
    contacts,
    probe,
    sweep: createSweep(m.shapes, probe),
    swept: false,
    pushed: createContacts(m.shapes, undefined, arena),
    keys: new Float64Array(0),
    from: new Float64Array(0),
    floor: new Float64Array(0),
    lift: new Float64Array(0),
    X0: new Float64Array(12 * m.nbody),
    V0: new Float64Array(6 * m.nbody),
    found: new Float64Array(12 * m.nbody),
    reach: bodyReach(m),
    margin: new Float64Array(1),
    last: createMemory(),
    isFirst: false,
    span: new Float64Array(1),
    cursor: 0,
    changed: false,
  }
  reserveMemory(u, 0)
  return u
}

function bodyReach({ nbody, shapes: g }: Model): Vec {
  const reach = new Float64Array(nbody)
  for (let k = 0; k < g.count; k++) {
    const [x, y, z] = g.X_BG.subarray(12 * k + 9, 12 * k + 12)
    if (g.radius[k] < Number.POSITIVE_INFINITY)
      reach[g.body[k]] = Math.max(reach[g.body[k]], Math.sqrt(x * x + y * y + z * z) + g.radius[k])
  }
  return reach
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
  findLimits(u, q, v, clock)
  contacts.count = 0
  if (!u.touching) return
  setMargin(u, clock)
  u.found.set(d.X_WB)
  findTouches(u)
  addContacts(work, contacts)
  if (contacts.overflow > 0 && !isSpent(work)) {
    // more than ever before: more room, which allocates, and only then
    reserveContacts(contacts, 2 * (contacts.capacity + contacts.overflow))
    reserveMemory(u, 0)
    findTouches(u)
  }
}

function findLimits({ m, d, limits, soft }: Unilateral, q: Vec, v: Vec, clock: Vec): void {
  if (soft.count > 0) updateRows(soft, m, d, q, clock)
  if (limits.g.length === 0) return
  limits.reach[0] = NEAR
  limits.reach[1] = 2 * clock[STEP]
  updateLimitRows(limits, m, d, q, v)
}

/** margin[0] ← from how far things may come to touch in a step, by the speed of the fastest. Reads V. */
function setMargin({ m, d: { V }, reach, margin }: Unilateral, clock: Vec): void {
  let fastest = 0
  for (let i = 1; i < m.nbody; i++) {
    if (reach[i] === 0) continue
    const o = 6 * i
    const turn = Math.sqrt(V[o] * V[o] + V[o + 1] * V[o + 1] + V[o + 2] * V[o + 2])
    const speed = Math.sqrt(V[o + 3] * V[o + 3] + V[o + 4] * V[o + 4] + V[o + 5] * V[o + 5]) + turn * reach[i]
    if (speed > fastest) fastest = speed
  }
  margin[0] = Math.min(MARGIN, Math.max(LEAST_MARGIN, OF_WAY * clock[STEP] * fastest))
}

/** Whether no body is further from where contacts were found than half their margin: then nothing else can touch. Reads X_WB. */
export function isWithinMargin({ m, d: { X_WB: X }, found, reach, margin, touching }: Unilateral): boolean {
  if (!touching) return true
  for (let i = 1; i < m.nbody; i++) {
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
function findTouches({ m, d, contacts, sweep, swept, pushed, margin }: Unilateral): void {
  contacts.margin[0] = margin[0]
  findWithin(contacts, m.shapes, d.X_WB)
  markPoints(contacts, m.shapes, d.X_WB, 0)
  if (swept) addSwept(sweep, contacts, m.shapes, d.X_WB)
  if (pushed.count > 0) addMissing(contacts, pushed, m.shapes, d.X_WB)
}

/** Reads λ of the rows found last, which start at `first`. What pushes is kept until the next call, or the start of a step. */
export function rememberPushed(u: Unilateral, lambda: Vec, first: number): void {
  const { m, contacts, pushed } = u
  const touch = first + u.limits.count + u.rubbing.length
  // room for them follows that of the contacts; what it held is replaced
  if (pushed.capacity < contacts.capacity) reserveContacts(pushed, contacts.capacity)
  pushed.count = 0
  for (let k = 0; k < contacts.count; k++) {
    if (lambda[touch + ROWS * k] > 0) copyContact(pushed, contacts, m.shapes, k, pushed.count++)
  }
}

/** As `findUnilateral`, but what touches is what touched at the last call, at points that went on with their bodies. */
export function followUnilateral(u: Unilateral, q: Vec, v: Vec, clock: Vec): void {
  findLimits(u, q, v, clock)
  if (u.touching) movePoints(u.contacts, u.m.shapes, u.d.X_WB, 0)
}

/** What is met on the way from the poses of data counts from now on. */
export function markWay(u: Unilateral): void {
  u.X0.set(u.d.X_WB)
  u.V0.set(u.d.V)
  u.pushed.count = 0
  u.swept = u.touching
  if (!u.touching) return
  placeGeoms(u.contacts, u.m.shapes, u.d.X_WB)
  u.sweep.X0.set(u.contacts.X_WG)
}

/** Writes `from` and `floor` of the rows found last, by their gaps at the start of the step. */
export function compareWithStart(u: Unilateral, clock: Vec): void {
  const { limits, contacts, from, floor } = u
  const n = limits.count
  for (let r = 0; r < n; r++) {
    from[r] = limits.g[r] + clock[STEP] * limits.target[r]
    floor[r] = from[r]
    allow(u, floor, r, clock)
  }
  let deep = false
  for (let k = 0; k < contacts.count; k++) {
    gapBefore(from, n + k, contacts, u.m.shapes, u.X0, k)
    from[n + k] -= contacts.offset[k]
    // points that were deep inside, and are not as deep now, were hidden by another corner
    if (from[n + k] < DEEP && !isOld(u, k)) from[n + k] = Number.POSITIVE_INFINITY
    if (isBeyond(u, k)) deep = true
  }
  // seen along a normal of its far side, what stands before a thin wall seems to be deep inside: then what overlapped is looked up
  if (deep) findOverlapsAtStart(u)
  for (let k = 0; k < contacts.count && deep; k++) if (isBeyond(u, k) && !wasDeep(u, k)) from[n + k] = Number.POSITIVE_INFINITY
  for (let k = 0; k < contacts.count; k++) {
    // another corner of two shapes that overlapped: the overlap is theirs
    floor[n + k] = Math.min(0, from[n + k])
    if (contacts.gap[k] < contacts.offset[k]) {
      for (let e = k - 1; e >= 0 && isSamePair(contacts, e, k); e--) if (isOld(u, e)) floor[n + k] = Math.min(floor[n + k], from[n + e])
      for (let e = k + 1; e < contacts.count && isSamePair(contacts, e, k); e++)
        if (isOld(u, e)) floor[n + k] = Math.min(floor[n + k], from[n + e])
    }
    allow(u, floor, n + k, clock)
    if (contacts.gap[k] - contacts.offset[k] < floor[n + k] - FLOOR_TOLERANCE) leaveHidden(u, k, clock)
  }
}

/**
 * An overlap that the motion of the step is too slow to have made was there before, behind another corner: it may stay, and is opened by other means. To
 * open it within the step would be a blow, the harder the shorter the step.
 */
function leaveHidden(u: Unilateral, k: number, clock: Vec): void {
  const { m, d, limits, contacts, floor, from, sweep } = u
  const n = limits.count + k
  const gap = contacts.gap[k] - contacts.offset[k]
  for (let r = 0; r < 3; r++) frame[r] = contacts.normal[3 * k + r]
  tangentBasis(frame, 3, frame, 0)
  ratesBefore(rates, 0, contacts, m.shapes, d.X_WB, d.V, k, frame)
  // what moves as far as it is thick may have passed through on its way
  const thick = Math.max(sweep.thin[contacts.geomA[k]], sweep.thin[contacts.geomB[k]])
  const way = clock[STEP] * Math.sqrt(rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2])
  if (gap < -thick && way > 0.5 * thick) return
  const made = clock[STEP] * (FASTER * Math.max(0, -rates[0]) + FASTEST_OPENING)
  if (floor[n] - gap <= made) return
  floor[n] = gap
  from[n] = gap
}

const frame = new Float64Array(9)
const rates = new Float64Array(6)

/** Whether contact k overlapped at the start, about as much as now. */
function isOld({ limits, contacts, from }: Unilateral, k: number): boolean {
  const was = from[limits.count + k]
  return was < 0 && Math.abs(contacts.gap[k] - contacts.offset[k] - was) <= -HIDDEN * was
}

const isSamePair = ({ geomA, geomB }: Contacts, a: number, b: number): boolean => geomA[a] === geomA[b] && geomB[a] === geomB[b]

/** Whether contact k seems to have been deeper at the start than its shapes are thick. */
function isBeyond({ limits, contacts: { geomA, geomB }, from, sweep: { thin } }: Unilateral, k: number): boolean {
  return from[limits.count + k] < -Math.max(thin[geomA[k]], thin[geomB[k]])
}

/** Fills the probe with what overlapped at the start of the step. */
function findOverlapsAtStart(u: Unilateral): void {
  const { m, probe, X0 } = u
  u.cursor = 0
  findContacts(probe, m.shapes, X0, 0)
  // more than ever before, which allocates, and only then
  if (probe.overflow > 0) {
    reserveContacts(probe, 2 * (probe.capacity + probe.overflow))
    findContacts(probe, m.shapes, X0, 0)
  }
}

/** Whether the shapes of contact k overlapped deeply at the start. Reads the probe, from the cursor on. */
function wasDeep(u: Unilateral, k: number): boolean {
  const { contacts, probe } = u
  // both lists have their pairs in the same order: the search goes on from where the last one ended
  const { count } = probe
  for (let n = 0; n < count; n++) {
    const e = u.cursor + n < count ? u.cursor + n : u.cursor + n - count
    if (probe.geomA[e] !== contacts.geomA[k] || probe.geomB[e] !== contacts.geomB[k]) continue
    u.cursor = e
    if (probe.gap[e] - probe.offset[e] <= DEEP) return true
  }
  return false
}

/** s[i], a gap at the start of a step, ← what it allows at the end: a deep overlap may stay, and is opened by other means. */
function allow(u: Unilateral, s: Vec, i: number, clock: Vec): void {
  const gap = s[i]
  if (gap >= 0) s[i] = 0
  else if (!(gap < OVERLAP)) {
    openingRate(rate, 0, u, s, i, clock)
    s[i] = gap + clock[STEP] * rate[0]
  }
}

const rate = new Float64Array(1)

/** out[o] ← how fast the overlap s[i] is to open, m/s; no faster than its weight can stop until it is open, √(2 g d), or it would hop. */
export function openingRate(out: Vec, o: number, { gravity }: Unilateral, s: Vec, i: number, clock: Vec): void {
  const gap = s[i]
  out[o] = Math.min((-OPENING * gap) / clock[STEP], Math.sqrt(-gravity * gap), FASTEST_OPENING)
}

/** Looks whether hard shapes overlap at the poses of data by more than they did at the start, be they among the rows or not. */
export function detectOverlap({ m, d, touching, probe, X0, work }: Unilateral): boolean {
  if (!touching) return false
  findContacts(probe, m.shapes, d.X_WB, 0.5 * DEEP)
  addContacts(work, probe)
  markPoints(probe, m.shapes, d.X_WB, 0)
  for (let k = 0; k < probe.count; k++) {
    if (isSoft(probe.softness, 7 * k)) continue
    gapBefore(before, 0, probe, m.shapes, X0, k)
    if (probe.gap[k] < Math.min(0, before[0]) + 0.5 * DEEP) return true
  }
  return false
}

const before = new Float64Array(1)

/** Whether no hard gap found last is below its floor: none is passed or overlaps but for what did at the start. */
export function isFeasible({ m, limits, contacts, floor }: Unilateral): boolean {
  for (let r = 0; r < limits.count; r++) {
    if (limits.g[r] < floor[r] - FLOOR_TOLERANCE && !isSoftLimit(m, limits, r)) return false
  }
  for (let k = 0; k < contacts.count; k++) {
    if (contacts.gap[k] - contacts.offset[k] < floor[limits.count + k] - FLOOR_TOLERANCE && !isSoft(contacts.softness, 7 * k)) return false
  }
  return true
}

/** Whether limit r gives way. */
export function isSoftLimit(m: Model, { dofStart, dof, bodyStart, source, velocities, balls, tendons }: LimitRows, r: number): boolean {
  const own = (source[r] >> 1) - velocities.length - balls.length
  if (own >= 0) return isSoft(m.tendons.limitSolref, 2 * tendons[own])
  return bodyStart[r + 1] === bodyStart[r] && isSoft(m.limitSolref, 2 * dof[dofStart[r]])
}

/** Gaps of the rows found last ← those before a motion h v; rates of the rows by v are in `rates`. */
export function takeGapsBack({ limits, contacts }: Unilateral, clock: Vec, rates: Vec): void {
  for (let r = 0; r < limits.count; r++) limits.g[r] -= clock[STEP] * rates[r]
  for (let k = 0; k < contacts.count; k++) contacts.gap[k] -= clock[STEP] * rates[limits.count + k]
}

/** out[o] += the rate at which the gap s[i] may close in the step of the clock, or is to open */
export function addOpening(out: Vec, o: number, s: Vec, i: number, clock: Vec): void {
  out[o] += Math.max((s[i] > 0 ? s[i] : OPENING * s[i]) / clock[STEP], -FASTEST_OPENING)
}

/** Work beyond this, of contacts in a step, is no opening of overlaps: where a loop pins what overlaps, forces without bound open it by nothing. */
export const mostOpeningWork = (u: Unilateral): number => 0.5 * u.mass * FASTEST_OPENING * FASTEST_OPENING

/** out ← keys of limits, below 0, then contacts. */
export function writeKeys({ limits, contacts }: Unilateral, out: Vec): void {
  for (let r = 0; r < limits.count; r++) out[r] = -1 - limits.source[r]
  for (let k = 0; k < contacts.count; k++) out[limits.count + k] = contacts.key[k]
}

/** Room for what is remembered of all limits and contacts, and of at least so many; keeps it. */
export function reserveMemory(u: Unilateral, least: number): void {
  const room = Math.max(least, u.keys.length, u.limits.g.length + u.contacts.capacity)
  const grow = (x: Vec, size: number): Vec => {
    const wide = new Float64Array(size)
    wide.set(x)
    return wide
  }
  const { last } = u
  u.keys = grow(u.keys, room)
  u.from = grow(u.from, room)
  u.floor = grow(u.floor, room)
  u.lift = grow(u.lift, room)
  last.keys = grow(last.keys, room)
  last.force = grow(last.force, 3 * room)
  last.lift = grow(last.lift, room)
}
