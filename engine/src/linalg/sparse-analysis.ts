/**
 * What a sparse factorisation will cost, from the pattern alone: order, elimination tree, exact nonzeros and flops of L D Lᵀ.
 *
 * Near linear in the pattern, so that `auto` can weigh a direct solve against an iterative one before anything large is allocated.
 */
import type { BlockGraph } from './block-graph.js'
import { type EliminationTree, eliminationTree } from './elimination-tree.js'
import { type OrderingOptions, orderNodes } from './ordering.js'

export interface SparseAnalysis {
  readonly graph: BlockGraph
  readonly tree: EliminationTree
  /** scalar nonzeros of L with its diagonal, no padding counted */
  readonly nonzeros: number
  /** multiplications, additions and divisions of one factorisation, no padding counted */
  readonly flops: number
  /** the same for one right-hand side */
  readonly solveFlops: number
}

/** `order` overrides the ordering options. */
export function analyzePattern(graph: BlockGraph, options: OrderingOptions & { readonly order?: Int32Array } = {}): SparseAnalysis {
  const tree = eliminationTree(graph, options.order ?? orderNodes(graph, options))
  let nonzeros = 0
  let flops = 0
  for (let p = 0; p < graph.n; p++) {
    const size = graph.size[tree.order[p]]
    for (let c = 0; c < size; c++) {
      const below = tree.count[p] - c - 1
      nonzeros += below + 1
      flops += below * (below + 2)
    }
  }
  return { graph, tree, nonzeros, flops, solveFlops: 4 * (nonzeros - graph.start[graph.n]) + graph.start[graph.n] }
}
