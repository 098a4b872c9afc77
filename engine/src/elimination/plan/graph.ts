/**
 * The graph of handles of a coupled tree, and the ways to take it apart that are tried.
 */
import type { Model } from '../../model/model.js'
import type { Coupling } from './coupling.js'

/** How a plan is made; which is best depends on where the rows are, and the counts tell. */
export interface PlanChoice {
  /** rows act at once, or by forces of their own */
  readonly eager: boolean
  /** bases are cut from the ground, so that a chain may be taken up from both ends */
  readonly cut: boolean
  /**
   * degree: the smallest front goes first; level: bodies as far from their leaves go together, as suits chains tied side by side;
   * nested: every subtree on its own, rows when both their ends have become one; dissected: parts of space on their own, then what
   * joins them, as suits nets over the leaves of a tree, by fronts of their own kind (`plan-parts`)
   */
  readonly order: 'degree' | 'level' | 'nested' | 'dissected'
}

export interface HandleGraph {
  /** nodes; those below `bodies` are bodies, 0 is the ground and not in the graph */
  readonly n: number
  readonly bodies: number
  readonly weight: Int32Array
  readonly parent: Int32Array
  /** neighbours of each node besides those in the tree */
  readonly edges: readonly number[][]
  /** sets of bodies that are tied together from the start */
  readonly cliques: readonly (readonly number[])[]
  /** of a body: its tree's base, and whether the base is cut from the ground */
  readonly base: Int32Array
  readonly cut: Uint8Array
  /** nodes of lower rank go first, whatever their degree */
  readonly rank: Int32Array
  /** of other nodes: bodies that have to go first */
  readonly after: readonly (readonly number[])[]
}

/** Nodes: groups follow the bodies, bases cut from the ground follow the groups. A handle has `size` numbers. */
export function makeGraph(m: Model, c: Coupling, choice: PlanChoice, size: number): HandleGraph {
  const { nbody, parent, iv, ivEnd } = m
  const base = new Int32Array(nbody)
  for (let i = 1; i < nbody; i++) base[i] = parent[i] === 0 ? i : base[parent[i]]
  const cut = new Uint8Array(nbody)
  if (choice.cut) {
    for (let i = 1; i < nbody; i++) if (parent[i] === 0) cut[i] = 1
    // rows that act on joint velocities need the joints the right way round
    for (let e = 0; e < c.entry.length; e++) if (c.entry[e] < 0) cut[base[m.velocityBody[-1 - c.entry[e]]]] = 0
  }
  const bases: number[] = []
  for (let i = 1; i < nbody; i++) if (cut[i]) bases.push(i)

  const n = nbody + c.groups + bases.length
  const weight = new Int32Array(n)
  for (let i = 1; i < nbody; i++) weight[i] = size
  const edges: number[][] = Array.from({ length: n }, () => [])
  const after: number[][] = Array.from({ length: n }, () => [])
  const cliques: number[][] = []
  const join = (a: number, b: number): void => {
    edges[a].push(b)
    edges[b].push(a)
  }
  for (let g = 0; g < c.groups; g++) {
    const node = nbody + g
    const bodies = bodiesOf(m, c, g)
    weight[node] = isEager(c, g, choice) ? 0 : c.room[g]
    if (isEager(c, g, choice)) {
      cliques.push(bodies)
      continue
    }
    for (const b of bodies) join(node, b)
    for (let e = c.start[g]; e < c.start[g + 1]; e++) if (c.entry[e] < 0) after[node].push(m.velocityBody[-1 - c.entry[e]])
  }
  if (choice.order !== 'nested') claimJoints(m, c, after)
  bases.forEach((b, k) => {
    const node = nbody + c.groups + k
    weight[node] = size - (ivEnd[b] - iv[b])
    join(node, b)
    for (let i = 1; i < nbody; i++) if (base[i] === b) after[node].push(i)
  })
  const rank = new Int32Array(n)
  if (choice.order === 'level') {
    for (let i = nbody - 1; i > 0; i--) rank[parent[i]] = Math.max(rank[parent[i]], rank[i] + 1)
    for (let i = nbody; i < n; i++) for (const b of edges[i]) rank[i] = Math.max(rank[i], rank[b])
  } else if (choice.order === 'nested') {
    for (let i = 1; i < nbody; i++) rank[i] = 2 * (nbody - i)
    for (let g = 0; g < c.groups; g++) rank[nbody + g] = 2 * (nbody - meetingOf(m, c, g)) - 1
    for (let i = nbody + c.groups; i < n; i++) rank[i] = 2 * nbody
  }
  return { n, bodies: nbody, weight, rank, parent, edges, cliques, base, cut, after }
}

/** Where a group's bodies become one; what holds exactly meets the ground where it has one body alone. */
function meetingOf(m: Model, c: Coupling, g: number): number {
  const bodies = bodiesOf(m, c, g)
  return c.rigid[g] === 1 && bodies.length === 1 ? 0 : meeting(m.parent, bodies)
}

/** joints beyond its own that the forces of a loop wait for: these alone may be in line */
const SPARE = 2

/**
 * Forces that hold rows exactly may go when joints that move these rows have gone, as many velocities as rows, and no other rows' own. Each
 * group claims those nearest to its ends, deepest loops first, and waits for some more. Where that does not suffice, because joints are in
 * line, the factorisation finds out.
 */
function claimJoints(m: Model, c: Coupling, after: number[][]): void {
  const { nbody, parent, iv, ivEnd } = m
  const left = Int32Array.from({ length: nbody }, (_, i) => ivEnd[i] - iv[i])
  const groups = Array.from({ length: c.groups }, (_, g) => g).filter((g) => c.rigid[g] === 1)
  const meet = new Map(groups.map((g) => [g, meetingOf(m, c, g)]))
  const deepest = (g: number): number => Math.max(...bodiesOf(m, c, g))
  groups.sort((a, b) => (meet.get(b) ?? 0) - (meet.get(a) ?? 0) || deepest(b) - deepest(a))
  for (const g of groups) {
    const top = meet.get(g) ?? 0
    const ends = new Set(bodiesOf(m, c, g))
    let wanted = c.room[g]
    let spare = SPARE
    // all ends together, a body farther up each
    for (let level = [...ends]; level.length > 0 && wanted + spare > 0; ) {
      const next = new Set<number>()
      for (const i of level) {
        if (i <= top) continue
        after[nbody + g].push(i)
        const own = Math.min(wanted, left[i])
        left[i] -= own
        wanted -= own
        spare -= Math.min(spare, wanted > 0 ? 0 : ivEnd[i] - iv[i] - own)
        if (parent[i] > top) next.add(parent[i])
      }
      level = [...next]
    }
  }
}

/** The body on which the ways from all of these to the ground meet. */
function meeting(parent: Int32Array, bodies: readonly number[]): number {
  return bodies.reduce((a, b) => {
    while (a !== b) {
      if (a > b) a = parent[a]
      else b = parent[b]
    }
    return a
  })
}

export function isEager(c: Coupling, g: number, choice: PlanChoice): boolean {
  if (!choice.eager || c.rigid[g] === 1) return false
  for (let e = c.start[g]; e < c.start[g + 1]; e++) if (c.entry[e] < 0) return false
  return true
}

export function bodiesOf(m: Model, c: Coupling, g: number): number[] {
  const found = new Set<number>()
  for (let e = c.start[g]; e < c.start[g + 1]; e++) found.add(c.entry[e] >= 0 ? c.entry[e] : m.velocityBody[-1 - c.entry[e]])
  return [...found]
}
