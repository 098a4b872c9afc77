/**
 * Simulation: model, solver and clock. All that the command line and the studio drive. The solver is given; `create-simulation.ts` finds it by
 * its name, for which it must load all of them, and `on-demand.ts` fetches it.
 */

import { withoutFooting } from './contact/footing.js'
import { beginActivations, endActivations } from './forces/activation.js'
import { forcesOf } from './forces/index.js'
import { listPenaltyContacts } from './forces/penalty.js'
import { readSensors } from './forces/sensors.js'
import { APPLIED_SIZE, addAppliedForces, createApplied, dropApplied, isForOneStep } from './handles/applied.js'
import { createDriven, passDriven, steerDriven } from './handles/driven.js'
import { createHandles, type Handles } from './handles/handles.js'
import { createLook, type Look } from './handles/look.js'
import { pow } from './math/own.js'
import { createData, type Data } from './model/data.js'
import type { Force } from './model/force.js'
import { modelHash } from './model/hash.js'
import type { Model } from './model/model.js'
import type { Contact } from './model/shapes.js'
import { checkControl, copyState, createState, type State, shareInputs } from './model/state.js'
import { createMarks, isMarkedOtherwise, markState } from './model/state-marks.js'
import { readSnapshot, writeSnapshot } from './snapshot.js'
import { leftOut } from './solvers/left-out.js'
import { completeOptions } from './solvers/options.js'
import type { Detail, Options, Solver, StepReport, StepStatus } from './solvers/solver.js'
import { forwardKinematics } from './tree/kinematics.js'

/** The stepper's report, and what the simulation adds. One object, rewritten by every step. */
export interface SimulationReport extends Readonly<StepReport> {
  /** empty, or what went wrong, where, and what to try */
  readonly message: string
}

/** A state to start from: what is left out is that of the model's initial state. A keyframe of the model is one. */
export interface StartFrom extends Partial<Pick<State, 't' | 'q' | 'v' | 'tau' | 'control' | 'act'>> {
  /** the same as t, as keyframes call it */
  readonly time?: number
}

/** An advance that was left: the time at which it began, and how many steps it had made. */
export interface Begun {
  readonly t: number
  readonly steps: number
}

/** `body`, `joint`, `actuator`, `site` and `shape` find these by name. */
export interface Simulation extends Handles {
  readonly model: Model
  readonly solver: Solver
  readonly options: Options
  /** which solver it is and why, in a sentence */
  readonly why: string
  /** the user's own, besides those of the model; `createData(model, { forces })` with them gives the simulation's energies */
  readonly forces: readonly Force[]
  timestep: number
  /** t, q, v, tau, control and act may be written between any two steps */
  readonly state: State
  readonly report: SimulationReport
  /** how closely the solver looks at each tree; undefined for solvers that simulate every joint */
  readonly detail: Detail | undefined
  /** Advances n steps (default 1); stops early where a step fails. */
  step(n?: number): SimulationReport
  /**
   * Advances by this much simulated time; the last step is shortened to end there. onProgress is called after every step, and may return false to
   * stop. With `begun` the same advance, of as many seconds, is taken up after a `restore`: its steps are those it would have made.
   */
  advance(seconds: number, onProgress?: (done: number, total: number) => boolean | undefined, begun?: Begun): SimulationReport
  /** Takes over a state (default: the model's initial one) and re-initialises the solver's memory: `reset(model.keyframes[0])`. */
  reset(state?: StartFrom): void
  /** Everything that the future depends on, as bytes. */
  snapshot(): Uint8Array
  /** Continues from a snapshot of the same model and solver, with the same bits. */
  restore(bytes: Uint8Array): void
  /**
   * Where shapes touch or are about to, by name, with the forces there in the last step, in the world; `touching: true` leaves out those without
   * force. Empty for solvers and models without contact. Allocates.
   */
  contacts(options?: { readonly touching?: boolean }): Contact[]
  /**
   * What the sensor of this name shows at the state, with the forces and accelerations of the last step; before the first one with those of the
   * tree alone. Allocates.
   */
  sensor(name: string): Float64Array
  /** What all sensors show, one after the other (`model.sensors.start`). Allocates. */
  sensors(): Float64Array
  /**
   * What users should know, in sentences, each once and the most important first: what will fall for want of a ground, what the solver leaves out
   * of this model, what the file asks for and does not get, what came up so far. Allocates.
   */
  warnings(): string[]
  /**
   * Frees what the solver holds beyond memory that is collected by itself; to be called where a simulation is dropped. The state can still be
   * read, but no step follows. A second call does nothing.
   */
  close(): void
}

