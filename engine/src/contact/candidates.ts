/**
 * Pairs of geoms that may touch, listed once for models with few of them: whether they may does not change, and a look at two spheres is quicker
 * than any grid.
 */
import type { Vec } from '../math/types.js'
import type { Int } from '../math/values/columns.js'
import { FIELD, type Shapes } from '../model/shapes.js'
import { mayTouch } from './may-touch.js'
import { ownMargin } from './surfaces.js'

/** with more pairs than this a grid is quicker; with more geoms than that nobody counts them */
const MOST_PAIRS = 3000
const MOST_GEOMS = 400

/** @record */
export interface Candidates {
  /** −1: too many to list them */
  readonly count: Int
  /** geoms, as the narrow phase takes them: lower shape code first, then lower number */
  readonly a: Int32Array
  readonly b: Int32Array
  /** distance within which a pair is reported whatever the search asks for */
  readonly margin: Vec
}

const MANY: Candidates = { count: -1, a: new Int32Array(0), b: new Int32Array(0), margin: new Float64Array(0) }

const lists = new WeakMap<Shapes, Candidates>()

export function candidatesOf(g: Shapes): Candidates {
  let list = lists.get(g)
  if (!list) {
    list = listPairs(g)
    lists.set(g, list)
  }
  return list
}

function listPairs(g: Shapes): Candidates {
  if (g.count > MOST_GEOMS) return MANY
  const pairs: (readonly [number, number])[] = []
  for (let i = 0; i < g.count; i++) {
    for (let j = i + 1; j < g.count; j++) {
      if ((g.shape[i] <= FIELD && g.shape[j] <= FIELD) || !mayTouch(g, i, j)) continue
      pairs.push(g.shape[i] > g.shape[j] ? [j, i] : [i, j])
      if (pairs.length > MOST_PAIRS) return MANY
    }
  }
  // those with the ground first
  pairs.sort(([i], [j]) => Number(g.shape[i] > FIELD) - Number(g.shape[j] > FIELD))
  return {
    count: pairs.length,
    a: Int32Array.from(pairs, ([i]) => i),
    b: Int32Array.from(pairs, ([, j]) => j),
    margin: Float64Array.from(pairs, ([i, j]) => ownMargin(g, i, j)),
  }
}
