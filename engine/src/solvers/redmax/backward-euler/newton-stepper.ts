/**
 * The robust step: backward Euler with velocity products implicit, by Newton's method on the equations of `point-system`, each iteration
 * one solve with the matrix of thesis eq. 2.13 at the configuration on trial.
 *
 * Memory in State.s: the rates of every body (`free-motion`, 6 numbers), that of every coordinate, (q ⊖ q₀)/h, in how long
 * parts the last step was made, its kinetic and potential energy, the forces that held loops closed (their pull stiffens what hangs between them),
 * what the choice of the linear solver depends on, the rates of tendons with armature, and the last change of velocity, from which the next is guessed.
 * The velocity in the state is made from these (`shown-velocity`).
 *
 * An iterate is taken when two things hold: its residual is small, measured as the kinetic energy of the velocity A⁻¹ b that it stands for,
 * against that of the motion; and energy has not grown by more than what forces without an energy did as work. So a loose tolerance is
 * safe. A correction that does not shrink the residual, as bᵀ A⁻¹ b, is halved (the natural monotonicity test of P. Deuflhard, Newton
 * Methods for Nonlinear Problems (2004)). Where too many would be needed the step is made in parts, which grow again: a part that is half as long has a
 * quarter of the nonlinearity.
 */

import { prepareStart, redundancyNote } from '../../../constraints/assembly/start.js'
import { overlapNotes } from '../../../contact/overlaps.js'
import { difference, integrate } from '../../../joints/index.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { createImplicitFactor } from '../../../tree/implicit-factor.js'
import { jacobianProduct } from '../../../tree/jacobian.js'
import { forwardKinematics, updatePoses } from '../../../tree/kinematics.js'
import { totalMass } from '../../../tree/momentum.js'
import { createReport, type Options, resetReport } from '../../solver.js'
import { createConstrained } from '../constraints/constrained.js'
import { STEP, TIME } from '../constraints/constraint-work.js'
import { explainMatrix, explainStop, explainTrouble } from '../constraints/explain-stop.js'
import type { NewtonStepper } from '../linearised/struck.js'
import { createLinear, LINEAR_MEMORY, planAhead } from '../matrix/auto.js'
import { goOn, ratesBetween, startRates } from './free-motion.js'
import { brokenJoint, isFiniteResidual } from './point-check.js'
import { createPointSystem, evaluate, INERTIAL, KINETIC, linearizePoints, POTENTIAL, startEnergies, WORK } from './point-system.js'
import { createRest } from './rest.js'
import { showVelocity } from './shown-velocity.js'
import { finishTendons, measureTendons } from './tendon-inertia.js'

