/**
 * Limits, friction and contacts of many bodies that no equality and no spring joins: columns Y = A⁻¹ Gᵀ and sweeps only where a row has
 * entries.
 *
 * A is block-diagonal over the trees that stand on the world, so that one solve with A serves a row of every tree at a time: as many solves as
 * the busiest tree has rows, instead of one a row.
 */
import type { ReducedRows } from '../../constraints/reduce.js'
import { createSparseRows, prepareSparse, reserveSparse, type SparseRows, sparseGaussSeidel } from '../../linalg/cone-sparse.js'
import { resetRows } from '../../linalg/lcp.js'
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import type { Linear } from './auto.js'
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
  /** row in which a tree was met last, and which of its rows that is; parts of rows by that number */
  readonly met: Int32Array
  readonly busy: Int32Array
  /** of every part of a row in a tree: first entry, tree, number among the rows of the tree; the same in the order of that number */
  part: Int32Array
  order: Int32Array
  readonly b: Vec
  readonly x: Vec
}

// to what tolerance sweeps go on, and how many at most
const FAIR = 1e-5
const SWEEPS = 200
// numbers of a part
const FIRST = 0
const TREE = 1
const NUMBER = 2
const PART = 3

export function createHeap(m: Model): Heap {
  const { nv, nbody, parent, iv } = m
  const root = new Int32Array(nbody)
  const tree = new Int32Array(nv)
  let trees = 0
  for (let i = 1; i < nbody; i++) {
    root[i] = parent[i] === 0 ? trees++ : root[parent[i]]
    for (let k = iv[i]; k < iv[i + 1]; k++) tree[k] = root[i]
  }
  const treeStart = new Int32Array(trees + 1)
  for (let k = 0; k < nv; k++) treeStart[tree[k] + 1]++
  for (let t = 0; t < trees; t++) treeStart[t + 1] += treeStart[t]
  const treeDof = new Int32Array(nv)
  const filled = treeStart.slice()
  for (let k = 0; k < nv; k++) treeDof[filled[tree[k]]++] = k
  return {
    rows: createSparseRows(nv),
    nv,
    tree,
    treeStart,
    treeDof,
    met: new Int32Array(trees),
    busy: new Int32Array(trees),
    part: new Int32Array(0),
    order: new Int32Array(0),
    b: new Float64Array(nv),
    x: new Float64Array(nv),
  }
}

/** Reads G. Writes the sparse rows; the linear solver must be prepared, and its matrix block-diagonal over trees. */
export function fillHeap(h: Heap, { G, start, dof, count }: ReducedRows, linear: Linear): boolean {
  const { rows: s, nv, tree, treeStart, treeDof, met, busy, b, x } = h
  // first the number of entries, and of parts
  let entries = 0
  let parts = 0
  met.fill(-1)
  for (let r = 0; r < count; r++) {
    for (let e = start[r]; e < start[r + 1]; e++) {
      const t = tree[dof[e]]
      if (met[t] === r) continue
      met[t] = r
      parts++
      entries += treeStart[t + 1] - treeStart[t]
    }
  }
  reserveSparse(s, count, entries)
  if (PART * parts > h.part.length) {
    h.part = new Int32Array(2 * PART * parts)
    h.order = new Int32Array(2 * parts)
  }

  // rows with all velocities of the trees they touch
  const { part, order } = h
  met.fill(-1)
  busy.fill(0)
  let at = 0
  let n = 0
  let most = 0
  for (let r = 0; r < count; r++) {
    for (let e = start[r]; e < start[r + 1]; e++) {
      const t = tree[dof[e]]
      if (met[t] === r) continue
      met[t] = r
      part[PART * n + FIRST] = at
      part[PART * n + TREE] = t
      part[PART * n + NUMBER] = busy[t]++
      if (busy[t] > most) most = busy[t]
      n++
      for (let k = treeStart[t]; k < treeStart[t + 1]; k++) {
        s.dof[at] = treeDof[k]
        s.G[at++] = G[r * nv + treeDof[k]]
      }
    }
    s.start[r + 1] = at
  }

  // the first rows of all trees in one solve, then the second ones …
  let taken = 0
  for (let number = 0; number < most; number++) {
    const from = taken
    b.fill(0)
    for (let k = 0; k < n; k++) {
      if (part[PART * k + NUMBER] !== number) continue
      order[taken++] = k
      const t = part[PART * k + TREE]
      let e = part[PART * k + FIRST]
      for (let i = treeStart[t]; i < treeStart[t + 1]; i++) b[treeDof[i]] = s.G[e++]
    }
    x.fill(0)
    if (!linear.solve(x, b)) return false
    for (let k = from; k < taken; k++) {
      const p = PART * order[k]
      const t = part[p + TREE]
      let e = part[p + FIRST]
      for (let i = treeStart[t]; i < treeStart[t + 1]; i++) s.Y[e++] = x[treeDof[i]]
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
  let held = sparseGaussSeidel(h.rows, p, FAIR, SWEEPS).residual < most
  // an overlap that cannot open may stay, or grow
  while (!held && v !== undefined && letOverlap(u, p, clock)) held = sparseGaussSeidel(h.rows, p, FAIR, SWEEPS).residual < most
  const { y } = h.rows
  if (held) for (let k = 0; k < h.nv; k++) x[k] += y[k]
  return held
}
