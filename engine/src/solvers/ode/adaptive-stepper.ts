/**
 * Methods with error control as steppers: `step(state, h)` advances the state by exactly h, with as many or as few internal steps as
 * the tolerance asks for.
 *
 * The integrator runs ahead: its front lies at or beyond the state's time, and the state is its dense output. State.s holds the
 * integrator's memory and a copy of the state as it was handed out. Where they differ at the next step (a new velocity after an impact,
 * another joint force) there was a discontinuity, and the integrator starts afresh from the state as it finds it. An integrator that keeps parts of
 * its memory elsewhere is asked for them only when somebody wants State.s (`save`).
 */

import { createConstrainedDynamics } from '../../constraints/loops/dynamics.js'
import type { LoopOptions } from '../../constraints/loops/loops.js'
import type { Vec } from '../../math/types.js'
import { createData } from '../../model/data.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import { createState, type State, shareInputs } from '../../model/state.js'
import { firstBad } from '../first-bad.js'
import { loadMemory, memoryLayout } from '../memory-layout.js'
import { resetReport, type Stepper, type StepReport } from '../solver.js'
import { crosses, locate, type OdeEvent } from './events.js'
import { type AdaptiveMethod, createIntegrator } from './methods.js'
import { createModelProblem, type ModelProblem } from './model-problem.js'
import { type Integrator, type IntegratorOptions, STEP, TIME } from './problem.js'

/** Totals since `init` and the integrator's present step. */
export interface OdeReport extends StepReport {
  /** order in use, size of the next internal step */
  order: number
  internalStep: number
  /** starts, the first included */
  starts: number
  unconverged: number
  factorizations: number
  products: number
  /** the event that ended the step, or was met last in it; −1 if none */
  event: number
}

export interface AdaptiveOptions extends IntegratorOptions, LoopOptions {
  readonly method: AdaptiveMethod
  /** internal steps within one step before it is given up */
  readonly maxSteps: number
  readonly events?: readonly OdeEvent[]
  /** the user's own */
  readonly forces?: readonly Force[]
}

export interface OdeStepper extends Stepper {
  readonly report: Readonly<OdeReport>
  step(state: State, h: number): Readonly<OdeReport>
}

/** between two internal points the events are looked at this often */
const LOOKS = 4

// numbers handed from function to function: V8 boxes those that cross a call
const WHEN = 0
const BEGIN = 1 // of the span in which events are looked for
const END = 2
const FOUND = 3 // the time of an event that ends the step, else the span's end; NaN where a function gives none
const PASSED = 4

/** A mechanism and what integrates it. */
export interface ModelIntegrator extends Integrator {
  readonly problem: ModelProblem
}

const serialIntegrator = (model: Model, options: AdaptiveOptions): ModelIntegrator => {
  const data = createData(model, { forces: options.forces ?? [] })
  const problem = createModelProblem(model, options.forces, data, createConstrainedDynamics(model, data, options))
  return Object.assign(createIntegrator(problem, options.method, options), { problem })
}

