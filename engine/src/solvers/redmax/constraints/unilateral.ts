/**
 * Rows of a step that push one way or rub: limits of joints and tendons, dry friction in joints, contacts. They follow the equalities, in
 * this order, three rows a contact (normal, two tangents).
 *
 * Newton's method finds them anew at every configuration on trial, where its matrix is taken: a ball that rolls turns its contact point and its
 * frame away within a step, and what is hit in mid-step is found where it is. A row then asks for gap(q) + h G x ≥ floor, with the floor that
 * its gap at the start of the step allows: 0, or a share of an overlap that was there already, so that it opens without a blow. Rows are known
 * again by their key, the limit or the pair of shapes with its corner; their forces go with them.
 */

import { createLimitRows, type LimitRows, updateLimitRows } from '../../../constraints/rows/limits.js'
import { addBlock, addVelocity, beginRow, finishRow, type ReducedRows, reduceRows } from '../../../constraints/rows/reduce.js'
import { type Contacts, createContacts, reserveContacts } from '../../../contact/contacts.js'
import { findContacts, placeGeoms } from '../../../contact/find-contacts.js'
import { type ContactRows, contactRows, createContactRows, reserveContactRows } from '../../../contact/rows.js'
import type { Complementarity } from '../../../contact/solve/lcp.js'
import { addMissing, copyContact } from '../../../contact/tracking/copy-contact.js'
import { findKey } from '../../../contact/tracking/find-key.js'
import { gapBefore, markPoints, movePoints } from '../../../contact/tracking/material-points.js'
import { addSwept, createSweep, type Sweep } from '../../../contact/tracking/swept.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { totalMass } from '../../../tree/momentum.js'
import { addDot, STEP, takeBack } from './constraint-work.js'

/** Limits and contacts of some earlier configuration: key, gap, and force in N (a limit's, or that of a contact in the world) */
interface Memory {
  count: number
  keys: Vec
  gap: Vec
  force: Vec
}

export interface Unilateral {
  readonly m: Model
  readonly d: Data
  readonly limits: LimitRows
  /** of all bodies */
  readonly mass: number
  /** velocities with dry friction */
  readonly rubbing: Int32Array
  /** false: shapes pass through each other */
  readonly touching: boolean
  readonly contacts: Contacts
  /** contacts at some other pose */
  readonly probe: Contacts
  /** what is met on the way from the start; looked for where that is `swept` */
  readonly sweep: Sweep
  swept: boolean
  readonly blocks: ContactRows
  /** contacts that pushed in the last solve: where other corners take their turn they stay, or an iteration would go to and fro */
  readonly pushed: Contacts
  /** of limits, then contacts, found last: key, gap at the start of the step (infinite: not near then), least gap allowed at its end */
  keys: Vec
  from: Vec
  floor: Vec
  readonly start: Memory
  /** poses of bodies then */
  readonly X0: Vec
  readonly last: Memory
  /** the step that the impulses λ brought last belong to */
  readonly span: Vec
  /** forces that were kept found no row to go to */
  changed: boolean
  /** until the next start, overlaps of the start: 0 are opened, 1 may stay, 2 of shapes are let alone */
  relaxed: number
  /** for so many steps to come, deep ones that could not open in a step before may stay: to find that out anew takes longer than a step */
  wait: number
}

// of a passed gap, a step: more shoots bodies apart, less lets them sink in
const OPENING = 0.2
// m/s or rad/s: a deep overlap opens no faster, or short steps would shoot bodies apart
const FASTEST_OPENING = 1
/** contacts closer than this, in metres, are rows: less misses what a step closes, more brings rows that do nothing */
const MARGIN = 0.01
// limits nearer than this, in metres or radians, or than the motion reaches in two steps, are rows
const NEAR = 0.1
// m or rad: what a step may miss a floor by, so that iterations end; the next one takes it for an overlap
const FLOOR_TOLERANCE = 1e-5
const FIRST_CONTACTS = 32
// overlaps that are looked at; beyond them there is no hope
const PROBED = 64
// of `relaxed`: nothing is asked of overlaps of shapes any more, if they are deeper than this, in metres: no step of ours made them
const IGNORED = 2
const DEEP = -1e-3
// of an overlap: what a step may change of one that was there, hidden by another corner
const HIDDEN = 0.5
/** as in `contacts.ts`: a key divided by it is the pair */
const FEATURES = 2 ** 21
const ONE = Float64Array.of(1)

const createMemory = (): Memory => ({ count: 0, keys: new Float64Array(0), gap: new Float64Array(0), force: new Float64Array(0) })

