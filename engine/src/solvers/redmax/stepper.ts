/**
 * One step of RedMax, with either scheme.
 *
 * linear (eq. 2.13):   A v⁺ = M v + h (Q + D v),  A = M + h D − h² K at q,   q⁺ = q ⊕ h v⁺
 * second-order, BDF2 with step ratio ω = h/h₋, linearised at the extrapolated state so that one solve a step keeps the order:
 *   α = (1 + 2ω)/(1 + ω),  γ = h/α,  v̄ = ((1 + ω) v − ω²/(1 + ω) v₋)/α,  δ = ω²/((1 + ω) α) (q ⊖ q₋)
 *   vᵖ = v + ω (v − v₋),  qᵖ = q ⊕ (δ + γ vᵖ)
 *   A (v⁺ − vᵖ) = M (v̄ − vᵖ) + γ Q(qᵖ, vᵖ),  A = M + γ D − γ² K at qᵖ,   q⁺ = q ⊕ (δ + γ v⁺)
 * Its first step is one of the linear kind, and so are those in which a limit or a contact pushes, and the one after.
 * State.s: velocity and displacement of the step before, its size (0: none);
 * then, with either scheme, what the choice of the linear solver depends on.
 */

import { createProjection, projectPose } from '../../constraints/projection.js'
import { prepareStart, redundancyNote } from '../../constraints/start.js'
import { difference, integrate } from '../../joints/index.js'
import { createData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { createState, type State } from '../../model/state.js'
import { createReport, type Options, resetReport, type Stepper, type StepReport } from '../solver.js'
import { createLinear, LINEAR_MEMORY } from './auto.js'
import { createConstrained } from './constrained.js'
import { STEP, TIME } from './constraint-work.js'
import { addTurningStiffness } from './published-stiffness.js'
import { applyStiffness, assemble, createSystem, rightHandSide } from './system.js'

const PROJECT = -1
const SMALL = 32
const ROUNDING = 1e-10

export function createRedmaxStepper(model: Model, options: Options): Stepper {
  const { nv } = model
  const data = createData(model)
  const system = createSystem(model, data)
  // a few unknowns are solved to rounding at no cost, so that a run does not depend on which solver `auto` takes
  const small = options.linear === 'auto' && nv <= SMALL
  const tolerance = small ? Math.min(ROUNDING, Number(options.tolerance)) : Number(options.tolerance)
  const linear = createLinear(system, String(options.linear), tolerance)
  // eq. 2.13 as the authors run it: gaps at the start of the step, motions at its end, velocities as given
  const plain = options.scheme === 'linear'
  const constrained = createConstrained(model, data, linear, options.contact === true, plain ? Number(options.stabilization) : PROJECT)
  const second = options.scheme === 'second-order'
  // rows of a loop are told apart from redundant ones only where it is closed
  const projection = second && model.constraints.count > 0 ? createProjection(model) : undefined
  // time and step of the rows: numbers that are handed over are boxed
  const clock = new Float64Array(2)
  const report = createReport()
  const at = createState(model)
  const v = new Float64Array(nv)
  const x = new Float64Array(nv)
  const move = new Float64Array(nv)
  const LAST = 2 * nv
  const CHOICE = second ? LAST + 1 : 0
  const ns = CHOICE + LINEAR_MEMORY
  let start = 0
  let refusal = ''
  let notes: readonly string[] = []

  /** Solves for x; false with the status set where that failed. */
  const solve = (p: State): boolean => {
    constrained?.collect(p.q, p.v, clock, p === at)
    if (linear.prepare() && linear.solve(x, system.b)) {
      report.iterations += linear.iterations
      if (!constrained || constrained.apply(x, clock)) return true
    }
    report.status = 'not-converged'
    report.message = constrained?.trouble || linear.trouble
    return false
  }

  /** v⁺ into v and the displacement into move. */
  const linearStep = (state: State, h: number): boolean => {
    system.h = h
    assemble(system, state)
    rightHandSide(system, state, state.v)
    if (plain) addTurningStiffness(system)
    x.set(state.v)
    clock[TIME] = state.t + h
    clock[STEP] = h
    if (!solve(state)) return false
    for (let k = 0; k < nv; k++) {
      v[k] = x[k]
      move[k] = h * v[k]
    }
    return true
  }

  const secondStep = (state: State, h: number): boolean => {
    const s = state.s
    const ratio = h / s[LAST]
    const alpha = (1 + 2 * ratio) / (1 + ratio)
    const gamma = h / alpha
    const back = (ratio * ratio) / ((1 + ratio) * alpha)

    // extrapolated state
    for (let k = 0; k < nv; k++) {
      at.v[k] = state.v[k] + ratio * (state.v[k] - s[k])
      move[k] = back * s[nv + k] + gamma * at.v[k]
      v[k] = ((1 + ratio) * state.v[k] - ((ratio * ratio) / (1 + ratio)) * s[k]) / alpha
    }
    at.q.set(state.q)
    integrate(model, at.q, move, 1)
    at.t = state.t + h
    clock[TIME] = at.t
    clock[STEP] = gamma
    if (projection) projectPose(projection, model, data, at.q, clock)
    at.tau.set(state.tau)
    at.control = state.control

    // b = A vᵖ + M (v̄ − vᵖ) + γ Q; `rightHandSide` gives M v̄ + γ (Q + D vᵖ), and A vᵖ − M vᵖ − γ D vᵖ is the stiffness alone
    system.h = gamma
    assemble(system, at)
    rightHandSide(system, at, v)
    // b −= γ² K vᵖ
    applyStiffness(system, x, at.v)
    for (let k = 0; k < nv; k++) system.b[k] += x[k]
    x.set(state.v)
    if (!solve(at)) return false
    for (let k = 0; k < nv; k++) {
      v[k] = x[k]
      move[k] = back * s[nv + k] + gamma * v[k]
    }
    return true
  }

  const stepper: Stepper = {
    ns,
    report,
    init(state) {
      state.s = new Float64Array(ns)
      // a pose that does not close its loops is assembled, or refused at the first step
      const found = prepareStart(model, state, { exact: !plain })
      refusal = found.refusal
      notes = found.notes
      start = data.evaluations
      resetReport(report)
    },
    step(state, h): Readonly<StepReport> {
      report.h = h
      report.joint = -1
      report.message = ''
      if (!(h > 0 && h < Number.POSITIVE_INFINITY)) {
        report.status = 'bad-step'
        return report
      }
      report.status = 'ok'
      if (refusal !== '') {
        report.status = 'not-converged'
        report.message = refusal
        return report
      }
      linear.load(state.s, CHOICE)
      const further = second && state.s[LAST] > 0
      let good = further ? secondStep(state, h) : linearStep(state, h)
      // history knows nothing of what is struck now: extrapolated, it would lead through it, or throw the bodies back
      if (further && good && constrained?.pushes) good = linearStep(state, h)
      report.evaluations = data.evaluations - start
      if (good) {
        at.q.set(state.q)
        integrate(model, at.q, move, 1)
        clock[TIME] = state.t + h
        constrained?.project(at.q, clock)
        findBad(model, at.q, v, report)
        if (report.status === 'ok' && constrained && constrained.trouble !== '') {
          report.status = 'not-converged'
          report.message = constrained.trouble
        }
      }
      if (report.status !== 'ok') {
        report.rejected++
        return report
      }
      if (second) {
        const s = state.s
        difference(model, move, state.q, at.q)
        for (let k = 0; k < nv; k++) {
          s[k] = state.v[k]
          s[nv + k] = move[k]
        }
        s[LAST] = constrained?.pushes ? 0 : h
      }
      linear.save(state.s, CHOICE)
      state.q.set(at.q)
      state.v.set(v)
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
}

/** Sets the status where a coordinate or a velocity is not finite. */
function findBad(m: Model, q: Float64Array, v: Float64Array, report: StepReport): void {
  for (let j = 0; j < m.njoint; j++) {
    const { iq, nq, iv, nv } = m.joints[j]
    let good = true
    for (let k = iv; k < iv + nv; k++) good &&= Math.abs(v[k]) < LARGEST
    for (let k = iq; k < iq + nq; k++) good &&= Math.abs(q[k]) < LARGEST
    if (good) continue
    report.status = 'diverged'
    report.joint = j
    return
  }
}

// rad, m, or a second of them: past this a motion has no digits left, and the next step would only overflow
const LARGEST = 1e12
