/**
 * Simulation: model, solver and clock. All that the command line and the studio drive. The solver is given; `create-simulation.ts` finds it by
 * its name, for which it must load all of them, and `on-demand.ts` fetches it.
 */

import { withoutFooting } from './contact/footing.js'
import { beginActivations, endActivations } from './forces/activation.js'
import { readSensors } from './forces/sensors.js'
import { APPLIED_SIZE, addAppliedForces, createApplied, dropApplied, isForOneStep } from './handles/applied.js'
import { createDriven, passDriven, steerDriven } from './handles/driven.js'
import { createHandles, type Handles } from './handles/handles.js'
import { createLook, type Look } from './handles/look.js'
import { createParameters } from './handles/parameters.js'
import { type AskedContacts, createAsked } from './handles/queries/asked.js'
import type { Queries } from './handles/queries/queries.js'
import { checkSteps, type StartFrom, startFrom } from './handles/start-from.js'
import { pow } from './math/own.js'
import { findBadInput } from './model/bad-input.js'
import { createData, type Data } from './model/data.js'
import type { Force } from './model/force.js'
import { modelHash } from './model/hash.js'
import type { Model } from './model/model.js'
import { describeValue } from './model/remedies.js'
import { checkControl, copyState, createState, type State, shareInputs } from './model/state.js'
import { areInputsNaN, createMarks, isMarkedOtherwise, markState } from './model/state-marks.js'
import { type Outside, readSnapshot, writeSnapshot } from './snapshot.js'
import { explainFailure, explainGrowth, fastestJoint, isUsersNumber } from './solvers/explain-failure.js'
import { followModel, forgetTotals } from './solvers/follow-model.js'
import { createGrowthWatch, type GrowthWatch, returnTo } from './solvers/growth-watch.js'
import { leftOut } from './solvers/left-out.js'
import { checkedSetup, checkForces, type Running, type SolverSetup, startSolver } from './solvers/setup.js'
import type { Detail, Options, Solver, StepReport, StepStatus } from './solvers/solver.js'
import { unstableForces } from './solvers/unstable.js'

/** The stepper's report, and what the simulation adds. One object, rewritten by every step. */
export interface SimulationReport extends Readonly<StepReport> {
  /** empty, or what went wrong, where, and what to try */
  readonly message: string
}

/** An advance that was left: the time at which it began, and how many steps it had made. */
export interface Begun {
  readonly t: number
  readonly steps: number
}