export function createUnilateral(m: Model, d: Data, contact: boolean): Unilateral {
  const contacts = createContacts(m.shapes)
  const touching = contact && m.shapes.count > 1
  const probe = createContacts(m.shapes, touching ? PROBED : 0)
  const u: Unilateral = {
    m,
    d,
    limits: createLimitRows(m),
    mass: totalMass(m),
    rubbing: Int32Array.from(m.friction.keys()).filter((k) => m.friction[k] > 0),
    touching,
    contacts,
    probe,
    sweep: createSweep(m.shapes, probe),
    swept: false,
    blocks: createContactRows(contacts),
    pushed: createContacts(m.shapes),
    keys: new Float64Array(0),
    from: new Float64Array(0),
    floor: new Float64Array(0),
    start: createMemory(),
    X0: new Float64Array(12 * m.nbody),
    last: createMemory(),
    span: new Float64Array(1),
    changed: false,
    relaxed: 0,
    wait: 0,
  }
  reserveMemory(u, 0)
  return u
}

/** Most rows there can be, contacts aside, and room for the first contacts. */
export function rowsAtLeast({ limits, rubbing, touching }: Unilateral): number {
  return limits.g.length + rubbing.length + (touching ? 3 * FIRST_CONTACTS : 0)
}

/** Rows found last. */
export function rowCount({ limits, rubbing, contacts }: Unilateral): number {
  return limits.count + rubbing.length + 3 * contacts.count
}

/** Reads the kinematics, q, v. Writes limits and contacts. */
export function findUnilateral(u: Unilateral, q: Vec, v: Vec, clock: Vec): void {
  const { m, d, limits, contacts, blocks } = u
  limits.reach[0] = NEAR
  limits.reach[1] = 2 * clock[STEP]
  updateLimitRows(limits, m, d, q, v)
  contacts.count = 0
  if (!u.touching) return
  findTouches(u)
  if (contacts.overflow > 0) {
    // more than ever before: more room, which allocates, and only then
    reserveContacts(contacts, 2 * (contacts.capacity + contacts.overflow))
    reserveContactRows(blocks, contacts)
    reserveMemory(u, 0)
    findTouches(u)
  }
  if (contacts.count > 0) contactRows(blocks, contacts, d.X_WB)
}

/** Contacts at the poses of data, and on the way there. */
function findTouches({ m, d, contacts, sweep, swept, pushed }: Unilateral): void {
  findContacts(contacts, m.shapes, d.X_WB, MARGIN)
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
    if (lambda[touch + 3 * k] > 0) copyContact(pushed, contacts, m.shapes, k, pushed.count++)
  }
}

/** As `findUnilateral`, but what touches is what touched at the last call, at points that went on with their bodies, and what is met on the way. */
export function followUnilateral(u: Unilateral, q: Vec, v: Vec, clock: Vec): void {
  const { m, d, limits, contacts, blocks } = u
  limits.reach[0] = NEAR
  limits.reach[1] = 2 * clock[STEP]
  updateLimitRows(limits, m, d, q, v)
  if (!u.touching) return
  movePoints(contacts, m.shapes, d.X_WB, 0)
  placeGeoms(contacts, m.shapes, d.X_WB)
  addSwept(u.sweep, contacts, m.shapes, d.X_WB)
  if (contacts.count > 0) contactRows(blocks, contacts, d.X_WB)
}

/** Appends the rows found last to G, turned so that λ ≥ 0 opens the gap. */
export function appendRows(G: ReducedRows, u: Unilateral): void {
  const { m, d, limits, rubbing, contacts, blocks } = u
  const first = G.count
  reduceRows(G, limits, m, d)
  // limits are given as C v ≤ gap/h
  for (let k = first * m.nv; k < G.count * m.nv; k++) G.G[k] = -G.G[k]
  for (let e = 0; e < rubbing.length; e++) {
    beginRow(G, m)
    addVelocity(G, m, rubbing[e], ONE, 0)
    finishRow(G, m, d)
  }
  for (let k = 0; k < contacts.count; k++) {
    for (let r = 0; r < 3; r++) {
      beginRow(G, m)
      addBlock(G, contacts.bodyA[k], blocks.rowA, 18 * k + 6 * r)
      addBlock(G, contacts.bodyB[k], blocks.rowB, 18 * k + 6 * r)
      finishRow(G, m, d)
    }
  }
}

/** What is met on the way from the poses of data counts from now on. */
export function markWay(u: Unilateral): void {
  if (!u.touching) return
  placeGeoms(u.contacts, u.m.shapes, u.d.X_WB)
  u.sweep.X0.set(u.contacts.X_WG)
  u.swept = true
}

