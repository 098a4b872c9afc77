/**
 * The default step: backward Euler with velocity products implicit.
 *
 * Unknown is the configuration at the end of the step (`point-system`). The stages: where the motion leads, A and the rows there, a constrained
 * solve, a correction that must shrink the residual (`newton`); whether it is enough, and the projection onto loops (`acceptance`). A step that
 * fails is made in parts, which grow again. What it starts from and leaves in State.s is in `step-record`; the velocity in the state is made
 * from that.
 */
import { redundancyNote } from '../../../constraints/assembly/notes.js'
import { prepareStart } from '../../../constraints/assembly/start.js'
import { createOverlapNotes } from '../../../contact/overlaps.js'
import type { Vec } from '../../../math/types.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import { type Options, resetReport, type Stepper, type StepReport } from '../../solver.js'
import { STEP, TIME } from '../constraints/constraint-work.js'
import { explainMatrix, explainStop, explainTrouble, explainWork, MORE_WORK } from '../constraints/explain-stop.js'
import { startPart } from '../constraints/find-rows.js'
import { listContacts, listPulls } from '../constraints/row-forces.js'
import { exactPart } from '../constraints/soft-equalities.js'
import { isPushing, isTooSlow, redundantConstraints } from '../constraints/step-constraints.js'
import { createRefusal, reportRefusal } from '../refusal.js'
import { createWork, extendWork, isSpent, mayEnd, startWork, workNote } from '../work.js'
import { ACCEPTED, FAILED, NOT_A_NUMBER, solveLast, solvePart } from './newton.js'
import { KINETIC, POTENTIAL } from './part.kernel.js'
import { brokenJoint, startEnergies } from './point-system.js'
import { shapeRates, startShapes } from './shape-motion.js'
import { type BackwardEuler, createStepRecord, loadStep, PARTS, placeStart, storeStep } from './step-record.js'
import { finishTendons } from './tendon-inertia.js'

// parts that are not divided further only because contacts are elsewhere after each correction
const SHORT = PARTS / 16

/** The stepper, as one that others take part of their way with. */
export interface BackwardEulerStepper extends Stepper {
  readonly memory: BackwardEuler['memory']
  /** Prepares state.s for the pose and velocity of the state as they are, which close the loops; what is held, and forces of constraints, are kept. */
  adopt(state: State): void
  /** A step of span[0]: numbers that are handed over are boxed. */
  advance(state: State, span: Vec): Readonly<StepReport>
  /** Counts in the report begin anew. */
  restart(): void
  /** Whether a limit or a contact pushed in the last step. */
  isPushing(): boolean
}

/** `work`: of the step that this takes part in, counted from its start by the caller; absent: steps are its own. */
export function createBackwardEuler(
  model: Model,
  options: Options,
  forces: readonly Force[] = [],
  work: Vec = createWork(model, Number(options.work)),
): BackwardEulerStepper {
  const w = createStepRecord(model, options, forces, work)
  const { memory, report, constraints, d } = w
  // soft constraints pull the pose by themselves, from wherever it is
  const exact = exactPart(model)
  const refusal = createRefusal(exact, true)
  const given = new Float64Array(1)
  // evaluations before the run, and what users should know of its start
  let start = 0
  let notes: readonly string[] = []
  const overlaps = createOverlapNotes(model, options.contact === true)

  /** A pose that does not close its loops is assembled, or refused at the first step; nothing is known of what went before. */
  const begin = (state: State): void => {
    const found = prepareStart(exact, state, { exact: true })
    notes = found.notes
    overlaps.start(state.q)
    state.s.fill(0)
    if (memory.size.held > 0) state.s[memory.at.held] = found.held ? 1 : 0
    adoptState(w, state)
    if (found.refusal !== '') state.s[memory.at.refused] = 1
  }

  const advance = (state: State, span: Vec): Readonly<StepReport> => {
    const h = span[0]
    report.h = h
    report.joint = -1
    report.message = ''
    report.status = h > 0 && h < Number.POSITIVE_INFINITY ? 'ok' : 'bad-step'
    if (report.status === 'ok' && state.s[memory.at.refused] === 1) reportRefusal(refusal, state, report)
    if (report.status !== 'ok') return report
    step(w, state, span)
    report.evaluations = d.evaluations - start
    if (w.isBounded && report.status === 'ok') report.bounded = (report.bounded ?? 0) + 1
    return report
  }

  const stepper: BackwardEulerStepper = {
    ns: memory.length,
    memory,
    report,
    // a step that takes too long is not tried again in parts
    get ownSteps() {
      return isSpent(work) || (constraints !== undefined && isTooSlow(constraints))
    },
    isPushing: () => constraints !== undefined && isPushing(constraints),
    init(state) {
      if (state.s.length !== memory.length) state.s = new Float64Array(memory.length)
      begin(state)
      stepper.restart()
    },
    restart() {
      start = d.evaluations
      resetReport(report)
    },
    enter: begin,
    adopt: (state) => adoptState(w, state),
    step(state, h) {
      given[0] = h
      if (stepper.isPart !== true) startWork(work)
      return advance(state, given)
    },
    advance,
  }
  if (constraints) {
    stepper.contacts = () => listContacts(constraints)
    stepper.warnings = (state) => [
      ...notes,
      ...overlaps.list(state.q),
      ...workNote(report.bounded),
      ...redundancyNote(redundantConstraints(constraints)),
    ]
  }
  return stepper
}

