/**
 * A step of RedMax, with either scheme that is linearised.
 *
 * linear (eq. 2.13):   A v⁺ = M v + h (Q + D v),  A = M + h D − h² K at q,   q⁺ = q ⊕ h v⁺
 * second-order: two stages of the same kind (`stages`). Where they do not converge the step is made in up to 256 parts, halved and doubled on the
 * way, and the next one begins with the last. Steps in which a limit or a contact pushes are those of the robust scheme (`struck`), and so is the one after: what went before
 * says nothing about a blow.
 *
 * State.s: of second-order the acceleration and its rate; of linear the solution before constraints and its rate, from which the next solve
 * starts. What is constrained is no good start: it differs by all that the loops pull. Then whether these are known, the number of parts, what
 * the choice of the linear solver depends on, whether taut loops are held, and the memory of the robust scheme.
 */

import { createProjection, projectPose } from '../../../constraints/assembly/projection.js'
import { prepareStart, redundancyNote } from '../../../constraints/assembly/start.js'
import { overlapNotes } from '../../../contact/overlaps.js'
import { integrate } from '../../../joints/index.js'
import { createData } from '../../../model/data.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { createState, type State } from '../../../model/state.js'
import { createReport, type Options, resetReport, type Stepper, type StepReport } from '../../solver.js'
import { createNewtonStepper } from '../backward-euler/newton-stepper.js'
import { createConstrained } from '../constraints/constrained.js'
import { STEP, TIME } from '../constraints/constraint-work.js'
import { explainMatrix, explainStop } from '../constraints/explain-stop.js'
import { createLinear, LINEAR_MEMORY, planAhead } from '../matrix/auto.js'
import { assemble, createSystem, rightHandSide } from '../matrix/system.js'
import { addTurningStiffness } from './published-stiffness.js'
import { createStages, GOOD, LOOSE, STRUCK } from './stages.js'
import { createStruck } from './struck.js'

const PROJECT = -1
const SMALL = 32
const ROUNDING = 1e-10
// of a step of the second order
const MOST = 256
// in place of a history: something was struck, and pushes still, or no longer
const BLOW = -1
const AFTER = -2