/** The rows found last are those at the start of the step. */
export function rememberStart(u: Unilateral): void {
  const { start, limits, contacts } = u
  u.sweep.X0.set(contacts.X_WG)
  u.X0.set(u.d.X_WB)
  u.swept = u.touching
  writeKeys(u, start.keys)
  for (let r = 0; r < limits.count; r++) start.gap[r] = limits.g[r]
  for (let k = 0; k < contacts.count; k++) start.gap[limits.count + k] = contacts.gap[k]
  start.count = limits.count + contacts.count
  u.relaxed = 0
}

/** Writes `from` and `floor` of the rows found last, by their gaps at the start. */
export function compareWithStart(u: Unilateral, clock: Vec): void {
  const { start, limits, contacts, keys, from, floor } = u
  writeKeys(u, keys)
  const n = limits.count + contacts.count
  const most = FASTEST_OPENING * clock[STEP]
  let at = -1
  for (let r = 0; r < n; r++) {
    at = findKey(start.keys, start.count, keys, r, at + 1)
    from[r] = at < 0 ? Number.POSITIVE_INFINITY : start.gap[at]
    let least = at < 0 ? 0 : start.gap[at]
    // another corner of two shapes that overlapped: the overlap is theirs
    if (at < 0 && r >= limits.count) {
      // as is one that its points say was there, if no more than a step may miss, or as deep as it is now: a corner that another hid
      gapBefore(from, r, contacts, u.m.shapes, u.X0, r - limits.count)
      if (from[r] < DEEP && Math.abs(contacts.gap[r - limits.count] - from[r]) > -HIDDEN * from[r]) from[r] = Number.POSITIVE_INFINITY
      else if (from[r] < 0) least = from[r]
      const pair = Math.floor(keys[r] / FEATURES)
      for (let e = 0; e < start.count; e++) if (Math.floor(start.keys[e] / FEATURES) === pair) least = Math.min(least, start.gap[e])
    }
    const deep = r >= limits.count && least < DEEP
    if (least >= 0) floor[r] = 0
    else if (u.relaxed === IGNORED && deep) floor[r] = Number.NEGATIVE_INFINITY
    else floor[r] = u.relaxed > 0 || (deep && u.wait > 0) ? least : least + Math.min(-OPENING * least, most)
  }
}

/**
 * Asks less of what overlapped at the start, because a loop or other bodies keep it from opening: first that it grows no deeper, then nothing.
 * Writes floors, and r and bounds of p, which holds these rows alone. False where nothing is left to give up.
 */
export function relaxOverlaps(u: Unilateral, p: Complementarity, clock: Vec): boolean {
  const { limits, rubbing, contacts, floor } = u
  const n = limits.count + contacts.count
  let some = false
  for (let e = 0; e < n; e++) some ||= floor[e] < 0
  if (u.relaxed === IGNORED || !some) return false
  u.relaxed++
  for (let e = 0; e < n; e++) {
    const r = e < limits.count ? e : limits.count + rubbing.length + 3 * (e - limits.count)
    p.r[r] += floor[e] / clock[STEP]
  }
  compareWithStart(u, clock)
  for (let e = 0; e < n; e++) {
    const r = e < limits.count ? e : limits.count + rubbing.length + 3 * (e - limits.count)
    if (floor[e] > Number.NEGATIVE_INFINITY) p.r[r] -= floor[e] / clock[STEP]
    else p.hi[r] = 0
  }
  return true
}

/** Looks whether shapes overlap at the poses of data by more than they did at the start, be they among the rows or not. */
export function detectOverlap({ m, d, touching, probe, start }: Unilateral): boolean {
  if (!touching) return false
  findContacts(probe, m.shapes, d.X_WB, DEEP)
  for (let k = 0; k < probe.count; k++) {
    const pair = Math.floor(probe.key[k] / FEATURES)
    let least = 0
    for (let e = 0; e < start.count; e++) if (Math.floor(start.keys[e] / FEATURES) === pair) least = Math.min(least, start.gap[e])
    if (probe.gap[k] < least + DEEP) return true
  }
  return false
}

/** Whether no gap found last is below its floor: none is passed or overlaps but for what did at the start. */
export function isFeasible({ limits, contacts, floor }: Unilateral): boolean {
  for (let r = 0; r < limits.count; r++) if (limits.g[r] < floor[r] - FLOOR_TOLERANCE) return false
  for (let k = 0; k < contacts.count; k++) if (contacts.gap[k] < floor[limits.count + k] - FLOOR_TOLERANCE) return false
  return true
}

