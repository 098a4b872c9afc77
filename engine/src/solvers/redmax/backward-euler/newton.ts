/**
 * One part of a backward Euler step: the root of R(q) (`point-system`) by Newton's method, each iteration one solve with the matrix of thesis
 * eq. 2.13 at the configuration on trial.
 *
 *   A x = b = −h R(q),  with the constraints x + v ∈ what they allow,   q ← q ⊕ h x
 * A correction that does not shrink the residual, as bᵀ A⁻¹ b, is halved (the natural monotonicity test of P. Deuflhard, Newton Methods for
 * Nonlinear Problems, 2004). Where too many would be needed the part is given up: half as long it has a quarter of the nonlinearity.
 */
import { NEWTON } from '../../../contact/solve/problem.js'
import { findOnTrial, followOnTrial } from '../constraints/find-rows.js'
import { constrainVelocity } from '../constraints/solve-forces.js'
import { isPushing } from '../constraints/step-constraints.js'
import { allowLast, isSpent } from '../work.js'
import { closeLoops, isBounded, mayBeTaken, tryAccept } from './acceptance.js'
import { FIRST, LEFT } from './part.kernel.js'
import { evaluate, evaluateGuess, evaluateMove, isFiniteResidual, linearizePoints } from './point-system.js'
import { compareFirst, measureResidual, recallFirst, takeCorrection } from './residual.js'
import { extrapolateShapes } from './shape-motion.js'
import type { BackwardEuler } from './step-record.js'

/** outcomes of a part */
export const ACCEPTED = 0
export const FAILED = 1
export const NOT_A_NUMBER = 2

const ITERATIONS = 10
// corrections that had to be cut in a row before a part is given up; halvings of one
const CUTS = 2
const HALVINGS = 2
// solutions that may not be accepted before a part is given up
const REFUSALS = 2
// iterations in which a part may be twice as long next time
const EASY = 4
// iterations in which energy is compared strictly where something pushes
const STRICT_ITERATIONS = 5
// share of the predicted fall of the residual's square that a correction must bring
const LEAST_FALL = 0.01
// share of the last change of velocity that is expected again: forces of springs turn back
const LEAD = 0.7

/** Solves the equations of one part from q0 with the step of the system. `mayDivide`: it may be made in shorter parts, and energy must not grow. */
export function solvePart(w: BackwardEuler, mayDivide: boolean): number {
  const { residual, constraints } = w
  const { work } = w.p.system
  if (!predict(w)) return NOT_A_NUMBER
  let cuts = 0
  let refusals = 0
  for (let k = 0; k < ITERATIONS; k++) {
    assemble(w, k === 0)
    if (!solve(w)) return FAILED
    // other corners touch now, and yet nothing is left to correct
    if (k > 0 && constraints?.unilateral.changed) {
      compareFirst(residual)
      if (residual.isSmall && tryAccept(w, mayDivide)) return closeLoops(w, mayDivide) ? ACCEPTED : FAILED
    }
    const halvings = correct(w)
    w.isEasy = k < EASY
    w.isStrict = k < STRICT_ITERATIONS && constraints !== undefined && isPushing(constraints)
    w.isSettled = !w.isEasy
    if (tryAccept(w, mayDivide)) return closeLoops(w, mayDivide) ? ACCEPTED : FAILED
    if (isSpent(work)) {
      w.isBounded = true
      return takeLinearised(w)
    }
    // the equations hold, and yet something overlaps or energy has grown: more of the same does not mend that
    if (mayDivide && !w.isStrict && residual.isSmall && ++refusals > REFUSALS) return FAILED
    cuts = halvings === 0 ? 0 : cuts + 1
    if (mayDivide && (halvings > HALVINGS || cuts > CUTS)) return w.isShort && w.isStrict ? takeLinearised(w) : FAILED
  }
  return FAILED
}

/**
 * Ends the part with the whole of the last correction, whatever is left of the equations, if energy has not grown. Momentum is what forces and
 * impulses at the configuration before make of it. Points of contact that run around sharp edges leave nothing better: they are elsewhere after
 * every correction, however short the part.
 */
