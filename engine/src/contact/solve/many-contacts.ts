/**
 * Limits, friction and contacts of many bodies that no equality and no spring joins: columns Y = A⁻¹ Gᵀ and sweeps only where a row has
 * entries.
 *
 * A is block-diagonal over the trees that stand on the world, so that one solve with A serves a row of every tree at a time: as many solves as
 * the busiest tree has rows, instead of one a row.
 */
import { cholesky, choleskySolve } from '../../linalg/dense/cholesky.js'
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import { solvePrimal } from './cone-primal.js'
import { createSparseRows, reserveSparse, type SparseRows, sparseGaussSeidel, velocityOfForces } from './cone-sparse.js'
import { type ConePrimal, createConePrimal, reservePrimal } from './island-rows.js'
import { findIslands, reserveIslands } from './islands.js'
import type { Complementarity } from './lcp.js'

/** Rows G (count × nv) with their columns that are not zero, and who solves A x = b. */
export interface RowsOfTrees {
  readonly G: Vec
  readonly start: Int32Array
  readonly dof: Int32Array
  readonly count: number
}
export interface BlockSolver {
  solve(x: Vec, b: Vec): boolean
}

export interface ManyContacts {
  readonly rows: SparseRows
  readonly nv: number
  /** tree of every velocity; velocities by tree */
  readonly tree: Int32Array
  readonly treeStart: Int32Array
  readonly treeDof: Int32Array
  /** row in which a tree was met last; 1 for trees with rows */
  readonly met: Int32Array
  readonly busy: Int32Array
  /** A⁻¹ of every tree, placed as A in `primal`; scratch for one of them */
  readonly inverse: Vec
  readonly factor: Vec
  readonly primal: ConePrimal
  readonly b: Vec
  readonly x: Vec
}

/** Of what rows ask for: what sweeps are content with, and how many there are at most; fewer let a heap sink in, more cost a multiple of the step. */
export const SWEEP_TOLERANCE = 1e-5
export const SWEEPS = 200
// what a stack at rest is solved to: less, and it creeps; sweeps that find out what touches before Newton's method is worth its factor
const EXACT = 1e-9
const FIRST_SWEEPS = 30

export function createManyContacts(m: Model): ManyContacts {
  const { nv, nbody, parent, velocityBody } = m
  const root = new Int32Array(nbody)
  const tree = new Int32Array(nv)
  let trees = 0
  for (let i = 1; i < nbody; i++) root[i] = parent[i] === 0 ? trees++ : root[parent[i]]
  for (let k = 0; k < nv; k++) tree[k] = root[velocityBody[k]]
  const treeStart = new Int32Array(trees + 1)
  for (let k = 0; k < nv; k++) treeStart[tree[k] + 1]++
  for (let t = 0; t < trees; t++) treeStart[t + 1] += treeStart[t]
  const treeDof = new Int32Array(nv)
  const filled = treeStart.slice()
  for (let k = 0; k < nv; k++) treeDof[filled[tree[k]]++] = k
  const primal = createConePrimal(nv, treeStart, treeDof)
  return {
    rows: createSparseRows(nv),
    nv,
    tree,
    treeStart,
    treeDof,
    met: new Int32Array(trees),
    busy: new Int32Array(trees),
    inverse: new Float64Array(primal.A.length),
    factor: new Float64Array(primal.A.length),
    primal,
    b: new Float64Array(nv),
    x: new Float64Array(nv),
  }
}

