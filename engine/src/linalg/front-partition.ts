/**
 * Which columns of a sparse factorisation are eliminated together.
 *
 * Columns with the same rows below them form a supernode. A supernode is merged into its parent when the cost model says that one
 * larger front is faster than two despite the zeros it stores (C. Ashcraft, R. Grimes, The Influence of Relaxed Supernode Partitions
 * on the Multifrontal Method, ACM TOMS 15 (1989)); very wide ones are cut so that a panel fits the cache.
 */
import { postorder } from './elimination-tree.js'
import { invertOrder } from './ordering.js'
import type { SparseAnalysis } from './sparse-analysis.js'

export interface FrontPartition {
  /** positions (of the analysis) in each front, ascending; fronts in postorder */
  readonly columns: readonly (readonly number[])[]
  readonly parent: Int32Array
}

/** Wider fronts are cut: a panel of this width and some hundred rows stays in the second-level cache. */
const WIDEST = 48

/**
 * Time of one front with k pivots and u rows below, in nanoseconds where 4 Gflop/s are reached: a fixed part, entries moved, arithmetic.
 * Fitted to chains, trees and grids within a fifth; with arithmetic alone nothing would ever be merged and small fronts would crawl.
 */
export function frontCost(k: number, u: number): number {
  return 360 + 6 * k * (k + u) + 4 * u * u + 0.25 * k * (k * (k / 3 + u) + u * u)
}

export function partitionFronts(analysis: SparseAnalysis): FrontPartition {
  const { size } = analysis.graph
  const { order, parent, count } = analysis.tree
  const n = order.length

  // supernodes: chains in the tree along which the rows below stay the same
  const of = new Int32Array(n)
  const pivots: number[] = []
  const below: number[] = []
  const top: number[] = []
  for (let p = 0; p < n; p++) {
    const joins = p > 0 && parent[p - 1] === p && count[p] === count[p - 1] - size[order[p - 1]]
    if (!joins) {
      pivots.push(0)
      below.push(0)
      top.push(0)
    }
    const s = pivots.length - 1
    of[p] = s
    pivots[s] += size[order[p]]
    below[s] = count[p] - size[order[p]]
    top[s] = p
  }

  // merge upwards while it pays
  const ns = pivots.length
  const up = Int32Array.from(top, (p) => (parent[p] < 0 ? -1 : of[parent[p]]))
  const into = Int32Array.from({ length: ns }, (_, s) => s)
  const firstChild = new Int32Array(ns).fill(-1)
  const nextChild = new Int32Array(ns).fill(-1)
  for (let s = 0; s < ns; s++) {
    for (let c = firstChild[s]; c >= 0; c = nextChild[c]) {
      const apart = frontCost(pivots[c], below[c]) + frontCost(pivots[s], below[s])
      if (frontCost(pivots[c] + pivots[s], below[s]) > apart) continue
      into[c] = s
      pivots[s] += pivots[c]
    }
    if (up[s] < 0) continue
    nextChild[s] = firstChild[up[s]]
    firstChild[up[s]] = s
  }
  for (let s = ns - 1; s >= 0; s--) into[s] = into[into[s]]

  // what is left, in postorder
  const kept: number[] = []
  const label = new Int32Array(ns).fill(-1)
  for (let s = 0; s < ns; s++) {
    if (into[s] !== s) continue
    label[s] = kept.length
    kept.push(s)
  }
  const keptParent = Int32Array.from(kept, (s) => (up[s] < 0 ? -1 : label[into[up[s]]]))
  const post = postorder(keptParent)
  const turn = invertOrder(post)
  const columns: number[][] = kept.map(() => [])
  for (let p = 0; p < n; p++) columns[turn[label[into[of[p]]]]].push(p)
  const frontParent = Int32Array.from(post, (s) => (keptParent[s] < 0 ? -1 : turn[keptParent[s]]))
  return cut(columns, frontParent, (p) => size[order[p]])
}

/** Cuts wide fronts into chains: children hang on the lowest piece, the parent takes the highest. */
function cut(columns: number[][], parent: Int32Array, size: (p: number) => number): FrontPartition {
  const pieces: number[][] = []
  const lowest: number[] = []
  const highest: number[] = []
  for (const positions of columns) {
    const width = positions.reduce((sum, p) => sum + size(p), 0)
    const limit = width / Math.ceil(width / WIDEST)
    lowest.push(pieces.length)
    let piece: number[] = []
    let filled = 0
    for (const p of positions) {
      if (piece.length > 0 && filled + size(p) > limit + 6) {
        pieces.push(piece)
        piece = []
        filled = 0
      }
      piece.push(p)
      filled += size(p)
    }
    pieces.push(piece)
    highest.push(pieces.length - 1)
  }
  const pieceParent = new Int32Array(pieces.length)
  for (let f = 0; f < columns.length; f++) {
    for (let q = lowest[f]; q < highest[f]; q++) pieceParent[q] = q + 1
    pieceParent[highest[f]] = parent[f] < 0 ? -1 : lowest[parent[f]]
  }
  return { columns: pieces, parent: pieceParent }
}
