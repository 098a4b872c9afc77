/**
 * A step of scheme second-order: two stages (`stages`), in up to 256 parts where they do not converge, halved and doubled on the way; the next
 * step begins with the last. Parts in which a limit or a contact pushes are those of backward Euler (`impact`), and so is the one after: what
 * went before says nothing about a blow.
 *
 * Memory: the acceleration and its rate, whether they are known, the number of parts, what is held, and the memory of backward Euler.
 */
import { createProjection } from '../../../constraints/assembly/projection.js'
import type { Vec } from '../../../math/types.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { createState, type State } from '../../../model/state.js'
import type { Options } from '../../solver.js'
import { createBackwardEuler } from '../backward-euler/backward-euler.js'
import { TIME } from '../constraints/constraint-work.js'
import { explainStop, explainWork, MORE_WORK } from '../constraints/explain-stop.js'
import { markStart, startLinearised } from '../constraints/find-rows.js'
import { listPulls } from '../constraints/row-forces.js'
import { exactPart } from '../constraints/soft-equalities.js'
import { canPush, saveHeld } from '../constraints/step-constraints.js'
import { allowLast, extendWork, isSpent } from '../work.js'
import { createImpact, type Impact, impactStep } from './impact.js'
import type { HistoryPlaces } from './linear-step.js'
import { type Linearised, moveState } from './linearised-record.js'
import { createStages, GOOD, IMPACT, NOT_CONVERGED, runStages, type Stages } from './stages.js'

export interface SecondOrder {
  readonly l: Linearised
  readonly stages: Stages
  /** absent where nothing can push */
  readonly impact: Impact | undefined
  /** the state before the step, and before the part */
  readonly before: State
  readonly begun: State
  /** parts of the memory of the latter, as views */
  kept: { readonly history: Vec; readonly historyRate: Vec }
  /** whether the part at hand is the shortest there is */
  isShortest: boolean
  /** whether the last part was one of backward Euler */
  isImpact: boolean
}

export interface SecondOrderPlaces extends HistoryPlaces {
  readonly parts: number
  readonly choice: number
  readonly backwardEuler: number
}

/** most parts of a step */
const PARTS = 256
// of `known`, in place of a history: something pushes, or did so until now
const PUSHED = -1
const PUSHED_BEFORE = -2

export function createSecondOrder(model: Model, options: Options, l: Linearised, forces: readonly Force[]): SecondOrder {
  const { constraints } = l
  // rows of a loop are told apart from redundant ones only where it is closed
  const projection = model.constraints.count > 0 ? createProjection(exactPart(model), true, constraints?.equalities.skip) : undefined
  const none = new Float64Array(0)
  return {
    l,
    stages: createStages(l, projection),
    impact:
      constraints && canPush(constraints)
        ? createImpact(model, createBackwardEuler(model, { ...options, scheme: 'auto' }, forces, l.system.work))
        : undefined,
    before: createState(model),
    begun: createState(model),
    kept: { history: none, historyRate: none },
    isShortest: false,
    isImpact: false,
  }
}

/** A step of span[0]. False, with the report, where it failed. */
export function secondOrderStep(w: SecondOrder, state: State, at: SecondOrderPlaces): boolean {
  const { s, t } = state
  // a step that goes on with backward Euler as a whole needs no copy of the state, nor the linear solver of the stages
  const isPushed = s[at.parts] === 1 && s[at.known] === PUSHED
  const h = w.l.span[0]
  if (!isPushed || !makeImpact(w, state, at)) return makeParts(w, state, at, isPushed)
  state.t = t + h
  return true
}

