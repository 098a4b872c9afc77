/**
 * Elimination orders of a block graph: order[k] is the k-th node to eliminate.
 *
 * In a tree numbered with parents first, the natural order runs backwards, from the leaves to the root: it makes no fill on the tree
 * itself. Where springs tie branches together, approximate minimum degree does better.
 */
import { amd } from './amd.js'
import { type BlockGraph, createBlockGraph, neighbours } from './block-graph.js'

export interface OrderingOptions {
  /** `leaf-to-root` is descending index */
  readonly method?: 'amd' | 'natural' | 'leaf-to-root'
  /**
   * Group number 0 … n − 1 of each node. Nodes of one group are eliminated together, in ascending index. A multiplier that shares the
   * group of a body it constrains always finds a nonsingular pivot, as long as the body has the lower index.
   */
  readonly groups?: ArrayLike<number>
  /** nonzero: eliminate this node after all the others (its whole group must be marked) */
  readonly last?: ArrayLike<number>
}

export function orderNodes(g: BlockGraph, options: OrderingOptions = {}): Int32Array {
  const { method = 'amd', groups, last } = options
  if (groups === undefined) return orderGraph(g, method, last)

  // order the quotient graph of the groups, then spell the groups out
  const { quotient, first, next } = mergeGroups(g, groups)
  const groupLast = last === undefined ? undefined : first.map((i) => last[i])
  const groupOrder = orderGraph(quotient, method, groupLast)
  const order = new Int32Array(g.n)
  let count = 0
  for (let k = 0; k < groupOrder.length; k++) for (let i = first[groupOrder[k]]; i >= 0; i = next[i]) order[count++] = i
  return order
}

/** position[order[k]] = k */
export function invertOrder(order: Int32Array): Int32Array {
  const position = new Int32Array(order.length)
  for (let k = 0; k < order.length; k++) position[order[k]] = k
  return position
}

function orderGraph(g: BlockGraph, method: 'amd' | 'natural' | 'leaf-to-root', last?: ArrayLike<number>): Int32Array {
  const { n } = g
  if (method === 'amd') {
    const { ptr, adj } = neighbours(g)
    return amd(n, ptr, adj, g.size, last)
  }
  const order = Int32Array.from({ length: n }, (_, k) => (method === 'natural' ? k : n - 1 - k))
  if (last === undefined) return order
  return Int32Array.from([...order.filter((i) => !last[i]), ...order.filter((i) => last[i])])
}

/** One node per group, in the order of the groups' first members; first and next chain the members in ascending index. */
function mergeGroups(g: BlockGraph, groups: ArrayLike<number>) {
  const { n } = g
  const newLabel = new Int32Array(n).fill(-1)
  const of = new Int32Array(n)
  const first: number[] = []
  const tail: number[] = []
  const size: number[] = []
  const next = new Int32Array(n).fill(-1)
  for (let i = 0; i < n; i++) {
    const group = groups[i]
    let k = newLabel[group]
    if (k < 0) {
      k = first.length
      newLabel[group] = k
      first.push(i)
      tail.push(i)
      size.push(0)
    } else {
      next[tail[k]] = i
      tail[k] = i
    }
    of[i] = k
    size[k] += g.size[i]
  }
  const pairs = new Int32Array(2 * g.row.length)
  let count = 0
  for (let j = 0; j < n; j++) {
    for (let k = g.ptr[j]; k < g.ptr[j + 1]; k++) {
      if (of[g.row[k]] === of[j]) continue
      pairs[count++] = of[g.row[k]]
      pairs[count++] = of[j]
    }
  }
  return { quotient: createBlockGraph(size, pairs.subarray(0, count)), first, next }
}