/** Gaps of the rows found last, of G, ← those before a motion h v. */
export function takeGapsBack(u: Unilateral, G: Vec, first: number, v: Vec, clock: Vec): void {
  const { m, limits, rubbing, contacts } = u
  const touch = first + limits.count + rubbing.length
  for (let r = 0; r < limits.count; r++) takeBack(limits.g, r, G, (first + r) * m.nv, v, m.nv, clock)
  for (let k = 0; k < contacts.count; k++) takeBack(contacts.gap, k, G, (touch + 3 * k) * m.nv, v, m.nv, clock)
}

/**
 * Bounds of the rows in p from `first` on, and what they ask for, added to p.r. Without v: rates by the gaps; with it: the correction of v
 * that keeps the gaps above their floors, in the step of the clock.
 */
export function askUnilateral(u: Unilateral, p: Complementarity, first: number, G: Vec, v: Vec | undefined, clock: Vec): void {
  const { m, limits, rubbing, contacts, floor } = u
  const { nv } = m
  for (let r = 0; r < limits.count; r++) {
    if (v === undefined) addOpening(p.r, first + r, limits.g, r, clock)
    else if (floor[r] > Number.NEGATIVE_INFINITY) p.r[first + r] += (limits.g[r] - floor[r]) / clock[STEP]
    else p.hi[first + r] = 0
    p.lo[first + r] = 0
  }
  const dry = first + limits.count
  for (let e = 0; e < rubbing.length; e++) {
    if (v !== undefined) addDot(p.r, dry + e, G, (dry + e) * nv, v, 0, nv)
    p.hi[dry + e] = clock[STEP] * m.friction[rubbing[e]]
    p.lo[dry + e] = -p.hi[dry + e]
  }
  const touch = dry + rubbing.length
  for (let k = 0; k < contacts.count; k++) {
    const r = touch + 3 * k
    if (v === undefined) addOpening(p.r, r, contacts.gap, k, clock)
    else if (floor[limits.count + k] > Number.NEGATIVE_INFINITY) p.r[r] += (contacts.gap[k] - floor[limits.count + k]) / clock[STEP]
    else p.hi[r] = 0
    p.lo[r] = 0
    for (let s = 1; s < 3; s++) {
      if (v !== undefined) addDot(p.r, r + s, G, (r + s) * nv, v, 0, nv)
      p.normal[r + s] = r
      p.mu[r + s] = contacts.dim[k] === 1 ? 0 : contacts.friction[5 * k]
    }
  }
}

/**
 * out[o] += work of limits and contacts that opened a gap since the start, and of friction that drove; λ and rows from `first` on. Of contacts
 * no more than takes all bodies apart as fast as an overlap may open: where a loop pins what overlaps, forces without bound open it by nothing.
 */
export function addWork(u: Unilateral, out: Vec, o: number, lambda: Vec, first: number, G: Vec, v: Vec, clock: Vec): void {
  const { m, limits, rubbing, contacts, from } = u
  const { nv } = m
  const dry = first + limits.count
  const touch = dry + rubbing.length
  for (let r = 0; r < limits.count; r++) out[o] += (lambda[first + r] * Math.max(0, limits.g[r] - from[r])) / clock[STEP]
  let sum = 0
  for (let r = dry; r < touch + 3 * contacts.count; r++) {
    if (r >= touch && (r - touch) % 3 === 0) {
      const k = (r - touch) / 3
      sum += (lambda[r] * Math.max(0, contacts.gap[k] - from[limits.count + k])) / clock[STEP]
      continue
    }
    let speed = 0
    for (let k = 0; k < nv; k++) speed += G[r * nv + k] * v[k]
    sum += Math.max(0, lambda[r] * speed)
  }
  out[o] += Math.min(sum, 0.5 * u.mass * FASTEST_OPENING * FASTEST_OPENING)
}

/** out[o] += the rate at which the gap s[i] may close in the step of the clock, or is to open */
function addOpening(out: Vec, o: number, s: Vec, i: number, clock: Vec): void {
  out[o] += Math.max((s[i] > 0 ? s[i] : OPENING * s[i]) / clock[STEP], -FASTEST_OPENING)
}

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
  u.keys = grow(u.keys, room)
  u.from = grow(u.from, room)
  u.floor = grow(u.floor, room)
  for (const memory of [u.start, u.last]) {
    memory.keys = grow(memory.keys, room)
    memory.gap = grow(memory.gap, room)
    memory.force = grow(memory.force, 3 * room)
  }
}
