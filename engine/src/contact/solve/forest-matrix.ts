/**
 * The matrix of a contact problem where it is known by its entries: A over a forest, and H = A + Jᵀ G J of the island at hand.
 *
 * Unknowns of a tree are ordered leaves first. Row i of A then holds the columns first[i] … i, those of its subtree, and no others: the envelope of a
 * tree is its own sparsity, and elimination fills nothing in. Blocks with the ground touch one path to the root and keep that; blocks within a
 * tree widen the rows above them. So an island of one tree is an envelope. One of several is dense blocks between the trees that contacts join,
 * eliminated by minimum degree (`tree-blocks`); a free body is a tree of six unknowns. [GeorgeLiu]
 */
import { type InMemory, resize, takeRecord } from '../../kernels/records.js'
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import type { ContactArena } from '../arena.js'
import { blockProduct, type Envelope, type FactorSpace } from './block-product.js'
import { type ConvexProblem, FACTOR, type PlacedProblem, ROWS, SPENT, type StepMatrix, type Unknowns } from './problem.js'
import { createTreeBlocks, reserveMeetings, type TreeBlocks } from './tree-blocks.js'

export interface ForestMatrix extends StepMatrix {
  readonly A: Envelope & InMemory
}

/** `first`: the first column of each row, which is the first unknown of its subtree. */
export function createForestMatrix(u: Unknowns, first: Int32Array, arena: ContactArena): ForestMatrix {
  const { n } = u
  const size = first.reduce((sum, from, i) => sum + i + 1 - from, 0)
  const lengths = { first: n, row: n, value: size }
  const A = takeRecord<Envelope>(arena, 'Envelope', lengths)
  const H = takeRecord<Envelope>(arena, 'Envelope', lengths)
  const space = takeRecord<FactorSpace>(arena, 'FactorSpace', { inverse: n, JGJ: 0, GJ: 0 })
  const blocks = createTreeBlocks(u, arena)
  let end = 0
  for (let i = 0; i < n; i++) {
    A.first[i] = first[i]
    A.row[i] = end - first[i]
    end += i + 1 - first[i]
  }
  const isOne = (p: PlacedProblem, k: number): boolean => p.treeStart[k + 1] - p.treeStart[k] === 1
  return {
    A,
    multiply: (p, k) => arena.routines.multiplyForest(A.at, p.at, p.Ax.byteOffset, p.x.byteOffset, k),
    multiplyDirection: (p, k) => arena.routines.multiplyForest(A.at, p.at, p.Ap.byteOffset, p.p.byteOffset, k),
    plan(p, k) {
      const { widest } = p
      if (widest * widest > space.JGJ.length) resize(space, { JGJ: 2 * widest * widest, GJ: 2 * ROWS * widest })
      if (isOne(p, k)) resize(H, { value: arena.routines.planEnvelope(H.at, A.at, p.at, k) })
      else planTrees(blocks, p, k)
    },
    factor: (p, k) =>
      (isOne(p, k)
        ? arena.routines.factorEnvelope(H.at, A.at, space.at, p.at, k)
        : arena.routines.factorTrees(blocks.at, A.at, space.at, p.at, k)) !== 0,
    solve(p, x, k) {
      if (isOne(p, k)) arena.routines.solveEnvelope(H.at, space.at, p.at, x.byteOffset, k)
      else arena.routines.solveTrees(blocks.at, space.at, p.at, x.byteOffset)
    },
  }

  function planTrees(f: TreeBlocks & InMemory, p: PlacedProblem, k: number): void {
    reserveMeetings(f, p.treeStart[k + 1] - p.treeStart[k])
    const size = arena.routines.planTrees(f.at, p.at, k)
    if (size > f.L.length) resize(f, { L: 2 * size })
  }
}

/** out ← A x on the unknowns of island k @routine */
export function multiplyForest({ first, row, value }: Envelope, p: ConvexProblem, out: Vec, x: Vec, k: Int): void {
  const { start, trees, treeStart } = p
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) {
    for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) {
      const o = row[i]
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

/** Rows of H: those of A, or as wide as the blocks that reach them. How many numbers they are. @routine */
export function planEnvelope(H: Envelope, A: Envelope, p: ConvexProblem, k: Int): Int {
  const { start, trees, treeStart, order, blockStart, first: blockFirst, width, column } = p
  const from = start[trees[treeStart[k]]]
  const to = start[trees[treeStart[k]] + 1]
  const { first, row } = H
  for (let i = from; i < to; i++) first[i] = A.first[i]
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const e = blockFirst[order[o]]
    const lowest = column[e]
    for (let c = e + 1; c < e + width[order[o]]; c++) if (lowest < first[column[c]]) first[column[c]] = lowest
  }
  let size = 0
  p.number[FACTOR] = 0
  for (let i = from; i < to; i++) {
    row[i] = size - first[i]
    size += i + 1 - first[i]
    p.number[FACTOR] += 0.5 * (i - first[i]) * (i - first[i])
  }
  return size
}

/** H ← A + Jᵀ G J */
function fillEnvelope(H: Envelope, A: Envelope, s: FactorSpace, p: ConvexProblem, k: Int): void {
  const { start, trees, treeStart, order, blockStart, first: blockFirst, width, column } = p
  const { first, row, value: L } = H
  const { JGJ } = s
  const tree = trees[treeStart[k]]
  for (let i = start[tree]; i < start[tree + 1]; i++) {
    for (let j = first[i]; j < A.first[i]; j++) L[row[i] + j] = 0
    for (let j = A.first[i]; j <= i; j++) L[row[i] + j] = A.value[A.row[i] + j]
  }
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const b = order[o]
    if (!blockProduct(p, s, b)) continue
    const c = blockFirst[b]
    const n = width[b]
    for (let e = 0; e < n; e++) {
      const to = row[column[c + e]]
      for (let f = 0; f <= e; f++) L[to + column[c + f]] += JGJ[e * n + f]
    }
  }
}

/** H ← the Cholesky factor of A + Jᵀ G J, the diagonal inverted in `inverse`. False where it is not positive definite. @routine */
export function factorEnvelope(H: Envelope, A: Envelope, s: FactorSpace, p: ConvexProblem, k: Int): boolean {
  const { first, row, value: L } = H
  const { inverse } = s
  const { start, trees, treeStart } = p
  p.work[SPENT] += p.number[FACTOR]
  fillEnvelope(H, A, s, p, k)
  const tree = trees[treeStart[k]]
  for (let i = start[tree]; i < start[tree + 1]; i++) {
    const a = row[i]
    const from = first[i]
    let pivot = L[a + i]
    for (let j = from; j < i; j++) {
      const b = row[j]
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

/** x ← H⁻¹ x @routine */
export function solveEnvelope({ first, row, value: L }: Envelope, { inverse }: FactorSpace, p: ConvexProblem, x: Vec, k: Int): void {
  const tree = p.trees[p.treeStart[k]]
  const from = p.start[tree]
  const to = p.start[tree + 1]
  for (let i = from; i < to; i++) {
    let sum = x[i]
    for (let j = first[i]; j < i; j++) sum -= L[row[i] + j] * x[j]
    x[i] = sum * inverse[i]
  }
  for (let i = to - 1; i >= from; i--) {
    const value = x[i] * inverse[i]
    x[i] = value
    for (let j = first[i]; j < i; j++) x[j] -= L[row[i] + j] * value
  }
}
