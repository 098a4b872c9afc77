/**
 * Forces of limits, friction and contacts: the one entry to the solvers of this folder, which chooses among them.
 *
 *   w = D λ + r,  0 ≤ λ_n ⊥ w_n ≥ 0,  |λ_t| ≤ μ λ_n,  w_t = 0 or along −λ_t       (`lcp`, cones in `cone`)
 * Few rows: Newton's method on cones, and where masses lie too far apart for it, pivoting first. More: sweeps over D. Many rows on trees that
 * nothing else joins: D is never formed (`many-contacts`).
 */
import type { Model } from '../../model/model.js'
import { coneGaussSeidel } from './cone.js'
import { type ConeSolver, createConeSolver, solveCone } from './cone-newton.js'
import { prepareSparse } from './cone-sparse.js'
import { type Complementarity, isSolved } from './lcp.js'
import { createPivotSolver, type PivotSolver, solvePivoting } from './lcp-pivot.js'
import {
  type BlockSolver,
  createManyContacts,
  fillManyContacts,
  type ManyContacts,
  type RowsOfTrees,
  SWEEP_TOLERANCE,
  SWEEPS,
  solveManyContacts,
} from './many-contacts.js'

export interface ContactSolver {
  capacity: number
  cone: ConeSolver
  pivot: PivotSolver
  readonly many: ManyContacts
}

// m/s or rad/s: rows that miss less hold
const STILL = 1e-9
// up to so many rows exact forces from any start cost less than remembering them; from there on warm starts and sparse rows pay
const FEW_ROWS = 30
// rows of D up to which exact forces are worth their cube: beyond, they would cost ten times the step
const EXACT_ROWS = 150

export function createContactSolver(m: Model, capacity: number): ContactSolver {
  return {
    capacity,
    cone: createConeSolver(capacity),
    pivot: createPivotSolver(capacity),
    many: createManyContacts(m),
  }
}

/** Makes room for so many rows. Allocates where there is less. */
export function reserveContactSolver(s: ContactSolver, capacity: number): void {
  if (capacity <= s.capacity) return
  s.capacity = capacity
  s.cone = createConeSolver(capacity)
  s.pivot = createPivotSolver(capacity)
}

/** Whether so many rows are worth a warm start: fewer are solved exactly from any, and from none they share a load as evenly as they lie. */
export function isWarmStarted(rows: number): boolean {
  return rows > FEW_ROWS
}

/** Whether these rows can go without D. `separate`: nothing joins trees, so that A is block-diagonal over them. */
export function isSparseBetter(rows: number, separate: boolean): boolean {
  return separate && rows > FEW_ROWS
}

/** Takes up rows without D, of a matrix A that is block-diagonal over trees; false where A cannot be solved with. */
export function takeSparseRows(s: ContactSolver, rows: RowsOfTrees, linear: BlockSolver): boolean {
  return fillManyContacts(s.many, rows, linear)
}

/** Reads what the rows taken up ask for: r and bounds of p. To be called before `solveContacts` of sparse rows. */
export function prepareSparseRows(s: ContactSolver, p: Complementarity): void {
  prepareSparse(s.many.rows, p)
}

/**
 * Reads p, with λ as the warm start, and its D, or where `sparse` the rows taken up last. Writes λ; false where rows miss more than this share
 * of what they ask for.
 */
export function solveContacts(s: ContactSolver, p: Complementarity, sparse: boolean, tolerance: number): boolean {
  if (sparse) return solveManyContacts(s.many, p, tolerance)
  if (p.n > EXACT_ROWS) return coneGaussSeidel(s.cone.cone, p, SWEEP_TOLERANCE, SWEEPS).residual < tolerance
  solveCone(s.cone, p)
  if (isSolved(p, tolerance, STILL)) return true
  p.lambda.fill(0, 0, p.n)
  solvePivoting(s.pivot, p)
  solveCone(s.cone, p)
  return isSolved(p, tolerance, STILL)
}
