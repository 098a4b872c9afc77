/**
 * Islands of a contact problem: trees that blocks join, each a problem of its own.
 *
 * Numbered by their first tree, blocks in the order in which they were added, so that the same problem has the same islands.
 */
import type { Int } from '../../math/values/columns.js'
import type { ConvexProblem } from './problem.js'

/** Reads the columns of the blocks. Writes islands, islandOf, trees, treeStart, order, blockStart. */
export function findIslands(p: ConvexProblem): void {
  const { root, islandOf, treeStart, trees, treeOf, blockStart, count, first, width, column, order } = p
  const n = islandOf.length
  for (let t = 0; t < n; t++) root[t] = t
  for (let b = 0; b < count; b++) {
    const a = first[b]
    for (let e = a + 1; e < a + width[b]; e++)
      if (treeOf[column[e]] !== treeOf[column[e - 1]]) join(root, treeOf[column[e]], treeOf[column[e - 1]])
  }

  // trees by island
  let islands = 0
  for (let t = 0; t < n; t++) if (root[t] === t) islandOf[t] = islands++
  p.islands = islands
  treeStart.fill(0, 0, islands + 1)
  for (let t = 0; t < n; t++) {
    islandOf[t] = islandOf[find(root, t)]
    treeStart[islandOf[t] + 1]++
  }
  for (let k = 0; k < islands; k++) treeStart[k + 1] += treeStart[k]
  // filling moves each start to its end; going backwards brings it back
  for (let t = n - 1; t >= 0; t--) trees[--treeStart[islandOf[t] + 1]] = t
  for (let k = 0; k < islands; k++) treeStart[k] = treeStart[k + 1]
  treeStart[islands] = n

  // blocks by island; one that touches nothing belongs to the first
  blockStart.fill(0, 0, islands + 1)
  for (let b = 0; b < count; b++) blockStart[islandOfBlock(p, b) + 1]++
  for (let k = 0; k < islands; k++) blockStart[k + 1] += blockStart[k]
  for (let b = count - 1; b >= 0; b--) order[--blockStart[islandOfBlock(p, b) + 1]] = b
  for (let k = 0; k < islands; k++) blockStart[k] = blockStart[k + 1]
  blockStart[islands] = count
}

function islandOfBlock({ islandOf, treeOf, column, first, width }: ConvexProblem, b: Int): Int {
  return width[b] > 0 ? islandOf[treeOf[column[first[b]]]] : 0
}

function find(root: Int32Array, t: Int): Int {
  let at = t
  while (root[at] !== at) {
    root[at] = root[root[at]]
    at = root[at]
  }
  return at
}

/** The root of both is the tree with the smaller number. */
function join(root: Int32Array, a: Int, b: Int): void {
  const x = find(root, a)
  const y = find(root, b)
  if (x < y) root[y] = x
  else root[x] = y
}
