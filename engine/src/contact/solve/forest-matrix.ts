/**
 * The matrix of a contact problem where it is known by its entries: A over a forest, and H = A + Jᵀ G J of the island at hand.
 *
 * Unknowns of a tree are ordered leaves first. Row i of A then holds the columns first[i] … i, those of its subtree, and no others: the envelope of a
 * tree is its own sparsity, and elimination fills nothing in. Blocks with the ground touch one path to the root and keep that; blocks within a
 * tree widen the rows above them. So an island of one tree is an envelope. One of several is dense blocks between the trees that contacts join,
 * eliminated by minimum degree (`tree-blocks`); a free body is a tree of six unknowns. [GeorgeLiu] Where a tree is too large for entries its matrix is
 * asked for by `outside`.
 */
import { type InMemory, resize, takeRecord } from '../../kernels/records.js'
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import type { ContactArena } from '../arena.js'
import { blockProduct, type Envelope, type FactorSpace } from './block-product.js'
import { factorOutside, multiplyDirectionOutside, multiplyOutside, planOutside, solveOutside } from './outside.js'
import { type ConvexProblem, FACTOR, type PlacedProblem, ROWS, SPENT, type Unknowns } from './problem.js'
import { createTreeBlocks, factorTrees, planTrees, reserveMeetings, solveTrees, type TreeBlocks } from './tree-blocks.js'

/** The matrix of a problem, with what its blocks add to it. @record */
export interface StepMatrix {
  /** 1: it is asked for by `outside`, and the rest is empty */
  isOutside: Int
  readonly A: Envelope
  readonly H: Envelope
  readonly space: FactorSpace
  readonly blocks: TreeBlocks
}

export interface PlacedMatrix extends StepMatrix, InMemory {
  readonly A: Envelope & InMemory
  readonly H: Envelope & InMemory
  readonly space: FactorSpace & InMemory
  readonly blocks: TreeBlocks & InMemory
}

// unknowns of a block that there is room for from the start: those of two free bodies
const WIDTH = 12

/** `first`: the first column of each row, which is the first unknown of its subtree. */
export function createForestMatrix(u: Unknowns, first: Int32Array, arena: ContactArena): PlacedMatrix {
  const { n, start } = u
  // a tree whose parts touch each other has a full triangle
  let largest = 0
  for (let t = 0; t + 1 < start.length; t++) largest = Math.max(largest, start[t + 1] - start[t])
  const matrix = createMatrix(
    u,
    n,
    first.reduce((sum, from, i) => sum + i + 1 - from, 0),
    (largest * (largest + 1)) / 2,
    arena,
  )
  const { A } = matrix
  let end = 0
  for (let i = 0; i < n; i++) {
    A.first[i] = first[i]
    A.row[i] = end - first[i]
    end += i + 1 - first[i]
  }
  return matrix
}

/** That of a problem which `outside` knows. */
export function createOutsideMatrix(u: Unknowns, arena: ContactArena): PlacedMatrix {
  const matrix = createMatrix(u, 0, 0, 0, arena)
  matrix.isOutside = 1
  return matrix
}

function createMatrix(u: Unknowns, n: number, entries: number, most: number, arena: ContactArena): PlacedMatrix {
  const A = takeRecord<Envelope>(arena, 'Envelope', { first: n, row: n, value: entries })
  const H = takeRecord<Envelope>(arena, 'Envelope', { first: n, row: n, value: most })
  const space = takeRecord<FactorSpace>(arena, 'FactorSpace', { inverse: n, JGJ: WIDTH * WIDTH, GJ: ROWS * WIDTH })
  const blocks = createTreeBlocks(u, arena)
  return takeRecord<PlacedMatrix>(arena, 'StepMatrix', {}, { A, H, space, blocks })
}

/** Whether there is room for the blocks of the problem. */
export function hasProducts({ space }: StepMatrix, { widest }: ConvexProblem): boolean {
  return widest * widest <= space.JGJ.length
}

