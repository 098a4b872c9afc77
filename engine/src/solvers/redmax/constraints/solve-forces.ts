/**
 * The second stage of a constrained step: forces λ of the rows found, and the velocity with them.
 *
 *   x ← x + Y λ,   D λ + r = w,   w = 0 of equalities, w ≥ 0 ⊥ λ ≥ 0 of limits and contacts, friction within its cone
 * Three ways to the same forces: many rows that nothing joins, without D (`solve-contacts`); many loops inside the elimination
 * (`eliminated-loops`); all others, and whatever the second cannot tell apart, over D with the equalities taken out (`condense`).
 */
import { conflict } from '../../../constraints/rows/limits.js'
import { type Complementarity, resetRows } from '../../../contact/solve/lcp.js'
import { isSparseBetter, prepareSparseRows, solveContacts, takeSparseRows } from '../../../contact/solve/solve-contacts.js'
import type { Vec } from '../../../math/types.js'
import { bringBack, condense } from './condense.js'
import { addDot, addRowDot, STEP } from './constraint-work.js'
import { closeLoops, condenseLoops, type EliminatedLoops, explainGivenUp, isGivenUp, pushLoops, takeBack } from './eliminated-loops.js'
import { factorEqualities, solveEqualities } from './equalities.js'
import { assembleRows } from './find-rows.js'
import type { StepConstraints } from './step-constraints.js'
import { askUnilateral, relaxOverlaps } from './unilateral.js'

// share of what unilateral rows ask for that they may miss: of a whole step; of an iteration, which is followed by another
const STEP_TOLERANCE = 1e-3
const ITERATION_TOLERANCE = 0.05

// outcomes of the elimination: all rows hold; limits or contacts cannot; x is as it was, and D must do
const SOLVED = 0
const CONFLICT = 1
const NOT_TOLD_APART = 2

/**
 * x ← the constrained velocity, or where v is given its correction: equalities are to close, limits, friction and contacts to hold, in the step
 * of the clock that goes on with v + x. The linear solver must be prepared. False, with the trouble, where that cannot be.
 */
export function constrainVelocity(c: StepConstraints, x: Vec, v: Vec | undefined, clock: Vec): boolean {
  // short by itself: a long function that mostly returns at once is compiled late, and boxes numbers until then
  c.trouble = ''
  c.span[0] = clock[STEP]
  if (c.work.G.count === 0) return true
  if (isSparse(c)) return solveSparse(c, x, v, clock)
  return c.isEliminated && c.eliminated ? solveEliminated(c, c.eliminated, x, v, clock) : solveDense(c, x, v, clock)
}

/** Whether there are many rows, on bodies that nothing else joins. */
function isSparse({ equalities, work, linear }: StepConstraints): boolean {
  return isSparseBetter(work.G.count, equalities.rows.count === 0 && linear.name === 'recursive')
}

/** Without D, and without equalities. */
function solveSparse(c: StepConstraints, x: Vec, v: Vec | undefined, clock: Vec): boolean {
  const { m, linear, unilateral, contactSolver, work } = c
  const { G, p, lambda } = work
  const n = G.count
  if (!takeSparseRows(contactSolver, G, linear)) return fail(c, linear.trouble)
  // an iteration starts from the forces of the last one
  for (let r = 0; r < n; r++) lambda[r] = v === undefined ? 0 : p.lambda[r]
  resetRows(p, n)
  for (let r = 0; r < n; r++) {
    p.lambda[r] = lambda[r]
    addRowDot(p.r, r, G, r, m.nv, x, 0)
  }
  askUnilateral(unilateral, p, 0, G.G, v, clock)
  prepareSparseRows(contactSolver, p)
  if (!solveUnilateral(c, p, true, v !== undefined, clock)) return fail(c, conflictAt(c, p.report.worst))
  const { y } = contactSolver.many.rows
  for (let k = 0; k < m.nv; k++) x[k] += y[k]
  return true
}

/** Equalities in the elimination; over D where that cannot tell their rows apart. */
function solveEliminated(c: StepConstraints, e: EliminatedLoops, x: Vec, v: Vec | undefined, clock: Vec): boolean {
  const { equalities, linear, work } = c
  const outcome = tryElimination(c, e, x, v, clock)
  e.isSolved = outcome === SOLVED
  if (e.isSolved) return true
  if (outcome === CONFLICT) return fail(c, conflictAt(c, equalities.count + work.free.report.worst))
  takeBack(e, work, x)
  if (isGivenUp(e, equalities)) return fail(c, explainGivenUp(equalities, work.p.lambda))
  if (linear.closed && !linear.open(x)) return false
  assembleRows(c, false)
  return solveDense(c, x, v, clock)
}

