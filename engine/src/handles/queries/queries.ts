/**
 * Geometric queries at any pose: contacts, and distances of shapes. They read the model and coordinates alone, in memory of their own: no
 * solver is involved, and no state changes.
 */

import { createContacts, type PlacedContacts, reserveContacts } from '../../contact/contacts.js'
import { findContacts } from '../../contact/find-contacts.js'
import { contactAt } from '../../contact/rows.js'
import { hypot } from '../../math/own.js'
import type { Vec } from '../../math/types.js'
import { createData, type Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { touchingNames } from '../../model/shape-name.js'
import { type Contact, FIELD, PLANE, type Shapes } from '../../model/shapes.js'
import { mulPose } from '../../printed/arrays.js'
import { updatePoses } from '../../tree/kinematics.js'
import { byName } from '../numbers.js'
import { buildPairModel } from './pair-model.js'

/** How far two shapes are from each other, everything in the world. */
export interface ShapeDistance {
  /** metres, negative where they overlap: by how much they must part */
  readonly distance: number
  /** the nearest points of the two surfaces; of shapes that overlap those that are deepest in the other */
  readonly pointA: readonly [number, number, number]
  readonly pointB: readonly [number, number, number]
  /** unit vector from A to B, along which they part */
  readonly normal: readonly [number, number, number]
}

export interface Queries {
  /** Contacts at coordinates q with a gap up to `within`; their forces are zero. */
  contacts(q: Vec, within: number): Contact[]
  distance(q: Vec, shapeA: string, shapeB: string): ShapeDistance
}

/** contacts of one pair at most, with room to spare */
const PAIR_CONTACTS = 64

/** One pair of shapes, and what finds its contacts. */
interface PairSearch {
  readonly contacts: PlacedContacts
  readonly shapes: Shapes
  /** numbers among `shapes` */
  readonly a: number
  readonly b: number
}

export function createQueries(model: Model): Queries {
  const { geoms, shapes } = model
  let data: Data | undefined
  const poses = (q: Vec): Vec => {
    data ??= createData(model)
    updatePoses(model, data, q)
    return data.X_WB
  }
  let all: PlacedContacts | undefined
  const shape = byName(
    'shape',
    () => geoms.names,
    (k) => k,
  )
  /** touching shapes by their numbers, in one memory for all pairs */
  let searched: PairSearch['contacts'] | undefined
  const own = { count: 1, a: new Int32Array(1), b: new Int32Array(1), margin: new Float64Array(1) }
  const seen = new Map<number, PairSearch>()
  const none = new Float64Array(3)

  /** Two shapes that touch, whatever filters say of the pair. */
  const touchingPair = (a: number, b: number): PairSearch => {
    const swap = shapes.shape[a] > shapes.shape[b] || (shapes.shape[a] === shapes.shape[b] && a > b)
    searched ??= createContacts(shapes, PAIR_CONTACTS, undefined, own)
    searched.candidates.a[0] = swap ? b : a
    searched.candidates.b[0] = swap ? a : b
    return { contacts: searched, shapes, a, b }
  }
  /** Two geoms of which one is only to look at. */
  const seenPair = (a: number, b: number): PairSearch => {
    const key = a * geoms.count + b
    let pair = seen.get(key)
    if (!pair) {
      const { shapes: two } = buildPairModel(geoms, a, b)
      if (two.count < 2) {
        const flat = two.count === 0 || two.body[0] === 2 ? a : b
        throw new RangeError(`distance: expected shapes with some volume, got '${geoms.names[flat]}'; its mesh has no convex hull`)
      }
      pair = { contacts: createContacts(two, PAIR_CONTACTS), shapes: two, a: 0, b: 1 }
      seen.set(key, pair)
    }
    return pair
  }

  return {
    contacts(q, within) {
      if (shapes.count < 2) return []
      all ??= createContacts(shapes)
      const X_WB = poses(q)
      findContacts(all, shapes, X_WB, within)
      if (all.overflow > 0) {
        reserveContacts(all, all.count + all.overflow)
        findContacts(all, shapes, X_WB, within)
      }
      const found = all
      const names = touchingNames(geoms)
      return Array.from({ length: found.count }, (_, k) => contactAt(found, names, k, none, 0, 0))
    },

    distance(q, shapeA, shapeB) {
      const [a, b] = [shape(shapeA), shape(shapeB)]
      if (a === b) throw new RangeError(`distance: expected two shapes, got '${shapeA}' twice`)
      if (geoms.shape[a] <= FIELD && geoms.shape[b] <= FIELD)
        throw new RangeError(
          `distance: expected at most one plane or height field, got '${shapeA}' and '${shapeB}'; two of them have no distance`,
        )
      const X_WB = poses(q)
      const touch = geoms.touching[a] >= 0 && geoms.touching[b] >= 0
      const pair = touch ? touchingPair(geoms.touching[a], geoms.touching[b]) : seenPair(a, b)
      let X = X_WB
      if (!touch) {
        // the pose of each geom is that of its body in the model of the pair
        X = new Float64Array(36)
        for (const [n, k] of [a, b].entries()) mulPose(X, 12 * (n + 1), X_WB, 12 * geoms.body[k], geoms.X_BG, 12 * k)
      }
      const radius = searchRadius(pair, X)
      const { contacts } = pair
      if (geoms.shape[a] !== FIELD && geoms.shape[b] !== FIELD) findContacts(contacts, pair.shapes, X, radius)
      else {
        // contacts of a height field are exact where it is touched: below its surface is ground
        findContacts(contacts, pair.shapes, X, 0)
        if (!contacts.gap.subarray(0, contacts.count).some((gap) => gap < 0)) {
          contacts.margin[0] = radius
          contacts.arena.routines.findOnField(contacts.at)
        }
      }
      return nearestOf(pair)
    },
  }
}

/** The contact with the least gap, from A to B as they were asked for. */
function nearestOf({ contacts: c, a }: PairSearch): ShapeDistance {
  let k = 0
  for (let e = 1; e < c.count; e++) if (c.gap[e] < c.gap[k]) k = e
  const away = { distance: Number.POSITIVE_INFINITY, pointA: NOWHERE, pointB: NOWHERE, normal: NOWHERE }
  if (c.count === 0) return away
  const side = c.geomA[k] === a ? 1 : -1
  // no −0
  const triple = (value: (r: number) => number): [number, number, number] => [value(0) + 0, value(1) + 0, value(2) + 0]
  const distance = c.gap[k]
  const normal = triple((r) => side * c.normal[3 * k + r])
  return {
    distance,
    pointA: triple((r) => c.point[3 * k + r] - 0.5 * distance * normal[r]),
    pointB: triple((r) => c.point[3 * k + r] + 0.5 * distance * normal[r]),
    normal,
  }
}

const NOWHERE = [Number.NaN, Number.NaN, Number.NaN] as const

const [P, Q] = [new Float64Array(12), new Float64Array(12)]

/** A bound on the distance of two shapes: that of a point in one of them from a point of the other. */
function searchRadius({ shapes: g, a, b }: PairSearch, X_WB: Vec): number {
  const [ground, solid] = g.shape[a] < g.shape[b] ? [a, b] : [b, a]
  mulPose(P, 0, X_WB, 12 * g.body[ground], g.X_BG, 12 * ground)
  mulPose(Q, 0, X_WB, 12 * g.body[solid], g.X_BG, 12 * solid)
  const away = [Q[9] - P[9], Q[10] - P[10], Q[11] - P[11]] as const
  if (g.shape[ground] > FIELD) return hypot(...away) + g.radius[a] + g.radius[b]
  // in the frame of the plane or field
  const [x, y, z] = [0, 1, 2].map((s) => P[s] * away[0] + P[3 + s] * away[1] + P[6 + s] * away[2])
  if (g.shape[ground] === PLANE) return Math.abs(z) + g.radius[solid]
  const f = g.field[ground]
  const nearest = (along: number, half: number, nodes: number): number =>
    Math.round(Math.min(Math.max((along / half + 1) / 2, 0), 1) * (nodes - 1))
  const [columns, rows] = [g.fieldColumns[f], g.fieldRows[f]]
  const [i, j] = [nearest(x, g.size[3 * ground], columns), nearest(y, g.size[3 * ground + 1], rows)]
  const node = [g.size[3 * ground] * ((2 * i) / (columns - 1) - 1), g.size[3 * ground + 1] * ((2 * j) / (rows - 1) - 1)]
  return hypot(x - node[0], y - node[1], z - g.heights[g.fieldStart[f] + j * columns + i]) + g.radius[solid]
}
