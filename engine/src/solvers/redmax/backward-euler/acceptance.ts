/**
 * Whether an iterate ends a part, and its projection onto loops.
 *
 * Two things must hold: the residual is small, measured as the kinetic energy of the velocity A⁻¹ b that it stands for, against that of the
 * motion; and energy has not grown by more than what forces without an energy did as work,
 *   T + U ≤ T₀ + U₀ + max(0, W) + a share of T
 * So a loose tolerance is safe. Limits and contacts must hold as well, unless bodies are jammed.
 */
import { jacobianProduct } from '../../../tree/jacobian.js'
import { measureWork } from '../constraints/row-forces.js'
import { projectPose, type StepConstraints } from '../constraints/step-constraints.js'
import { detectOverlap, isWithinMargin } from '../constraints/unilateral.js'
import { KINETIC, MASS, POTENTIAL, WORK } from './part.kernel.js'
import { evaluate } from './point-system.js'
import { addShapeKinetic, shapeRatesFrom } from './shape-motion.js'
import type { BackwardEuler } from './step-record.js'

// share of the kinetic energy that closing a loop from afar may change
const RELOCATION = 0.01
// m/s of the whole mass: what overlaps that are pushed apart may gain in the last solve of a step
const LAST_SPEED = 1

/** Looks whether the iterate measured last may be taken; its energies are measured where the rest allows it. */
export function tryAccept(w: BackwardEuler, mayDivide: boolean): boolean {
  if (!w.residual.isSmall || !isAdmissible(w, mayDivide)) return false
  measureEnergies(w)
  return isBalanced(w, mayDivide)
}

/**
 * Whether an iterate may end a part, whatever is left of its equations: energy has not grown, and unless there is no more work, nothing overlaps
 * or may have been passed on the way.
 */
export function mayBeTaken(w: BackwardEuler): boolean {
  const { constraints } = w
  if (!w.isBounded && constraints && (!isWithinMargin(constraints.unilateral) || detectOverlap(constraints.unilateral))) return false
  measureEnergies(w)
  return isBalanced(w, true)
}

/** Whether energy has grown by less than the kinetic energy before and LAST_SPEED allow, so that no step at the end of its work explodes. */
export function isBounded(w: BackwardEuler): boolean {
  measureEnergies(w)
  const { p, before, push, residual, trialKinetic } = w
  const gain = trialKinetic[0] + p.E[KINETIC] + p.E[POTENTIAL] - before[KINETIC] - before[POTENTIAL]
  const speed = 0.5 * residual.share[MASS] * LAST_SPEED * LAST_SPEED
  return gain <= before[KINETIC] + Math.max(0, p.E[WORK] + push[0]) + speed
}

/** Whether limits and contacts hold; of what is jammed, only that it is not driven deeper, as long as shorter parts may help. */
function isAdmissible({ constraints, isSettled }: BackwardEuler, mayDivide: boolean): boolean {
  if (!constraints) return true
  return isSettled ? !mayDivide || !detectOverlap(constraints.unilateral) : constraints.unilateral.feasible === 1
}

/** Rates of bodies in the part, their kinetic energy, and the work of constraints. */
function measureEnergies(w: BackwardEuler): void {
  const { constraints, push } = w
  measureRates(w)
  if (constraints) measureWork(constraints, push, 0, w.p.trial.v)
}

/** Rates of bodies between the two ends of the part, and their kinetic energy. */
function measureRates({ p, d, part, trialRates, trialKinetic }: BackwardEuler): void {
  const { kernels, step } = p.system
  kernels.measureRates(p.table, p.free, part)
  if (!p.shapes) return
  shapeRatesFrom(p.shapes, d, p.X0, trialRates, step)
  addShapeKinetic(p.shapes, d, trialRates, p.trial.v, trialKinetic, 0)
}

/** Whether energy has not grown; of the shortest parts it is asked only that they do not burst. */
function isBalanced({ p, part, isStrict, length }: BackwardEuler, mayDivide: boolean): boolean {
  p.system.kernels.compareEnergies(p.table, part, isStrict ? 1 : 0, mayDivide ? 1 : 0)
  return length[0] === 1
}

/** Projects the pose on the loops: second order of the last correction. What was moved further than that must be acceptable anew. */
export function closeLoops(w: BackwardEuler, mayDivide: boolean): boolean {
  return !w.constraints || w.model.constraints.count === 0 || projectOnLoops(w, w.constraints, mayDivide)
}

function projectOnLoops(w: BackwardEuler, constraints: StepConstraints, mayDivide: boolean): boolean {
  const { model, p, d, trialKinetic, clock } = w
  const { system, trial } = p
  w.isStrict = false
  const kinetic = trialKinetic[0]
  projectPose(constraints, trial.q, clock)
  if (constraints.trouble !== '') return false
  if (constraints.equalities.relocated) {
    evaluate(p)
    measureEnergies(w)
    return isBalanced(w, mayDivide) && (!mayDivide || Math.abs(trialKinetic[0] - kinetic) <= RELOCATION * kinetic)
  }
  system.kernels.rateBetween(d.tree, trial.v.byteOffset, p.q0.byteOffset, trial.q.byteOffset, system.step.byteOffset)
  jacobianProduct(model, d, d.V, trial.v)
  measureRates(w)
  return true
}
