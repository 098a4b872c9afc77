/**
 * The matrix of a contact problem where it is known by its entries: A over a forest, and H = A + Jᵀ G J of the island at hand.
 *
 * Unknowns of a tree are ordered leaves first. Row i of A then holds the columns first[i] … i, those of its subtree, and no others: the envelope of a
 * tree is its own sparsity, and elimination fills nothing in. Blocks with the ground touch one path to the root and keep that; blocks within a
 * tree widen the rows above them. So an island of one tree is an envelope. One of several is dense blocks between the trees that contacts join,
 * eliminated by minimum degree (`tree-blocks`); a free body is a tree of six unknowns. [GeorgeLiu]
 */
import type { Vec } from '../../math/types.js'
import { blockProduct, type Envelope } from './block-product.js'
import { type ConvexProblem, FACTOR, SPENT, type StepMatrix, type Unknowns } from './problem.js'
import { createTreeBlocks, factorTrees, fillTrees, planTrees, solveTrees } from './tree-blocks.js'

export interface ForestMatrix extends StepMatrix {
  readonly A: Envelope
}

/** `first`: the first column of each row, which is the first unknown of its subtree. */
export function createForestMatrix(u: Unknowns, first: Int32Array): ForestMatrix {
  const at = new Int32Array(u.n)
  let size = 0
  for (let i = 0; i < u.n; i++) {
    at[i] = size - first[i]
    size += i + 1 - first[i]
  }
  const A = { first, at, value: new Float64Array(size) }
  const H = { first: new Int32Array(u.n), at: new Int32Array(u.n), value: new Float64Array(size) }
  const inverse = new Float64Array(u.n)
  const blocks = createTreeBlocks(u)
  const isOne = (p: ConvexProblem, k: number): boolean => p.treeStart[k + 1] - p.treeStart[k] === 1
  return {
    A,
    product: (p, out, x, k) => product(A, p, out, x, k),
    plan: (p, k) => (isOne(p, k) ? planEnvelope(H, A, p, k) : planTrees(blocks, p, k)),
    factor(p, k) {
      p.work[SPENT] += p.number[FACTOR]
      if (isOne(p, k)) {
        fillEnvelope(H, A, p, k)
        return factorEnvelope(H, inverse, p, k)
      }
      fillTrees(blocks, A, p, k)
      return factorTrees(blocks, inverse, p)
    },
    solve: (p, x, k) => (isOne(p, k) ? solveEnvelope(H, inverse, p, x, k) : solveTrees(blocks, inverse, p, x)),
  }
}

function product({ first, at, value }: Envelope, p: ConvexProblem, out: Vec, x: Vec, k: number): void {
  const { start, trees, treeStart } = p
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) {
    for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) {
      const o = at[i]
      const xi = x[i]
      let sum = 0
      for (let j = first[i]; j < i; j++) {
        const a = value[o + j]
        sum += a * x[j]
        out[j] += a * xi
      }
      out[i] = sum + value[o + i] * xi
    }
  }
}

/** Rows of H: those of A, or as wide as the blocks that reach them. */
function planEnvelope(H: Envelope & { value: Vec }, A: Envelope, p: ConvexProblem, k: number): void {
  const { start, trees, treeStart, order, blockStart, first: blockFirst, width, column } = p
  const from = start[trees[treeStart[k]]]
  const to = start[trees[treeStart[k]] + 1]
  const { first, at } = H
  for (let i = from; i < to; i++) first[i] = A.first[i]
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const e = blockFirst[order[o]]
    const lowest = column[e]
    for (let c = e + 1; c < e + width[order[o]]; c++) if (lowest < first[column[c]]) first[column[c]] = lowest
  }
  let size = 0
  p.number[FACTOR] = 0
  for (let i = from; i < to; i++) {
    at[i] = size - first[i]
    size += i + 1 - first[i]
    p.number[FACTOR] += 0.5 * (i - first[i]) * (i - first[i])
  }
  if (size > H.value.length) H.value = new Float64Array(2 * size)
}

/** H ← A + Jᵀ G J */
function fillEnvelope(H: Envelope, A: Envelope, p: ConvexProblem, k: number): void {
  const { start, trees, treeStart, order, blockStart, first: blockFirst, width, column } = p
  const { first, at, value: L } = H
  const tree = trees[treeStart[k]]
  for (let i = start[tree]; i < start[tree + 1]; i++) {
    for (let j = first[i]; j < A.first[i]; j++) L[at[i] + j] = 0
    for (let j = A.first[i]; j <= i; j++) L[at[i] + j] = A.value[A.at[i] + j]
  }
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const b = order[o]
    const added = blockProduct(p, b)
    if (!added) continue
    const c = blockFirst[b]
    const n = width[b]
    for (let e = 0; e < n; e++) {
      const row = at[column[c + e]]
      for (let f = 0; f <= e; f++) L[row + column[c + f]] += added[e * n + f]
    }
  }
}

/** H ← its Cholesky factor, the diagonal inverted in `inverse`. */
function factorEnvelope({ first, at, value: L }: Envelope, inverse: Vec, { start, trees, treeStart }: ConvexProblem, k: number): boolean {
  const tree = trees[treeStart[k]]
  for (let i = start[tree]; i < start[tree + 1]; i++) {
    const a = at[i]
    const from = first[i]
    let pivot = L[a + i]
    for (let j = from; j < i; j++) {
      const b = at[j]
      let sum = L[a + j]
      for (let c = from > first[j] ? from : first[j]; c < j; c++) sum -= L[a + c] * L[b + c]
      sum *= inverse[j]
      L[a + j] = sum
      pivot -= sum * sum
    }
    if (!(pivot > 0)) return false
    inverse[i] = 1 / Math.sqrt(pivot)
  }
  return true
}

function solveEnvelope({ first, at, value: L }: Envelope, inverse: Vec, p: ConvexProblem, x: Vec, k: number): void {
  const tree = p.trees[p.treeStart[k]]
  const from = p.start[tree]
  const to = p.start[tree + 1]
  for (let i = from; i < to; i++) {
    let sum = x[i]
    for (let j = first[i]; j < i; j++) sum -= L[at[i] + j] * x[j]
    x[i] = sum * inverse[i]
  }
  for (let i = to - 1; i >= from; i--) {
    const value = x[i] * inverse[i]
    x[i] = value
    for (let j = first[i]; j < i; j++) x[j] -= L[at[i] + j] * value
  }
}