export interface SimulationOptions {
  /** a name from `solvers`, `auto` (the default: what the model suggests, else the engine's choice), or a Solver */
  readonly solver?: string | Solver
  /** seconds; default: the model's */
  readonly timestep?: number
  /** forces of your own, which act after those of the model; a snapshot fits where forces of the same names are given in the same order */
  readonly forces?: readonly Force[]
  /** further keys are options of the solver */
  readonly [option: string]: unknown
}

// a failed step is tried again in 2, 4, … 2^DEEPEST parts before the simulation stops
const DEEPEST = 6

/** A simulation with this solver, given as a value: a page that loads it loads no other solver. `why` is what `simulation.why` says. */
export function createSimulationWith(
  model: Model,
  solver: Solver,
  {
    timestep,
    forces = [],
    ...given
  }: { readonly timestep?: number; readonly forces?: readonly Force[]; readonly [option: string]: unknown } = {},
  why = `${solver.name}: it was asked for`,
): Simulation {
  checkForces(forces)
  const options = completeOptions(solver, given)
  const refusal = solver.refuses(model)
  if (refusal !== null) throw new RangeError(`solver ${solver.name} cannot run model '${model.name}': ${refusal}`)
  const stepper = solver.create(model, options, forces)
  const state = createState(model)
  const before = createState(model)
  let hash: number | undefined
  // of all bytes of the model: found when a snapshot first asks, and not whenever a simulation is made
  const hashOf = (): number => (hash ??= modelHash(model, forces))
  // the stepper's own object, so that a step allocates nothing
  const report: StepReport & { message: string } = Object.assign(stepper.report, { message: '' })
  let h = 0
  let started = false
  let closed = false

  const setTimestep = (value: number): void => {
    if (!(value > 0 && Number.isFinite(value))) throw new RangeError(`timestep: expected a positive number of seconds, got ${value}`)
    h = value
  }
  setTimestep(timestep ?? model.timestep)

  const checkOpen = (): void => {
    if (closed) throw new Error(`simulation of '${model.name}': it was closed; create another one`)
  }

  const start = (): void => {
    checkOpen()
    if (started) return
    stepper.init(state)
    started = true
    remember()
  }

  // t, q, v and act as the solver left them: where the state differs it was written from outside
  const left = createMarks(model)
  const remember = (): void => markState(left, left.marked, state)
  const isWritten = (): boolean => isMarkedOtherwise(left, state)
  /** Before a step: the solver's memory belongs to the state as it is. */
  const takeUp = (): void => {
    checkControl(model, state.control)
    if (closed || !started) start()
    if (!isWritten()) return
    if (stepper.enter) stepper.enter(state)
    else stepper.init(state)
    remember()
  }

  let sensorData: Data | undefined
  // where sensors ask for accelerations that the tree alone does not give: time and velocities before the last step
  const tied = model.sensors.accelerated && isTied(model)
  const lastStep = new Float64Array(1 + model.nv).fill(Number.NaN)

  // whether the force of an actuator follows its control with a lag
  const lagging = model.na > 0
  // what programs do from outside, by name
  const applied = createApplied()
  const targets = createDriven(model, state)
  const ownTau = new Float64Array(model.nv)
  const span = new Float64Array(2)
  let looking: Look | undefined
  const look = (): Look => (looking ??= createLook(model, state))
  let handles: Handles | undefined
  const named = (): Handles => (handles ??= createHandles({ look: look(), applied, targets }))

  /** A step with forces that are applied from outside and with driven bodies on their way. */
  const stepOnce = (dt: number): boolean => {
    const isPushed = applied.count > 0
    if (!isPushed && targets.length === 0) return stepAlone(dt)
    if (targets.length > 0) {
      span[0] = dt
      steerDriven(model, state, targets, span)
      takeUp()
    }
    span[1] = state.t
    ownTau.set(state.tau)
    if (isPushed) addAppliedForces(model, look(), state, applied)
    const good = stepAlone(dt)
    state.tau.set(ownTau)
    if (good) dropApplied(applied, isForOneStep)
    span[0] = state.t - span[1]
    if (span[0] > 0) passDriven(model, state, targets, span)
    remember()
    return good
  }

  /** One step of size dt, in parts if need be; on failure the state is as it was. */
  const stepAlone = (dt: number): boolean => {
    report.message = ''
    if (tied) {
      lastStep[0] = state.t
      lastStep.set(state.v, 1)
    }
    if (lagging) beginActivations(state, dt)
    const { status } = stepper.step(state, dt)
    if (status !== 'ok') return stepAgain(dt, status)
    if (lagging) endActivations(model, state)
    return true
  }

  /** A step that failed, in parts if that may help; says why where it does not. */
  const stepAgain = (dt: number, status: StepStatus): boolean => {
    const again = isRetried(status) && stepper.ownSteps !== true
    const good = again && stepInParts(dt) === 'ok'
    endActivations(model, state)
    if (!good && report.message === '') report.message = explain(model, forces, state, report, dt, again)
    return good
  }

  const stepInParts = (dt: number): StepStatus => {
    let status: StepStatus = 'diverged'
    copyState(before, state)
    stepper.isPart = true
    for (let depth = 1; depth <= DEEPEST && isRetried(status) && stepper.ownSteps !== true; depth++) {
      const parts = pow(2, depth)
      report.message = ''
      status = 'ok'
      for (let k = 0; k < parts && status === 'ok'; k++) status = stepper.step(state, dt / parts).status
      if (status !== 'ok' && status !== 'event') copyState(state, before)
    }
    stepper.isPart = false
    return status
  }

  const simulation: Simulation = {
    model,
    solver,
    options,
    why,
    forces,
    get timestep() {
      return h
    },
    set timestep(value) {
      setTimestep(value)
    },
    state,
    detail: stepper.detail,
    get report() {
      return report
    },

    step(n = 1) {
      takeUp()
      let good = true
      for (let k = 0; k < n && good; k++) good = stepOnce(h)
      remember()
      return report
    },

    advance(seconds, onProgress, begun) {
      if (!(seconds >= 0 && Number.isFinite(seconds))) throw new RangeError(`advance: expected a number of seconds, got ${seconds}`)
      takeUp()
      const t0 = begun?.t ?? state.t
      const taken = begun?.steps ?? 0
      const whole = Math.floor(seconds / h + 1e-9)
      let good = true
      for (let k = taken; k < whole && good; k++) {
        good = stepOnce(h)
        if (!onProgress) continue
        remember()
        if (onProgress(state.t - t0, seconds) === false) return report
        takeUp()
      }
      // what is left, measured from the clock, so that rounding in the sum of steps does not move the end
      const rest = t0 + seconds - state.t
      if (good && taken <= whole && rest > 0 && (whole === 0 || seconds - whole * h > 1e-9 * h)) {
        stepOnce(rest)
        remember()
        onProgress?.(state.t - t0, seconds)
      } else remember()
      return report
    },

    reset(from) {
      checkOpen()
      const fresh = createState(model)
      fresh.t = from?.t ?? from?.time ?? 0
      if (!Number.isFinite(fresh.t)) throw new RangeError(`t: expected a number of seconds, got ${fresh.t}`)
      setChecked('q', fresh.q, from?.q)
      setChecked('v', fresh.v, from?.v)
      setChecked('tau', fresh.tau, from?.tau)
      setChecked('act', fresh.act, from?.act)
      if (from?.control !== undefined) {
        checkControl(model, from.control)
        fresh.control.set(from.control)
      }
      // the array of controls may be one that a user assigned, and is theirs
      shareInputs(state, fresh)
      copyState(state, fresh)
      applied.count = 0
      targets.set(createDriven(model, state))
      started = false
      lastStep.fill(Number.NaN)
      start()
      report.message = ''
    },

    snapshot() {
      takeUp()
      stepper.save?.(state)
      return writeSnapshot(hashOf(), solver.name, state, targets, applied.numbers.subarray(0, APPLIED_SIZE * applied.count))
    },

    restore(bytes) {
      start()
      const outside = readSnapshot(bytes, hashOf(), solver.name, state, { nu: model.nu, driven: targets.length, applied: APPLIED_SIZE })
      targets.set(outside.length > 0 ? outside.subarray(0, targets.length) : createDriven(model, state))
      applied.numbers = outside.slice(targets.length)
      applied.count = applied.numbers.length / APPLIED_SIZE
      remember()
    },

    contacts({ touching = false } = {}) {
      const list = stepper.contacts?.() ?? []
      if (model.penalty.count * model.penalty.obstacles > 0) list.push(...listPenaltyContacts(model, look().data()))
      return touching ? list.filter(({ force }) => force.some((x) => x !== 0)) : list
    },

    body: (name) => named().body(name),
    joint: (name) => named().joint(name),
    actuator: (name) => named().actuator(name),
    site: (name) => named().site(name),
    shape: (name) => named().shape(name),

    sensor(name) {
      const { names, start } = model.sensors
      const k = names.indexOf(name)
      if (k < 0) {
        const known = names.length === 0 ? 'the model has none' : `it has ${names.map((one) => `'${one}'`).join(', ')}`
        throw new RangeError(`sensor: expected the name of a sensor, got '${name}'; ${known}`)
      }
      return simulation.sensors().slice(start[k], start[k + 1])
    },

    sensors() {
      const out = new Float64Array(model.sensors.size)
      sensorData ??= createData(model, { forces })
      const contacts = simulation.contacts()
      const passed = state.t - lastStep[0]
      // what constraints and contact do is in the motion only
      const a = tied && passed > 0 && !isWritten() ? state.v.map((v, k) => (v - lastStep[1 + k]) / passed) : undefined
      readSensors(model, sensorData, state, out, { contacts, ...(a ? { a } : {}) })
      return out
    },

    warnings() {
      return [...new Set([...withoutFooting(model), ...leftOut(model, solver, options), ...model.notes, ...(stepper.warnings?.() ?? [])])]
    },

    close() {
      if (closed) return
      closed = true
      stepper.close?.()
    },
  }
  return simulation
}