/** a step is made in up to so many parts, a power of two */
const PARTS = 256
const ITERATIONS = 10
// corrections that had to be cut in a row before a part is given up: half as long it has a quarter of the nonlinearity
const CUTS = 2
const HALVINGS = 2
// solutions that may not be taken before a part is given up
const IDLE = 2
// iterations in which a part may be twice as long next time
const EASY = 4
// share of the predicted fall of the residual's square that a correction must bring
const LEAST_FALL = 0.01
// of the kinetic energy: what an accepted step may gain from the residual that is left
const SLACK = 1e-4
// the same where something pushes, in so many iterations
const STRICT = 1e-7
const STRICTLY = 2
// times the kinetic energy that going on as before may put into springs and still be the better guess
const FAR = 30
// share of the last change of velocity that is expected again: forces of springs turn back
const LEAD = 0.7
// relative tolerance of a step that need not be exact, and of the linear solves in it
const LOOSE = 1e-2
export function createNewtonStepper(model: Model, options: Options, forces: readonly Force[] = []): NewtonStepper {
  const { nv, nbody } = model
  const n = 6 * nbody
  const p = createPointSystem(model, forces)
  const { system: s, trial, E } = p
  const d = s.data
  const exact = options.scheme === 'newton'
  const linear = createLinear(s, String(options.linear), exact ? Number(options.tolerance) : LOOSE)
  planAhead(linear, s, trial)
  const constrained = createConstrained(model, d, linear, options.contact === true, PROJECT)
  // where State.s holds what the choice of the linear solver depends on, and its length
  const choice = n + nv + 3 + (constrained?.memory ?? 0)
  const lengths = choice + LINEAR_MEMORY
  const changes = lengths + model.tendons.armed.length
  const ns = changes + nv
  const factor = createImplicitFactor(model)
  const rest = createRest(p, linear, constrained, factor, exact ? Math.min(LOOSE, Number(options.tolerance)) : LOOSE, exact)
  const report = createReport()
  const x = new Float64Array(nv)
  const z = new Float64Array(nv)
  const q = new Float64Array(model.nq)
  // as in State.s, of which it is a copy: rates of bodies, at the end the last accelerations; the rest is read there
  const rates = new Float64Array(ns)
  // rates of bodies in the part on trial, and their kinetic energy
  const going = new Float64Array(n)
  const moving = new Float64Array(1)
  // energies at the start of a part
  const before = new Float64Array(2)
  // size of the residual before a correction
  const first = new Float64Array(1)
  // work of constraints
  const push = new Float64Array(1)
  const mass = totalMass(model)
  // time and step of the constraints
  const clock = new Float64Array(2)
  const given = new Float64Array(1)
  let start = 0
  let refusal = ''
  let easy = true
  // what still overlaps after so many iterations does because bodies are jammed
  let settled = false
  // what rolls would gain a little in every step, if it were taken as loosely as the rest
  let strict = false
  // data and X0 belong to q0
  let placed = false
  let notes: readonly string[] = []

  const stepper: NewtonStepper = {
    ns,
    report,
    // a step that takes too long is not tried again in parts
    get ownSteps() {
      return constrained?.weary() === true
    },
    get pushes() {
      return constrained?.pushes === true
    },
    init(state) {
      if (state.s.length !== ns) state.s = new Float64Array(ns)
      stepper.enter(state)
      start = d.evaluations
      resetReport(report)
    },
    enter(state) {
      // a pose that does not close its loops is assembled, or refused at the first step
      const found = prepareStart(model, state, { exact: true })
      refusal = found.refusal
      notes = [...found.notes, ...(options.contact === true ? overlapNotes(model, state.q) : [])]
      constrained?.settle(found.held)
      state.s.fill(0)
      stepper.adopt(state)
    },
    adopt(state) {
      constrained?.saveHeld(state.s, n + nv + 3)
      forwardKinematics(model, d, state.q, state.v)
      placed = false
      startRates(p.free, d, state.s)
      state.s.set(state.v, n)
      state.s[n + nv] = PARTS
      p.q0.set(state.q)
      rates.set(state.s)
      for (let k = 0; k < nv; k++) p.v0[k] = state.v[k]
      trial.t = state.t
      placeStart()
      startEnergies(p, rates)
      state.s.set(p.tendons.rate0, lengths)
      state.s[n + nv + 1] = E[KINETIC]
      state.s[n + nv + 2] = E[POTENTIAL]
    },
    step(state, h) {
      given[0] = h
      return stepper.advance(state, given)
    },
    advance(state, span) {
      const h = span[0]
      report.h = h
      report.joint = -1
      report.status = !(h > 0 && h < Number.POSITIVE_INFINITY) ? 'bad-step' : refusal === '' ? 'ok' : 'not-converged'
      report.message = report.status === 'not-converged' ? refusal : ''
      if (report.status !== 'ok') return report
      begin(state)
      s.h = h
      clock[TIME] = state.t
      clock[STEP] = h
      constrained?.begin(p.q0, p.v0, clock)
      constrained?.loadForces(state.s, n + nv + 3, clock)
      linear.load(state.s, choice)
      let done = 0
      // as long as the parts of the last step, or twice that if they were easy
      let size = Math.min(PARTS, Math.max(1, state.s[n + nv]))
      while (done < PARTS) {
        s.h = (h * size) / PARTS
        trial.t = state.t + (h * (done + size)) / PARTS
        clock[TIME] = trial.t
        clock[STEP] = s.h
        const status = attempt(size > 1)
        if (status === TAKEN) {
          finishPart()
          done += size
          if (easy && size < PARTS && (done === PARTS || done % (2 * size) === 0)) size *= 2
          if (done === PARTS) break
          clock[STEP] = (h * size) / PARTS
          constrained?.begin(p.q0, p.v0, clock)
          continue
        }
        if (status === BROKEN) {
          report.status = 'diverged'
          report.joint = brokenJoint(p)
          break
        }
        if (size === 1) {
          report.status = 'not-converged'
          report.message = troubleAt(trial.t - s.h) || (linear.trouble ? explainMatrix(model, linear.trouble) : '')
          report.message ||= explainStop(model, d, x, constrained?.pulls() ?? [], p.q0, trial.t - s.h, s.h)
          break
        }
        size >>= 1
      }
      report.evaluations = d.evaluations - start
      if (report.status !== 'ok') {
        report.rejected++
        return report
      }
      finish(state)
      placed = true
      state.s[n + nv] = size
      state.s[n + nv + 1] = before[KINETIC]
      state.s[n + nv + 2] = before[POTENTIAL]
      constrained?.saveForces(state.s, n + nv + 3)
      linear.save(state.s, choice)
      state.t += h
      report.steps++
      return report
    },
  }
  if (constrained) {
    stepper.contacts = () => constrained.contacts()
    stepper.warnings = () => [...notes, ...redundancyNote(constrained.redundant())]
  }
  return stepper

  /** What is wrong with the constraints in a part from q0 at the time t, or ''. Allocates. */
  function troubleAt(t: number): string {
    if (!constrained || constrained.weary()) return constrained?.trouble ?? ''
    return explainTrouble(model, constrained.trouble, p.q0, t)
  }

  /** Reads the state. Writes where the first part starts; poses are still there when the last step ended here. */
  function begin(state: State): void {
    let moved = !placed
    for (let k = 0; k < model.nq && !moved; k++) moved = state.q[k] !== p.q0[k]
    for (let k = 0; k < nv; k++) p.v0[k] = state.s[n + k]
    rates.set(state.s)
    before[KINETIC] = state.s[n + nv + 1]
    before[POTENTIAL] = state.s[n + nv + 2]
    for (let r = 0; r < p.tendons.rate0.length; r++) p.tendons.rate0[r] = state.s[lengths + r]
    trial.tau.set(state.tau)
    trial.control = state.control
    if (moved) {
      p.q0.set(state.q)
      placeStart()
    }
    placed = false
  }

  /** Reads q0, v0. Writes kinematics and X0. */
  function placeStart(): void {
    trial.q.set(p.q0)
    trial.v.set(p.v0)
    updatePoses(model, d, p.q0)
    jacobianProduct(model, d, d.V, p.v0)
    p.X0.set(d.X_WB)
    measureTendons(model, d, p.tendons.length0, p.q0)
  }

  /** Solves the equations of one part from q0 with step s.h; `balanced`: energy must not have grown. */
  function attempt(balanced: boolean): number {
    const h = s.h
    goOn(p.free, p.Y, p.X0, d, rates, s)
    rest.begin()
    trial.q.set(p.q0)
    const lead = constrained ? 0 : LEAD * h
    for (let k = 0; k < nv; k++) z[k] = h * (p.v0[k] + lead * rates[changes + k])
    integrate(model, trial.q, z, 1)
    evaluate(p)
    // the motion goes on as it was, unless stiff forces make that far worse than no motion at all
    if (!(E[INERTIAL] + E[POTENTIAL] <= FAR * before[KINETIC] + before[POTENTIAL]) || !isFiniteResidual(p)) {
      trial.q.set(p.q0)
      evaluate(p)
      if (!isFiniteResidual(p)) return BROKEN
    }
    let cuts = 0
    let idle = 0
    settled = false
    for (let k = 0; k < ITERATIONS; k++) {
      linearizePoints(p, constrained)
      x.fill(0)
      if (k === 0) constrained?.update(trial.q, trial.v, clock, false)
      if (!linear.prepare() || !linear.solve(x, s.b)) return FAILED
      report.iterations += linear.iterations
      if (constrained) {
        if (!constrained.correct(x, trial.v, clock)) return FAILED
      }
      if (!rest.ofCorrection(x)) return FAILED
      if (k > 0 && constrained?.changed && rest.isSmall() && isAccepted(balanced)) return closed(balanced) ? TAKEN : FAILED
      const halvings = correct()
      easy = k < EASY
      strict = k < STRICTLY && constrained?.pushes === true
      settled = !easy
      if (isAccepted(balanced)) return closed(balanced) ? TAKEN : FAILED
      // the equations hold, and yet something overlaps or energy has grown: more of the same does not mend that
      if (balanced && !strict && rest.small && ++idle > IDLE) return FAILED
      cuts = halvings === 0 ? 0 : cuts + 1
      if (balanced && (halvings > HALVINGS || cuts > CUTS)) return FAILED
    }
    return FAILED
  }

  /** q ← q ⊕ h x, or half of it, or less: the residual must fall. Leaves the new iterate evaluated and measured; tells how often it was halved. */
  function correct(): number {
    const h = s.h
    first[0] = rest.size[0]
    q.set(trial.q)
    let share = 1
    for (let k = 0; k <= HALVINGS; k++) {
      for (let e = 0; e < nv; e++) z[e] = share * h * x[e]
      trial.q.set(q)
      integrate(model, trial.q, z, 1)
      evaluate(p)
      constrained?.update(trial.q, trial.v, clock, settled)
      rest.measure()
      // where other corners touch now, the forces at hand say nothing of what is left
      if (rest.size[0] <= first[0] * (1 - LEAST_FALL * share) || rest.small || constrained?.changed) return k
      share *= 0.5
    }
    return HALVINGS + 1
  }

  /** Closes what is left open of loops: second order of the last correction. What was moved further is no longer what was accepted. */
  function closed(balanced: boolean): boolean {
    if (!constrained || model.constraints.count === 0) return true
    strict = false
    const kinetic = moving[0]
    constrained.project(trial.q, clock)
    if (constrained.trouble !== '') return false
    if (constrained.relocated) {
      evaluate(p)
      return isBalanced(balanced) && (!balanced || Math.abs(moving[0] - kinetic) <= RELOCATION * kinetic)
    }
    difference(model, trial.v, p.q0, trial.q)
    for (let k = 0; k < nv; k++) trial.v[k] /= s.h
    jacobianProduct(model, d, d.V, trial.v)
    ratesBetween(p.free, going, p.X0, d.X_WB, s, moving, 0)
    return true
  }

  function isAccepted(balanced: boolean): boolean {
    if (!rest.small || (settled ? balanced && constrained?.tangled === true : constrained?.holds === false)) return false
    return isBalanced(balanced)
  }

  /** Whether energy has not grown; of the shortest parts it is asked only that they do not burst. */
  function isBalanced(balanced: boolean): boolean {
    ratesBetween(p.free, going, p.X0, d.X_WB, s, moving, 0)
    constrained?.work(push, 0, trial.v, clock)
    const bound = before[KINETIC] + before[POTENTIAL] + Math.max(0, E[WORK] + push[0]) + rest.rounding[0]
    const kinetic = moving[0] + E[KINETIC]
    if (!balanced) return kinetic + E[POTENTIAL] <= bound + BURST * before[KINETIC] + mass * FAST * FAST
    return (
      kinetic + E[POTENTIAL] <=
      bound + (strict ? STRICT : SLACK) * kinetic + ROUNDING * (Math.abs(before[POTENTIAL]) + Math.abs(E[POTENTIAL]))
    )
  }

  /** The end of a part is the start of the next. */
  function finishPart(): void {
    rates.set(going)
    finishTendons(model, d, p.tendons, trial.q, s)
    p.X0.set(d.X_WB)
    p.q0.set(trial.q)
    for (let k = 0; k < nv; k++) rates[changes + k] = (trial.v[k] - p.v0[k]) / s.h
    p.v0.set(trial.v)
    before[KINETIC] = moving[0] + E[KINETIC]
    before[POTENTIAL] = E[POTENTIAL]
  }

  function finish(state: State): void {
    state.q.set(p.q0)
    state.s.set(rates)
    state.s.set(p.tendons.rate0, lengths)
    for (let k = 0; k < nv; k++) state.s[n + k] = p.v0[k]
    showVelocity(p, rates, before, factor, state.v)
  }
}

// loops are projected shut
const PROJECT = -1

const TAKEN = 0
const FAILED = 1
const BROKEN = 2
// of the kinetic energy, and m/s beside it: growth in a shortest part beyond which it bursts
const BURST = 100
const FAST = 10
// share of the kinetic energy that closing a loop from afar may change
const RELOCATION = 0.01
// of the energies that are compared
const ROUNDING = 1e-13
