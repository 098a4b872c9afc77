/**
 * Finds all contacts of a model: poses of the geoms, then the pairs that may touch, from their list where there are few; else planes and fields
 * against every solid, and the solids among themselves by a grid.
 */

import type { Vec } from '../math/types.js'
import type { Int } from '../math/values/columns.js'
import { FIELD, PLANE, type Shapes } from '../model/shapes.js'
import { mulPose } from '../printed/arrays.js'
import { boundSolids, broadPhase, meets } from './broad-phase.js'
import { type Contacts, isAwake, type PlacedContacts } from './contacts.js'
import { nearestOnField } from './height-field/field-distance.js'
import { narrowPhase, touch } from './shapes/narrow-phase.js'
import { addMissing } from './tracking/copy-contact.js'
import { markPoints } from './tracking/material-points.js'
import { addSwept, type Sweep } from './tracking/swept.js'

/**
 * Reads X_WB (12 a body). Writes count, overflow and every contact with a gap up to `margin`, as long as there is room.
 * Same poses, same contacts in the same order; allocates nothing.
 */
export function findContacts(c: PlacedContacts, g: Shapes, X_WB: Vec, margin: number): void {
  c.margin[0] = margin
  findWithin(c, g, X_WB)
}

/** The same with the margin that is in c.margin[0]: as an argument it would be boxed. The shapes are those that c was made for. */
export function findWithin(c: PlacedContacts, _g: Shapes, X_WB: Vec): void {
  c.X_WB.set(X_WB)
  c.arena.routines.findAll(c.at)
}

/** Reads X_WB, margin. Writes count, overflow and the contacts. @routine */
export function findAll(c: Contacts): void {
  const g = c.shapes
  const { ground, solids } = g
  c.count = 0
  c.overflow = 0
  placeGeoms(c, g, c.X_WB)
  if (c.candidates.count >= 0) {
    testCandidates(c, g)
    return
  }
  for (let n = 0; n < ground.length; n++) {
    const a = ground[n]
    for (let m = 0; m < solids.length; m++) {
      const b = solids[m]
      if (isAwake(c, g, a, b) && isNearGround(c, g, a, b)) narrowPhase(c, g, a, b)
    }
  }
  if (solids.length > 1) broadPhase(c, g)
}

/**
 * The same, with the points of contacts in their bodies, what is met on the way from where `placeStart` was called, if that is `swept`, and those of `pushed`
 * that are not among them. All of it is in one arena. @routine
 */
export function findMarked(c: Contacts, s: Sweep, swept: Int, pushed: Contacts): void {
  const { shapes: g, X_WB } = c
  findAll(c)
  markPoints(c, g, X_WB, 0)
  if (swept) addSwept(s, c, g, X_WB)
  if (pushed.count > 0) addMissing(c, pushed, g, X_WB)
}

/** Reads X_WB, margin, and the one candidate, a height field and a solid that are apart. Writes the contact at which they are nearest. @routine */
export function findOnField(c: Contacts): void {
  placeGeoms(c, c.shapes, c.X_WB)
  nearestOnField(c, c.shapes, c.candidates.a[0], c.candidates.b[0])
}

/** Reads X_WB. Writes X_WG, and the same as the start of a way. @routine */
export function placeStart(c: Contacts, { X0 }: Sweep): void {
  const { X_WG } = c
  placeGeoms(c, c.shapes, c.X_WB)
  for (let k = 0; k < X0.length; k++) X0[k] = X_WG[k]
}

/** Pairs of the list whose spheres, or sphere and ground, come within the margin, and of two solids their boxes in the world too. */
function testCandidates(c: Contacts, g: Shapes): void {
  const { X_WG: X, candidates: list } = c
  const margin = c.margin[0]
  // those of two solids come last
  if (list.count > 0 && g.shape[list.a[list.count - 1]] > FIELD) boundSolids(c, g)
  for (let k = 0; k < list.count; k++) {
    const a = list.a[k]
    const b = list.b[k]
    if (!isAwake(c, g, a, b)) continue
    const reach = list.margin[k] > margin ? list.margin[k] : margin
    if (g.shape[a] <= FIELD) {
      if (!isNearGround(c, g, a, b)) continue
    } else {
      const i = 12 * a + 9
      const j = 12 * b + 9
      const x = X[j] - X[i]
      const y = X[j + 1] - X[i + 1]
      const z = X[j + 2] - X[i + 2]
      const far = g.radius[a] + g.radius[b] + reach
      if (!(far >= 0 && x * x + y * y + z * z <= far * far && meets(c, a, b))) continue
    }
    c.margin[0] = reach
    touch(c, g, a, b)
    c.margin[0] = margin
  }
}

/** Reads X_WB. Writes X_WG, the poses of all geoms. */
export function placeGeoms({ X_WG }: Contacts, g: Shapes, X_WB: Vec): void {
  for (let i = 0; i < g.count; i++) mulPose(X_WG, 12 * i, X_WB, 12 * g.body[i], g.X_BG, 12 * i)
}

/** Whether the sphere around solid b comes within the margin of plane or field a. */
function isNearGround(c: Contacts, g: Shapes, a: Int, b: Int): boolean {
  const { X_WG: X } = c
  const i = 12 * a
  const j = 12 * b
  const x = X[j + 9] - X[i + 9]
  const y = X[j + 10] - X[i + 10]
  const z = X[j + 11] - X[i + 11]
  const own = g.reach[a] + g.reach[b]
  const reach = g.radius[b] + (own > c.margin[0] ? own : c.margin[0])
  if (X[i + 2] * x + X[i + 5] * y + X[i + 8] * z > reach + (g.shape[a] === PLANE ? 0 : g.size[3 * a + 2])) return false
  if (g.shape[a] === PLANE) return true
  for (let k = 0; k < 2; k++) {
    const along = X[i + k] * x + X[i + 3 + k] * y + X[i + 6 + k] * z
    if (along > reach + g.size[3 * a + k] || along < -reach - g.size[3 * a + k]) return false
  }
  return true
}
