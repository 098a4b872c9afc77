/**
 * Which bodies the rows of a step tie together. Neighbouring rows with the same entries (the three of a spring) form a group.
 *
 * A spring that goes slack loses the two rows across its line. A group of springs has room for them from the start, so that the symbolic work
 * of `direct` is not done anew when springs tighten; one of other forces gets room when it first needs it, and keeps it.
 */
import type { Model } from '../../model/model.js'
import type { StiffTerms } from '../../model/stiff-terms.js'
import type { CoupledTree } from '../coupled-tree.js'

export interface Coupling {
  readonly groups: number
  /** entries of group g as the rows list them: body, or −1 − dof: start[g] … start[g + 1] − 1 */
  readonly start: Int32Array
  readonly entry: Int32Array
  /** most rows seen in each group */
  readonly room: Int32Array
  /** of the step: first row of each group, and how many it has now */
  readonly first: Int32Array
  readonly live: Int32Array
  /** 1: its rows hold exactly, see `CoupledTree.rigid` */
  readonly rigid: Uint8Array
  /** group of each row, −1 for rows that touch a single body or a single joint velocity */
  readonly of: Int32Array
}

/** Rows that touch one body or joint alone act on it at once, but for those that hold exactly. */
function isSingle({ terms, rigid }: CoupledTree, r: number): boolean {
  return r < rigid && terms.start[r + 1] - terms.start[r] <= 1
}

/** rows of a group: what a panel of the elimination takes */
const MOST = 6
const SPRING = 3

/** Groups of the rows as they are; after an `old` coupling that had no room for them others will grow too. */
export function createCoupling(s: CoupledTree, old?: Coupling): Coupling {
  const { terms } = s
  const springs = pairsOfSprings(s.model)
  const start = [0]
  const entry: number[] = []
  const room: number[] = []
  const rigid: number[] = []
  for (let r = 0; r < terms.count; ) {
    const first = r++
    if (isSingle(s, first)) continue
    while (r < terms.count && !isSingle(s, r) && sameRows(terms, first, r) && first >= s.rigid === r >= s.rigid) r++
    const entries = Array.from(terms.body.subarray(terms.start[first], terms.start[first + 1]))
    let rows = r - first
    if (first < s.rigid && entries.length === 2) {
      // where one row of two bodies has become three others will
      const count = springs.get(pairOf(s.model, entries[0], entries[1])) ?? 0
      rows = Math.max(rows, SPRING * count, old ? SPRING : 0)
    }
    for (; rows > 0; rows -= MOST) {
      entry.push(...entries)
      start.push(entry.length)
      room.push(Math.min(MOST, rows))
      rigid.push(first >= s.rigid ? 1 : 0)
    }
  }
  const groups = room.length
  const made: Coupling = {
    groups,
    start: Int32Array.from(start),
    entry: Int32Array.from(entry),
    room: Int32Array.from(room),
    rigid: Uint8Array.from(rigid),
    first: new Int32Array(groups),
    live: new Int32Array(groups),
    of: new Int32Array(terms.stiffness.length),
  }
  matchRows(made, s)
  return made
}

/** How many springs join two bodies, by the number of their pair. */
function pairsOfSprings(m: Model): Map<number, number> {
  const { count, bodyA, bodyB } = m.springs
  const found = new Map<number, number>()
  for (let k = 0; k < count; k++) {
    const pair = pairOf(m, bodyA[k], bodyB[k])
    found.set(pair, (found.get(pair) ?? 0) + 1)
  }
  return found
}

const pairOf = ({ nbody }: Model, a: number, b: number): number => nbody * Math.min(a, b) + Math.max(a, b)

/** Finds the rows of each group anew. False where rows appeared that the groups have no room for. */
export function matchRows(c: Coupling, s: CoupledTree): boolean {
  const { terms } = s
  c.live.fill(0)
  let g = -1
  for (let r = 0; r < terms.count; r++) {
    c.of[r] = -1
    if (isSingle(s, r)) continue
    if (!(g >= 0 && c.live[g] < c.room[g] && isGroup(c, g, s, r) && c.live[g] > 0)) {
      g++
      while (g < c.groups && !isGroup(c, g, s, r)) g++
      if (g >= c.groups) return false
      c.first[g] = r
    }
    c.of[r] = g
    c.live[g]++
  }
  return true
}

function isGroup(c: Coupling, g: number, { terms, rigid }: CoupledTree, r: number): boolean {
  if (r >= rigid !== (c.rigid[g] === 1)) return false
  const from = terms.start[r]
  const count = terms.start[r + 1] - from
  if (c.start[g + 1] - c.start[g] !== count) return false
  for (let e = 0; e < count; e++) if (terms.body[from + e] !== c.entry[c.start[g] + e]) return false
  return true
}

function sameRows(terms: StiffTerms, a: number, b: number): boolean {
  const count = terms.start[a + 1] - terms.start[a]
  if (terms.start[b + 1] - terms.start[b] !== count) return false
  for (let e = 0; e < count; e++) if (terms.body[terms.start[a] + e] !== terms.body[terms.start[b] + e]) return false
  return true
}
