/**
 * How long one evaluation takes on given processors: the estimated duration of [Jung], part III.D.
 *
 * Sibling branches are started in a binary tree, the largest first: each starts its `left`, then its `right` sibling, then works on its own
 * bodies, then on `child`, the first branch of the fork at its end. CMPTM is the time of one body, ROITM that of all four exchanges over one edge.
 *
 *   tR    = left remote ? ROITM : est(left)               dl = left remote ? ROITM + est(left) : 0
 *   t     = tR + (right remote ? ROITM : est(right))      dr = right remote ? tR + ROITM + est(right) : 0
 *   est   = max(dl, dr, t + len CMPTM + est(child))
 *
 * The paper's sketch has the right siblings in its first `else`, where the left ones are meant. Beyond it, the blocks of a long branch are siblings: they are worked on at the
 * same time, the condensed ones at `weight` times the cost of a body.
 */
import type { Branches } from './branches.js'

/** cost of a body in a condensed block against that of one in the recursion */
export const CONDENSED_WEIGHT = 1.3

export interface Costs {
  /** seconds that one body takes in one evaluation */
  readonly cmptm: number
  /** seconds that the four exchanges of one evaluation over one edge take */
  readonly roitm: number
  /** a body of a condensed block costs as much as so many others */
  readonly weight?: number
}

/** Blocks as a binary tree, by block number; −1 where there is none. */
export interface StartUpTree {
  readonly count: number
  /** bodies, condensed ones by their weight */
  readonly len: Float64Array
  readonly left: Int32Array
  readonly right: Int32Array
  readonly child: Int32Array
  /** all blocks, each after the one that starts it */
  readonly order: Int32Array
}

export function startUpTree(branches: Branches, weight?: number): StartUpTree {
  const { count } = branches
  const { len, work, at } = workOf(branches, weight)
  const fork = forks(count, at)
  const left = new Int32Array(count).fill(-1)
  const right = new Int32Array(count).fill(-1)
  const child = new Int32Array(count).fill(-1)

  // siblings in the order of a heap, the largest first
  const order = new Int32Array(count)
  let placed = 1
  for (let k = 0; k < count; k++) {
    const b = order[k]
    const siblings = Array.from(fork.list.subarray(fork.start[b], fork.start[b + 1])).sort((x, y) => work[y] - work[x] || x - y)
    siblings.forEach((sibling, at) => {
      left[sibling] = siblings[2 * at + 1] ?? -1
      right[sibling] = siblings[2 * at + 2] ?? -1
      order[placed++] = sibling
    })
    child[b] = siblings[0] ?? -1
  }
  return { count, len, left, right, child, order }
}

/** Seconds of an evaluation with block b on processor processorOf[b]. Of two remote siblings the one with the lower processor is started first. */
export function estimate(tree: StartUpTree, processorOf: ArrayLike<number>, costs: Costs): number {
  const { count, left, right, order } = tree
  const est = new Float64Array(count)
  const remote = (b: number, w: number): boolean => b >= 0 && processorOf[b] !== processorOf[w]
  for (let k = count - 1; k >= 0; k--) {
    const w = order[k]
    const [l, r] = [left[w], right[w]]
    // what others do is started before what is done here
    const swap = remote(r, w) && !(remote(l, w) && processorOf[l] < processorOf[r])
    const [first, second] = swap ? [r, l] : [l, r]
    est[w] = duration(tree, est, w, first, second, remote(first, w), remote(second, w), costs)
  }
  return est[0]
}

/** est(w) from those of the two siblings that it starts and of its child. */
export function duration(
  { len, child }: StartUpTree,
  est: Float64Array,
  w: number,
  left: number,
  right: number,
  leftRemote: boolean,
  rightRemote: boolean,
  { cmptm, roitm }: Costs,
): number {
  const started = left < 0 ? 0 : leftRemote ? roitm : est[left]
  const both = started + (right < 0 ? 0 : rightRemote ? roitm : est[right])
  const here = both + len[w] * cmptm + (child[w] < 0 ? 0 : est[child[w]])
  const leftDone = leftRemote ? roitm + est[left] : 0
  const rightDone = rightRemote ? both + est[right] : 0
  return Math.max(leftDone, rightDone, here)
}

/** What there is to do, in bodies, by block. */
export interface Work {
  /** bodies, condensed ones by their weight */
  readonly len: Float64Array
  /** the same with all that starts at its end, and so on */
  readonly work: Float64Array
  /** the block at whose end this one starts, with all blocks of its branch; −1 of the world */
  readonly at: Int32Array
}

export function workOf({ count, from, to, parent, condensed }: Branches, weight = CONDENSED_WEIGHT): Work {
  const len = Float64Array.from({ length: count }, (_, b) => (condensed[b] ? weight : 1) * (to[b] - from[b]))
  const at = new Int32Array(count).fill(-1)
  for (let b = 1; b < count; b++) at[b] = condensed[parent[b]] ? at[parent[b]] : parent[b]
  const work = len.slice()
  for (let b = count - 1; b > 0; b--) work[at[b]] += work[b]
  return { len, work, at }
}

interface Forks {
  /** what starts together at the end of block b: list[start[b]] … list[start[b + 1] − 1] */
  readonly start: Int32Array
  readonly list: Int32Array
}

function forks(count: number, at: Int32Array): Forks {
  const start = new Int32Array(count + 1)
  for (let b = 1; b < count; b++) start[at[b] + 1]++
  for (let b = 0; b < count; b++) start[b + 1] += start[b]
  const list = new Int32Array(count - 1)
  const next = start.slice()
  for (let b = 1; b < count; b++) list[next[at[b]]++] = b
  return { start, list }
}