/** A step of span[0], in parts where it must be; the state is as it was where not even the shortest can be made. */
function step(w: BackwardEuler, state: State, span: Vec): void {
  const { report, memory } = w
  const { work } = w.p.system
  w.whole[STEP] = span[0]
  w.isBounded = false
  loadStep(w, state)
  // as long as the parts of the last step, or twice that if they were easy
  let size = Math.min(PARTS, Math.max(1, state.s[memory.at.partSize]))
  let done = 0
  while (done < PARTS) {
    setEnd(w, done, size)
    w.isShort = size <= SHORT
    const outcome = solvePart(w, size > 1)
    if (outcome === ACCEPTED) {
      finishPart(w)
      done += size
      if (w.isEasy && size < PARTS && (done === PARTS || done % (2 * size) === 0)) size *= 2
      if (done === PARTS) break
      const isOver = isSpent(work)
      if (isOver) size = PARTS - done
      startNextPart(w, size)
      if (!isOver || extendWork(work)) continue
      if (!mayEnd(work) || !solveRest(w, done)) return giveUp(w, FAILED)
      done = PARTS
    } else if (size > 1 && outcome !== NOT_A_NUMBER && !isSpent(work)) size >>= 1
    else if (outcome === FAILED && isSpent(work) && mayEnd(work) && solveRest(w, done)) done = PARTS
    else return giveUp(w, outcome)
  }

  storeStep(w, state, size)
  report.steps++
}

/** The rest of a step as one part, by one solve. */
function solveRest(w: BackwardEuler, done: number): boolean {
  setEnd(w, done, PARTS - done)
  if (!solveLast(w)) return false
  finishPart(w)
  return true
}

/** The part at hand ends with `done + size` parts of the step. */
function setEnd({ p, clock, whole }: BackwardEuler, done: number, size: number): void {
  p.system.step[0] = (whole[STEP] * size) / PARTS
  p.trial.t = whole[TIME] + (whole[STEP] * (done + size)) / PARTS
  clock[TIME] = p.trial.t
  clock[STEP] = p.system.step[0]
}

/** The end of a part is the start of the next. */
function finishPart(w: BackwardEuler): void {
  const { model, p, d } = w
  const { system, trial } = p
  if (model.tendons.armed.length > 0) finishTendons(model, d, p.tendons, trial.q, system.step)
  if (p.shapes) {
    startShapes(p.shapes, d)
    p.shapes.held.set(p.shapes.holding)
  }
  system.kernels.finishPart(d.tree, p.table, w.part)
}

function startNextPart({ p, constraints, clock, whole }: BackwardEuler, size: number): void {
  clock[STEP] = (whole[STEP] * size) / PARTS
  if (constraints) startPart(constraints, p.q0, clock)
}

/** Says why not even the shortest part can be made, or which joint is not a number. Allocates. */
function giveUp({ model, p, d, linear, constraints, report, x }: BackwardEuler, outcome: number): void {
  report.rejected++
  if (outcome === NOT_A_NUMBER) {
    report.status = 'diverged'
    report.joint = brokenJoint(p)
    return
  }
  const h = p.system.step[0]
  const t = p.trial.t - h
  report.status = 'not-converged'
  const trouble = constraints?.trouble ?? ''
  report.message = constraints && isTooSlow(constraints) ? trouble : explainTrouble(model, trouble, p.q0, t)
  if (isSpent(p.system.work)) report.message ||= explainWork(model, constraints?.unilateral.contacts, t, h)
  report.message ||= linear.trouble ? explainMatrix(model, linear.trouble) : ''
  if (report.message !== '') return
  report.message = explainStop(model, d, x, constraints ? listPulls(constraints) : [], p.q0, t, h)
  if (isSpent(p.system.work)) report.message += MORE_WORK
}

/** Reads q, v and t of the state. Writes its memory, but for what is held and forces of constraints. */
function adoptState(w: BackwardEuler, state: State): void {
  const { model, d, p, memory, rates } = w
  const { at } = memory
  const { s } = state
  s.fill(0, at.choice)
  s[at.refused] = 0
  forwardKinematics(model, d, state.q, state.v)
  w.isPlaced = false
  p.system.kernels.ratesOf(p.free, d.X_WB.byteOffset, d.V.byteOffset, rates.byteOffset)
  if (p.shapes) shapeRates(p.shapes, d, d.V, state.v, rates)
  p.q0.set(state.q)
  p.v0.set(state.v)
  p.trial.t = state.t
  placeStart(w)
  startEnergies(p, rates)
  s.set(rates, at.rates)
  s.set(p.v0, at.velocity)
  s.set(p.tendons.rate0, at.tendonRates)
  s[at.partSize] = PARTS
  s[at.kinetic] = p.E[KINETIC]
  s[at.potential] = p.E[POTENTIAL]
}
