/**
 * The second stage of a constrained step: forces λ of the rows found, and the velocity with them.
 *
 * With anything that pushes or rubs, one convex problem of all rows (`convex-step`). Equalities alone: inside the elimination where they are many
 * (`eliminated-loops`); else, and where that cannot tell rows apart, over D = G Y:   x ← x + Y λ,   D λ + r = 0.
 */
import { conflict } from '../../../constraints/rows/limits.js'
import { ROWS } from '../../../contact/solve/problem.js'
import type { Vec } from '../../../math/types.js'
import { addDot, addRowDot, STEP } from './constraint-work.js'
import { solveStep } from './convex-step.js'
import { closeLoops, type EliminatedLoops, explainGivenUp, isGivenUp, takeBack } from './eliminated-loops.js'
import { factorEqualities, solveEqualities } from './equalities.js'
import { assembleRows } from './find-rows.js'
import type { StepConstraints } from './step-constraints.js'
import { worstRow } from './step-impulses.js'

/**
 * x ← the constrained velocity, or where v is given its correction of v in a step that began with v0: equalities are to close, limits, friction
 * and contacts to hold, in the step of the clock. x is A⁻¹ b, with the linear solver prepared, unless the problem is convex. False, with the
 * trouble, where that cannot be.
 */
export function constrainVelocity(c: StepConstraints, x: Vec, v: Vec | undefined, v0: Vec, clock: Vec): boolean {
  c.trouble = ''
  c.span[0] = clock[STEP]
  if (c.isConvex) return solveAll(c, x, v, v0, clock)
  if (c.equalities.count === 0) return true
  return c.isEliminated && c.eliminated ? solveEliminated(c, c.eliminated, x, v, clock) : solveDense(c, x, v, clock)
}

function solveAll(c: StepConstraints, x: Vec, v: Vec | undefined, v0: Vec, clock: Vec): boolean {
  const { convex, equalities, unilateral, work, rate } = c
  if (!solveStep(convex, equalities, unilateral, work.G, x, v, v0, clock, rate)) return fail(c, '')
  if (equalities.count === 0) return true
  const worst = worstRow(convex, unilateral, equalities.count)
  return worst >= 0 ? fail(c, conflictAt(c, worst)) : prepareProjection(c)
}

/** Y and the factor of D, which the projection of the pose needs. */
function prepareProjection(c: StepConstraints): boolean {
  const { linear, equalities } = c
  if (c.eliminated) c.eliminated.isSolved = false
  if (!linear.prepare() || !formSchur(c)) return fail(c, linear.trouble)
  factorEqualities(equalities, c.work)
  return true
}

/** Equalities in the elimination; over D where that cannot tell their rows apart. */
function solveEliminated(c: StepConstraints, e: EliminatedLoops, x: Vec, v: Vec | undefined, clock: Vec): boolean {
  const { equalities, linear, lambda } = c
  e.isSolved = closeLoops(e, equalities, lambda, linear, x, v, clock)
  if (e.isSolved) return true
  takeBack(e, x)
  if (isGivenUp(e, equalities)) return fail(c, explainGivenUp(equalities, lambda))
  if (linear.closed && !linear.open(x)) return false
  assembleRows(c, false)
  return solveDense(c, x, v, clock)
}

/** Over D, which is formed. */
function solveDense(c: StepConstraints, x: Vec, v: Vec | undefined, clock: Vec): boolean {
  const { m, equalities, linear, work, lambda } = c
  const { G, Y, r: miss } = work
  const { nv } = m
  const n = equalities.count
  if (c.eliminated) c.eliminated.isSolved = false
  if (!formSchur(c)) return fail(c, linear.trouble)
  for (let r = 0; r < n; r++) {
    miss[r] = 0
    addRowDot(miss, r, G, r, nv, x, 0)
  }
  askEqualities(c, v, clock)
  factorEqualities(equalities, work)
  // a correction on the way may ask for more than the loops allow; only a whole step may not
  if (!solveEqualities(equalities, lambda, miss) && v === undefined) return fail(c, equalities.trouble)
  for (let r = 0; r < n; r++) if (lambda[r] !== 0) for (let k = 0; k < nv; k++) x[k] += lambda[r] * Y[r * nv + k]
  return true
}

/** Y = A⁻¹ Gᵀ, D = G Y. The linear solver must be prepared. */
function formSchur({ m, equalities: { count: n }, linear, work }: StepConstraints): boolean {
  const { G, Y, D, rows, columns } = work
  for (let r = 0; r < n; r++) columns[r].fill(0)
  if (!linear.solveColumns(columns, rows, n)) return false
  for (let r = 0; r < n; r++) {
    for (let s = 0; s <= r; s++) {
      D[r * n + s] = 0
      addRowDot(D, r * n + s, G, r, m.nv, Y, s * m.nv)
      D[s * n + r] = D[r * n + s]
    }
  }
  return true
}

/** r ← what the equalities ask for, and the rates that are held behind them. */
function askEqualities({ m, equalities, work: { G, r: miss }, rate }: StepConstraints, v: Vec | undefined, clock: Vec): void {
  const { rows, count } = equalities
  if (v === undefined) {
    for (let r = 0; r < rows.count; r++) miss[r] -= rows.target[r] - (rate[0] > 0 ? rate[0] * rows.g[r] : 0)
    return
  }
  for (let r = 0; r < count; r++) {
    if (r < rows.count && rows.byRate[r] === 0) {
      miss[r] += rows.g[r] / clock[STEP]
      continue
    }
    if (r < rows.count) miss[r] -= rows.target[r]
    addDot(miss, r, G.G, r * m.nv, v, 0, m.nv)
  }
}

/** What row `worst` cannot hold together with, by name. Allocates. */
function conflictAt({ m, equalities, unilateral: { limits, contacts, rubbing }, lambda }: StepConstraints, worst: number): string {
  const first = equalities.count
  return conflict(m, equalities.rows, limits, contacts, lambda, first, first + limits.count + rubbing.length, ROWS, worst)
}

function fail(c: StepConstraints, trouble: string): false {
  c.trouble = trouble
  return false
}
