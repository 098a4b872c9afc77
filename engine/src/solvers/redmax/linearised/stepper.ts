/**
 * The stepper of both schemes that are linearised: eq. 2.13 (`linear-step`), and two stages of the same kind (`second-order-step`).
 */
import { redundancyNote } from '../../../constraints/assembly/notes.js'
import { prepareStart } from '../../../constraints/assembly/start.js'
import { createOverlapNotes } from '../../../contact/overlaps.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { memoryLayout, memoryViews } from '../../memory-layout.js'
import { type Options, resetReport, type Stepper } from '../../solver.js'
import { listContacts } from '../constraints/row-forces.js'
import { exactPart } from '../constraints/soft-equalities.js'
import { heldMemory, redundantConstraints, type StepConstraints, saveHeld } from '../constraints/step-constraints.js'
import { LINEAR_MEMORY } from '../matrix/auto.js'
import { createRefusal, reportRefusal } from '../refusal.js'
import { createWork, isSpent, startWork, workNote } from '../work.js'
import { linearStep } from './linear-step.js'
import { createLinearised } from './linearised-record.js'
import { createSecondOrder, secondOrderStep } from './second-order-step.js'
import { stagesRoom } from './stages.js'

/** What State.s holds; `impact`: numbers of the stepper that takes over where bodies hit. */
export function linearisedMemory({ nv }: Model, constraints: StepConstraints | undefined, impact: number) {
  return memoryLayout({
    /** 1: the start was refused, and no step is made */
    refused: 1,
    /** of the last step, and its rate: accelerations, or of scheme linear the solution before constraints; whether they are known */
    history: nv,
    historyRate: nv,
    known: 1,
    /** how many parts the last step ended with */
    parts: 1,
    /** what the choice of the linear solver depends on */
    choice: LINEAR_MEMORY,
    ...heldMemory(constraints),
    backwardEuler: impact,
  })
}

export function createLinearisedStepper(model: Model, options: Options, forces: readonly Force[] = []): Stepper {
  const work = createWork(model, Number(options.work))
  const isSecond = options.scheme === 'second-order'
  const l = createLinearised(model, options, forces, work, isSecond ? stagesRoom(model) : 0)
  const { data, linear, constraints, report } = l
  const second = isSecond ? createSecondOrder(model, options, l, forces) : undefined
  const guess = options.guess === 'solution' ? 'solution' : 'velocity'
  const memory = linearisedMemory(model, constraints, second?.impact?.stepper.ns ?? 0)
  const { at } = memory
  const inner = second?.impact?.stepper.report
  if (second) {
    for (const state of [second.before, second.begun]) state.s = new Float64Array(memory.length)
    second.kept = memoryViews(memory, second.begun.s)
  }
  // soft constraints pull the pose by themselves, from wherever it is
  const exact = exactPart(model)
  const refusal = createRefusal(exact, isSecond)
  // evaluations before the run, and what users should know of its start
  let start = 0
  let notes: readonly string[] = []
  const overlaps = createOverlapNotes(model, options.contact === true)

  /** A pose that does not close its loops is assembled, or refused at the first step; nothing is known of what went before. */
  const begin = (state: State): void => {
    const found = prepareStart(exact, state, { exact: isSecond })
    notes = found.notes
    overlaps.start(state.q)
    state.s.fill(0)
    if (memory.size.held > 0) state.s[at.held] = found.held ? 1 : 0
    if (found.refusal !== '') state.s[at.refused] = 1
  }

  const stepper: Stepper = {
    ns: memory.length,
    report,
    // a step that takes too long is not tried again in parts
    get ownSteps() {
      return isSpent(work)
    },
    init(state) {
      if (state.s.length !== memory.length) state.s = new Float64Array(memory.length)
      begin(state)
      start = data.evaluations
      second?.impact?.stepper.restart()
      resetReport(report)
    },
    enter: begin,
    step(state, h) {
      report.h = h
      report.joint = -1
      report.message = ''
      report.status = h > 0 && h < Number.POSITIVE_INFINITY ? 'ok' : 'bad-step'
      if (report.status === 'ok' && state.s[at.refused] === 1) reportRefusal(refusal, state, report)
      if (report.status !== 'ok') return report
      l.span[0] = h
      if (stepper.isPart !== true) startWork(work, !isSecond)
      if (!second) linear.load(state.s, at.choice)
      const good = second ? secondOrderStep(second, state, at) : linearStep(l, state, at, guess)
      report.evaluations = data.evaluations - start
      if (inner) {
        report.evaluations += inner.evaluations
        if (inner.bounded !== undefined) report.bounded = inner.bounded
      }
      if (!good) {
        report.rejected++
        return report
      }
      if (constraints && !second) saveHeld(constraints, state.s, at)
      if (!second) linear.save(state.s, at.choice)
      report.steps++
      return report
    },
  }
  if (constraints) {
    stepper.contacts = () =>
      second?.isImpact && second.impact?.stepper.contacts ? second.impact.stepper.contacts() : listContacts(constraints)
    stepper.warnings = (state) => [
      ...notes,
      ...overlaps.list(state.q),
      ...workNote(report.bounded),
      ...redundancyNote(redundantConstraints(constraints)),
    ]
  }
  return stepper
}