export function createAdaptiveStepper(
  model: Model,
  options: AdaptiveOptions,
  integrator: ModelIntegrator = serialIntegrator(model, options),
): OdeStepper {
  const { nv } = model
  const events = options.events ?? []
  const { memory, statistics, problem } = integrator
  const elsewhere = integrator.collect !== undefined
  const { at, length: ns } = stepperMemory(model, memory.length)
  const y = new Float64Array(2 * nv)
  const next = createState(model)
  const before = new Float64Array(events.length)
  const after = new Float64Array(events.length)
  // one literal, with numbers that are no integers at first: V8 then keeps them unboxed for good
  const report: OdeReport = {
    status: 'ok',
    h: Number.NaN,
    steps: 0,
    rejected: 0,
    evaluations: 0,
    iterations: 0,
    joint: -1,
    message: '',
    order: 0,
    internalStep: Number.NaN,
    starts: 0,
    unconverged: 0,
    factorizations: 0,
    products: 0,
    event: -1,
  }
  const start = { ...statistics, evaluations: 0 }
  const given = new Float64Array(PASSED)
  let watched = 0
  // of an integrator with memory elsewhere: the State.s that belongs to it, whether the last step failed
  let kept: Vec | undefined
  let failed = false

  const count = (): void => {
    report.steps = statistics.steps - start.steps
    report.rejected = statistics.rejected - start.rejected
    report.iterations = statistics.iterations - start.iterations
    report.unconverged = statistics.unconverged - start.unconverged
    report.factorizations = statistics.factorizations - start.factorizations
    report.products = statistics.products - start.products
    report.evaluations = problem.evaluations() - start.evaluations
    report.order = integrator.order()
    report.internalStep = memory[STEP]
  }

  const fail = (status: 'diverged' | 'bad-step' | 'bad-event', message: string): OdeReport => {
    report.status = status
    report.message = message
    count()
    return report
  }

  /** next ← the state at given[WHEN] */
  const look = (): void => {
    integrator.denseAt(y, given)
    problem.write(next.q, next.v, y)
    next.t = given[WHEN]
  }

  /** out ← the events' values at `next`. The number of the first that failed, −1 if none did. */
  const evaluate = (out: Vec): number => {
    for (let k = 0; k < events.length; k++) {
      out[k] = events[k].value(next)
      if (Number.isNaN(out[k])) return k
    }
    return -1
  }
  const watchedValue = (t: number): number => {
    given[WHEN] = t
    look()
    return events[watched].value(next)
  }

  /** Looks for events from given[BEGIN] to given[END]. Writes given[FOUND]. */
  const watch = (): void => {
    const a = given[BEGIN]
    const b = given[END]
    given[FOUND] = Number.NaN
    let from = a
    for (let part = 1; part <= LOOKS; part++) {
      const to = part === LOOKS ? b : a + ((b - a) * part) / LOOKS
      given[WHEN] = to
      look()
      watched = evaluate(after)
      if (watched >= 0) return
      let first = Number.POSITIVE_INFINITY
      for (let k = 0; k < events.length; k++) {
        if (!crosses(events[k], before[k], after[k])) continue
        watched = k
        const width = 4 * Number.EPSILON * Math.max(Math.abs(a), Math.abs(b))
        const t = locate(watchedValue, from, before[k], to, after[k], width)
        if (Number.isNaN(t)) return
        events[k].onEvent?.(next)
        if (t < first) {
          if (events[k].terminal !== false) first = t
          if (first === Number.POSITIVE_INFINITY || first === t) report.event = k
        }
      }
      if (first < Number.POSITIVE_INFINITY) {
        given[FOUND] = first
        return
      }
      before.set(after)
      from = to
    }
    given[FOUND] = b
  }

  const begin = (state: State): void => {
    problem.read(y, state)
    integrator.start(state.t, y)
    report.starts++
  }

  const load = (state: State): void => {
    const s = state.s
    if (!elsewhere) loadMemory(memory, s, at.integrator)
    else if (s !== kept) {
      loadMemory(memory, s, at.integrator)
      problem.outside(state)
      integrator.spread?.()
    }
    problem.outside(state)
    if (failed || changed(state, at)) begin(state)
    // until this step has come to a good end
    failed = elsewhere
    next.tau.set(state.tau)
    shareInputs(next, state)
  }

  const save = (state: State): void => {
    const s = state.s
    if (!elsewhere) s.set(memory, at.integrator)
    record(state, at)
    kept = s
    failed = false
  }

  /** The step itself; may throw what an event's function throws. */
  const advance = (state: State, h: number): OdeReport => {
    load(state)
    const t1 = state.t + h
    let from = state.t
    if (events.length > 0) {
      next.t = from
      next.q.set(state.q)
      next.v.set(state.v)
      watched = evaluate(before)
      if (watched >= 0) return fail('bad-event', nanMessage(events[watched], from))
    }
    let steps = 0
    let stopped = false
    while (from < t1 && !stopped) {
      if (memory[TIME] <= from) {
        if (++steps > options.maxSteps) return fail('diverged', tooMany(options.maxSteps, from))
        const status = integrator.advance()
        if (status !== 'ok') {
          // y is (positions, velocities), both counted as velocities are
          report.joint = jointOf(model, integrator.worst() % nv)
          return fail('diverged', stuck(options.method, from, memory[STEP], model, report.joint))
        }
      }
      const to = Math.min(memory[TIME], t1)
      if (events.length > 0) {
        given[BEGIN] = from
        given[END] = to
        watch()
        const at = given[FOUND]
        if (Number.isNaN(at)) return fail('bad-event', nanMessage(events[watched], to))
        stopped = at < to || (report.event >= 0 && events[report.event].terminal !== false)
        from = at
      } else {
        from = to
      }
    }
    given[WHEN] = from
    look()
    report.joint = firstBad(model, next)
    if (report.joint >= 0) return fail('diverged', '')
    report.h = from - state.t
    state.q.set(next.q)
    state.v.set(next.v)
    state.t = from
    save(state)
    count()
    report.status = stopped ? 'event' : 'ok'
    if (stopped) report.message = `event '${events[report.event].name}' at t = ${from.toPrecision(9)} s`
    return report
  }

  const enter = (state: State): void => {
    begin(state)
    save(state)
    count()
  }

  return {
    ns,
    ownSteps: true,
    report,
    init(state) {
      if (state.s.length !== ns) state.s = new Float64Array(ns)
      resetReport(report)
      Object.assign(start, statistics)
      start.evaluations = problem.evaluations()
      report.starts = 0
      report.event = -1
      enter(state)
    },
    enter,
    ...(elsewhere && {
      save(state: State) {
        integrator.collect?.()
        state.s.set(memory, at.integrator)
      },
    }),
    step(state, h) {
      report.h = h
      report.event = -1
      report.joint = -1
      report.message = ''
      if (!(h > 0 && state.t + h > state.t && h < Number.POSITIVE_INFINITY)) return fail('bad-step', '')
      if (state.s.length !== ns) return fail('bad-step', 'the state has no memory of this method; call init, or reset the simulation')
      try {
        return advance(state, h)
      } catch (error) {
        // whoever keeps the memory knows what it means
        if (elsewhere) throw error
        const why = error instanceof Error ? error.message : String(error)
        return fail('bad-event', `an event's function failed near t = ${next.t.toPrecision(6)} s: ${why}`)
      }
    },
  }
}