/** Reads G. Writes the sparse rows, A and the islands; the linear solver must be prepared, and its matrix block-diagonal over trees. */
export function fillManyContacts(h: ManyContacts, { G, start, dof, count }: RowsOfTrees, linear: BlockSolver): boolean {
  const { rows: s, nv, tree, treeStart, treeDof, met, busy, primal } = h
  const { islands } = primal
  // first the number of entries, and of parts
  let entries = 0
  let parts = 0
  met.fill(-1)
  busy.fill(0)
  for (let r = 0; r < count; r++) {
    for (let e = start[r]; e < start[r + 1]; e++) {
      const t = tree[dof[e]]
      if (met[t] === r) continue
      met[t] = r
      busy[t] = 1
      parts++
      entries += treeStart[t + 1] - treeStart[t]
    }
  }
  reserveSparse(s, count, entries)
  reserveIslands(islands, count, parts)
  reservePrimal(primal, count, nv)
  if (!invert(h, linear)) return false

  // rows with all velocities of the trees they touch
  const { inverse } = h
  met.fill(-1)
  let at = 0
  let n = 0
  for (let r = 0; r < count; r++) {
    islands.partStart[r] = n
    for (let e = start[r]; e < start[r + 1]; e++) {
      const t = tree[dof[e]]
      if (met[t] === r) continue
      met[t] = r
      islands.of[n++] = t
      const from = treeStart[t]
      const size = treeStart[t + 1] - from
      for (let i = 0; i < size; i++) {
        let sum = 0
        for (let j = 0; j < size; j++) sum += inverse[primal.at[t] + size * i + j] * G[r * nv + treeDof[from + j]]
        s.dof[at] = treeDof[from + i]
        s.G[at] = G[r * nv + treeDof[from + i]]
        s.Y[at++] = sum
      }
    }
    s.start[r + 1] = at
  }
  islands.partStart[count] = n
  findIslands(islands, count)
  return true
}

/** Reads which trees are busy. Writes A⁻¹ and A of their blocks: one solve serves a column of every tree. */
function invert(h: ManyContacts, linear: BlockSolver): boolean {
  const { treeStart, treeDof, busy, b, x, inverse, primal } = h
  let widest = 0
  for (let t = 0; t < busy.length; t++) if (busy[t] > 0) widest = Math.max(widest, treeStart[t + 1] - treeStart[t])
  for (let k = 0; k < widest; k++) {
    b.fill(0)
    for (let t = 0; t < busy.length; t++) if (busy[t] > 0 && treeStart[t] + k < treeStart[t + 1]) b[treeDof[treeStart[t] + k]] = 1
    x.fill(0)
    if (!linear.solve(x, b)) return false
    for (let t = 0; t < busy.length; t++) {
      const size = treeStart[t + 1] - treeStart[t]
      if (busy[t] > 0 && k < size) for (let i = 0; i < size; i++) inverse[primal.at[t] + size * i + k] = x[treeDof[treeStart[t] + i]]
    }
  }
  for (let t = 0; t < busy.length; t++) {
    if (busy[t] === 0) continue
    const size = treeStart[t + 1] - treeStart[t]
    const o = primal.at[t]
    for (let e = o; e < o + size * size; e++) h.factor[e - o] = inverse[e]
    if (!cholesky(h.factor, 0, size)) return false
    for (let k = 0; k < size; k++) {
      for (let i = 0; i < size; i++) b[i] = i === k ? 1 : 0
      choleskySolve(h.factor, 0, size, b, 0, 1)
      for (let i = 0; i < size; i++) primal.A[o + size * i + k] = b[i]
    }
  }
  return true
}

/**
 * Reads the sparse rows and p. Writes λ and y = Y λ; false where the rows miss more than this share of what they ask for. Sweeps first: they
 * find out what touches and what slips. What sticks, as a stack does, they are slow to settle, and Newton's method is not.
 */
export function solveManyContacts(h: ManyContacts, p: Complementarity, tolerance: number): boolean {
  if (sparseGaussSeidel(h.rows, p, EXACT, FIRST_SWEEPS).residual <= EXACT) return true
  if (improveForces(h, p) <= SWEEP_TOLERANCE) return true
  return sparseGaussSeidel(h.rows, p, SWEEP_TOLERANCE, SWEEPS).residual < tolerance
}

/** Newton's method from λ, which stays where it finds nothing better. The residual. */
function improveForces(h: ManyContacts, p: Complementarity): number {
  const { way } = h.rows
  const { residual } = p.report
  for (let r = 0; r < p.n; r++) way[r] = p.lambda[r]
  if (solvePrimal(h.primal, h.rows, p, EXACT).residual <= residual) return p.report.residual
  for (let r = 0; r < p.n; r++) p.lambda[r] = way[r]
  velocityOfForces(h.rows, p)
  p.report.residual = residual
  return residual
}