function takeLinearised(w: BackwardEuler): number {
  const { p } = w
  w.length[0] = p.system.step[0]
  w.isSettled = true
  tryMove(w)
  return isFiniteResidual(p) && mayBeTaken(w) && closeLoops(w, true) ? ACCEPTED : FAILED
}

/**
 * One linearised solve for the rest of a step that does not converge, with the contacts where the motion leads. Momentum is kept, and contact forces
 * solve a convex problem; only a burst of energy is refused. False: there is no such step.
 */
export function solveLast(w: BackwardEuler): boolean {
  if (w.constraints && w.constraints.trouble !== '') return false
  w.isBounded = true
  allowLast(w.p.system.work)
  if (!predict(w)) return false
  assemble(w, true)
  if (!solve(w)) return false
  w.length[0] = w.p.system.step[0]
  w.isSettled = true
  tryMove(w)
  return isFiniteResidual(w.p) && isBounded(w) && closeLoops(w, false)
}

/** Where the motion leads if it goes on as it was, evaluated; where stiff forces make that far worse, no motion at all. False: not a number. */
function predict(w: BackwardEuler): boolean {
  const { p, d, length } = w
  const { system, trial } = p
  w.isSettled = false
  length[0] = w.constraints ? 0 : LEAD * system.step[0]
  if (p.joints) evaluateGuess(p, p.joints, w.part)
  else {
    system.kernels.guessTrial(d.tree, d.poses, p.table, p.free, w.part)
    if (p.shapes) extrapolateShapes(p.shapes, p.Y, p.X0, p.q0, w.rates, p.v0, system.step)
    evaluate(p)
    system.kernels.judgeGuess(p.table, w.part)
  }
  if (length[0] === 1) return true
  trial.q.set(p.q0)
  evaluate(p)
  return isFiniteResidual(p)
}

/** A at the configuration on trial; rows of the constraints too where they are not known from the last correction. */
function assemble({ p, constraints, clock }: BackwardEuler, first: boolean): void {
  linearizePoints(p, constraints)
  if (constraints && first) findOnTrial(constraints, p.trial.q, p.trial.v, clock)
}

/** x ← the constrained solution of A x = b, taken for the residual. */
function solve({ p, linear, constraints, residual, report, x, clock }: BackwardEuler): boolean {
  const isFree = !constraints?.isConvex
  // where solves begin
  if (isFree) x.fill(0)
  if (isFree && (!linear.prepare() || !linear.solve(x, p.system.b))) return false
  if (constraints && !constrainVelocity(constraints, x, p.trial.v, p.v0, clock)) return false
  report.iterations += isFree || !constraints ? linear.iterations : constraints.convex.problem.counts[NEWTON]
  return takeCorrection(residual, x)
}

/** The configuration on trial ← q ⊕ length[0] x, evaluated, with its rows. */
function tryMove({ p, d, part, constraints, clock, isSettled }: BackwardEuler): void {
  const { trial } = p
  if (p.joints) evaluateMove(p, p.joints, part)
  else {
    p.system.kernels.moveTrial(d.tree, p.table, part)
    evaluate(p)
  }
  if (constraints) followOnTrial(constraints, trial.q, trial.v, clock, isSettled)
}

/** q ← q ⊕ h x, or half of it, or less: the residual must fall. Leaves the new iterate evaluated and measured; tells how often it was halved. */
function correct(w: BackwardEuler): number {
  const { p, residual, constraints, x, length, q } = w
  const { system, trial } = p
  const h = system.step[0]
  q.set(trial.q)
  let share = 1
  for (let k = 0; k <= HALVINGS; k++) {
    length[0] = share * h
    tryMove(w)
    measureResidual(residual, w.part)
    // where other corners touch now, the forces at hand say nothing of what is left
    if (residual.isSmall || constraints?.unilateral.changed) return k
    recallFirst(residual, x)
    if (residual.size[LEFT] <= residual.size[FIRST] * (1 - LEAST_FALL * share)) return k
    share *= 0.5
  }
  return HALVINGS + 1
}
