/**
 * How far the gaps of limits and contacts may close by the end of a step, from what they were at its start: to 0, or to a share of an overlap that was
 * there already, so that it opens without a blow; and whether they keep to that.
 */
import type { LimitRows } from '../../../constraints/rows/limits.js'
import type { Contacts } from '../../../contact/contacts.js'
import { tangentBasis } from '../../../contact/rows.js'
import { isSoft } from '../../../contact/softness.js'
import { gapBefore, ratesBefore } from '../../../contact/tracking/material-points.js'
import type { Vec } from '../../../math/types.js'
import type { Int } from '../../../math/values/columns.js'
import { STEP } from './constraint-work.js'
import { GRAVITY, MASS, type UnilateralRows } from './unilateral-rows.js'

// of a passed gap, a step: more shoots bodies apart, less lets them sink in
const OPENING = 0.2
// m/s or rad/s: a deep overlap opens no faster
const FASTEST_OPENING = 1
/** m or rad: a gap below this is an overlap, and not what rounding and curvature leave */
export const OVERLAP = -1e-4
// m or rad: what a step may miss a floor by, so that iterations end; the next one takes it for an overlap
const FLOOR_TOLERANCE = 1e-5
/** m: no step of ours makes deeper overlaps */
export const DEEP = -1e-3
// of an overlap: what a step may change of one that was there, hidden by another corner
const HIDDEN = 0.5
// how much faster than at its end a gap may have closed on the way, because bodies turn
const FASTER = 2

/** Writes `from` and `floor` of the rows found last. False where a contact seems to have been deeper at the start than its shapes are thick: `compareOverlaps` is to follow. */
export function compareGaps(u: UnilateralRows): boolean {
  if (measureStart(u)) return false
  setFloors(u)
  return true
}

/** The same where the probe has what overlapped at the start: what did not was not near then. */
export function compareOverlaps(u: UnilateralRows): void {
  const { limits, contacts, from } = u
  u.cursor = 0
  for (let k = 0; k < contacts.count; k++) if (isBeyond(u, k) && !wasDeep(u, k)) from[limits.count + k] = Number.POSITIVE_INFINITY
  setFloors(u)
}

/** Writes `from`: gaps at the start of the step. Whether a contact seems to have been deeper than its shapes are thick. */
function measureStart(u: UnilateralRows): boolean {
  const { limits, contacts, from, clock } = u
  const n = limits.count
  for (let r = 0; r < n; r++) from[r] = limits.g[r] + clock[STEP] * limits.target[r]
  let deep = false
  for (let k = 0; k < contacts.count; k++) {
    gapBefore(from, n + k, contacts, contacts.shapes, u.X0, k)
    from[n + k] -= contacts.offset[k]
    // points that were deep inside, and are not as deep now, were hidden by another corner
    if (from[n + k] < DEEP && !isOld(u, k)) from[n + k] = Number.POSITIVE_INFINITY
    if (isBeyond(u, k)) deep = true
  }
  return deep
}

/** Reads `from`. Writes `floor`. */
function setFloors(u: UnilateralRows): void {
  const { limits, contacts, from, floor } = u
  const n = limits.count
  for (let r = 0; r < n; r++) {
    floor[r] = from[r]
    allow(u, floor, r)
  }
  for (let k = 0; k < contacts.count; k++) {
    // another corner of two shapes that overlapped: the overlap is theirs
    floor[n + k] = Math.min(0, from[n + k])
    if (contacts.gap[k] < contacts.offset[k]) {
      for (let e = k - 1; e >= 0 && isSamePair(contacts, e, k); e--) if (isOld(u, e)) floor[n + k] = Math.min(floor[n + k], from[n + e])
      for (let e = k + 1; e < contacts.count && isSamePair(contacts, e, k); e++)
        if (isOld(u, e)) floor[n + k] = Math.min(floor[n + k], from[n + e])
    }
    allow(u, floor, n + k)
    if (contacts.gap[k] - contacts.offset[k] < floor[n + k] - FLOOR_TOLERANCE) leaveHidden(u, k)
  }
}

/**
 * An overlap that the motion of the step is too slow to have made was there before, behind another corner: it may stay, and is opened by other means. To
 * open it within the step would be a blow, the harder the shorter the step.
 */
