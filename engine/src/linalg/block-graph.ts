/**
 * Pattern of a symmetric block matrix: nodes are block rows of 1…6 scalars, edges are the blocks that may be nonzero.
 *
 * Values live in one flat array that the caller rewrites every step: the lower triangle in block columns, each block row-major with
 * its rows in node i and its columns in node j ≤ i. A diagonal block is stored whole; only its lower triangle is ever read.
 */
import type { Vec } from '../math/types.js'

export interface BlockGraph {
  /** nodes */
  readonly n: number
  /** scalars of each node */
  readonly size: Int32Array
  /** first scalar of each node, n + 1 */
  readonly start: Int32Array
  /** entries of block column j: ptr[j] … ptr[j + 1], the diagonal first, rows ascending */
  readonly ptr: Int32Array
  readonly row: Int32Array
  /** offset of each entry's block in the value array; the last one is the length of that array */
  readonly value: Int32Array
}

/** Pattern from node sizes and index pairs (i0, j0, i1, j1, …) in any order; duplicates are merged, diagonals come by themselves. */
export function createBlockGraph(size: ArrayLike<number>, pairs: ArrayLike<number>): BlockGraph {
  const n = size.length
  const sizes = Int32Array.from(size)
  const npair = pairs.length >> 1

  // bucket the pairs by their larger index, then by the smaller one: rows come out ascending
  const byRow = bucket(n, npair, (k) => Math.max(pairs[2 * k], pairs[2 * k + 1]))
  const byColumn = bucket(n, npair, (k) => {
    const pair = byRow.items[k]
    return Math.min(pairs[2 * pair], pairs[2 * pair + 1])
  })

  const ptr = new Int32Array(n + 1)
  const row = new Int32Array(n + npair)
  let count = 0
  for (let j = 0; j < n; j++) {
    ptr[j] = count
    row[count++] = j
    for (let k = byColumn.ptr[j]; k < byColumn.ptr[j + 1]; k++) {
      const pair = byRow.items[byColumn.items[k]]
      const i = Math.max(pairs[2 * pair], pairs[2 * pair + 1])
      if (i !== row[count - 1]) row[count++] = i
    }
  }
  ptr[n] = count

  const start = new Int32Array(n + 1)
  for (let i = 0; i < n; i++) start[i + 1] = start[i] + sizes[i]
  const value = new Int32Array(count + 1)
  for (let j = 0; j < n; j++) for (let k = ptr[j]; k < ptr[j + 1]; k++) value[k + 1] = value[k] + sizes[row[k]] * sizes[j]
  return { n, size: sizes, start, ptr, row: row.slice(0, count), value }
}

/** Offset of block (i, j), i ≥ j, in the value array; −1 where the pattern has no such block. */
export function entryOffset(g: BlockGraph, i: number, j: number): number {
  let low = g.ptr[j]
  let high = g.ptr[j + 1] - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (g.row[middle] === i) return g.value[middle]
    if (g.row[middle] < i) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Neighbours of every node, both directions, ascending, without the node itself. */
export function neighbours(g: BlockGraph): { ptr: Int32Array; adj: Int32Array } {
  const { n, ptr, row } = g
  const full = new Int32Array(n + 1)
  for (let j = 0; j < n; j++) {
    for (let k = ptr[j] + 1; k < ptr[j + 1]; k++) {
      full[j + 1]++
      full[row[k] + 1]++
    }
  }
  for (let j = 0; j < n; j++) full[j + 1] += full[j]

  // smaller neighbours first, column by column; the larger ones follow in their own column's turn
  const next = full.slice(0, n)
  const adj = new Int32Array(full[n])
  for (let j = 0; j < n; j++) for (let k = ptr[j] + 1; k < ptr[j + 1]; k++) adj[next[row[k]]++] = j
  for (let j = 0; j < n; j++) for (let k = ptr[j] + 1; k < ptr[j + 1]; k++) adj[next[j]++] = row[k]
  return { ptr: full, adj }
}

/** y ← A x. Reads the lower triangle of `values` only. */
export function multiplySymmetric(g: BlockGraph, values: Vec, y: Vec, x: Vec): void {
  const { n, size, start, ptr, row, value } = g
  y.fill(0, 0, start[n])
  for (let j = 0; j < n; j++) {
    const sj = size[j]
    const cj = start[j]

    // diagonal block: lower triangle and its mirror image
    const d = value[ptr[j]]
    for (let a = 0; a < sj; a++) {
      let s = values[d + a * sj + a] * x[cj + a]
      for (let b = 0; b < a; b++) {
        const v = values[d + a * sj + b]
        s += v * x[cj + b]
        y[cj + b] += v * x[cj + a]
      }
      y[cj + a] += s
    }

    // blocks below, each once as it is and once transposed
    for (let k = ptr[j] + 1; k < ptr[j + 1]; k++) {
      const ri = start[row[k]]
      const si = size[row[k]]
      const o = value[k]
      for (let a = 0; a < si; a++) {
        const xa = x[ri + a]
        let s = 0
        for (let b = 0; b < sj; b++) {
          const v = values[o + a * sj + b]
          s += v * x[cj + b]
          y[cj + b] += v * xa
        }
        y[ri + a] += s
      }
    }
  }
}

/** Counting sort of 0 … count − 1 by key, stable. */
function bucket(n: number, count: number, key: (item: number) => number): { ptr: Int32Array; items: Int32Array } {
  const ptr = new Int32Array(n + 1)
  for (let k = 0; k < count; k++) ptr[key(k) + 1]++
  for (let i = 0; i < n; i++) ptr[i + 1] += ptr[i]
  const next = ptr.slice(0, n)
  const items = new Int32Array(count)
  for (let k = 0; k < count; k++) items[next[key(k)]++] = k
  return { ptr, items }
}