/** The same in parts: one that fails is halved, and they grow again where that is easy. `isTried`: the whole failed. */
function makeParts(w: SecondOrder, state: State, at: SecondOrderPlaces, isTried: boolean): boolean {
  const { l, stages, before, begun } = w
  const { report, linear, span, system } = l
  const { s } = state
  const h = span[0]
  const { t } = state
  let done = 0
  let size = PARTS / Math.max(1, s[at.parts])
  linear.load(s, at.choice)
  if (isTried) {
    size /= 2
    if (isSpent(system.work)) return false
  }
  while (done < PARTS) {
    report.status = 'ok'
    report.message = ''
    report.joint = -1
    span[0] = (h * size) / PARTS
    w.isShortest = size <= 1
    copyInto(begun, state)
    if (makePart(w, state, at)) {
      // a step in one part begins where the part does
      if (done === 0 && size < PARTS) copyInto(before, begun)
      done += size
      state.t = t + (h * done) / PARTS
      if ((s[at.known] <= 0 || stages.isEasy) && size < PARTS && done % (2 * size) === 0) size *= 2
      linear.save(s, at.choice)
      if (done === PARTS || !isSpent(system.work)) continue
      if (extendWork(system.work)) {
        size = PARTS - done
        continue
      }
    }
    copyInto(state, begun)
    linear.load(s, at.choice)
    if (w.isShortest || isSpent(system.work)) {
      if (makeRest(w, state, at, (h * (PARTS - done)) / PARTS)) {
        state.t = t + h
        break
      }
      copyInto(state, begun)
      // backward Euler says why by itself
      if (report.status === 'ok') explainFailure(w, state)
      if (done > 0) copyInto(state, before)
      return false
    }
    size /= 2
  }
  s[at.parts] = PARTS / size
  return true
}

/** The rest of a step that the second order cannot make, by backward Euler. False where that cannot make it either, or nothing can push. */
function makeRest(w: SecondOrder, state: State, at: SecondOrderPlaces, h: number): boolean {
  const { report, span, system } = w.l
  if (!w.impact || report.status !== 'ok') return false
  report.status = 'ok'
  report.message = ''
  span[0] = h
  allowLast(system.work)
  return makeImpact(w, state, at)
}

function makePart(w: SecondOrder, state: State, at: SecondOrderPlaces): boolean {
  const { l, stages, kept } = w
  const { constraints, clock, span } = l
  const { s } = state
  if (s[at.known] === PUSHED) return makeImpact(w, state, at)
  stages.a.set(kept.history)
  stages.j.set(kept.historyRate)
  clock[TIME] = state.t + span[0]
  if (constraints) {
    startLinearised(constraints, s, at, state.q, clock)
    markStart(constraints, state.q)
  }
  let status = runStages(l, stages, state, s[at.known] > 0)
  // not even in the shortest part: a jump, after which the history means nothing
  if (status === NOT_CONVERGED && w.isShortest) status = runStages(l, stages, state, false)
  if (status === IMPACT) return makeImpact(w, state, at)
  if (status !== GOOD) return false
  w.isImpact = false
  if (!moveState(l, state, stages.v, stages.move, l.unit)) return false
  s.set(stages.a, at.history)
  s.set(stages.j, at.historyRate)
  s[at.known] = 1
  if (constraints) saveHeld(constraints, s, at)
  return true
}

/** A part in which something pushes. */
function makeImpact(w: SecondOrder, state: State, at: SecondOrderPlaces): boolean {
  const { impact } = w
  const { report, span } = w.l
  if (!impact) return false
  const { s } = state
  const known = s[at.known]
  const { iterations } = impact.stepper.report
  const made = impactStep(impact, state, span, at, known === PUSHED || known === PUSHED_BEFORE)
  w.isImpact = true
  report.iterations += made.iterations - iterations
  if (made.status !== 'ok') {
    report.status = made.status
    report.message = made.message ?? ''
    report.joint = made.joint
    return false
  }
  s[at.known] = impact.stepper.isPushing() ? PUSHED : PUSHED_BEFORE
  return true
}

/** Why not even the shortest part could be made. Allocates. */
function explainFailure({ l, stages }: SecondOrder, state: State): void {
  const { model, data, report, constraints, span, x, system } = l
  report.status = 'not-converged'
  const spent = isSpent(system.work)
  report.message = spent ? explainWork(model, constraints?.unilateral.contacts, state.t, span[0]) : ''
  if (report.message !== '') return
  for (let k = 0; k < model.nv; k++) x[k] = stages.v[k] - state.v[k]
  report.message = explainStop(model, data, x, constraints ? listPulls(constraints) : [], state.q, state.t, span[0])
  if (report.message !== '') report.message += spent ? MORE_WORK : ', or scheme=auto'
}

function copyInto(to: State, from: State): void {
  to.t = from.t
  to.q.set(from.q)
  to.v.set(from.v)
  to.s.set(from.s)
}