/** `body`, `joint`, `actuator`, `site` and `shape` find these by name. */
export interface Simulation extends Handles, AskedContacts {
  /** with the parameters as they are: the one it was made with until the first of them is set, then another one for each change */
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
  /** Advances n steps (default 1), a whole number; stops early where a step fails. Seconds are for `advance`. */
  step(n?: number): SimulationReport
  /**
   * Advances by this much simulated time; the last step is shortened to end there. onProgress is called after every step, and may return false to
   * stop. With `begun` the same advance, of as many seconds, is taken up after a `restore`: its steps are those it would have made.
   */
  advance(seconds: number, onProgress?: (done: number, total: number) => boolean | undefined, begun?: Begun): SimulationReport
  /** Takes over a state (default: the model's initial one), or a keyframe by its name, and re-initialises the solver's memory: `reset('home')`. */
  reset(state?: StartFrom | string): void
  /**
   * Sets gravity, in m/s² along the axes of the world. As every parameter (`shape(…).setFriction`, `body(…).setMass`, `actuator(…).setGains`) it is of
   * this simulation alone, and stays through `reset`. Time, coordinates, velocities, controls and applied forces go on; the solver's memory is taken up
   * as after a write to the state. The steps that follow have the bits of a model that was built so. Allocates; steps do not.
   */
  setGravity(gravity: ArrayLike<number>): void
  /** Parameters that are set within `changes` are taken over together at its end, with the work of one. */
  setTogether(changes: () => void): void
  /** Everything that the future depends on, as bytes: also parameters that were set. */
  snapshot(): Uint8Array
  /** Continues from a snapshot of the same model, as it was built, and solver, with the same bits and with the parameters of the snapshot. */
  restore(bytes: Uint8Array): void
  /**
   * What the sensor of this name shows at the state, with the forces and accelerations of the last step; before the first one with those of the
   * tree alone. Allocates.
   */
  sensor(name: string): Float64Array
  /** What all sensors show, one after the other (`model.sensors.start`). Allocates. */
  sensors(): Float64Array
  /**
   * What users should know, in sentences, each once and the most important first: what will fall for want of a ground, which force is too fast for
   * explicit steps of this size, what the solver leaves out of this model, what the file asks for and does not get, what came up so far. Allocates.
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

/** A simulation with this solver, given as a value: a page that loads it loads no other solver. `why` gives what `simulation.why` says. */
export function createSimulationWith(
  model: Model,
  solver: Solver,
  {
    timestep,
    forces = [],
    ...given
  }: { readonly timestep?: number; readonly forces?: readonly Force[]; readonly [option: string]: unknown } = {},
  why: string | (() => string) = `${solver.name}: it was asked for`,
): Simulation {
  checkForces(forces)
  const setup = checkedSetup(model, solver, given, forces, typeof why === 'string' ? () => why : why)
  return createSimulationFrom(model, () => setup, { timestep, forces, now: solver.check === undefined })
}

/** What a simulation is made of beside model and solver. */
interface SimulationParts {
  readonly timestep?: number | undefined
  readonly forces: readonly Force[]
  /** see `createSimulationFrom` */
  readonly now: boolean
  /** makes what answers geometric queries; the core leaves it out, for it has the code of contact */
  readonly queries?: ((model: Model) => Queries) | undefined
}

/**
 * A simulation whose solver is chosen by `setupOf` and whose stepper is created by the first step or question. `now`: at once, for solvers
 * of which only `create` tells whether it accepts the options.
 */
export function createSimulationFrom(
  built: Model,
  setupOf: () => SolverSetup,
  { timestep, forces, now, queries }: SimulationParts,
): Simulation {
  let chosen: SolverSetup | undefined
  const setup = (): SolverSetup => (chosen ??= setupOf())
  // another one after a change of parameters
  let model = built
  let running: Running | undefined
  const run = (): Running => (running ??= startSolver(setup(), model, forces))
  if (now) run()
  const state = createState(model)
  let before: State | undefined
  let hash: number | undefined
  // of all bytes of the model: found when a snapshot first asks, and not whenever a simulation is made
  const hashOf = (): number => (hash ??= modelHash(built, forces))
  let reason: string | undefined
  let h = 0
  let started = false
  let closed = false
  // of explicit solvers only
  let watch: GrowthWatch | undefined

  const setTimestep = (value: number): void => {
    if (!(value > 0 && Number.isFinite(value)))
      throw new RangeError(`timestep: expected a positive number of seconds, got ${describeValue(value)}`)
    h = value
  }
  setTimestep(timestep ?? model.timestep)

  const checkOpen = (): void => {
    if (closed) throw new Error(`simulation of '${model.name}': it was closed; create another one`)
  }

  const start = (): void => {
    checkOpen()
    if (started) return
    run().stepper.init(state)
    started = true
    const { solver, options } = setup()
    if (solver.stability?.(options, h) !== undefined) watch ??= createGrowthWatch(model)
    watch?.restart(state)
    remember()
  }

  // t, q, v and act as the solver left them: where the state differs it was written from outside
  const left = createMarks(model)
  const remember = (): void => markState(left, left.marked, state)
  const isWritten = (): boolean => isMarkedOtherwise(left, state)
  /** Before a snapshot or a step: the solver's memory belongs to the state as it is. */
  const takeUp = (): void => {
    checkControl(model, state.control)
    if (closed || !started) start()
    if (isWritten()) enter()
  }
  const enter = (): void => {
    const { stepper } = run()
    if (stepper.enter) stepper.enter(state)
    else stepper.init(state)
    remember()
  }
  /** The same before a step; false where the state holds NaN, which is reported before a solver spreads it to other joints. */
  const isReady = (): boolean => {
    checkControl(model, state.control)
    checkOpen()
    const written = !started || isWritten()
    const bad = written || areInputsNaN(left, state) ? findBadInput(model, state, false) : undefined
    if (bad !== undefined) {
      const { report } = run()
      report.status = 'diverged'
      report.joint = bad.joint
      report.message = bad.message
      return false
    }
    if (!started) start()
    else if (written) {
      enter()
      watch?.restart(state)
    }
    return true
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
  const named = (): Handles => (handles ??= createHandles({ look: look(), applied, targets, parameters }))

  // whether the solver's contacts are those of the last step, and not of a run before
  let stepped = false
  const parameters = createParameters(built, (next) => {
    checkOpen()
    if (running) running = followModel(setup(), running, next, forces, started ? state : undefined)
    model = next
    if (looking) looking.model = next
    sensorData = undefined
    stepped = false
    remember()
  })

  const asked = createAsked({
    model: built,
    state,
    look,
    solver: () => run().stepper.contacts?.(),
    isCurrent: () => stepped && run().stepper.contacts !== undefined && state.q.every((x, k) => x === left.marked[left.q + k]),
    create: queries,
  })

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
    const { stepper, report } = run()
    report.message = ''
    if (tied) {
      lastStep[0] = state.t
      lastStep.set(state.v, 1)
    }
    if (lagging) beginActivations(state, dt)
    const { status } = stepper.step(state, dt)
    stepped = true
    if (status !== 'ok') return stepAgain(dt, status)
    if (lagging) endActivations(model, state)
    return (
      watch === undefined ||
      !watch.isSuspect(state) ||
      watch.isConfirmed(model, stepper, state, dt) ||
      giveUp(watch, dt, tooFast(dt, watch.good.q))
    )
  }

  /** The force that is too fast for explicit steps of dt, in a sentence; empty: none, or steps are not explicit. */
  const tooFast = (dt: number, q = model.q0): string => {
    const { solver, options } = setup()
    const limits = solver.stability?.(options, dt)
    return limits ? unstableForces(model, forces, limits, dt, q) : ''
  }

  /** The motion grows without bound: the state becomes the last good one. */
  const giveUp = ({ good, restart }: GrowthWatch, dt: number, cause: string): false => {
    const { report } = run()
    report.status = 'diverged'
    report.joint = fastestJoint(model, state.v)
    report.message = explainGrowth(model, state, good.t, report.joint, dt, cause)
    returnTo(state, good)
    restart(state)
    return false
  }

  /** A step that failed, in parts if that may help; says why where it does not. */
  const stepAgain = (dt: number, status: StepStatus): boolean => {
    const { stepper, report } = run()
    const growing = status === 'diverged' && watch?.isGrowing() === true
    const again = isRetried(status) && stepper.ownSteps !== true && !growing
    const good = again && stepInParts(dt) === 'ok'
    endActivations(model, state)
    if (!good && report.status === 'diverged' && watch !== undefined && !isUsersNumber(model, forces, state, dt)) {
      // steps of a very fast force overflow before they are seen to grow
      const cause = tooFast(dt, watch.good.q)
      if (growing || cause !== '') return giveUp(watch, dt, cause)
    }
    if (!good) report.message = explainFailure(model, forces, state, report, dt, again ? 2 ** DEEPEST : 1)
    return good
  }

  const stepInParts = (dt: number): StepStatus => {
    const { stepper, report } = run()
    let status: StepStatus = 'diverged'
    before ??= createState(model)
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
    get model() {
      return model
    },
    get solver() {
      return setup().solver
    },
    get options() {
      return setup().options
    },
    get why() {
      return (reason ??= setup().why())
    },
    forces,
    get timestep() {
      return h
    },
    set timestep(value) {
      setTimestep(value)
    },
    state,
    get detail() {
      return run().stepper.detail
    },
    get report() {
      return run().shown
    },

    step(n = 1) {
      checkSteps(n)
      let good = isReady()
      for (let k = 0; k < n && good; k++) good = stepOnce(h)
      remember()
      return run().shown
    },

    advance(seconds, onProgress, begun) {
      if (!(seconds >= 0 && Number.isFinite(seconds)))
        throw new RangeError(`advance: expected a number of seconds, got ${describeValue(seconds)}`)
      let good = isReady()
      const t0 = begun?.t ?? state.t
      const taken = begun?.steps ?? 0
      const whole = Math.floor(seconds / h + 1e-9)
      for (let k = taken; k < whole && good; k++) {
        good = stepOnce(h)
        if (!onProgress) continue
        remember()
        if (onProgress(state.t - t0, seconds) === false) return run().shown
        good &&= isReady()
      }
      // what is left, measured from the clock, so that rounding in the sum of steps does not move the end
      const rest = t0 + seconds - state.t
      if (good && taken <= whole && rest > 0 && (whole === 0 || seconds - whole * h > 1e-9 * h)) {
        stepOnce(rest)
        remember()
        onProgress?.(state.t - t0, seconds)
      } else remember()
      return run().shown
    },

    reset(given) {
      checkOpen()
      const from = startFrom(model, given)
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
      const bad = findBadInput(model, fresh)
      if (bad) throw new RangeError(`reset: ${bad.message}`)
      // the array of controls may be one that a user assigned, and is theirs
      shareInputs(state, fresh)
      copyState(state, fresh)
      applied.count = 0
      targets.set(createDriven(model, state))
      started = false
      stepped = false
      lastStep.fill(Number.NaN)
      start()
      const { report, totals } = run()
      report.message = ''
      forgetTotals(totals)
    },

    snapshot() {
      takeUp()
      run().stepper.save?.(state)
      const pushes = applied.numbers.subarray(0, APPLIED_SIZE * applied.count)
      return writeSnapshot(hashOf(), setup().solver.name, state, targets, pushes, parameters.pack())
    },

    restore(bytes) {
      start()
      const sizes = { nu: model.nu, driven: targets.length, applied: APPLIED_SIZE }
      const read = (): Outside => readSnapshot(bytes, hashOf(), setup().solver.name, state, sizes, parameters.fits)
      const found = read()
      // another stepper begins with a memory of its own
      const { outside } = parameters.unpack(found.changes) ? read() : found
      targets.set(outside.length > 0 ? outside.subarray(0, targets.length) : createDriven(model, state))
      applied.numbers = outside.slice(targets.length)
      applied.count = applied.numbers.length / APPLIED_SIZE
      stepped = false
      watch?.restart(state)
      remember()
    },

    contacts: asked.contacts,
    distance: asked.distance,

    setGravity: (gravity) => parameters.setGravity(gravity),
    setTogether: (changes) => parameters.together(changes),
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
      const contacts = asked.pushing()
      const passed = state.t - lastStep[0]
      // what constraints and contact do is in the motion only
      const a = tied && passed > 0 && !isWritten() ? state.v.map((v, k) => (v - lastStep[1 + k]) / passed) : undefined
      readSensors(model, sensorData, state, out, { contacts, ...(a ? { a } : {}) })
      return out
    },

    warnings() {
      const { solver, options } = setup()
      const fast = [tooFast(h)].filter((one) => one !== '')
      return [
        ...new Set([
          ...withoutFooting(model),
          ...fast,
          ...leftOut(model, solver, options),
          ...model.notes,
          ...(run().stepper.warnings?.(state) ?? []),
        ]),
      ]
    },

    close() {
      if (closed) return
      closed = true
      running?.stepper.close?.()
    },
  }
  return simulation
}

/** Whether constraints, limits, friction or contact may act beside the forces of the tree. */
function isTied(m: Model): boolean {
  return m.constraints.active.some((x) => x === 1) || m.limits.some(Number.isFinite) || m.friction.some((x) => x > 0) || m.shapes.count > 0
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
