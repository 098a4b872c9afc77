/**
 * Patterns and matrices for the tests of linalg: grids, trees, chains with cables, random ones; all from seeds.
 */
import { type BlockGraph, createBlockGraph, entryOffset } from '../../src/linalg/block-graph.js'

/** Numbers in [0, 1), the same for the same seed (multiplicative congruential, period 2³¹ − 2). */
export function createRandom(seed: number): () => number {
  let state = (seed * 7919 + 12345) % 2147483647
  for (let k = 0; k < 5; k++) state = (state * 48271) % 2147483647
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}

export function grid(width: number, height: number, size = 1): BlockGraph {
  const pairs: number[] = []
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      if (x + 1 < width) pairs.push(i, i + 1)
      if (y + 1 < height) pairs.push(i, i + width)
    }
  }
  return createBlockGraph(new Int32Array(width * height).fill(size), pairs)
}

/** A chain of n blocks, each cable joining one of them to one of the two hubs at the end of the numbering. */
export function chainWithCables(n: number, cables: number, size = 6): BlockGraph {
  const pairs: number[] = []
  for (let i = 1; i < n; i++) pairs.push(i - 1, i)
  for (let c = 0; c < cables; c++) pairs.push(Math.floor(((c + 0.5) * n) / cables), c < cables / 2 ? n : n + 1)
  return createBlockGraph(new Int32Array(n + 2).fill(size), pairs)
}

/** A random tree, parents first, with extra edges. */
export function randomTree(n: number, extra: number, seed: number, size: () => number = () => 1): BlockGraph {
  const random = createRandom(seed)
  const pairs: number[] = []
  for (let i = 1; i < n; i++) pairs.push(i, Math.floor(random() * i))
  for (let e = 0; e < extra; e++) pairs.push(Math.floor(random() * n), Math.floor(random() * n))
  return createBlockGraph(Array.from({ length: n }, size), pairs)
}

/** A random graph with the given mean degree and block sizes 1…6. */
export function randomGraph(n: number, degree: number, seed: number): BlockGraph {
  const random = createRandom(seed)
  const pairs: number[] = []
  for (let e = 0; e < (n * degree) / 2; e++) pairs.push(Math.floor(random() * n), Math.floor(random() * n))
  return createBlockGraph(
    Array.from({ length: n }, () => 1 + Math.floor(random() * 6)),
    pairs,
  )
}

/** Random values on a pattern; `sign` (per node, default +1) says which diagonal blocks are negative definite: quasi-definite. */
export function fillQuasiDefinite(g: BlockGraph, seed: number, sign?: ArrayLike<number>): Float64Array {
  const random = createRandom(seed)
  const values = new Float64Array(g.value[g.row.length])
  for (let k = 0; k < values.length; k++) values[k] = 2 * random() - 1
  const heavy = new Float64Array(g.start[g.n])
  for (let j = 0; j < g.n; j++) {
    for (let k = g.ptr[j]; k < g.ptr[j + 1]; k++) {
      const i = g.row[k]
      for (let a = 0; a < g.size[i]; a++) {
        for (let b = 0; b < g.size[j]; b++) {
          const v = Math.abs(values[g.value[k] + a * g.size[j] + b])
          heavy[g.start[i] + a] += v
          heavy[g.start[j] + b] += v
        }
      }
    }
  }
  for (let j = 0; j < g.n; j++) {
    const o = entryOffset(g, j, j)
    const s = sign === undefined ? 1 : sign[j]
    for (let a = 0; a < g.size[j]; a++) values[o + a * g.size[j] + a] = s * (1 + heavy[g.start[j] + a])
  }
  return values
}

/** The whole symmetric matrix, row-major. */
export function toDense(g: BlockGraph, values: Float64Array): Float64Array {
  const N = g.start[g.n]
  const A = new Float64Array(N * N)
  for (let j = 0; j < g.n; j++) {
    for (let k = g.ptr[j]; k < g.ptr[j + 1]; k++) {
      const i = g.row[k]
      for (let a = 0; a < g.size[i]; a++) {
        for (let b = 0; b < (i === j ? a + 1 : g.size[j]); b++) {
          const v = values[g.value[k] + a * g.size[j] + b]
          A[(g.start[i] + a) * N + g.start[j] + b] = v
          A[(g.start[j] + b) * N + g.start[i] + a] = v
        }
      }
    }
  }
  return A
}

/** Scalar nonzeros of L by brute-force elimination of the pattern. */
export function countFill(g: BlockGraph, order: Int32Array): number {
  const sets: Set<number>[] = Array.from({ length: g.n }, () => new Set<number>())
  for (let j = 0; j < g.n; j++) {
    for (let k = g.ptr[j] + 1; k < g.ptr[j + 1]; k++) {
      sets[j].add(g.row[k])
      sets[g.row[k]].add(j)
    }
  }
  let nonzeros = 0
  for (const i of order) {
    let below = 0
    for (const j of sets[i]) below += g.size[j]
    nonzeros += g.size[i] * below + (g.size[i] * (g.size[i] + 1)) / 2
    for (const j of sets[i]) {
      sets[j].delete(i)
      for (const k of sets[i]) if (k !== j) sets[j].add(k)
    }
  }
  return nonzeros
}

/** Reverse Cuthill–McKee, for comparison. */
export function reverseCuthillMcKee(g: BlockGraph): Int32Array {
  const lists: number[][] = Array.from({ length: g.n }, () => [])
  for (let j = 0; j < g.n; j++) {
    for (let k = g.ptr[j] + 1; k < g.ptr[j + 1]; k++) {
      lists[j].push(g.row[k])
      lists[g.row[k]].push(j)
    }
  }
  const seen = new Uint8Array(g.n)
  const order: number[] = []
  const byDegree = Array.from({ length: g.n }, (_, i) => i).sort((a, b) => lists[a].length - lists[b].length || a - b)
  for (const root of byDegree) {
    if (seen[root]) continue
    seen[root] = 1
    order.push(root)
    for (let k = order.length - 1; k < order.length; k++) {
      const fresh = lists[order[k]].filter((i) => !seen[i]).sort((a, b) => lists[a].length - lists[b].length || a - b)
      for (const i of fresh) {
        seen[i] = 1
        order.push(i)
      }
    }
  }
  return Int32Array.from(order.reverse())
}
