/**
 * The velocities of a model as unknowns of a contact problem: tree by tree, and leaves first in each, so that the subtree of a joint is a run of
 * unknowns that ends with it.
 */
import type { Unknowns } from '../../../contact/solve/problem.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'

export interface Forest extends Unknowns {
  /** unknown of each velocity */
  readonly place: Int32Array
  /** first unknown of the subtree that each unknown moves */
  readonly first: Int32Array
  /** tree of each body; −1 of those that no joint moves */
  readonly treeOfBody: Int32Array
  /** mass of each tree */
  readonly mass: Vec
  /** unknowns of the largest tree */
  readonly largest: number
}

/** All velocities as one tree, in their own order: for matrices without entries. */
export function createTrunk(m: Model): Forest {
  const { mass, treeOfBody } = createForest(m)
  const place = Int32Array.from({ length: m.nv }, (_, k) => k)
  return {
    n: m.nv,
    start: Int32Array.of(0, m.nv),
    treeOf: new Int32Array(m.nv),
    place,
    first: new Int32Array(m.nv),
    treeOfBody,
    mass: Float64Array.of(mass.reduce((least, x) => Math.min(least, x), Number.POSITIVE_INFINITY)),
    largest: m.nv,
  }
}

export function createForest(m: Model): Forest {
  const { nbody, nv, parent, subtreeEnd, iv, ivEnd, inertia } = m
  const place = new Int32Array(nv)
  const first = new Int32Array(nv)
  const treeOf = new Int32Array(nv)
  const treeOfBody = new Int32Array(nbody).fill(-1)
  const start = [0]
  const mass: number[] = []
  // where the unknowns of bodies i, i + 1, … begin
  const begin = new Int32Array(nbody + 1)
  let at = 0
  let largest = 0
  const addTree = (root: number): void => {
    const end = subtreeEnd[root]
    let sum = 0
    begin[end] = at
    for (let i = end - 1; i >= root; i--) {
      for (let k = ivEnd[i] - 1; k >= iv[i]; k--) {
        place[k] = at
        treeOf[at] = mass.length
        first[at++] = begin[subtreeEnd[i]]
      }
      begin[i] = at
      sum += inertia[10 * i]
      treeOfBody[i] = mass.length
    }
    largest = Math.max(largest, at - start[start.length - 1])
    start.push(at)
    mass.push(sum)
  }
  // what carries joints begins a tree; bodies fixed to the world may carry some
  for (let i = 1; i < nbody; i++) if (ivEnd[i] > iv[i] && treeOfBody[parent[i]] < 0 && treeOfBody[i] < 0) addTree(i)
  return { n: nv, start: Int32Array.from(start), treeOf, place, first, treeOfBody, mass: Float64Array.from(mass), largest }
}
