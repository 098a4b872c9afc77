/**
 * The tree of bodies as branches: maximal runs of bodies with one child each, which end at a fork or at a leaf [Jung].
 *
 * Bodies are numbered depth first, so that a branch is a range of them. Long branches are cut into blocks of about equal length. All but the last block of
 * such a branch are *condensed*: divide and conquer [Featherstone99] turns them into one body each, at a higher cost a body, while others work on what hangs below.
 * A short branch is one block, and so is each branch of a mechanism with loops, whose rows condensed blocks do not carry. Where branches are cut follows from the model alone, never from the number of processors, so that results do not depend on it either.
 */
import type { Model } from '../model/model.js'

/** bodies from which on a branch is cut: shorter blocks spend their time on messages */
export const LONGEST_BLOCK = 640

/** What of a model decides: the tree, and whether something closes it. */
export type BodyTree = Pick<Model, 'nbody' | 'parent'> & Partial<Pick<Model, 'constraints'>>

export interface BranchOptions {
  /** bodies of a block at the most; 0: branches are not cut */
  readonly longest?: number
}

/** Blocks in depth-first order: their bodies follow one another. Block 0 is the world and has none. */
export interface Branches {
  readonly count: number
  /** bodies: of the model, without the world */
  readonly bodies: number
  /** bodies from[b] … to[b] − 1 */
  readonly from: Int32Array
  readonly to: Int32Array
  /** the block whose last body this one hangs on; −1 of the world */
  readonly parent: Int32Array
  /** 1: not the last block of its branch */
  readonly condensed: Uint8Array
}

export function branchesOf(model: BodyTree, { longest = LONGEST_BLOCK }: BranchOptions = {}): Branches {
  if (!(longest >= 0)) throw new RangeError(`longest: expected a number of bodies, or 0 for branches that are not cut, got ${longest}`)
  const { nbody, parent, constraints } = model
  const most = constraints?.active.includes(1) ? 0 : longest
  const children = new Int32Array(nbody)
  for (let i = 1; i < nbody; i++) children[parent[i]]++

  const from = [1]
  const to = [1]
  const above = [-1]
  const condensed = [0]
  // of the last body of each block
  const blockOf = new Int32Array(nbody)
  for (let start = 1; start < nbody; ) {
    // the run ends before a body that hangs elsewhere, and after one with no child or several
    let end = start + 1
    while (end < nbody && parent[end] === end - 1 && children[end - 1] === 1) end++
    const length = end - start
    const blocks = most > 0 ? Math.ceil(length / most) : 1
    for (let k = 0; k < blocks; k++) {
      const first = start + Math.floor((k * length) / blocks)
      above.push(k === 0 ? blockOf[parent[start]] : from.length - 1)
      from.push(first)
      to.push(start + Math.floor(((k + 1) * length) / blocks))
      condensed.push(k < blocks - 1 ? 1 : 0)
    }
    blockOf[end - 1] = from.length - 1
    start = end
  }

  return {
    count: from.length,
    bodies: nbody - 1,
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    parent: Int32Array.from(above),
    condensed: Uint8Array.from(condensed),
  }
}
