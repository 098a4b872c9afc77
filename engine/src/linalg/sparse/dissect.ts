/**
 * An order of elimination by nested dissection [George] with coordinates: the nodes are cut at the middle of their longest side; those on one side that
 * touch the other separate the halves and come last.
 */
import type { Vec } from '../../math/types.js'
import type { BlockMatrix } from './block-matrix.js'

/** parts this small are not cut any more */
const SMALL = 12

/** Nodes in the order of their elimination; `positions` has 3 numbers a node. */
export function dissect(A: BlockMatrix, positions: Vec): Int32Array {
  const { start: first, next } = neighbours(A)
  const order = new Int32Array(A.n)
  /** part that a node is in at the moment */
  const part = new Int32Array(A.n)
  let parts = 0
  let end = A.n

  const place = (nodes: Int32Array): void => {
    end -= nodes.length
    order.set(nodes, end)
  }
  const cut = (nodes: Int32Array): void => {
    if (nodes.length <= SMALL) return place(nodes)
    const axis = longestSide(nodes, positions)
    const sorted = Float64Array.from(nodes, (v) => positions[3 * v + axis]).sort()
    const middle = sorted[sorted.length >> 1]
    // all in the plane of the upper end: what is below is the other side
    const below = (v: number): boolean =>
      middle < sorted[sorted.length - 1] ? positions[3 * v + axis] <= middle : positions[3 * v + axis] < middle
    const right = nodes.filter((v) => !below(v))
    if (right.length === 0 || right.length === nodes.length) return place(nodes)
    parts++
    for (const v of right) part[v] = parts
    const touches = (v: number): boolean => {
      for (let p = first[v]; p < first[v + 1]; p++) if (part[next[p]] === parts) return true
      return false
    }
    place(nodes.filter((v) => below(v) && touches(v)))
    const left = nodes.filter((v) => below(v) && !touches(v))
    cut(right)
    cut(left)
  }
  cut(Int32Array.from({ length: A.n }, (_, v) => v))
  return order
}

function longestSide(nodes: Int32Array, positions: Vec): number {
  let axis = 0
  let longest = -1
  for (let a = 0; a < 3; a++) {
    let low = Infinity
    let high = -Infinity
    for (const v of nodes) {
      low = Math.min(low, positions[3 * v + a])
      high = Math.max(high, positions[3 * v + a])
    }
    if (high - low > longest) {
      axis = a
      longest = high - low
    }
  }
  return axis
}

/** Neighbours of every node, both triangles. */
function neighbours({ n, start: column, row }: BlockMatrix): { start: Int32Array; next: Int32Array } {
  const start = new Int32Array(n + 1)
  for (let j = 0; j < n; j++) {
    for (let p = column[j] + 1; p < column[j + 1]; p++) {
      start[j + 1]++
      start[row[p] + 1]++
    }
  }
  for (let j = 0; j < n; j++) start[j + 1] += start[j]
  const at = start.slice()
  const next = new Int32Array(start[n])
  for (let j = 0; j < n; j++) {
    for (let p = column[j] + 1; p < column[j + 1]; p++) {
      next[at[j]++] = row[p]
      next[at[row[p]]++] = j
    }
  }
  return { start, next }
}
