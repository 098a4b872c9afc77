/**
 * Which bodies the rows of a step tie together. Neighbouring rows with the same entries (the three of a spring) form a run, and a run one group
 * or, where it is long, several.
 *
 * A spring that goes slack loses the two rows across its line. A run of springs has room for them from the start, so that the symbolic work is
 * not done anew when springs tighten. Runs of other forces have room for the rows they have; where one between two bodies has three, as a
 * taut spring does, all others between two bodies have room for three as well. So the coupling, and with it the plan, depends on the
 * model and on the rows of the moment alone, not on those of earlier steps: a run that is restored makes the same one.
 */
import type { Model } from '../../model/model.js'
import type { StiffTerms } from '../../model/stiff-terms.js'
import type { CoupledTree } from '../coupled-tree.js'

export interface Coupling {
  readonly groups: number
  /** entries of group g as the rows list them: body, or −1 − dof: start[g] … start[g + 1] − 1 */
  readonly start: Int32Array
  readonly entry: Int32Array
  /** most rows of each group */
  readonly room: Int32Array
  /** of the step: first row of each group, and how many it has */
  readonly first: Int32Array
  readonly live: Int32Array
  /** 1: its rows hold exactly, see `CoupledTree.rigid` */
  readonly rigid: Uint8Array
  /** group of each row, −1 for rows that touch a single body or a single joint velocity */
  readonly of: Int32Array
  readonly runs: number
  /** groups of run k: lead[k] … lead[k + 1] − 1 */
  readonly lead: Int32Array
  /** 1: it may have fewer rows than there is room for */
  readonly varies: Uint8Array
  /** 1: between two bodies that no spring joins */
  readonly plain: Uint8Array
  /** some plain run has as many rows as a taut spring */
  readonly wide: boolean
}

/** rows of a group: what a panel of the elimination takes */
const GROUP_ROWS = 6
/** rows of a taut spring */
const SPRING = 3

/** Groups of the rows as they are. */
export function createCoupling(t: CoupledTree): Coupling {
  const { terms, rigid: exact, model } = t
  const springs = pairsOfSprings(model)
  const found: { first: number; rows: number; entries: number[]; springs: number; plain: boolean }[] = []
  for (let r = 0; r < terms.count; ) {
    const first = r++
    if (isSingle(t, first)) continue
    while (r < terms.count && !isSingle(t, r) && sameRows(terms, first, r) && first >= exact === r >= exact) r++
    const entries = Array.from(terms.body.subarray(terms.start[first], terms.start[first + 1]))
    const pair = first < exact && entries.length === 2 && entries[0] > 0 && entries[1] > 0
    const joined = pair ? (springs.get(pairOf(model, entries[0], entries[1])) ?? 0) : 0
    found.push({ first, rows: r - first, entries, springs: joined, plain: pair && joined === 0 })
  }
  const wide = found.some(({ plain, rows }) => plain && rows >= SPRING)

  const lead = [0]
  const varies: number[] = []
  const start = [0]
  const entry: number[] = []
  const room: number[] = []
  const rigid: number[] = []
  for (const run of found) {
    const least = run.plain ? (wide ? SPRING : 0) : SPRING * run.springs
    varies.push(least >= run.rows ? 1 : 0)
    for (let rows = Math.max(run.rows, least); rows > 0; rows -= GROUP_ROWS) {
      entry.push(...run.entries)
      start.push(entry.length)
      room.push(Math.min(GROUP_ROWS, rows))
      rigid.push(run.first >= exact ? 1 : 0)
    }
    lead.push(room.length)
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
    runs: found.length,
    lead: Int32Array.from(lead),
    varies: Uint8Array.from(varies),
    plain: Uint8Array.from(found, ({ plain }) => (plain ? 1 : 0)),
    wide,
  }
  matchRows(made, t)
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

/** Finds the rows of each group anew. False where `createCoupling` would make another coupling of them. */
export function matchRows(c: Coupling, t: CoupledTree): boolean {
  const { terms } = t
  c.live.fill(0)
  let wide = false
  let run = -1
  let r = 0
  while (r < terms.count) {
    c.of[r] = -1
    if (isSingle(t, r)) {
      r++
      continue
    }
    run++
    if (run === c.runs) return false
    const first = r
    let g = c.lead[run]
    for (; r < terms.count && !isSingle(t, r) && isGroup(c, c.lead[run], t, r); r++) {
      if (c.live[g] === c.room[g]) g++
      if (g === c.lead[run + 1]) return false
      if (c.live[g]++ === 0) c.first[g] = r
      c.of[r] = g
    }
    if (r === first) return false
    if (c.plain[run] === 1 && r - first >= SPRING) wide = true
    // a run that does not vary is full to the last group
    const last = c.lead[run + 1] - 1
    if (c.varies[run] === 0 && c.live[last] < c.room[last]) return false
  }
  return run === c.runs - 1 && wide === c.wide
}

/** Rows that touch one body or joint alone act on it at once, but for those that hold exactly. */
function isSingle({ terms, rigid }: CoupledTree, r: number): boolean {
  return r < rigid && terms.start[r + 1] - terms.start[r] <= 1
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
