/**
 * Which joints move: by the accelerations that all joints would have if they were free, and by their velocities [Redon05].
 *
 * Both choices go from the roots down and always open the node with the largest sum, until the budget is used up or what is left is below the
 * threshold. Sums of nodes contain those of their parts, so that a joint never comes before those above it in the assembly.
 */
import { createQueue } from './queue.js'
import type { Region } from './region.js'
import type { AdaptiveWork } from './work.js'

/** joints are let go below a quarter of the threshold, and not before so many choices */
const RELEASE = 1 / 4
const DWELL = 5

export interface Limits {
  /** joints at the most; 0: no limit */
  readonly budget: number
  /** of what is neglected, in the norm of the metric; 0: nothing is */
  readonly threshold: number
}

export interface Selection {
  /** how important each tree is: a factor of its metric */
  readonly importance: Float64Array
  /** choices so far in which each node was active without a break */
  readonly age: Int32Array
  /** how many nodes the last choice opened */
  readonly opened: Int32Array
  /** Adds to the region what the free accelerations ask for; true where it grew. Reads the metric of its nodes and fronts. */
  grow(): boolean
  /** Chooses by velocities, in the metric, what of the region stays: the others get the mark. True where there are any. */
  shrink(eps: number): boolean
  /** 1 for active nodes that `shrink` gave up */
  readonly dropped: Uint8Array
}

export function createSelection(w: AdaptiveWork, region: Region, { budget, threshold }: Limits): Selection {
  const { model: m, assembly: a, lists, held, parts, kernels, d, state } = w
  /** Σ w x² of each node in the queue, times the importance of its tree; infinite for bases */
  const size = new Float64Array(a.nodes)
  const queue = createQueue(size)
  /** what is left out so far */
  const rest = new Float64Array(1)
  const importance = new Float64Array(a.roots.length).fill(1)
  const age = new Int32Array(a.nodes)
  const wanted = new Uint8Array(a.nodes)
  const stays = new Uint8Array(a.nodes)
  const dropped = new Uint8Array(a.nodes)
  const opened = new Int32Array(1)
  const { metric } = held
  const { active } = region
  const isInner = (n: number): boolean => a.first[n] >= 0
  const isBase = (n: number): boolean => a.whole[n] < 0 && a.joint[n] > 0 && m.ivEnd[a.joint[n]] - m.iv[a.joint[n]] === 6
  const costs = (n: number): number => (a.joint[n] > 0 && m.ivEnd[a.joint[n]] > m.iv[a.joint[n]] ? 1 : 0)

  /** The roots; bases of trees that float come first, and always move. */
  const start = (): void => {
    queue.clear()
    rest[0] = 0
    for (let tree = 0; tree < a.roots.length; tree++) {
      const n = a.roots[tree]
      if (!isInner(n)) continue
      size[n] = isBase(n) ? Number.POSITIVE_INFINITY : metric[n] * importance[tree]
      rest[0] += metric[n] * importance[tree]
      queue.push(n)
    }
  }
  const pushPart = (n: number): void => {
    size[n] = metric[n] * importance[a.treeOf[n]]
    if (isInner(n)) queue.push(n)
    rest[0] += size[n]
  }
  /** Node n moves; its parts are what is left out now. */
  const open = (n: number): void => {
    rest[0] -= metric[n] * importance[a.treeOf[n]]
    pushPart(a.first[n])
    pushPart(a.second[n])
  }

  return {
    ...{ importance, age, opened, dropped },

    grow() {
      for (let l = 0; l < region.count; l++) wanted[lists.active[l]] = 0
      opened[0] = 0
      const high = threshold * threshold
      const low = RELEASE * RELEASE * high
      start()
      let joints = 0
      for (let n = queue.pop(); n >= 0; n = queue.pop()) {
        if (!isBase(n)) {
          if (budget > 0 && joints >= budget) break
          // rounding must not hide what is left
          rest[0] = Math.max(rest[0], size[n])
          if (rest[0] <= low) break
          // what moves already may stay down to the lower threshold
          if (active[n] === 0 && rest[0] <= high) continue
        }
        if (active[n] === 0) {
          kernels.openNode(d.tree, d.work, parts.table, held.table, state.tau.byteOffset, state.free.byteOffset, n)
          active[n] = 1
          age[n] = 0
          opened[0]++
        }
        wanted[n] = 1
        joints += costs(n)
        open(n)
      }
      return opened[0] > 0
    },

    shrink(eps) {
      for (let l = 0; l < region.count; l++) {
        const n = lists.active[l]
        stays[n] = 0
        age[n]++
      }
      start()
      let joints = 0
      for (let n = queue.pop(); n >= 0; n = queue.pop()) {
        if (active[n] === 0) continue
        if (!isBase(n)) {
          if (budget > 0 && joints >= budget) break
          // rounding must not hide what is left
          rest[0] = Math.max(rest[0], size[n])
          if (rest[0] <= eps * eps) break
        }
        stays[n] = 1
        joints += costs(n)
        open(n)
      }
      let some = false
      // parents come first
      for (let l = 0; l < region.count; l++) {
        const n = lists.active[l]
        if (
          stays[n] === 0 &&
          (wanted[n] === 1 || age[n] < DWELL) &&
          (a.whole[n] < 0 || stays[a.whole[n]] === 1) &&
          (budget === 0 || joints < budget)
        ) {
          stays[n] = 1
          joints += costs(n)
        }
        dropped[n] = 1 - stays[n]
        if (stays[n] === 0) some = true
      }
      return some
    },
  }
}
