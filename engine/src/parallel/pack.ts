/**
 * Even loads for few processors. The start-up tree of the paper gives whole halves of a fork away: four processors get a mobile of nine equal chains done 2.2 times as fast. Here
 * the largest branches are opened one after another, and what hangs on them goes, the largest first, to the processor that has least to do.
 *
 * The time is that of the processor with most to do, or of the longest way from the root to a leaf. Messages between a fork and all that one other processor
 * has of it cost both ROITM. Opened branches stay on processor 0, so that with many processors the start-up tree is better.
 */
import type { Branches } from './branches.js'
import { type Costs, type Work, workOf } from './cost.js'

export interface Packing {
  readonly processors: number
  /** seconds of an evaluation with them, and on one without cuts */
  readonly time: number
  readonly serial: number
  /** processor of each block, from 0 on */
  readonly processorOf: Int32Array
  /** bodies by processor */
  readonly bodies: Int32Array
}

/** Blocks over at most `most` processors, as many as pay. */
export function pack(branches: Branches, most: number, costs: Costs): Packing {
  const { count, bodies } = branches
  const { cmptm, weight } = costs
  const work = workOf(branches, weight)
  // a branch comes before those at its end
  const order = Int32Array.from({ length: count }, (_, b) => b).sort((x, y) => work.work[y] - work.work[x] || x - y)
  const forks = new Uint8Array(count)
  for (let b = 1; b < count; b++) forks[work.at[b]] = 1
  const opened = order.filter((b) => forks[b] === 1)

  const serial = bodies * cmptm
  let time = serial
  let processorOf: Int32Array = new Int32Array(count)
  for (let processors = most; processors > 1; processors = Math.floor(processors / STRIDE)) {
    for (let open = 1; open <= Math.min(opened.length, OPENED * processors); open = Math.ceil(open * STRIDE)) {
      const found = share(branches, work, order, opened.subarray(0, open), processors, costs)
      const expected = loadTime(work, found, processors, costs)
      if (expected >= time) continue
      time = expected
      processorOf = found
    }
  }
  return { time, serial, processorOf, ...renumber(branches, processorOf, most) }
}

// branches opened for each processor at the most: finer shares are lost to messages
const OPENED = 8
// every small number of opened branches and of processors is tried, and ever fewer of the large ones
const STRIDE = 1.2

/** What is not opened, from the largest on, to where it is done first. */
function share(branches: Branches, { len, work, at }: Work, order: Int32Array, opened: Int32Array, most: number, costs: Costs): Int32Array {
  const { cmptm, roitm } = costs
  const { count } = branches
  const isOpen = new Uint8Array(count)
  const load = new Float64Array(most)
  for (const b of opened) {
    isOpen[b] = 1
    load[0] += len[b] * cmptm
  }
  const processorOf = new Int32Array(count)
  const group = new Set<number>()
  for (const b of order) {
    if (b === 0 || isOpen[b] === 1 || isOpen[at[b]] === 0) continue
    const own = work[b] * cmptm
    let least = Math.min(1, most - 1)
    for (let p = 2; p < most; p++) if (load[p] < load[least]) least = p
    const key = at[b] * most + least
    const message = group.has(key) ? 0 : roitm
    // it stays where it ends no later, which saves a message
    if (least === 0 || load[0] + own <= load[least] + own + message) {
      load[0] += own
    } else {
      group.add(key)
      processorOf[b] = least
      load[least] += own + message
      load[0] += message
    }
  }
  for (let b = 1; b < count; b++) if (isOpen[b] === 0 && isOpen[at[b]] === 0) processorOf[b] = processorOf[at[b]]
  gather(branches, processorOf)
  return processorOf
}

/** Blocks of one branch that are on one processor follow one another; those of the last block, which is not condensed, come last. */
function gather({ count, condensed }: Branches, processorOf: Int32Array): void {
  for (let b = 1, end = 2; b < count; b = end, end = b + 1) {
    while (condensed[end - 1]) end++
    if (end === b + 1) continue
    const last = processorOf[end - 1]
    processorOf.subarray(b, end).sort((x, y) => Number(x === last) - Number(y === last) || x - y)
  }
}

/** Seconds of an evaluation with block b on processor processorOf[b]. */
export function loadTime({ len, at }: Work, processorOf: Int32Array, most: number, { cmptm, roitm }: Costs): number {
  const load = new Float64Array(most)
  const way = new Float64Array(len.length)
  const group = new Set<number>()
  let time = 0
  for (let b = 0; b < len.length; b++) {
    const p = processorOf[b]
    load[p] += len[b] * cmptm
    way[b] = len[b] * cmptm
    if (b === 0) continue
    const caller = processorOf[at[b]]
    way[b] += way[at[b]] + (p === caller ? 0 : roitm)
    time = Math.max(time, way[b])
    if (p === caller || group.has(at[b] * most + p)) continue
    group.add(at[b] * most + p)
    load[p] += roitm
    load[caller] += roitm
  }
  return load.reduce((longest, x) => Math.max(longest, x), time)
}

/** Processors without bodies are left out, the others numbered from 0 on. */
function renumber({ count, from, to }: Branches, processorOf: Int32Array, most: number): Pick<Packing, 'processors' | 'bodies'> {
  const bodies = new Int32Array(most)
  for (let b = 0; b < count; b++) bodies[processorOf[b]] += to[b] - from[b]
  const number = new Int32Array(most)
  let processors = 1
  for (let p = 1; p < most; p++) if (bodies[p] > 0) number[p] = processors++
  for (let b = 0; b < count; b++) processorOf[b] = number[processorOf[b]]
  const kept = new Int32Array(processors)
  for (let p = 0; p < most; p++) if (bodies[p] > 0) kept[number[p]] = bodies[p]
  return { processors, bodies: kept }
}
