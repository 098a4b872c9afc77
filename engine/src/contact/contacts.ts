/**
 * Contacts: the points at which geoms touch or are about to, and the work space to find them.
 *
 * A contact holds bodies A and B, a point and a unit normal (from A to B) in the world, and the signed gap along the normal,
 * negative when the shapes overlap. The point is half-way between the two surfaces, so that under any rigid motion
 *   d gap/dt = normal · (velocity of B's point − velocity of A's point).
 */
import type { Vec } from '../math/types.js'
import type { Shapes } from '../model/shapes.js'
import { combineSurfaces } from './surfaces.js'

export interface Contacts {
  capacity: number
  /** contacts found; at most `capacity` */
  count: number
  /** contacts that found no room in the last call; call `reserveContacts` outside of a step */
  overflow: number
  /** pairs that took the general way (`convex/`), since it was last set to 0 */
  tests: number
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

  /** one number: gaps up to this are reported */
  readonly margin: Vec
  /** point, normal, gap of the contact being made */
  readonly next: Vec
  /** pose of every geom in the world (12 each) */
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
const FEATURES = 2 ** 21

/** `capacity`: contacts there is room for; default 8 a geom. */
export function createContacts(g: Shapes, capacity: number = 64 + 8 * g.count): Contacts {
  let buckets = 16
  while (buckets < 2 * g.solids.length) buckets *= 2
  const c: Contacts = {
    capacity: 0,
    count: 0,
    overflow: 0,
    tests: 0,
    bodyA: new Int32Array(0),
    bodyB: new Int32Array(0),
    geomA: new Int32Array(0),
    geomB: new Int32Array(0),
    feature: new Int32Array(0),
    point: new Float64Array(0),
    normal: new Float64Array(0),
    gap: new Float64Array(0),
    dim: new Int32Array(0),
    friction: new Float64Array(0),
    softness: new Float64Array(0),
    offset: new Float64Array(0),
    key: new Float64Array(0),
    pointA: new Float64Array(0),
    pointB: new Float64Array(0),
    margin: new Float64Array(1),
    next: new Float64Array(7),
    X_WG: new Float64Array(12 * g.count),
    bounds: new Float64Array(6 * g.count),
    cell: new Int32Array(3 * g.count),
    bucket: new Int32Array(g.count),
    bucketStart: new Int32Array(buckets + 1),
    bucketSolids: new Int32Array(g.count),
  }
  reserveContacts(c, capacity)
  return c
}

/** Makes room for at least `capacity` contacts and forgets those found. Allocates: not for use inside a step. */
export function reserveContacts(c: Contacts, capacity: number): void {
  c.count = 0
  c.overflow = 0
  if (capacity <= c.capacity) return
  c.capacity = capacity
  c.bodyA = new Int32Array(capacity)
  c.bodyB = new Int32Array(capacity)
  c.geomA = new Int32Array(capacity)
  c.geomB = new Int32Array(capacity)
  c.feature = new Int32Array(capacity)
  c.point = new Float64Array(3 * capacity)
  c.normal = new Float64Array(3 * capacity)
  c.gap = new Float64Array(capacity)
  c.dim = new Int32Array(capacity)
  c.friction = new Float64Array(5 * capacity)
  c.softness = new Float64Array(7 * capacity)
  c.offset = new Float64Array(capacity)
  c.key = new Float64Array(capacity)
  c.pointA = new Float64Array(3 * capacity)
  c.pointB = new Float64Array(3 * capacity)
}

/** Reads next, margin. Appends a contact between geoms a and b; one beyond the margin, or not a number, is dropped. */
export function addContact(c: Contacts, g: Shapes, a: number, b: number, feature: number): void {
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
export function writeContact(c: Contacts, g: Shapes, a: number, b: number, feature: number, k: number): void {
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
  c.key[k] = (a * g.count + b) * FEATURES + (feature % FEATURES)
}
