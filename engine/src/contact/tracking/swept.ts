/**
 * Contacts on the way: shapes that move further in a step than they are thick could pass through each other between two poses.
 *
 * For such pairs the first touch is looked for along the way from the start, by conservative advancement: with a gap to go and a bound on how
 * fast points of the two can approach along the normal, nothing happens before the gap is used up (along any direction for fields, which are
 * not convex). Positions go straight, rotations by the shorter arc. Where
 * they touch and would go on into each other by more than they are thick, the contact there becomes one of the pose on trial, at
 * points that went on with their bodies (`material-points`), and takes the place of contacts on the far side. Shapes that pass beside one
 * another never touch on the way and get none. Without fast shapes this is one comparison a shape.
 */
import { type InMemory, takeRecord } from '../../kernels/records.js'
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import { FIELD, type Shapes, SPHERE } from '../../model/shapes.js'
import { addContact, type Contacts, type PlacedContacts, writeContact } from '../contacts.js'
import { mayTouch } from '../may-touch.js'
import { narrowPhase } from '../shapes/narrow-phase.js'
import { markShapePoints, movePoints } from './material-points.js'

/** @record */
export interface Sweep {
  /** poses of the geoms at the start, 12 each */
  readonly X0: Vec
  /** half of the least thickness of every geom; 0 for fields */
  readonly thin: Vec
  /** how far points of a geom move by its turning; displacement of its origin (3 each) */
  readonly turn: Vec
  readonly move: Vec
  /** contacts of a pair on the way */
  readonly probe: Contacts
  /** at which share of the way the probe is, and how far it reaches */
  readonly share: Vec
}

export type PlacedSweep = Sweep & InMemory

// of the thickness: who moves by less cannot come to the other side
const SLOW = 0.5
// of the thickness, and m: a gap so small is a touch
const TOUCH = 1e-4
const LEAST = 1e-6
const ROUNDS = 60
// of the thickness: how far from the way cells of a field are looked at
const NEAR = 4
// of that, where the probe has no room for them
const HALVINGS = 8
// m: corners that are so much farther than the first one touch with it
const WITH = 1e-3
// cosine between the normals of a contact on trial and of the first touch that still are the same side
const SAME = 0.5

/** In the arena of the probe. */
export function createSweep(g: Shapes, probe: PlacedContacts): PlacedSweep {
  const lengths = { X0: 12 * g.count, thin: g.count, turn: g.count, move: 3 * g.count, share: 2 }
  const s = takeRecord<Sweep>(probe.arena, 'Sweep', lengths, { probe })
  s.thin.set(g.thin)
  return s
}

/** Reads X_WG of c, the poses on trial; contacts there are in c. Adds those on the way from X0; X are the poses of bodies on trial. */
export function addSwept(s: Sweep, c: Contacts, g: Shapes, X: Vec): void {
  const { thin, turn, move } = s
  const { solids, ground } = g
  for (let n = 0; n < solids.length; n++) measureMove(s, c, g, solids[n])
  for (let n = 0; n < solids.length; n++) {
    const i = solids[n]
    const o = 3 * i
    const way = move[o] * move[o] + move[o + 1] * move[o + 1] + move[o + 2] * move[o + 2]
    const least = SLOW * thin[i] - turn[i]
    if (least > 0 && way <= least * least) continue
    for (let m = 0; m < solids.length; m++) {
      const j = solids[m]
      // two fast ones are looked at once
      if (j !== i && !(j < i && isFast(s, j))) sweepPair(s, c, g, X, i, j)
    }
    for (let m = 0; m < ground.length; m++) if (g.shape[ground[m]] === FIELD) sweepPair(s, c, g, X, ground[m], i)
  }
}

/** Writes displacement and turn of geom i. */
function measureMove(s: Sweep, c: Contacts, g: Shapes, i: Int): void {
  const { X0, turn, move } = s
  const { X_WG: X } = c
  const o = 12 * i
  for (let r = 0; r < 3; r++) move[3 * i + r] = X[o + 9 + r] - X0[o + 9 + r]
  if (g.shape[i] === SPHERE) return
  let sum = 0
  for (let k = o; k < o + 9; k++) sum += (X[k] - X0[k]) * (X[k] - X0[k])
  // |R − R₀| = √8 sin(θ/2); a point at distance r moves along an arc rθ, at most π/2 times its chord
  turn[i] = 0.5 * Math.PI * Math.sqrt(0.5 * sum) * g.radius[i]
}

function isFast({ thin, turn, move }: Sweep, i: Int): boolean {
  const o = 3 * i
  const way = move[o] * move[o] + move[o + 1] * move[o + 1] + move[o + 2] * move[o + 2]
  const least = SLOW * thin[i] - turn[i]
  return !(least > 0 && way <= least * least)
}