function tryElimination(c: StepConstraints, e: EliminatedLoops, x: Vec, v: Vec | undefined, clock: Vec): number {
  const { m, equalities, unilateral, linear, work } = c
  const { G, p } = work
  const first = equalities.count
  if (!closeLoops(e, equalities, work, linear, x, v, clock)) return NOT_TOLD_APART
  if (G.count === first) return SOLVED
  for (let r = first; r < G.count; r++) addRowDot(p.r, r, G, r, m.nv, x, 0)
  askUnilateral(unilateral, p, first, G.G, v, clock)
  if (!condenseLoops(e, work, linear, first, m.nv)) return NOT_TOLD_APART
  if (!solveUnilateral(c, work.free, false, v !== undefined, clock)) return CONFLICT
  return pushLoops(e, work, x, first, m.nv) ? SOLVED : NOT_TOLD_APART
}

/** Over D, which is formed. */
function solveDense(c: StepConstraints, x: Vec, v: Vec | undefined, clock: Vec): boolean {
  const { m, equalities, linear, work } = c
  const { G, Y, p } = work
  const { nv } = m
  const n = G.count
  const first = equalities.count
  if (c.eliminated) c.eliminated.isSolved = false
  for (let r = 0; r < n; r++) work.columns[r].fill(0)
  if (!linear.solveColumns(work.columns, work.rows, n)) return fail(c, linear.trouble)
  // an iteration starts from the forces of the last one
  if (v !== undefined) for (let r = 0; r < n; r++) work.lambda[r] = p.lambda[r]
  resetRows(p, n)
  if (v !== undefined) for (let r = first; r < n; r++) p.lambda[r] = work.lambda[r]
  for (let r = 0; r < n; r++) {
    for (let s = 0; s <= r; s++) {
      p.D[r * n + s] = 0
      addRowDot(p.D, r * n + s, G, r, nv, Y, s * nv)
      p.D[s * n + r] = p.D[r * n + s]
    }
    addRowDot(p.r, r, G, r, nv, x, 0)
  }
  askEqualities(c, v, clock)
  askUnilateral(c.unilateral, p, first, G.G, v, clock)

  factorEqualities(equalities, p)
  const pushed = n === first || solveCondensed(c, first, v !== undefined, clock)
  // a correction on the way may ask for more than the loops allow; only a whole step may not
  const closed = first === 0 || solveEqualities(equalities, p) || v !== undefined
  if (!pushed) return fail(c, conflictAt(c, first + (first > 0 ? work.free : p).report.worst))
  if (!closed) return fail(c, equalities.trouble)
  for (let r = 0; r < n; r++) {
    const lambda = p.lambda[r]
    if (lambda !== 0) for (let k = 0; k < nv; k++) x[k] += lambda * Y[r * nv + k]
  }
  return true
}

/** p.r ← what the equalities ask for, and the rates that are held behind them. */
function askEqualities({ m, equalities, work: { G, p }, rate, mismatch }: StepConstraints, v: Vec | undefined, clock: Vec): void {
  const { rows, count } = equalities
  if (v === undefined) {
    for (let r = 0; r < rows.count; r++) p.r[r] -= rows.target[r] - (rate[0] > 0 ? rate[0] * rows.g[r] : 0)
    return
  }
  for (let r = 0; r < count; r++) {
    if (r < rows.count && rows.byRate[r] === 0) {
      p.r[r] += rows.g[r] / clock[STEP]
      continue
    }
    mismatch[0] = r < rows.count ? -rows.target[r] : 0
    addDot(mismatch, 0, G.G, r * m.nv, v, 0, m.nv)
    p.r[r] += mismatch[0]
  }
}

/** λ of limits, friction and contacts, with the equalities taken out, and what that leaves these to do. */
function solveCondensed(c: StepConstraints, first: number, floors: boolean, clock: Vec): boolean {
  const { p, free, W } = c.work
  const rows = first > 0 ? free : p
  if (first > 0) condense(free, p, first, c.equalities.ldl, W)
  const solved = solveUnilateral(c, rows, false, floors, clock)
  if (first > 0) bringBack(p, first, free)
  return solved
}

/** λ of these rows; an overlap that cannot open may stay, or grow, without the boundless forces that could not open it. */
function solveUnilateral(c: StepConstraints, rows: Complementarity, sparse: boolean, floors: boolean, clock: Vec): boolean {
  const tolerance = floors ? ITERATION_TOLERANCE : STEP_TOLERANCE
  let solved = solveContacts(c.contactSolver, rows, sparse, tolerance)
  while (!solved && floors && relaxOverlaps(c.unilateral, rows, clock)) {
    rows.lambda.fill(0, 0, rows.n)
    solved = solveContacts(c.contactSolver, rows, sparse, tolerance)
  }
  return solved
}

/** What row `worst` cannot hold together with, by name. Allocates. */
function conflictAt({ m, equalities, unilateral: { limits, contacts, rubbing }, work }: StepConstraints, worst: number): string {
  const first = equalities.count
  return conflict(m, equalities.rows, limits, contacts, work.p.lambda, first, first + limits.count + rubbing.length, worst)
}

function fail(c: StepConstraints, trouble: string): false {
  c.trouble = trouble
  return false
}
