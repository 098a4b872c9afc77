/**
 * Elimination tree, postorder and column counts of a symmetric pattern under an elimination order.
 *
 * Tree: J. W. H. Liu, The Role of Elimination Trees in Sparse Factorization, SIAM J. Matrix Anal. Appl. 11 (1990), with path
 * compression. Counts: J. R. Gilbert, E. G. Ng, B. W. Peyton, An Efficient Algorithm to Compute Row and Column Counts for Sparse
 * Cholesky Factorization, SIAM J. Matrix Anal. Appl. 15 (1994), here with every row weighted by its number of scalars: row i of L
 * is nonzero on a subtree of the elimination tree rooted at i; its weight is put on the subtree's leaves, taken off where two of its
 * branches meet and above its root, and summed up from the leaves. Both are linear but for the inverse Ackermann function.
 */
import type { BlockGraph } from './block-graph.js'
import { invertOrder } from './ordering.js'

export interface EliminationTree {
  /** elimination order, refined to a postorder of the tree: every subtree is contiguous. Fill is that of the order given. */
  readonly order: Int32Array
  /** inverse of order */
  readonly position: Int32Array
  /** parent by position, −1 at roots */
  readonly parent: Int32Array
  /** scalar rows of the column at each position, its own ones included */
  readonly count: Int32Array
  /** neighbours eliminated earlier, by position: row k of the permuted lower triangle */
  readonly rowPtr: Int32Array
  readonly rowAdj: Int32Array
}

export function eliminationTree(g: BlockGraph, given: Int32Array): EliminationTree {
  const { n } = g
  let position = invertOrder(given)
  const rough = rowsBefore(g, position)
  const roughParent = findParents(n, rough.ptr, rough.adj)
  const post = postorder(roughParent)

  // renumber by the postorder; the tree stays the same
  const order = new Int32Array(n)
  for (let k = 0; k < n; k++) order[k] = given[post[k]]
  const renumber = invertOrder(post)
  const parent = new Int32Array(n)
  for (let k = 0; k < n; k++) parent[renumber[k]] = roughParent[k] < 0 ? -1 : renumber[roughParent[k]]
  position = invertOrder(order)
  const { ptr, adj } = rowsBefore(g, position)

  const weight = new Int32Array(n)
  for (let k = 0; k < n; k++) weight[k] = g.size[order[k]]
  return { order, position, parent, count: columnCounts(n, ptr, adj, parent, weight), rowPtr: ptr, rowAdj: adj }
}

/** Nodes with children before parents, each subtree contiguous, children in ascending order. */
export function postorder(parent: Int32Array): Int32Array {
  const n = parent.length
  const child = new Int32Array(n).fill(-1)
  const sibling = new Int32Array(n).fill(-1)
  for (let k = n - 1; k >= 0; k--) {
    if (parent[k] < 0) continue
    sibling[k] = child[parent[k]]
    child[parent[k]] = k
  }
  const order = new Int32Array(n)
  let count = 0
  for (let root = 0; root < n; root++) {
    if (parent[root] >= 0) continue
    let k = root
    for (;;) {
      while (child[k] >= 0) k = child[k]
      order[count++] = k
      while (k !== root && sibling[k] < 0) {
        k = parent[k]
        order[count++] = k
      }
      if (k === root) break
      k = sibling[k]
    }
  }
  return order
}

/** For every position, the adjacent positions before it, ascending. */
function rowsBefore(g: BlockGraph, position: Int32Array): { ptr: Int32Array; adj: Int32Array } {
  const { n } = g
  const degree = new Int32Array(n + 1)
  const upPtr = new Int32Array(n + 1)
  for (let j = 0; j < n; j++) {
    for (let k = g.ptr[j] + 1; k < g.ptr[j + 1]; k++) {
      const a = position[j]
      const b = position[g.row[k]]
      degree[Math.max(a, b) + 1]++
      upPtr[Math.min(a, b) + 1]++
    }
  }
  for (let k = 0; k < n; k++) {
    degree[k + 1] += degree[k]
    upPtr[k + 1] += upPtr[k]
  }
  // columns first, then rows from the columns in turn: ascending without sorting
  const upAdj = new Int32Array(upPtr[n])
  const upNext = upPtr.slice(0, n)
  for (let j = 0; j < n; j++) {
    for (let k = g.ptr[j] + 1; k < g.ptr[j + 1]; k++) {
      const a = position[j]
      const b = position[g.row[k]]
      upAdj[upNext[Math.min(a, b)]++] = Math.max(a, b)
    }
  }
  const adj = new Int32Array(upAdj.length)
  const next = degree.slice(0, n)
  for (let j = 0; j < n; j++) for (let k = upPtr[j]; k < upPtr[j + 1]; k++) adj[next[upAdj[k]]++] = j
  return { ptr: degree, adj }
}

function findParents(n: number, ptr: Int32Array, adj: Int32Array): Int32Array {
  const parent = new Int32Array(n).fill(-1)
  const ancestor = new Int32Array(n).fill(-1)
  for (let i = 0; i < n; i++) {
    for (let k = ptr[i]; k < ptr[i + 1]; k++) {
      // climb from j to the root of its tree so far, pointing all that is passed at i
      let j = adj[k]
      while (ancestor[j] >= 0 && ancestor[j] !== i) {
        const up = ancestor[j]
        ancestor[j] = i
        j = up
      }
      if (ancestor[j] < 0) {
        ancestor[j] = i
        parent[j] = i
      }
    }
  }
  return parent
}

function columnCounts(n: number, ptr: Int32Array, adj: Int32Array, parent: Int32Array, weight: Int32Array): Int32Array {
  // first descendant in postorder
  const first = Int32Array.from({ length: n }, (_, k) => k)
  for (let j = 0; j < n; j++) if (parent[j] >= 0) first[parent[j]] = Math.min(first[parent[j]], first[j])

  // columns of the lower triangle
  const colPtr = new Int32Array(n + 1)
  for (let k = 0; k < adj.length; k++) colPtr[adj[k] + 1]++
  for (let j = 0; j < n; j++) colPtr[j + 1] += colPtr[j]
  const colRow = new Int32Array(adj.length)
  const next = colPtr.slice(0, n)
  for (let i = 0; i < n; i++) for (let k = ptr[i]; k < ptr[i + 1]; k++) colRow[next[adj[k]]++] = i

  const count = new Int32Array(n)
  const lastLeaf = new Int32Array(n).fill(-1)
  const lastFirst = new Int32Array(n).fill(-1)
  const up = Int32Array.from({ length: n }, (_, k) => k)
  for (let j = 0; j < n; j++) {
    for (let k = colPtr[j]; k < colPtr[j + 1]; k++) {
      const i = colRow[k]
      // j is a leaf of row i's subtree unless an earlier leaf lies below it
      if (first[j] <= lastFirst[i]) continue
      count[j] += weight[i]
      if (lastLeaf[i] >= 0) {
        let meet = lastLeaf[i]
        while (up[meet] !== meet) meet = up[meet]
        for (let q = lastLeaf[i]; q !== meet; ) {
          const above = up[q]
          up[q] = meet
          q = above
        }
        count[meet] -= weight[i]
      }
      lastLeaf[i] = j
      lastFirst[i] = first[j]
    }
    if (lastLeaf[j] < 0) count[j] += weight[j]
    if (parent[j] >= 0) {
      count[parent[j]] -= weight[j]
      up[j] = parent[j]
    }
  }
  for (let j = 0; j < n; j++) if (parent[j] >= 0) count[parent[j]] += count[j]
  return count
}