/** Adds the contacts of a pair at its first touch, if they would pass through each other. */
function sweepPair(s: Sweep, c: Contacts, g: Shapes, X: Vec, i: Int, j: Int): void {
  const { thin, turn, move, share, probe } = s
  const thick = thin[i] + thin[j]
  const x = move[3 * i] - move[3 * j]
  const y = move[3 * i + 1] - move[3 * j + 1]
  const z = move[3 * i + 2] - move[3 * j + 2]
  const travel = Math.sqrt(x * x + y * y + z * z) + turn[i] + turn[j]
  if (travel <= SLOW * thick || !mayTouch(g, i, j) || !waysMeet(s, c, g, i, j)) return
  const touch = TOUCH * thick + LEAST
  const convex = g.shape[i] !== FIELD && g.shape[j] !== FIELD
  share[0] = 0
  for (let round = 0; round < ROUNDS && share[0] < 1; round++) {
    const rest = travel * (1 - share[0]) + touch
    // a field within reach of a long way has too many cells
    share[1] = convex ? rest : Math.min(rest, NEAR * thick)
    probePair(s, c, g, i, j)
    for (let half = 0; half < HALVINGS && probe.overflow > 0; half++) {
      share[1] *= 0.5
      probePair(s, c, g, i, j)
    }
    if (probe.count === 0) {
      // what is farther than the rest of the way is not met
      if (share[1] >= rest) return
      share[0] += share[1] / travel
      continue
    }
    let first = 0
    for (let k = 1; k < probe.count; k++) if (probe.gap[k] < probe.gap[first]) first = k
    const gap = probe.gap[first]
    // the normal is from A to B; x, y, z is how i moves against j
    const n = 3 * first
    const sign = probe.geomB[first] === i ? -1 : 1
    const closing = sign * (x * probe.normal[n] + y * probe.normal[n + 1] + z * probe.normal[n + 2]) + turn[i] + turn[j]
    if (gap > touch) {
      // no plane between convex shapes closes faster than this one
      const rate = convex ? closing : travel
      if (!(rate > 0)) return
      share[0] += (gap - 0.5 * touch) / rate
      continue
    }
    if ((1 - share[0]) * closing <= SLOW * thick) {
      // along each other: they may still meet later
      share[0] += (SLOW * thick + touch) / travel
      continue
    }
    takeFirstTouch(s, c, g, X, first)
    return
  }
}

/** Whether the boxes around the spheres of two geoms on their ways meet; those of fields are everywhere. */
function waysMeet({ X0 }: Sweep, { X_WG: X }: Contacts, g: Shapes, i: Int, j: Int): boolean {
  const reach = g.radius[i] + g.radius[j]
  if (!(reach < Number.POSITIVE_INFINITY)) return true
  for (let r = 9; r < 12; r++) {
    const a = X0[12 * i + r]
    const b = X[12 * i + r]
    const e = X0[12 * j + r]
    const f = X[12 * j + r]
    if ((a < b ? a : b) > (e > f ? e : f) + reach || (e < f ? e : f) > (a > b ? a : b) + reach) return false
  }
  return true
}

/** Contacts of the pair at share[0] of its way, nearer than share[1], into the probe. */
function probePair(s: Sweep, c: Contacts, g: Shapes, i: Int, j: Int): void {
  const { probe, share } = s
  placeBetween(s, c, i)
  placeBetween(s, c, j)
  probe.count = 0
  probe.overflow = 0
  probe.margin[0] = share[1]
  narrowPhase(probe, g, i, j)
}

/** X_WG of the probe for geom i: between its poses at the start and on trial. */
function placeBetween({ X0, probe, share }: Sweep, { X_WG: X1 }: Contacts, i: Int): void {
  const { X_WG: X } = probe
  const o = 12 * i
  const t = share[0]
  for (let k = o; k < o + 12; k++) X[k] = X0[k] + t * (X1[k] - X0[k])
  // columns made orthonormal again
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < a; b++) {
      const dot = X[o + a] * X[o + b] + X[o + 3 + a] * X[o + 3 + b] + X[o + 6 + a] * X[o + 6 + b]
      for (let r = 0; r < 9; r += 3) X[o + r + a] -= dot * X[o + r + b]
    }
    const size = Math.sqrt(X[o + a] * X[o + a] + X[o + 3 + a] * X[o + 3 + a] + X[o + 6 + a] * X[o + 6 + a])
    for (let r = 0; r < 9; r += 3) X[o + r + a] /= size
  }
}

/** The probe's contacts that touch with its `first` one, for those of the pair on trial. */
function takeFirstTouch({ probe }: Sweep, c: Contacts, g: Shapes, X: Vec, first: Int): void {
  const a = probe.geomA[first]
  const b = probe.geomB[first]
  const n = 3 * first
  for (let k = 0; k < c.count; k++) {
    if (c.geomA[k] !== a || c.geomB[k] !== b) continue
    const cosine = c.normal[3 * k] * probe.normal[n] + c.normal[3 * k + 1] * probe.normal[n + 1] + c.normal[3 * k + 2] * probe.normal[n + 2]
    // found from the right side
    if (cosine > SAME) return
  }
  // drop those of the far side by closing the gaps they leave
  let kept = 0
  for (let k = 0; k < c.count; k++) {
    if (c.geomA[k] === a && c.geomB[k] === b) continue
    if (kept !== k) copyContact(c, g, k, kept)
    kept++
  }
  c.count = kept
  for (let k = 0; k < probe.count; k++) {
    if (probe.gap[k] > probe.gap[first] + WITH) continue
    for (let r = 0; r < 3; r++) {
      c.next[r] = probe.point[3 * k + r]
      c.next[3 + r] = probe.normal[3 * k + r]
    }
    c.next[6] = probe.gap[k]
    const before = c.count
    c.margin[0] = Number.POSITIVE_INFINITY
    addContact(c, g, a, b, probe.feature[k])
    if (c.count === before) continue
    markShapePoints(c, g, probe.X_WG, before)
    movePoints(c, g, X, before)
  }
}

/** Contact `to` ← contact `from`. */
function copyContact(c: Contacts, g: Shapes, from: Int, to: Int): void {
  for (let r = 0; r < 3; r++) {
    c.next[r] = c.point[3 * from + r]
    c.next[3 + r] = c.normal[3 * from + r]
    c.pointA[3 * to + r] = c.pointA[3 * from + r]
    c.pointB[3 * to + r] = c.pointB[3 * from + r]
  }
  c.next[6] = c.gap[from]
  writeContact(c, g, c.geomA[from], c.geomB[from], c.feature[from], to)
}
