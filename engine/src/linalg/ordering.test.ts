import { describe, expect, test } from 'vitest'
import { chainWithCables, countFill, grid, randomGraph, randomTree, reverseCuthillMcKee } from '../../test/linalg/graphs.js'
import { type BlockGraph, createBlockGraph, entryOffset } from './block-graph.js'
import { eliminationTree } from './elimination-tree.js'
import { orderNodes } from './ordering.js'

const sum = (counts: Int32Array, g: BlockGraph, order: Int32Array) => {
  let nonzeros = 0
  for (let k = 0; k < g.n; k++) {
    const s = g.size[order[k]]
    nonzeros += s * counts[k] - (s * (s - 1)) / 2
  }
  return nonzeros
}

const fillOf = (g: BlockGraph, order: Int32Array) => {
  const tree = eliminationTree(g, order)
  return sum(tree.count, g, tree.order)
}

const isPermutation = (order: Int32Array, n: number) => order.length === n && new Set(order).size === n && Math.min(...order) === 0

describe('block graph', () => {
  test('merges duplicate pairs given in any order and finds every block', () => {
    const g = createBlockGraph([2, 3, 1], [2, 0, 0, 2, 1, 0, 1, 1, 2, 0])
    expect([...g.ptr]).toEqual([0, 3, 4, 5])
    expect([...g.row]).toEqual([0, 1, 2, 1, 2])
    expect(entryOffset(g, 0, 0)).toBe(0)
    expect(entryOffset(g, 1, 0)).toBe(4)
    expect(entryOffset(g, 2, 0)).toBe(10)
    expect(entryOffset(g, 1, 1)).toBe(12)
    expect(entryOffset(g, 2, 1)).toBe(-1)
    expect(g.value[5]).toBe(22)
  })
})

describe('elimination tree', () => {
  test.each([1, 2, 3, 4, 5, 6])('column counts equal brute-force elimination on random graphs (seed %i)', (seed) => {
    const g = randomGraph(60, 3, seed)
    for (const method of ['natural', 'leaf-to-root', 'amd'] as const) {
      const order = orderNodes(g, { method })
      expect(fillOf(g, order)).toBe(countFill(g, order))
    }
  })

  test('the postorder keeps the fill and numbers children before parents', () => {
    const g = randomGraph(200, 3, 9)
    const given = orderNodes(g)
    const tree = eliminationTree(g, given)
    expect(countFill(g, tree.order)).toBe(countFill(g, given))
    for (let k = 0; k < g.n; k++) if (tree.parent[k] >= 0) expect(tree.parent[k]).toBeGreaterThan(k)
  })
})

