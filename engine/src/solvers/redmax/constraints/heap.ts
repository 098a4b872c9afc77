/**
 * Limits, friction and contacts of many bodies that no equality and no spring joins: columns Y = A⁻¹ Gᵀ and sweeps only where a row has
 * entries.
 *
 * A is block-diagonal over the trees that stand on the world, so that one solve with A serves a row of every tree at a time: as many solves as
 * the busiest tree has rows, instead of one a row.
 */
import type { ReducedRows } from '../../../constraints/rows/reduce.js'
import { solvePrimal } from '../../../contact/solve/cone-primal.js'
import {
  createSparseRows,
  prepareSparse,
  reserveSparse,
  type SparseRows,
  sparseGaussSeidel,
  velocityOfForces,
} from '../../../contact/solve/cone-sparse.js'
import { type ConePrimal, createConePrimal, reservePrimal } from '../../../contact/solve/island-rows.js'
import { findIslands, reserveIslands } from '../../../contact/solve/islands.js'
import { type Complementarity, resetRows } from '../../../contact/solve/lcp.js'
import { cholesky, choleskySolve } from '../../../linalg/dense/cholesky.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import type { Linear } from '../matrix/auto.js'
import { addRowDot, HELD, type makeWork, NEARLY } from './constraint-work.js'
import { askRows, letOverlap, type Unilateral } from './unilateral.js'

type Work = ReturnType<typeof makeWork>

export interface Heap {
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

// to what tolerance sweeps go on, and how many at most
const FAIR = 1e-5
const SWEEPS = 200
// what a stack at rest is held to, and how many sweeps go before
const EXACT = 1e-9
const FIRST = 30

export function createHeap(m: Model): Heap {
  const { nv, nbody, parent, iv, ivEnd } = m
  const root = new Int32Array(nbody)
  const tree = new Int32Array(nv)
  let trees = 0
  for (let i = 1; i < nbody; i++) {
    root[i] = parent[i] === 0 ? trees++ : root[parent[i]]
    for (let k = iv[i]; k < ivEnd[i]; k++) tree[k] = root[i]
  }
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
export function fillHeap(h: Heap, { G, start, dof, count }: ReducedRows, linear: Linear): boolean {
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
function invert(h: Heap, linear: Linear): boolean {
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
 * λ of all rows by sweeps, and x ← the constrained velocity, or, where v is given, its correction (as `askRows` of `unilateral`). False where
 * rows miss what they ask for by more than a share of it.
 */
export function solveHeap(h: Heap, u: Unilateral, work: Work, x: Vec, v: Vec | undefined, clock: Vec, spans: Vec, o: number): boolean {
  const { G, p, lambda } = work
  const n = G.count
  // an iteration starts from the forces of the last one
  for (let r = 0; r < n; r++) lambda[r] = v === undefined ? 0 : p.lambda[r]
  resetRows(p, n)
  for (let r = 0; r < n; r++) {
    p.lambda[r] = lambda[r]
    addRowDot(p.r, r, G, r, h.nv, x, 0)
  }
  askRows(u, p, 0, G.G, v, clock, spans, o)
  prepareSparse(h.rows, p)
  const most = v === undefined ? HELD : NEARLY
  let held = isHeld(h, p, most)
  // an overlap that cannot open may stay, or grow, without the boundless forces that could not open it
  for (; !held && v !== undefined && letOverlap(u, p, clock); held = isHeld(h, p, most)) p.lambda.fill(0, 0, p.n)
  const { y } = h.rows
  if (held) for (let k = 0; k < h.nv; k++) x[k] += y[k]
  return held
}

/**
 * λ of the rows; false where they miss what they ask for by more than a share. Sweeps first: they find out what touches and what slips. What sticks, as
 * a stack does, they are slow to settle, and Newton's method is not.
 */
function isHeld(h: Heap, p: Complementarity, most: number): boolean {
  if (sparseGaussSeidel(h.rows, p, EXACT, FIRST).residual <= EXACT) return true
  if (solveBetter(h, p) <= FAIR) return true
  return sparseGaussSeidel(h.rows, p, FAIR, SWEEPS).residual < most
}

/** Newton's method from λ, which stays where it finds nothing better. The residual. */
function solveBetter(h: Heap, p: Complementarity): number {
  const { way } = h.rows
  const { residual } = p.report
  for (let r = 0; r < p.n; r++) way[r] = p.lambda[r]
  if (solvePrimal(h.primal, h.rows, p, EXACT).residual <= residual) return p.report.residual
  for (let r = 0; r < p.n; r++) p.lambda[r] = way[r]
  velocityOfForces(h.rows, p)
  p.report.residual = residual
  return residual
}