/** Memory in State.s: the integrator's, and what was handed out last, so that a change from outside is seen. */
function stepperMemory({ nq, nv, nu }: Model, integrator: number) {
  return memoryLayout({ integrator, t: 1, controls: 1, q: nq, v: nv, tau: nv, control: nu })
}
type Places = ReturnType<typeof stepperMemory>['at']

/** Whether t, q, v, tau or control differ from what was handed out. */
function changed({ s, t, q, v, tau, control }: State, at: Places): boolean {
  if (s[at.t] !== t || s[at.controls] !== control.length) return true
  return differs(s, at.q, q) || differs(s, at.v, v) || differs(s, at.tau, tau) || differs(s, at.control, control)
}

function differs(s: Vec, o: number, x: Vec): boolean {
  for (let k = 0; k < x.length; k++) if (s[o + k] !== x[k]) return true
  return false
}

function record({ s, t, q, v, tau, control }: State, at: Places): void {
  s[at.t] = t
  s[at.controls] = control.length
  s.set(q, at.q)
  s.set(v, at.v)
  s.set(tau, at.tau)
  s.set(control, at.control)
}

/** The joint that velocity k belongs to. */
const jointOf = (model: Model, k: number): number => model.joints.findIndex(({ iv, nv }) => k >= iv && k < iv + nv)

const nanMessage = (event: OdeEvent, t: number): string =>
  `event '${event.name}' gave NaN near t = ${t.toPrecision(6)} s; expected a number`

const stuck = (method: string, t: number, h: number, model: Model, joint: number): string => {
  const { name, body } = model.joints[joint]
  return (
    `method ${method} found no step near t = ${t.toPrecision(6)} s that keeps the tolerance (the last one tried was ${h.toExponential(1)} s): ` +
    `the error is largest at joint '${name}' of body '${model.bodies[body].name}'; ` +
    'loosen rtol and atol, or look for a force that jumps or grows without bound there'
  )
}

const tooMany = (most: number, t: number): string =>
  `${most} internal steps were not enough, t = ${t.toPrecision(6)} s was reached; loosen rtol and atol, raise maxsteps, or take method=bdf if the model is stiff`