describe('approximate minimum degree', () => {
  test.each([1, 2, 3, 4])('makes no fill on a tree (seed %i)', (seed) => {
    const g = randomTree(500, 0, seed)
    expect(fillOf(g, orderNodes(g))).toBe(2 * 500 - 1)
  })

  test('makes at most a tenth more fill than leaf to root on a chain with cables, and far less than its natural order with hubs first', () => {
    const g = chainWithCables(600, 30, 1)
    const n = g.n
    // hubs first in the numbering, as in a model whose towers come before the deck
    const pairs: number[] = []
    for (let j = 0; j < n; j++) for (let k = g.ptr[j] + 1; k < g.ptr[j + 1]; k++) pairs.push((g.row[k] + 2) % n, (j + 2) % n)
    const turned = createBlockGraph(g.size, pairs)
    const best = fillOf(turned, orderNodes(turned))
    expect(best).toBeLessThanOrEqual(1.1 * fillOf(turned, orderNodes(turned, { method: 'leaf-to-root' })))
    expect(best).toBeLessThan(0.4 * fillOf(turned, orderNodes(turned, { method: 'natural' })))
  })

  test('beats natural and reverse Cuthill–McKee on a grid by the known margin', () => {
    const g = grid(60, 60)
    const best = fillOf(g, orderNodes(g))
    expect(best).toBeLessThan(0.36 * fillOf(g, orderNodes(g, { method: 'natural' })))
    expect(best).toBeLessThan(0.5 * fillOf(g, reverseCuthillMcKee(g)))
  })

  test.each([1, 2, 3])('beats reverse Cuthill–McKee on random graphs and trees with springs (seed %i)', (seed) => {
    const sparse = randomGraph(400, 3, seed)
    expect(fillOf(sparse, orderNodes(sparse))).toBeLessThan(0.7 * fillOf(sparse, reverseCuthillMcKee(sparse)))
    const tree = randomTree(1000, 60, seed)
    expect(fillOf(tree, orderNodes(tree))).toBeLessThan(0.7 * fillOf(tree, reverseCuthillMcKee(tree)))
  })

  test('stays near exact minimum degree on random graphs', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const g = randomGraph(150, 4, seed)
      expect(fillOf(g, orderNodes(g))).toBeLessThan(1.15 * countFill(g, exactMinimumDegree(g)))
    }
  })

  test('gives the same order for the same graph', () => {
    const g = randomGraph(2000, 4, 3)
    expect(orderNodes(g)).toEqual(orderNodes(g))
  })

  test('orders marked nodes last and still orders the others well', () => {
    const g = randomTree(300, 20, 5)
    const last = Int32Array.from({ length: 300 }, (_, i) => (i % 40 === 7 ? 1 : 0))
    const order = orderNodes(g, { last })
    expect(isPermutation(order, 300)).toBe(true)
    const marked = last.reduce((a, b) => a + b)
    for (let k = 0; k < 300; k++) expect(last[order[k]]).toBe(k >= 300 - marked ? 1 : 0)
    expect(fillOf(g, order)).toBeLessThan(2 * fillOf(g, orderNodes(g)))
  })

  test('eliminates a node after the one it waits for, at little fill', () => {
    const g = randomTree(400, 30, 6)
    // every node but the root waits for its lowest neighbour, in chains
    const after = Int32Array.from({ length: 400 }, (_, i) => {
      for (let j = 0; j < i; j++) if (entryOffset(g, i, j) >= 0) return i % 3 === 0 ? j : -1
      return -1
    })
    const order = orderNodes(g, { after })
    expect(isPermutation(order, 400)).toBe(true)
    const tree = eliminationTree(g, order)
    const sequences = [order, tree.order].map((sequence) => Array.from({ length: 400 }, (_, i) => sequence.indexOf(i)))
    for (const at of sequences) for (let i = 0; i < 400; i++) if (after[i] >= 0) expect(at[i]).toBeGreaterThan(at[after[i]])
    expect(fillOf(g, order)).toBeLessThan(3 * fillOf(g, orderNodes(g)))
  })

  test('ignores circular precedence', () => {
    const g = createBlockGraph([1, 1, 1], [0, 1, 1, 2, 2, 0])
    expect(isPermutation(orderNodes(g, { after: [1, 2, 0] }), 3)).toBe(true)
  })

  test('puts a node joined to all others at the end', () => {
    const pairs: number[] = []
    for (let i = 1; i < 3000; i++) pairs.push(0, i)
    for (let i = 2; i < 3000; i++) pairs.push(i - 1, i)
    const g = createBlockGraph(new Int32Array(3000).fill(1), pairs)
    const order = orderNodes(g)
    expect(order[2999]).toBe(0)
    expect(isPermutation(order, 3000)).toBe(true)
  })

  test('takes empty, single and disconnected graphs', () => {
    expect(orderNodes(createBlockGraph([], [])).length).toBe(0)
    expect([...orderNodes(createBlockGraph([6], []))]).toEqual([0])
    expect(isPermutation(orderNodes(createBlockGraph([1, 2, 3, 4], [])), 4)).toBe(true)
  })

  test('grows near linearly: eight times the grid takes less than thirty times as long (quadratic: 64)', () => {
    const time = (width: number) => {
      const g = grid(width, width)
      let best = Infinity
      for (let k = 0; k < 3; k++) {
        const t = performance.now()
        orderNodes(g)
        best = Math.min(best, performance.now() - t)
      }
      return best
    }
    time(60)
    const small = time(110)
    expect(time(311)).toBeLessThan(30 * small)
  })
})

function exactMinimumDegree(g: BlockGraph): Int32Array {
  const sets: Set<number>[] = Array.from({ length: g.n }, () => new Set<number>())
  for (let j = 0; j < g.n; j++) {
    for (let k = g.ptr[j] + 1; k < g.ptr[j + 1]; k++) {
      sets[j].add(g.row[k])
      sets[g.row[k]].add(j)
    }
  }
  const done = new Uint8Array(g.n)
  const order = new Int32Array(g.n)
  for (let k = 0; k < g.n; k++) {
    let best = -1
    let least = Infinity
    for (let i = 0; i < g.n; i++) {
      if (done[i]) continue
      let degree = 0
      for (const j of sets[i]) degree += g.size[j]
      if (degree < least) {
        least = degree
        best = i
      }
    }
    done[best] = 1
    order[k] = best
    for (const j of sets[best]) {
      sets[j].delete(best)
      for (const l of sets[best]) if (l !== j) sets[j].add(l)
    }
  }
  return order
}
