/**
 * Which pairs of shapes never touch.
 *
 * Bodies joined without a joint count as one group. The geoms of one group never touch, nor do those of two groups that a joint connects.
 * What is fixed to the world is one group with it, of which only the base that a joint sits on is a neighbour (`build/neighbours`), and in
 * MJCF nothing, as in MuJoCo. Nor do pairs that the file excludes touch, nor pairs whose categories and masks share no bit. Pairs of geoms
 * that the file names touch all the same.
 */
import type { Int } from '../math/values/columns.js'
import type { Shapes } from '../model/shapes.js'

/** Whether geoms i and j may touch at all. */
export function mayTouch(g: Shapes, i: Int, j: Int): boolean {
  if (g.pairs.count > 0 && findPair(g, i, j) >= 0) return true
  if ((g.category[i] & g.mask[j]) === 0 && (g.category[j] & g.mask[i]) === 0) return false
  const bi = g.body[i]
  const bj = g.body[j]
  const gi = g.group[bi]
  const gj = g.group[bj]
  if (gi === gj) return false
  const pi = g.groupParent[bi]
  const pj = g.groupParent[bj]
  if (gi !== 0 && gj !== 0) {
    if (pi === gj || pj === gi) return false
  } else if (pi < -1 && pi === pj) return false
  for (let k = g.excludedStart[bi]; k < g.excludedStart[bi + 1]; k++) if (g.excluded[k] === bj) return false
  return true
}

/** Number of the pair that the file makes of geoms i and j, −1 for none; of several the last one, as the one that was written over the others. */
export function findPair({ pairs }: Shapes, i: Int, j: Int): Int {
  for (let e = pairs.start[i + 1] - 1; e >= pairs.start[i]; e--) {
    const p = pairs.list[e]
    if (pairs.geom1[p] === j || pairs.geom2[p] === j) return p
  }
  return -1
}
