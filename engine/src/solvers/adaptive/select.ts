/**
 * Which joints move [Redon05].
 *
 * The measure of a joint is what it does until the next choice: Σ w (q̈² + (q̇/Δt)²) with q̈ the acceleration that it would have if all joints were
 * free, Δt the time from choice to choice. The choice goes from the roots down and always opens the node with the largest sum, until the
 * budget is used up or what is left is below the threshold. Sums of nodes contain those of their parts, so that a joint never comes before those
 * above it in the assembly. Joints that are held have no velocity: what is left of them is the neglected acceleration.
 *
 * Joints that move already have an advantage, or two that are alike would change places at every choice.
 */
import { createQueue } from './queue.js'
import type { Region } from './region.js'
import type { AdaptiveWork } from './work.js'

/** joints are held again below a quarter of the threshold; with a budget, for one that does a quarter more */
const RELEASE = 1 / 4
const ADVANTAGE = 1.25

export interface Limits {
  /** joints at the most; 0: no limit */
  readonly budget: number
  /** of what is neglected, in the norm of the metric; 0: nothing is */
  readonly threshold: number
}

export interface Selection {
  /** how important each tree is: a factor of its metric */
  readonly importance: Float64Array
  /** Reads the metric of the region and its fronts. Opens held nodes, and marks active ones that are given up; true where there are any. */
  choose(): boolean
  /** nodes that the last choice opened: opened[0 … openings[0] − 1], parents first */
  readonly opened: Int32Array
  readonly openings: Int32Array
  /** 1 for active nodes that the last choice gave up */
  readonly dropped: Uint8Array
}

export function createSelection(w: AdaptiveWork, region: Region, { budget, threshold }: Limits): Selection {
  const { model: m, assembly: a, lists, held, parts, kernels, d, state } = w
  /** place in the queue: Σ w x² of each node, times the importance of its tree and the advantage; infinite for bases */
  const size = new Float64Array(a.nodes)
  const queue = createQueue(size)
  /** what is left out so far */
  const rest = new Float64Array(1)
  const importance = new Float64Array(a.roots.length).fill(1)
  const dropped = new Uint8Array(a.nodes)
  const opened = new Int32Array(a.nodes)
  const openings = new Int32Array(1)
  const { metric } = held
  const { active } = region
  const isBase = (n: number): boolean => a.whole[n] < 0 && a.joint[n] > 0 && m.ivEnd[a.joint[n]] - m.iv[a.joint[n]] === 6
  const high = threshold * threshold
  const low = RELEASE * RELEASE * high

  const push = (n: number): void => {
    const sum = metric[n] * importance[a.treeOf[n]]
    rest[0] += sum
    if (a.first[n] < 0) return
    size[n] = isBase(n) ? Number.POSITIVE_INFINITY : active[n] === 1 ? ADVANTAGE * ADVANTAGE * sum : sum
    queue.push(n)
  }

  return {
    ...{ importance, opened, openings, dropped },

    choose() {
      const { count } = region
      for (let l = 0; l < count; l++) dropped[lists.active[l]] = 1
      openings[0] = 0
      queue.clear()
      rest[0] = 0
      for (let tree = 0; tree < a.roots.length; tree++) push(a.roots[tree])
      let joints = 0
      let kept = 0
      for (let n = queue.pop(); n >= 0; n = queue.pop()) {
        if (!isBase(n)) {
          if (budget > 0 && joints >= budget) break
          // rounding must not hide what is left
          rest[0] = Math.max(rest[0], metric[n] * importance[a.treeOf[n]])
          if (rest[0] <= low) break
          // what moves already may stay down to the lower threshold
          if (active[n] === 0 && rest[0] <= high) continue
        }
        if (active[n] === 0) {
          kernels.openNode(d.tree, d.work, parts.table, held.table, state.tau.byteOffset, state.free.byteOffset, n)
          active[n] = 1
          opened[openings[0]++] = n
        } else {
          dropped[n] = 0
          kept++
        }
        if (a.joint[n] > 0 && m.ivEnd[a.joint[n]] > m.iv[a.joint[n]]) joints++
        // its parts are what is left out now
        rest[0] -= metric[n] * importance[a.treeOf[n]]
        push(a.first[n])
        push(a.second[n])
      }
      return openings[0] > 0 || kept < count
    },
  }
}
