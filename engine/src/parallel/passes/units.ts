/**
 * Units: the parts of a tree that a processor works on in one go, each a range of bodies.
 *
 * A unit is a whole subtree, where all of it is on one processor and nothing of it is condensed, or else a single block (`branches`): a *trunk* block,
 * at whose last body other units hang, or a *condensed* one, which is worked on while others work on what hangs below it. The blocks of a branch
 * that was cut form a *group*, whose results are joined two by two, in a tree of nodes. Groups, nodes and the order of every sum follow from the model
 * alone; which blocks make up a unit does not change what is computed.
 */
import type { Model } from '../../model/model.js'
import type { Branches } from '../branches.js'

export interface Unit {
  readonly from: number
  readonly to: number
  readonly rank: number
  /** the unit at whose last body it hangs, −1: the world, or what is above its group */
  readonly parent: number
  /** units that hang at its last body, without those that are joined by a group; in increasing order */
  readonly children: readonly number[]
  /** a whole subtree: nothing hangs on it */
  readonly whole: boolean
  /** node of its group that it is, −1: it belongs to none */
  readonly node: number
  readonly condensed: boolean
}

/** One block of a group, or two neighbouring nodes joined. */
export interface Node {
  readonly group: number
  /** nodes that it joins, −1 of a single block */
  readonly left: number
  readonly right: number
  /** its first and last unit */
  readonly first: number
  readonly last: number
  /** it ends with the group: what hangs below is in it, and nothing pulls at its end */
  readonly tail: boolean
  /** the processor that joins it: that of its first unit */
  readonly rank: number
}

export interface Units {
  readonly units: readonly Unit[]
  /** parts before the whole */
  readonly nodes: readonly Node[]
  /** root node of each group */
  readonly groups: readonly number[]
  /** units whose topmost bodies hang on the world and are in no group, and groups that do, by their first units */
  readonly roots: readonly number[]
  readonly processors: number
}

export function findUnits({ subtreeEnd }: Model, branches: Branches, processorOf: ArrayLike<number>): Units {
  const { count, from, to, parent, condensed } = branches
  // a subtree is whole until something in it is on another processor, or condensed
  const whole = new Uint8Array(count).fill(1)
  for (let b = count - 1; b > 0; b--) {
    if (condensed[b] === 1) whole[b] = 0
    const p = parent[b]
    if (whole[b] === 0 || processorOf[p] !== processorOf[b]) whole[p] = 0
  }
  whole[0] = 0

  const unitOf = new Int32Array(count).fill(-1)
  const units: { -readonly [K in keyof Unit]: Unit[K] extends readonly number[] ? number[] : Unit[K] }[] = []
  let processors = 1
  for (let b = 1; b < count; b++) {
    processors = Math.max(processors, processorOf[b] + 1)
    const p = parent[b]
    if (whole[b] === 1 && whole[p] === 1) continue
    unitOf[b] = units.length
    const above = unitOf[p]
    // a block below a condensed one is joined to it by their group
    const joined = above >= 0 && units[above].condensed
    units.push({
      from: from[b],
      to: whole[b] === 1 ? subtreeEnd[from[b]] : to[b],
      rank: processorOf[b],
      parent: joined ? -1 : above,
      children: [],
      whole: whole[b] === 1,
      node: -1,
      condensed: condensed[b] === 1,
    })
    if (above >= 0 && !joined) units[above].children.push(unitOf[b])
  }

  const nodes: Node[] = []
  const groups: number[] = []
  for (let u = 0; u < units.length; u++) {
    if (!units[u].condensed || units[u].node >= 0) continue
    let last = u
    while (units[last].condensed) last++
    groups.push(joinNodes(nodes, units, groups.length, u, last))
  }
  const inside = new Set(groups.flatMap((n) => rangeBetween(nodes[n].first + 1, nodes[n].last)))
  const roots = rangeBetween(0, units.length - 1).filter((u) => units[u].parent < 0 && !inside.has(u))
  return { units, nodes, groups, roots, processors }
}

const rangeBetween = (a: number, b: number): number[] => Array.from({ length: Math.max(0, b - a + 1) }, (_, k) => a + k)

/** Nodes over the units first … last, which follow one another: number of the one that joins all. */
function joinNodes(nodes: Node[], units: { rank: number; node: number }[], group: number, first: number, last: number): number {
  const join = (a: number, b: number): number => {
    const middle = (a + b + 1) >> 1
    const left = a === b ? -1 : join(a, middle - 1)
    const right = a === b ? -1 : join(middle, b)
    nodes.push({ group, left, right, first: a, last: b, tail: b === last, rank: units[a].rank })
    if (a === b) units[a].node = nodes.length - 1
    return nodes.length - 1
  }
  return join(first, last)
}