function leaveHidden(u: UnilateralRows, k: Int): void {
  const { limits, contacts, floor, from, clock } = u
  const { shapes } = contacts
  const n = limits.count + k
  const gap = contacts.gap[k] - contacts.offset[k]
  for (let r = 0; r < 3; r++) frame[r] = contacts.normal[3 * k + r]
  tangentBasis(frame, 3, frame, 0)
  ratesBefore(rates, 0, contacts, shapes, u.X_WB, u.V, k, frame)
  // what moves as far as it is thick may have passed through on its way
  const thick = Math.max(shapes.thin[contacts.geomA[k]], shapes.thin[contacts.geomB[k]])
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
function isOld({ limits, contacts, from }: UnilateralRows, k: Int): boolean {
  const was = from[limits.count + k]
  return was < 0 && Math.abs(contacts.gap[k] - contacts.offset[k] - was) <= -HIDDEN * was
}

const isSamePair = ({ geomA, geomB }: Contacts, a: Int, b: Int): boolean => geomA[a] === geomA[b] && geomB[a] === geomB[b]

/** Whether contact k seems to have been deeper at the start than its shapes are thick. */
function isBeyond({ limits, contacts, from }: UnilateralRows, k: Int): boolean {
  const { thin } = contacts.shapes
  return from[limits.count + k] < -Math.max(thin[contacts.geomA[k]], thin[contacts.geomB[k]])
}

/** Whether the shapes of contact k overlapped deeply at the start. Reads the probe, from the cursor on. */
function wasDeep(u: UnilateralRows, k: Int): boolean {
  const { contacts, probe } = u
  // both lists have their pairs in the same order: the search goes on from where the last one ended
  const { count } = probe
  const start = u.cursor
  for (let n = 0; n < count; n++) {
    const e = start + n < count ? start + n : start + n - count
    if (probe.geomA[e] !== contacts.geomA[k] || probe.geomB[e] !== contacts.geomB[k]) continue
    u.cursor = e
    if (probe.gap[e] - probe.offset[e] <= DEEP) return true
  }
  return false
}

/** s[i], a gap at the start of a step, ← what it allows at the end: a deep overlap may stay, and is opened by other means. */
function allow(u: UnilateralRows, s: Vec, i: Int): void {
  const gap = s[i]
  if (gap >= 0) s[i] = 0
  else if (!(gap < OVERLAP)) {
    openingRate(rate, 0, u, s, i)
    s[i] = gap + u.clock[STEP] * rate[0]
  }
}

const rate = new Float64Array(1)

/** out[o] ← how fast the overlap s[i] is to open, m/s; no faster than its weight can stop until it is open, √(2 g d), or it would hop. */
export function openingRate(out: Vec, o: Int, { number, clock }: UnilateralRows, s: Vec, i: Int): void {
  const gap = s[i]
  out[o] = Math.min((-OPENING * gap) / clock[STEP], Math.sqrt(-number[GRAVITY] * gap), FASTEST_OPENING)
}

/** out[o] += the rate at which the gap s[i] may close in the step of the clock, or is to open */
export function addOpening(out: Vec, o: Int, s: Vec, i: Int, clock: Vec): void {
  out[o] += Math.max((s[i] > 0 ? s[i] : OPENING * s[i]) / clock[STEP], -FASTEST_OPENING)
}

/** Work beyond this, of contacts in a step, is no opening of overlaps: where a loop pins what overlaps, forces without bound open it by nothing. */
export const mostOpeningWork = ({ number }: UnilateralRows): number => 0.5 * number[MASS] * FASTEST_OPENING * FASTEST_OPENING

/** Whether no hard gap found last is below its floor: none is passed or overlaps but for what did at the start. */
export function keepsFloors({ limits, contacts, floor }: UnilateralRows): boolean {
  for (let r = 0; r < limits.count; r++) {
    if (limits.g[r] < floor[r] - FLOOR_TOLERANCE && !isSoftLimit(limits, r)) return false
  }
  for (let k = 0; k < contacts.count; k++) {
    if (contacts.gap[k] - contacts.offset[k] < floor[limits.count + k] - FLOOR_TOLERANCE && !isSoft(contacts.softness, 7 * k)) return false
  }
  return true
}

/** Whether limit r gives way. */
export const isSoftLimit = ({ source, solref }: LimitRows, r: Int): boolean => isSoft(solref, 2 * (source[r] >> 1))

/** Whether a hard contact of the probe, whose points are marked, is deeper than it was at the start. @routine */
export function isProbeDeeper({ probe, X0 }: UnilateralRows): boolean {
  for (let k = 0; k < probe.count; k++) {
    if (isSoft(probe.softness, 7 * k)) continue
    gapBefore(rate, 0, probe, probe.shapes, X0, k)
    if (probe.gap[k] < Math.min(0, rate[0]) + 0.5 * DEEP) return true
  }
  return false
}
