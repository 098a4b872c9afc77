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
import { projectPose } from '../constraints/step-constraints.js'
import { detectOverlap, isFeasible, isWithinMargin } from '../constraints/unilateral.js'
import { KINETIC, POTENTIAL, WORK } from './part.kernel.js'
import { evaluate } from './point-system.js'
import { addShapeKinetic, shapeRatesFrom } from './shape-motion.js'
import type { BackwardEuler } from './step-record.js'

// of the kinetic energy: what an accepted step may gain from the residual that is left; the same where something pushes, as what rolls gains every time
const GAIN = 1e-4
const STRICT_GAIN = 1e-7
// of the kinetic energy, and m/s beside it: growth in a shortest part beyond which it bursts
const BURST = 100
const BURST_SPEED = 10
// share of the kinetic energy that closing a loop from afar may change
const RELOCATION = 0.01
// of the energies that are compared
const ROUNDING = 1e-13

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

/** Whether limits and contacts hold; of what is jammed, only that it is not driven deeper, as long as shorter parts may help. */
function isAdmissible({ constraints, isSettled }: BackwardEuler, mayDivide: boolean): boolean {
  if (!constraints) return true
  return isSettled ? !mayDivide || !detectOverlap(constraints.unilateral) : isFeasible(constraints.unilateral)
}

/** Rates of bodies in the part, their kinetic energy, and the work of constraints. */
function measureEnergies(w: BackwardEuler): void {
  const { constraints, push } = w
  measureRates(w)
  if (constraints) measureWork(constraints, push, 0, w.p.trial.v)
}

/** Rates of bodies between the two ends of the part, and their kinetic energy. */
function measureRates({ p, d, trialRates, trialKinetic }: BackwardEuler): void {
  const { byteOffset: rates } = trialRates
  const { kernels, step } = p.system
  kernels.ratesFrom(p.free, rates, p.X0.byteOffset, d.X_WB.byteOffset, step.byteOffset, trialKinetic.byteOffset)
  if (!p.shapes) return
  shapeRatesFrom(p.shapes, d, p.X0, trialRates, step)
  addShapeKinetic(p.shapes, d, trialRates, p.trial.v, trialKinetic, 0)
}

/** Whether energy has not grown; of the shortest parts it is asked only that they do not burst. */
function isBalanced(w: BackwardEuler, mayDivide: boolean): boolean {
  const { before, trialKinetic, push, residual, mass } = w
  const { E } = w.p
  const bound = before[KINETIC] + before[POTENTIAL] + Math.max(0, E[WORK] + push[0]) + residual.rounding[0]
  const kinetic = trialKinetic[0] + E[KINETIC]
  if (!mayDivide) return kinetic + E[POTENTIAL] <= bound + BURST * before[KINETIC] + mass * BURST_SPEED * BURST_SPEED
  return (
    kinetic + E[POTENTIAL] <=
    bound + (w.isStrict ? STRICT_GAIN : GAIN) * kinetic + ROUNDING * (Math.abs(before[POTENTIAL]) + Math.abs(E[POTENTIAL]))
  )
}

/** Projects the pose on the loops: second order of the last correction. What was moved further than that must be acceptable anew. */
export function closeLoops(w: BackwardEuler, mayDivide: boolean): boolean {
  const { model, p, d, constraints, trialKinetic, clock } = w
  const { system, trial } = p
  if (!constraints || model.constraints.count === 0) return true
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
