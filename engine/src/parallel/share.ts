/**
 * Which processor works on what in a run: the start-up tree of the paper (`partition`) or even loads (`pack`), whichever is estimated to be done first.
 */
import { tendonTouches } from '../constraints/rows/rows.js'
import type { Model } from '../model/model.js'
import { type Branches, type BranchOptions, branchesOf } from './branches.js'
import type { Costs } from './cost.js'
import { pack } from './pack.js'
import { distribute } from './partition.js'

export interface Share {
  readonly branches: Branches
  /** processor of each block, from 0 on */
  readonly processorOf: Int32Array
  /** how many are used */
  readonly processors: number
  /** seconds of an evaluation with them, and on one */
  readonly time: number
  readonly serial: number
  /** bodies by processor */
  readonly bodies: Int32Array
}

/** Blocks of the model over at most `most` processors, as many as pay. */
export function shareOut(model: Model, most: number, costs: Costs, options: BranchOptions = {}): Share {
  const branches = branchesOf(model, options)
  const even = pack(branches, most, costs)
  const tree = distribute(branches, most, costs)
  const share = even.time <= tree.time ? even : tree
  keepTogether(model, branches, share.processorOf)
  return { branches, ...share }
}

/** What a tendon depends on is on one processor: the lowest that has any of it. */
export function keepTogether(model: Model, { count, from, to }: Branches, processorOf: Int32Array): void {
  const { tendons, velocityBody } = model
  if (tendons.count === 0) return
  const blockOf = new Int32Array(model.nbody)
  for (let b = 1; b < count; b++) blockOf.fill(b, from[b], to[b])
  // two tendons may share a block: until nothing moves
  for (let moved = true; moved; ) {
    moved = false
    for (let k = 0; k < tendons.count; k++) {
      const { bodies, dofs } = tendonTouches(model, [k])
      const blocks = [...bodies, ...dofs.map((v) => velocityBody[v])].map((i) => blockOf[i])
      const least = Math.min(...blocks.map((b) => processorOf[b]))
      for (const b of blocks) {
        if (processorOf[b] === least) continue
        processorOf[b] = least
        moved = true
      }
    }
  }
}
