/**
 * Contacts: the points at which geoms touch or are about to, and the work space to find them.
 *
 * A contact holds bodies A and B, a point and a unit normal (from A to B) in the world, and the signed gap along the normal,
 * negative when the shapes overlap. The point is half-way between the two surfaces, so that under any rigid motion
 *   d gap/dt = normal · (velocity of B's point − velocity of A's point).
 */
import { copyRecord, type InMemory, resize, takeRecord } from '../kernels/records.js'
import type { Vec } from '../math/types.js'
import type { Int } from '../math/values/columns.js'
import type { Shapes } from '../model/shapes.js'
import { type ContactArena, createContactArena } from './arena.js'
import { type Candidates, candidatesOf } from './candidates.js'
import { combineSurfaces } from './surfaces.js'

/** @record */
export interface Contacts {
  /** what may touch */
  readonly shapes: Shapes
  readonly candidates: Candidates
  capacity: Int
  /** contacts found; at most `capacity` */
  count: Int
  /** contacts that found no room in the last call; call `reserveContacts` outside of a step */
  overflow: Int
  /** pairs that took the general way (`convex/`), since it was last set to 0 */
  tests: Int
  bodyA: Int32Array
  bodyB: Int32Array
  geomA: Int32Array
  geomB: Int32Array
  /** which corner, edge or cell touches: the same from step to step */
  feature: Int32Array
  /** 3 each */
  point: Vec
  /** 3 each, from A to B */
  normal: Vec
  gap: Vec
  /** directions in which it resists: 1 normal, 3 sliding, 4 torsional, 6 rolling too */
  dim: Int32Array
  /** sliding along two directions, torsional (m), rolling about two (m): 5 each */
  friction: Vec
  /** solref (2) and solimp (5) of MuJoCo, 7 each; solref 0 0: hard */
  softness: Vec
  /** it pushes when the gap is below this */
  offset: Vec
  /** geoms and feature in one number, for warm starts */
  key: Vec
  /** the points of both surfaces in their bodies, 3 each (`material-points`) */
  pointA: Vec
  pointB: Vec

  /** 1 for bodies between which nothing is looked for, as they rest or never move; how many trees rest: where it is 0 all pairs are looked at */
  readonly still: Int32Array
  resting: Int

  /** one number: gaps up to this are reported */
  readonly margin: Vec
  /** point, normal, gap of the contact being made */
  readonly next: Vec
  /** poses of the bodies that they are looked for at, and of the geoms, in the world (12 each) */
  readonly X_WB: Vec
  readonly X_WG: Vec
  /** lower and upper corner of every solid's box in the world (6 each) */
  readonly bounds: Vec
  // broad phase: cell of every solid (3 each), bucket of every solid, first entry of every bucket, solids by bucket
  readonly cell: Int32Array
  readonly bucket: Int32Array
  readonly bucketStart: Int32Array
  readonly bucketSolids: Int32Array
}

/** Numbers of the features of one pair; larger ones (cells of huge fields) wrap around, which costs a warm start at worst. */
export const FEATURES = 2 ** 21

/** A record of contacts, its arena and its address there. */
export type PlacedContacts = Contacts & InMemory & { readonly arena: ContactArena }

/** What a model says of contacts, as it is, in the memory of an arena. */
interface Given {
  readonly shapes: Shapes & InMemory
  readonly candidates: Candidates & InMemory
}

const placed = new WeakMap<ContactArena, WeakMap<Shapes, Given>>()

function givenIn(arena: ContactArena, g: Shapes, candidates?: Candidates): Given {
  let known = placed.get(arena)
  if (!known) {
    known = new WeakMap()
    placed.set(arena, known)
  }
  let given = known.get(g)
  if (!given) {
    const pairs = copyRecord(arena, 'ContactPairs', g.pairs)
    const hulls = copyRecord(arena, 'Hulls', g.hulls)
    const shapes = copyRecord<Shapes>(arena, 'Shapes', g, { pairs, hulls })
    given = { shapes, candidates: copyRecord<Candidates>(arena, 'Candidates', candidates ?? candidatesOf(g)) }
    known.set(g, given)
  }
  return given
}