/** Whether constraints, limits, friction or contact may act beside the forces of the tree. */
function isTied(m: Model): boolean {
  return m.constraints.active.some((x) => x === 1) || m.limits.some(Number.isFinite) || m.friction.some((x) => x > 0) || m.shapes.count > 0
}

/** Programs without types may give anything. */
export function checkForces(forces: unknown): void {
  if (!Array.isArray(forces)) throw new RangeError(`forces: expected a list of forces, got ${typeof forces}`)
}

/** A smaller step may do. */
function isRetried(status: StepStatus): boolean {
  return status === 'diverged' || status === 'not-converged'
}

function setChecked(name: string, to: Float64Array, from: Float64Array | undefined): void {
  if (from === undefined) return
  if (from.length !== to.length) throw new RangeError(`${name}: expected ${to.length} numbers, got ${from.length}`)
  to.set(from)
}

/** Which joint, when, and what to try. */
function explain(model: Model, forces: readonly Force[], state: State, report: Readonly<StepReport>, h: number, inParts: boolean): string {
  const at = `at t = ${state.t.toPrecision(6)} s`
  if (report.message) return report.message
  if (report.status === 'bad-step') return `step of ${h} s ${at}: expected a positive, finite step`
  const joint = report.joint >= 0 ? model.joints[report.joint] : undefined
  const where = joint ? ` at joint '${joint.name}' of body '${model.bodies[joint.body].name}'` : ''
  // implicit steps take forces at their end
  const force = badForce(model, forces, state) || badForce(model, forces, { ...state, t: state.t + h })
  if (force !== '') return `force '${force}' is not a number ${at}; check what it divides by, and that it reads what the state holds`
  const what = report.status === 'not-converged' ? 'did not converge' : 'diverged'
  const parts = inParts ? `, also in ${2 ** DEEPEST} parts` : ''
  return `the step of ${h} s ${at} ${what}${where}${parts}; take a smaller timestep, less stiffness, or check the masses there`
}

/** The first force that adds something that is not finite at this state; empty if none does. */
function badForce(model: Model, forces: readonly Force[], state: State): string {
  const data = createData(model, { forces })
  forwardKinematics(model, data, state.q, state.v)
  data.f.fill(0)
  data.qf.fill(0)
  for (const force of forcesOf(model, data)) {
    force.apply(model, data, state)
    if (!data.f.every(Number.isFinite) || !data.qf.every(Number.isFinite)) return force.name
  }
  return ''
}
