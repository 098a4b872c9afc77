/**
 * Elimination orders of a block graph: order[k] is the k-th node to eliminate.
 *
 * In a tree numbered with parents first, the natural order runs backwards, from the leaves to the root: it makes no fill on the tree
 * itself. Where springs tie branches together, approximate minimum degree does better.
 */
import { amd, type Precedence } from './amd.js'
import { type BlockGraph, neighbours } from './block-graph.js'

/**
 * `last` and `after` bind approximate minimum degree only. In a KKT matrix ( M Gᵀ ; G 0 ) of a tree, `after` = the child body of each
 * joint's multipliers makes every pivot nonsingular without exchanges: the rows of G among eliminated multipliers and bodies are
 * then block triangular along the tree, hence independent.
 */
export interface OrderingOptions extends Precedence {
  /** `leaf-to-root` is descending index */
  readonly method?: 'amd' | 'natural' | 'leaf-to-root'
}

export function orderNodes(g: BlockGraph, options: OrderingOptions = {}): Int32Array {
  const { n } = g
  const { method = 'amd' } = options
  if (method !== 'amd') return Int32Array.from({ length: n }, (_, k) => (method === 'natural' ? k : n - 1 - k))
  const { ptr, adj } = neighbours(g)
  return amd(n, ptr, adj, g.size, options)
}

/** position[order[k]] = k */
export function invertOrder(order: Int32Array): Int32Array {
  const position = new Int32Array(order.length)
  for (let k = 0; k < order.length; k++) position[order[k]] = k
  return position
}