/** numbers a contact, of each array that has some for every contact */
const EACH = {
  ...{ bodyA: 1, bodyB: 1, geomA: 1, geomB: 1, feature: 1, dim: 1 },
  ...{ point: 3, normal: 3, gap: 1, friction: 5, softness: 7, offset: 1, key: 1, pointA: 3, pointB: 3 },
}

/**
 * Most contacts of a step. A heap of boxes has some 12 a box; with many more than that, shapes are drawn on top of one another, and pairs go with
 * the square of their number: 1,500 spheres at one place would take gigabytes.
 */
export const mostContacts = (g: Shapes): number => MANY + MANY_A_SHAPE * g.count

// of few shapes, some may be large and meet a height field in many places
const MANY = 8192
const MANY_A_SHAPE = 16

const lengthsFor = (capacity: number): Record<string, number> =>
  Object.fromEntries(Object.entries(EACH).map(([name, each]) => [name, each * capacity]))

/**
 * `capacity`: contacts there is room for; default 8 a geom. `arena`: that of the step they belong to. `candidates`: the pairs to look at in place of
 * those that may touch, in an arena of their own.
 */
export function createContacts(
  g: Shapes,
  capacity: number = 64 + 8 * g.count,
  arena: ContactArena = createContactArena(),
  candidates?: Candidates,
): PlacedContacts {
  let buckets = 16
  while (buckets < 2 * g.solids.length) buckets *= 2
  const lengths = {
    ...lengthsFor(capacity),
    ...{ still: g.group.length, margin: 1, next: 7, X_WB: 12 * g.group.length, X_WG: 12 * g.count, bounds: 6 * g.count },
    ...{ cell: 3 * g.count, bucket: g.count, bucketStart: buckets + 1, bucketSolids: g.count },
  }
  const c = takeRecord<Contacts>(arena, 'Contacts', lengths, { ...givenIn(arena, g, candidates) })
  c.capacity = capacity
  return Object.assign(c, { arena })
}

/** Makes room for at least `capacity` contacts and forgets those found. Allocates: not for use inside a step. */
export function reserveContacts(c: PlacedContacts, capacity: number): void {
  c.count = 0
  c.overflow = 0
  if (capacity <= c.capacity) return
  resize(c, lengthsFor(capacity))
  c.capacity = capacity
}

/** Whether one of two geoms may move. */
export const isAwake = ({ resting, still }: Contacts, g: Shapes, a: Int, b: Int): boolean =>
  resting === 0 || still[g.body[a]] === 0 || still[g.body[b]] === 0

/** Reads next, margin. Appends a contact between geoms a and b; one beyond the margin, or not a number, is dropped. */
export function addContact(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int): void {
  const { next } = c
  const gap = next[6]
  if (!(gap <= c.margin[0])) return
  const k = c.count
  if (k >= c.capacity) {
    c.overflow++
    return
  }
  c.count = k + 1
  writeContact(c, g, a, b, feature, k)
}

/** Reads next. Writes contact k. */
export function writeContact(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int, k: Int): void {
  const { next } = c
  c.bodyA[k] = g.body[a]
  c.bodyB[k] = g.body[b]
  c.geomA[k] = a
  c.geomB[k] = b
  c.feature[k] = feature
  for (let r = 0; r < 3; r++) {
    c.point[3 * k + r] = next[r]
    c.normal[3 * k + r] = next[3 + r]
  }
  c.gap[k] = next[6]
  combineSurfaces(c, g, a, b, k)
  // beyond the whole numbers of a routine
  const row: number = a
  c.key[k] = (row * g.count + b) * FEATURES + (feature % FEATURES)
}
