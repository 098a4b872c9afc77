/**
 * Simulation: model, solver and clock. All that the command line and the studio drive. The solver is given; `create-simulation.ts` finds it by
 * its name, for which it must load all of them, and `on-demand.ts` fetches it.
 */
import { forcesOf } from './forces/index.js'
import { listPenaltyContacts } from './forces/penalty.js'
import { createData } from './model/data.js'
import type { Force } from './model/force.js'
import { modelHash } from './model/hash.js'
import type { Model } from './model/model.js'
import type { Contact } from './model/shapes.js'
import { checkControl, copyState, createState, type State } from './model/state.js'
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
export interface StartFrom extends Partial<Pick<State, 't' | 'q' | 'v' | 'tau' | 'control'>> {
  /** the same as t, as keyframes call it */
  readonly time?: number
}

export interface Simulation {
  readonly model: Model
  readonly solver: Solver
  readonly options: Options
  /** the user's own, besides those of the model; `createData(model, { forces })` with them gives the simulation's energies */
  readonly forces: readonly Force[]
  timestep: number
  /** t, q, v, tau and control may be written between any two steps */
  readonly state: State
  readonly report: SimulationReport
  /** how closely the solver looks at each tree; undefined for solvers that simulate every joint */
  readonly detail: Detail | undefined
  /** Advances n steps (default 1); stops early where a step fails. */
  step(n?: number): SimulationReport
  /** Advances by this much simulated time; the last step is shortened to end there. onProgress may return false to stop. */
  advance(seconds: number, onProgress?: (done: number, total: number) => boolean | undefined): SimulationReport
  /** Takes over a state (default: the model's initial one) and re-initialises the solver's memory: `reset(model.keyframes[0])`. */
  reset(state?: StartFrom): void
  /** Everything that the future depends on, as bytes. */
  snapshot(): Uint8Array
  /** Continues from a snapshot of the same model and solver, with the same bits. */
  restore(bytes: Uint8Array): void
  /** Where bodies touch, with the forces there in the last step, in the world; empty for solvers and models without contact. Allocates. */
  contacts(): Contact[]
  /** What the solver leaves out of this model, and what came up so far, in sentences. Allocates. */
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

/** A simulation with this solver, given as a value: a page that loads it loads no other solver. */
export function createSimulationWith(
  model: Model,
  solver: Solver,
  {
    timestep,
    forces = [],
    ...given
  }: { readonly timestep?: number; readonly forces?: readonly Force[]; readonly [option: string]: unknown } = {},
): Simulation {
  checkForces(forces)
  const options = completeOptions(solver, given)
  const refusal = solver.refuses(model)
  if (refusal !== null) throw new RangeError(`solver ${solver.name} cannot run model '${model.name}': ${refusal}`)
  const stepper = solver.create(model, options, forces)
  const state = createState(model)
  const before = createState(model)
  const hash = modelHash(model, forces)
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

  // t, q and v as the solver left them: where the state differs it was written from outside
  const left = new Float64Array(1 + model.nq + model.nv)
  const remember = (): void => {
    left[0] = state.t
    left.set(state.q, 1)
    left.set(state.v, 1 + model.nq)
  }
  const isWritten = (): boolean => {
    const { q, v } = state
    let o = 1
    if (left[0] !== state.t) return true
    for (let k = 0; k < q.length; k++) if (left[o++] !== q[k]) return true
    for (let k = 0; k < v.length; k++) if (left[o++] !== v[k]) return true
    return false
  }
  /** Before a step: the solver's memory belongs to the state as it is. */
  const takeUp = (): void => {
    checkControl(model, state.control)
    start()
    if (!isWritten()) return
    if (stepper.enter) stepper.enter(state)
    else stepper.init(state)
    remember()
  }

  /** One step of size dt, in parts if need be; on failure the state is as it was. */
  const stepOnce = (dt: number): boolean => {
    report.message = ''
    const { status } = stepper.step(state, dt)
    const again = isRetried(status) && stepper.ownSteps !== true
    if ((again ? stepInParts(dt) : status) === 'ok') return true
    if (report.message === '') report.message = explain(model, forces, state, report, dt, again)
    return false
  }

  const stepInParts = (dt: number): StepStatus => {
    let status: StepStatus = 'diverged'
    copyState(before, state)
    for (let depth = 1; depth <= DEEPEST && isRetried(status); depth++) {
      const parts = 2 ** depth
      report.message = ''
      status = 'ok'
      for (let k = 0; k < parts && status === 'ok'; k++) status = stepper.step(state, dt / parts).status
      if (status !== 'ok' && status !== 'event') copyState(state, before)
    }
    return status
  }

  const simulation: Simulation = {
    model,
    solver,
    options,
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

    advance(seconds, onProgress) {
      if (!(seconds >= 0 && Number.isFinite(seconds))) throw new RangeError(`advance: expected a number of seconds, got ${seconds}`)
      takeUp()
      const t0 = state.t
      const whole = Math.floor(seconds / h + 1e-9)
      let good = true
      for (let k = 0; k < whole && good; k++) {
        good = stepOnce(h)
        if (!onProgress) continue
        remember()
        if (onProgress(state.t - t0, seconds) === false) return report
        takeUp()
      }
      // what is left, measured from the clock, so that rounding in the sum of steps does not move the end
      const rest = t0 + seconds - state.t
      if (good && rest > 0 && seconds - whole * h > 1e-9 * h) {
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
      if (from?.control !== undefined) {
        checkControl(model, from.control)
        fresh.control.set(from.control)
      }
      // the array of controls may be one that a user assigned, and is theirs
      state.control = fresh.control
      copyState(state, fresh)
      started = false
      start()
      report.message = ''
    },

    snapshot() {
      takeUp()
      return writeSnapshot(hash, solver.name, state)
    },

    restore(bytes) {
      start()
      readSnapshot(bytes, hash, solver.name, state, model.nu)
      remember()
    },

    contacts() {
      const list = stepper.contacts?.() ?? []
      if (model.penalty.count * model.penalty.obstacles === 0) return list
      const data = createData(model)
      forwardKinematics(model, data, state.q, state.v)
      return [...list, ...listPenaltyContacts(model, data)]
    },

    warnings() {
      return [...leftOut(model, solver, options), ...(stepper.warnings?.() ?? [])]
    },

    close() {
      if (closed) return
      closed = true
      stepper.close?.()
    },
  }
  return simulation
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

const MAGIC = 0x4c4d4252 // 'LMBR'
const VERSION = 1

function writeSnapshot(hash: number, solver: string, s: State): Uint8Array {
  const fields = [s.q, s.v, s.tau, s.control, s.s]
  const size = 24 + 4 * fields.length + 8 + 8 * fields.reduce((sum, x) => sum + x.length, 0)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, VERSION, true)
  view.setUint32(8, hash, true)
  view.setUint32(12, nameHash(solver), true)
  view.setFloat64(16, s.t, true)
  let o = 24
  for (const x of fields) {
    view.setUint32(o, x.length, true)
    o += 4
    for (let k = 0; k < x.length; k++, o += 8) view.setFloat64(o, x[k], true)
  }
  return bytes.subarray(0, o)
}

function readSnapshot(bytes: Uint8Array, hash: number, solver: string, s: State, nu: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bad = (why: string): RangeError => new RangeError(`snapshot: ${why}`)
  if (bytes.length < 24 || view.getUint32(0, true) !== MAGIC) throw bad('expected the bytes of a Limber snapshot')
  if (view.getUint32(4, true) !== VERSION) throw bad(`expected version ${VERSION}, got ${view.getUint32(4, true)}`)
  if (view.getUint32(8, true) !== hash)
    throw bad('it belongs to another model; restore it into a simulation of the model it was taken from')
  if (view.getUint32(12, true) !== nameHash(solver)) throw bad(`it was taken with another solver than ${solver}`)
  const fields: Float64Array[] = []
  let o = 24
  for (let f = 0; f < 5; f++) {
    const n = o + 4 <= bytes.length ? view.getUint32(o, true) : Number.NaN
    o += 4
    if (!(o + 8 * n <= bytes.length)) throw bad('it is cut short')
    const x = new Float64Array(n)
    for (let k = 0; k < n; k++, o += 8) x[k] = view.getFloat64(o, true)
    fields.push(x)
  }
  const [q, v, tau, control, memory] = fields
  const lengths = q.length === s.q.length && v.length === s.v.length && tau.length === s.tau.length && control.length === nu
  if (!lengths) throw bad('its lengths do not fit the model')
  if (memory.length !== s.s.length) throw bad('it was taken with other options of the solver')
  s.t = view.getFloat64(16, true)
  s.q.set(q)
  s.v.set(v)
  s.tau.set(tau)
  if (s.control.length === control.length) s.control.set(control)
  else s.control = control
  s.s = memory
}

function nameHash(name: string): number {
  let h = 0
  for (const c of name) h = (Math.imul(h, 31) + (c.codePointAt(0) ?? 0)) >>> 0
  return h
}