export function createRedmaxStepper(model: Model, options: Options, forces: readonly Force[] = []): Stepper {
  const { nv } = model
  const data = createData(model, { forces })
  const system = createSystem(model, data)
  // a few unknowns are solved to rounding at no cost, so that a run does not depend on which solver `auto` takes
  const small = options.linear === 'auto' && nv <= SMALL
  const tolerance = small ? Math.min(ROUNDING, Number(options.tolerance)) : Number(options.tolerance)
  const linear = createLinear(system, String(options.linear), tolerance)
  // eq. 2.13 as the authors run it: gaps at the start of the step, motions at its end, velocities as given
  const plain = options.scheme === 'linear'
  const constrained = createConstrained(model, data, linear, options.contact === true, plain ? Number(options.stabilization) : PROJECT)
  const second = options.scheme === 'second-order'
  const extrapolated = !second && options.guess === 'solution'
  // rows of a loop are told apart from redundant ones only where it is closed
  const projection = second && model.constraints.count > 0 ? createProjection(model, true, constrained?.skip) : undefined
  // time and step of the rows: numbers that are handed over are boxed
  const clock = new Float64Array(2)
  const report = createReport()
  const span = new Float64Array(1)
  const x = new Float64Array(nv)
  const free = new Float64Array(nv)
  const move = new Float64Array(nv)
  const q = new Float64Array(model.nq)
  const KNOWN = 2 * nv
  const PARTS = KNOWN + 1
  const CHOICE = PARTS + 1
  const HELD = CHOICE + LINEAR_MEMORY
  const ROBUST = HELD + 1
  const struck =
    second && constrained?.unilateral
      ? createStruck(model, createNewtonStepper(model, { ...options, scheme: 'auto' }, forces), ROBUST)
      : undefined
  const ns = ROBUST + (struck?.ns ?? 0)
  const before = createState(model)
  before.s = new Float64Array(ns)
  const begun = createState(model)
  begun.s = new Float64Array(ns)
  planAhead(linear, system, before)
  let shortest = false
  // whether the last part was one in which something pushes
  let touched = false
  let start = 0
  let refusal = ''
  let notes: readonly string[] = []

  /** x ← the constrained solution, free ← that before; false with the status set where it failed. */
  const solve = (p: State, x: Float64Array, ahead: boolean): boolean => {
    constrained?.collect(p.q, p.v, clock, ahead)
    if (linear.prepare() && linear.solve(x, system.b)) {
      report.iterations += linear.iterations
      free.set(x)
      if (!constrained || constrained.apply(x, clock)) return true
    }
    report.status = 'not-converged'
    report.message = constrained?.trouble || (linear.trouble ? explainMatrix(model, linear.trouble) : '')
    return false
  }

  const stages = second
    ? createStages(model, system, span, {
        clock,
        close: (q) => {
          if (projection) projectPose(projection, model, data, q, clock)
        },
        solve: (p, x) => solve(p, x, true),
        pushes: () => constrained?.pushes === true,
      })
    : undefined

  /** Moves the state by v for span[0] and displaces it by move; false where it leads nowhere. */
  const advance = (state: State, v: Float64Array, move: Float64Array): boolean => {
    q.set(state.q)
    integrate(model, q, move, 1)
    clock[TIME] = state.t + span[0]
    constrained?.project(q, clock)
    if (constrained && constrained.trouble !== '') {
      report.status = 'not-converged'
      report.message = constrained.trouble
    }
    findBad(model, q, v, report)
    if (report.status !== 'ok') return false
    state.q.set(q)
    state.v.set(v)
    state.t += span[0]
    return true
  }

  const linearStep = (state: State): boolean => {
    const h = span[0]
    const { s } = state
    system.h = h
    assemble(system, state)
    rightHandSide(system, state, state.v)
    if (plain) addTurningStiffness(system)
    if (extrapolated && s[KNOWN] > 0) for (let k = 0; k < nv; k++) x[k] = s[k] + h * s[nv + k]
    else x.set(state.v)
    clock[TIME] = state.t + h
    clock[STEP] = h
    constrained?.hold(s, HELD, state.q, clock)
    if (!solve(state, x, false)) return false
    for (let k = 0; k < nv; k++) move[k] = h * x[k]
    if (!advance(state, x, move)) return false
    for (let k = 0; k < nv; k++) {
      s[nv + k] = s[KNOWN] > 0 ? (free[k] - s[k]) / h : 0
      s[k] = free[k]
    }
    s[KNOWN] = 1
    return true
  }

  /** A part of a step in which something pushes. */
  const struckStep = (state: State): boolean => {
    if (!struck) return false
    const { s } = state
    const known = s[KNOWN]
    const { evaluations, iterations } = struck.stepper.report
    const { status, message, joint } = struck.advance(state, span, known === BLOW || known === AFTER)
    touched = true
    // as if they were of the data of this one
    start -= struck.stepper.report.evaluations - evaluations
    report.iterations += struck.stepper.report.iterations - iterations
    if (status !== 'ok') {
      report.status = status
      report.message = message ?? ''
      report.joint = joint
      return false
    }
    s[KNOWN] = struck.pushes ? BLOW : AFTER
    return true
  }

  /** A part of a step of the second order. */
  const part = (state: State): boolean => {
    const { s } = state
    if (!stages || s[KNOWN] === BLOW) return struckStep(state)
    for (let k = 0; k < nv; k++) {
      stages.a[k] = s[k]
      stages.j[k] = s[nv + k]
    }
    clock[TIME] = state.t + span[0]
    constrained?.hold(s, HELD, state.q, clock)
    constrained?.mark(state.q)
    let status = stages.run(state, s[KNOWN] > 0)
    // not even in the shortest part: a jump, after which the history means nothing
    if (status === LOOSE && shortest) status = stages.run(state, false)
    if (status === STRUCK) return struckStep(state)
    if (status !== GOOD) return false
    touched = false
    if (!advance(state, stages.v, stages.move)) return false
    for (let k = 0; k < nv; k++) {
      s[k] = stages.a[k]
      s[nv + k] = stages.j[k]
    }
    s[KNOWN] = 1
    return true
  }

  /** As many parts as the last step ended with; a part that fails is halved, and they grow again where that is easy. */
  const secondStep = (state: State): boolean => {
    const { s } = state
    const h = span[0]
    copyInto(before, state)
    let done = 0
    let size = MOST / Math.max(1, s[PARTS])
    while (done < MOST) {
      report.status = 'ok'
      report.message = ''
      report.joint = -1
      span[0] = (h * size) / MOST
      shortest = size === 1
      copyInto(begun, state)
      if (part(state)) {
        done += size
        state.t = before.t + (h * done) / MOST
        const easy = !stages || s[KNOWN] <= 0 || stages.easy
        if (easy && size < MOST && done % (2 * size) === 0) size *= 2
        linear.save(s, CHOICE)
        continue
      }
      copyInto(state, begun)
      linear.load(s, CHOICE)
      if (!shortest) {
        size /= 2
        continue
      }
      if (report.status === 'ok') {
        report.status = 'not-converged'
        for (let k = 0; k < nv; k++) x[k] = (stages?.v[k] ?? 0) - state.v[k]
        report.message = explainStop(model, data, x, constrained?.pulls() ?? [], state.q, state.t, span[0])
        if (report.message !== '') report.message += ', or scheme=auto'
      }
      copyInto(state, before)
      return false
    }
    s[PARTS] = MOST / size
    return true
  }

  /** Moves the state onto the loops, or says why it cannot be; nothing is known of what went before. */
  const begin = (state: State): void => {
    const found = prepareStart(model, state, { exact: !plain })
    refusal = found.refusal
    notes = [...found.notes, ...(options.contact === true ? overlapNotes(model, state.q) : [])]
    state.s.fill(0)
    constrained?.settle(found.held)
    constrained?.saveHeld(state.s, HELD)
  }

  const stepper: Stepper = {
    ns,
    report,
    init(state) {
      if (state.s.length !== ns) state.s = new Float64Array(ns)
      begin(state)
      struck?.init(state)
      start = data.evaluations
      resetReport(report)
    },
    enter(state) {
      begin(state)
      struck?.enter(state)
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
      span[0] = h
      const good = second ? secondStep(state) : linearStep(state)
      report.evaluations = data.evaluations - start
      if (!good) {
        report.rejected++
        return report
      }
      linear.save(state.s, CHOICE)
      report.steps++
      return report
    },
  }
  if (constrained) {
    stepper.contacts = () => (touched && struck?.stepper.contacts ? struck.stepper.contacts() : constrained.contacts())
    stepper.warnings = () => [...notes, ...redundancyNote(constrained.redundant())]
  }
  return stepper
}

function copyInto(to: State, from: State): void {
  to.t = from.t
  to.q.set(from.q)
  to.v.set(from.v)
  to.s.set(from.s)
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
