/**
 * In which order the bodies of a coupled tree are taken out, by minimum degree on the graph of handles [GeorgeLiu].
 *
 * Nodes are bodies (six velocities each, the handle by which the rest of the mechanism feels them), groups of rows kept as forces of
 * their own, and the forces of a base that is cut from the ground. A body goes by its joint: its handle turns into that of its
 * neighbour, and only the joint's own velocities are eliminated. So it may go only as a leaf of what is left of its tree:
 * after its children, or, where the base is cut, when one neighbour is left, whichever side that is on.
 * The graph is a quotient graph, with exact degrees.
 */
import type { HandleGraph } from './graph.js'

export interface HandleOrder {
  readonly order: readonly number[]
  /** of each node: those that are still there when it has gone and feel it */
  readonly front: readonly (readonly number[])[]
}

/** Undefined where the fronts would take more than `limit` multiplications, by a rough count. */
export function orderHandles(g: HandleGraph, limit: number): HandleOrder | undefined {
  const { n, bodies, weight, parent } = g
  let count = 0
  const gone = new Uint8Array(n)
  const near: number[][] = g.edges.map((list) => [...list])
  const elements: number[][] = g.edges.map(() => [])
  const clique: (number[] | undefined)[] = []
  const waits = new Int32Array(n)
  const waiters: number[][] = g.edges.map(() => [])
  for (let i = 1; i < bodies; i++) {
    const p = parent[i]
    if (p === 0) continue
    near[i].push(p)
    near[p].push(i)
    waits[p]++
    if (g.cut[g.base[i]]) waits[i]++
  }
  // one neighbour may be left where the base is cut
  for (let i = 1; i < bodies; i++) if (g.cut[g.base[i]]) waits[i] = Math.max(0, waits[i] - 1)
  for (let i = bodies; i < n; i++) {
    for (const b of g.after[i]) {
      waits[i]++
      waiters[b].push(i)
    }
  }
  for (const set of g.cliques) {
    const id = clique.push([...set]) - 1
    for (const i of set) elements[i].push(id)
  }

  const stamp = new Int32Array(n)
  let mark = 0
  const degreeOf = (i: number): number => {
    mark++
    stamp[i] = mark
    let d = 0
    const count = (j: number): void => {
      if (stamp[j] === mark || gone[j]) return
      stamp[j] = mark
      d += weight[j]
    }
    for (const j of near[i]) count(j)
    for (const e of elements[i]) for (const j of clique[e] ?? []) count(j)
    return d
  }
  // candidates by degree; an entry is stale when the degree has changed since
  const degree = new Int32Array(n).fill(-1)
  const queues: number[][][] = []
  const smallest: number[] = []
  let lowest = 0
  const enlist = (i: number): void => {
    if (waits[i] > 0) return
    degree[i] = degreeOf(i)
    const rank = g.rank[i]
    while (queues.length <= rank) {
      queues.push([])
      smallest.push(0)
    }
    const queue = queues[rank]
    while (queue.length <= degree[i]) queue.push([])
    queue[degree[i]].push(i)
    smallest[rank] = Math.min(smallest[rank], degree[i])
    lowest = Math.min(lowest, rank)
  }
  for (let i = n - 1; i > 0; i--) enlist(i)

  const order: number[] = []
  const front: number[][] = g.edges.map(() => [])
  while (order.length < n - 1) {
    const queue = queues[lowest]
    while (smallest[lowest] < queue.length && queue[smallest[lowest]].length === 0) smallest[lowest]++
    if (smallest[lowest] >= queue.length) {
      if (++lowest >= queues.length) throw new Error('the order of handles is circular')
      continue
    }
    const me = queue[smallest[lowest]].pop() as number
    if (gone[me] || degree[me] !== smallest[lowest]) continue
    gone[me] = 1
    order.push(me)
    count += 0.5 * (me < bodies ? 1 : weight[me]) * degree[me] * degree[me]
    if (count > limit) return undefined

    // what it leaves behind
    mark++
    const left: number[] = []
    const take = (j: number): void => {
      if (gone[j] || stamp[j] === mark) return
      stamp[j] = mark
      left.push(j)
    }
    for (const j of near[me]) take(j)
    for (const e of elements[me]) {
      for (const j of clique[e] ?? []) take(j)
      clique[e] = undefined
    }
    front[me] = left
    const id = clique.push(left) - 1
    const own = mark
    for (const j of left) {
      near[j] = near[j].filter((k) => !gone[k] && stamp[k] !== own)
      elements[j] = elements[j].filter((e) => clique[e] !== undefined)
      elements[j].push(id)
    }

    // who may go now
    const freed = new Set<number>(left)
    for (const w of waiters[me]) {
      waits[w]--
      freed.add(w)
    }
    if (me < bodies) {
      if (parent[me] > 0 && !gone[parent[me]]) waits[parent[me]]--
      if (g.cut[g.base[me]]) for (const j of left) if (j < bodies && parent[j] === me) waits[j]--
    }
    for (const j of freed) if (!gone[j]) enlist(j)
  }
  return { order, front }
}
