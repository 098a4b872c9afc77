/**
 * Who works on what: processors are added one by one where the estimated duration is longest, and the best number of them is kept [Jung], part III.D.
 *
 *   use(w, p): of left, right and child the one that takes longest among those that more processors would shorten
 *     child, or a sibling on another processor: use(it, p)
 *     a sibling on the same processor: it, its siblings and all below go to p
 *   a local left sibling and a remote right one change places, so that others are set to work before own work begins
 *
 * A sibling that is still local has nothing remote below, so that a cut is one number of one block: only durations on the way from there to the root change.
 * What the paper leaves open: of equally long parts the child comes first, then left, then right.
 */
import { type BodyTree, type Branches, type BranchOptions, branchesOf } from './branches.js'
import { type Costs, duration, type StartUpTree, startUpTree } from './cost.js'

export interface DistributeOptions {
  /** all processors that find something to do are kept, not only as many as pay */
  readonly all?: boolean
}

export interface Distribution {
  /** how many are used */
  readonly processors: number
  /** seconds of one evaluation with them, and without any parallel work */
  readonly time: number
  readonly serial: number
  /** by number of processors at hand, from 1 on: seconds with as many of them as pay, and how many that is */
  readonly times: Float64Array
  readonly used: Int32Array
  /** processor of each block, from 0 on */
  readonly processorOf: Int32Array
  /** bodies by processor */
  readonly bodies: Int32Array
}

// durations that differ by less are equal: they are sums of the same numbers in other orders
const EQUAL = 1e-9

/**
 * Blocks over at most `most` processors. On one processor nothing is condensed: it takes bodies · CMPTM.
 */
export function distribute(branches: Branches, most: number, costs: Costs, { all = false }: DistributeOptions = {}): Distribution {
  if (!Number.isInteger(most) || most < 1) throw new RangeError(`processors: expected a whole number from 1 on, got ${most}`)
  for (const name of ['cmptm', 'roitm'] as const) {
    if (!(costs[name] >= 0)) throw new RangeError(`${name}: expected seconds, got ${costs[name]}`)
  }
  const serial = branches.bodies * costs.cmptm
  const times = new Float64Array(most)
  const used = new Int32Array(most)
  times[0] = serial
  used[0] = 1
  const search = createSearch(startUpTree(branches, costs.weight), costs)
  let last = serial
  let processors = 1
  for (let p = 2; p <= most; p++) {
    const found = search.reducible()
    if (found) last = search.use(p)
    if (found) processors = p
    const better = found && last < times[p - 2] * (1 - EQUAL)
    times[p - 1] = better ? last : times[p - 2]
    used[p - 1] = better ? p : used[p - 2]
  }
  if (!all) processors = used[most - 1]
  const processorOf = search.processors(processors)
  return {
    processors,
    time: all ? last : times[most - 1],
    serial,
    times,
    used,
    processorOf,
    bodies: bodiesOf(branches, processorOf, processors),
  }
}

/** A distribution, and the blocks that it speaks of. */
export interface Partition extends Distribution {
  readonly branches: Branches
}

/** The branches of a model over at most `most` processors. */
export function partition(model: BodyTree, most: number, costs: Costs, options: BranchOptions & DistributeOptions = {}): Partition {
  const branches = branchesOf(model, options)
  return { branches, ...distribute(branches, most, costs, options) }
}

function bodiesOf({ count, from, to }: Branches, processorOf: Int32Array, processors: number): Int32Array {
  const bodies = new Int32Array(processors)
  for (let b = 0; b < count; b++) bodies[processorOf[b]] += to[b] - from[b]
  return bodies
}

interface Search {
  /** a further processor can be used */
  reducible(): boolean
  /** Uses processor p, from 2 on; returns the estimated duration. */
  use(p: number): number
  /** processor of each block when p of them were in use, from 0 on */
  processors(p: number): Int32Array
}

function createSearch(tree: StartUpTree, costs: Costs): Search {
  const { count, len, child, order } = tree
  const { cmptm, roitm } = costs
  const left = tree.left.slice()
  const right = tree.right.slice()
  /** the processor that a block went to with all below, counted from 1; 0: it is where the block is that starts it */
  const cut = new Int32Array(count)
  const est = new Float64Array(count)
  const more = new Uint8Array(count)
  const path = new Int32Array(count)

  const isRemote = (b: number): boolean => b >= 0 && cut[b] > 0
  /** a further processor would find something to do in sibling b */
  const open = (b: number): boolean => b >= 0 && (cut[b] === 0 || more[b] === 1)
  const update = (w: number): void => {
    const l = left[w]
    const r = right[w]
    const c = child[w]
    est[w] = duration(tree, est, w, l, r, isRemote(l), isRemote(r), costs)
    more[w] = open(l) || open(r) || (c >= 0 && more[c] === 1) ? 1 : 0
  }
  for (let k = count - 1; k >= 0; k--) update(order[k])

  /** what of w takes longest and can be shortened */
  const longest = (w: number): number => {
    const l = left[w]
    const r = right[w]
    const c = child[w]
    const calls = (isRemote(l) ? roitm : 0) + (isRemote(r) ? roitm : 0)
    let found = -1
    let time = -1
    if (c >= 0 && more[c] === 1) {
      found = c
      time = est[c] + len[w] * cmptm + calls
    }
    if (open(l) && est[l] + (isRemote(l) ? roitm : 0) > time * (1 + EQUAL)) {
      found = l
      time = est[l] + (isRemote(l) ? roitm : 0)
    }
    return open(r) && est[r] + calls > time * (1 + EQUAL) ? r : found
  }

  return {
    reducible: () => more[0] === 1,
    use(p) {
      // down to the first local sibling
      let depth = 0
      let w = 0
      for (;;) {
        path[depth++] = w
        const next = longest(w)
        const local = next !== child[w] && cut[next] === 0
        if (local) cut[next] = p
        if (local) break
        w = next
      }
      // and back
      while (depth > 0) {
        w = path[--depth]
        const l = left[w]
        const r = right[w]
        if (isRemote(r) && !isRemote(l)) {
          left[w] = r
          right[w] = l
        }
        update(w)
      }
      return est[0]
    },
    processors(p) {
      const of = new Int32Array(count)
      for (let k = 0; k < count; k++) {
        const w = order[k]
        if (child[w] >= 0) of[child[w]] = of[w]
        for (const b of [left[w], right[w]]) if (b >= 0) of[b] = cut[b] > 0 && cut[b] <= p ? cut[b] - 1 : of[w]
      }
      return of
    },
  }
}