/** Room for the blocks of the problem. Allocates where they are wider than ever before. */
export function reserveProducts(matrix: PlacedMatrix, p: PlacedProblem): void {
  const { widest } = p
  if (!hasProducts(matrix, p)) resize(matrix.space, { JGJ: 2 * widest * widest, GJ: 2 * ROWS * widest })
}

/** Room for island k, for which there was none. */
export function reserveIsland({ blocks }: PlacedMatrix, p: PlacedProblem, k: number): void {
  const trees = p.treeStart[k + 1] - p.treeStart[k]
  if (trees * trees > blocks.meets.length) reserveMeetings(blocks, trees)
  else resize(blocks, { L: 2 * blocks.size })
}

const isOne = ({ treeStart }: ConvexProblem, k: Int): boolean => treeStart[k + 1] - treeStart[k] === 1

/** Looks at what the blocks of island k join, and number[FACTOR] ← the work of a factor. False where there is no room for it. */
export function planFactor(m: StepMatrix, p: ConvexProblem, k: Int): boolean {
  p.number[FACTOR] = 0
  if (m.isOutside) {
    planOutside()
    return true
  }
  if (isOne(p, k)) {
    planEnvelope(m.H, m.A, p, k)
    return true
  }
  const trees = p.treeStart[k + 1] - p.treeStart[k]
  return trees * trees <= m.blocks.meets.length && planTrees(m.blocks, p, k) <= m.blocks.L.length
}

/** Ax ← A x */
export function multiply(m: StepMatrix, p: ConvexProblem, k: Int): void {
  if (m.isOutside) multiplyOutside()
  else multiplyForest(m.A, p, p.Ax, p.x, k)
}

/** Ap ← A p */
export function multiplyDirection(m: StepMatrix, p: ConvexProblem, k: Int): void {
  if (m.isOutside) multiplyDirectionOutside()
  else multiplyForest(m.A, p, p.Ap, p.p, k)
}

/** Factors H = A + Jᵀ G J of island k. False where it is not positive definite. */
export function factorMatrix(m: StepMatrix, p: ConvexProblem, k: Int): boolean {
  if (m.isOutside) return factorOutside()
  p.work[SPENT] += p.number[FACTOR]
  return isOne(p, k) ? factorEnvelope(m.H, m.A, m.space, p, k) : factorTrees(m.blocks, m.A, m.space, p, k)
}

/** p ← H⁻¹ p, with the factor made last */
export function solveDirection(m: StepMatrix, p: ConvexProblem, k: Int): void {
  if (m.isOutside) solveOutside(0)
  else solveForest(m, p, p.p, k)
}

/** Ap ← H⁻¹ Ap */
export function solveColumn(m: StepMatrix, p: ConvexProblem, k: Int): void {
  if (m.isOutside) solveOutside(1)
  else solveForest(m, p, p.Ap, k)
}

function solveForest(m: StepMatrix, p: ConvexProblem, x: Vec, k: Int): void {
  if (isOne(p, k)) solveEnvelope(m.H, m.space, p, x, k)
  else solveTrees(m.blocks, m.space, p, x)
}

/** out ← A x on the unknowns of island k */
function multiplyForest({ first, row, value }: Envelope, p: ConvexProblem, out: Vec, x: Vec, k: Int): void {
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

/** Rows of H: those of A, or as wide as the blocks that reach them. */
function planEnvelope(H: Envelope, A: Envelope, p: ConvexProblem, k: Int): void {
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

/** H ← the Cholesky factor of A + Jᵀ G J, the diagonal inverted in `inverse`. False where it is not positive definite. */
function factorEnvelope(H: Envelope, A: Envelope, s: FactorSpace, p: ConvexProblem, k: Int): boolean {
  const { first, row, value: L } = H
  const { inverse } = s
  const { start, trees, treeStart } = p
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

/** x ← H⁻¹ x */
function solveEnvelope({ first, row, value: L }: Envelope, { inverse }: FactorSpace, p: ConvexProblem, x: Vec, k: Int): void {
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
