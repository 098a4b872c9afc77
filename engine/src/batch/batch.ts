/**
 * Batches: many environments of one model at once, each with its own state, controls and, where asked for, parameters.
 *
 * Environments lie in lanes: groups of two (f64) or four (f32) are stepped by one call of a kernel, each instruction working on all of them. In
 * f64 every environment has the bits that a simulation of its own has. Nothing joins environments, so nothing depends on their number, their
 * order or the number of threads.
 */
import { type Field, numbersOf } from '../kernels/lane-layout.js'
import { modelHash } from '../model/hash.js'
import type { Model } from '../model/model.js'
import { ModelError } from '../model/model-error.js'
import { createState } from '../model/state.js'
import { type GroundParameter, groundParameters } from '../solvers/implicit/layout.js'
import type { ObservedPart } from '../solvers/implicit/observe.js'
import { createDelay } from './delay.js'
import { explainEnvironment, explainTrajectory } from './failure.js'
import type { GpuBatch } from './gpu/types.js'
import { loadLanes, mayFuse, type Precision } from './lanes.js'
import { type BatchArray, type BatchParameter, batchParameters, type StateField } from './layout.js'
import { type BatchOptions, checkModel, checkOptions, type GpuBatchOptions, threadsFor } from './options.js'
import { programOf } from './programs.js'
import { readSnapshot, type SnapshotKey, writeSnapshot } from './snapshot.js'
import { type BatchSelection, type BatchStart, checkSelection, type Starter, startAll } from './start.js'
import { type GroupKernel, manyThreads, oneThread, type Pool } from './threads.js'
import { type BatchSearches, noAccelerations } from './trajectories.js'
import { checkLength, type EnvironmentVector, environmentVector, firstOf, gather, scatter } from './views.js'

export interface Batch {
  readonly model: Model
  readonly count: number
  readonly precision: Precision
  /** whether products and sums are rounded once */
  readonly fused: boolean
  /** environments that are computed side by side */
  readonly lanes: number
  readonly threads: number
  readonly timestep: number
  /** what the model holds and a batch does not simulate, one sentence each */
  readonly leftOut: readonly string[]
  /** what became of options that could not be had here: threads, lanes, one rounding */
  readonly warnings: readonly string[]

  /** with `solver: 'position'`: what the searches of the trajectories take */
  readonly searches: BatchSearches | undefined

  /** parts of a row of observations, by name */
  readonly observations: readonly ObservedPart[]
  /** numbers in a row of observations */
  readonly observationSize: number

  /**
   * Makes this many steps of all environments with the controls that were written last; returns how many of them could not go on. Those stay at
   * their last state, `failed(e)`.
   */
  step(times?: number | { readonly times: number }): number
  /** Rows of what `observe` names, at the states: the steps do not compute them. */
  readObservations<T extends BatchArray>(out: T): T
  /** Accelerations of all at their states, for `a(e)` and `readAccelerations`. A step leaves those at its start, `rk4` of its last stage. */
  forwardDynamics(): void
  /**
   * The same for some environments, without a step: accelerations and contact forces at their states, so that observations after a reset are
   * those of the new state. Others keep theirs. Default: all.
   */
  forward(ids?: Int32Array): void
  /**
   * Back to the start, with joint forces zero: all environments, those whose entry in a mask is true or not 0, or those of an `Int32Array`.
   * Parameters stay.
   */
  reset(which?: BatchSelection, start?: BatchStart): void

  q(e: number): EnvironmentVector
  v(e: number): EnvironmentVector
  /** accelerations */
  a(e: number): EnvironmentVector
  /** joint forces from outside */
  tau(e: number): EnvironmentVector
  /** a number an actuator; with a delay what was written, which acts later */
  control(e: number): EnvironmentVector
  /** activations of actuators; with contact only */
  act(e: number): EnvironmentVector
  /** numbers laid out as those of the model: gravity 3, inertia 10 a body, armature, damping, stiffness nv, rest nq, gain and bias 3 an actuator, delay 1, s */
  parameter(name: BatchParameter, e: number): EnvironmentVector
  /** Multiplies mass and inertia of a body, as the model has them, by a factor. `inertia` must be among those that vary. */
  scaleMass(e: number, body: number, factor: number): void
  /** seconds since the start */
  time(e: number): number
  /** the last step of the environment would have led to numbers that are not finite */
  failed(e: number): boolean
  /** Why an environment failed, with its number, the joint and a remedy; undefined where it did not. Allocates. */
  failure(e: number): string | undefined
  /** Calls this after each step from now on; steps are then made one at a time. Returns what ends it. */
  onStep(call: () => void): () => void

  /** Flat arrays with a row for each environment: q, then v (nq + nv); accelerations (nv); controls (nu); joint forces (nv). */
  readState<T extends BatchArray>(out: T): T
  writeState(from: BatchArray): void
  readAccelerations<T extends BatchArray>(out: T): T
  writeControl(from: BatchArray): void
  writeTau(from: BatchArray): void

  /** All that the next step depends on, in one buffer, for a batch of the same model and options; the number of threads may differ. */
  snapshot(): ArrayBuffer
  restore(snapshot: ArrayBuffer): void
  /** Ends the threads; no step may follow. */
  close(): void
}

/** Refuses models with bodies that deform, and what a batch leaves out where `strict` is set. */
export function createBatch(model: Model, options: BatchOptions): Promise<Batch>
export function createBatch(model: Model, options: GpuBatchOptions): Promise<GpuBatch>
export async function createBatch(model: Model, options: BatchOptions | GpuBatchOptions): Promise<Batch | GpuBatch> {
  if (options.device === undefined || options.device === 'cpu') return createLanesBatch(model, options as BatchOptions)
  const { createGpuBatch } = await import('./gpu/gpu-batch.js')
  return createGpuBatch(model, options as GpuBatchOptions, { lanes: createLanesBatch })
}

async function createLanesBatch(model: Model, options: BatchOptions): Promise<Batch> {
  const { count, precision = 'f64', timestep = model.timestep, vary = [] } = options
  checkOptions(options)
  checkModel(model)
  const planned = { count, timestep, precision, vary: groundParameters.filter((name) => vary.includes(name)) }
  const program = programOf(model, options, planned)
  const { leftOut } = program
  if (options.strict === true && leftOut.length > 0) throw new ModelError(leftOut.map((message) => ({ path: 'batch', message })))

  const warnings: string[] = []
  const wanted = threadsFor(options, warnings)
  const fused = options.fused === true && mayFuse()
  if (options.fused === true && !fused)
    warnings.push(
      'fused: no relaxed SIMD here, so products and sums are rounded twice; Node has it from 21, Node 20 with --experimental-wasm-relaxed-simd, Chrome from 114',
    )
  const lanes = await loadLanes(program.sources, precision, wanted.threads > 1, fused)
  if (lanes.modules.length === 0) {
    warnings.push(
      `no WebAssembly with SIMD here: environments are computed one at a time, in f64${wanted.threads > 1 ? ', in one thread' : ''}`,
    )
  }
  const threads = lanes.modules.length === 0 ? 1 : wanted.threads
  const open = async (threads: number) => {
    const layout = program.plan(lanes.form, threads)
    const { kernels, buffer, memory } = lanes.open(layout.size)
    layout.fill(buffer)
    const group: readonly GroupKernel[] = program.kernels.map((name) => kernels[name])
    let pool: Pool = oneThread(group, layout)
    if (threads > 1 && lanes.modules.length > 0 && memory !== undefined && wanted.start !== undefined)
      pool = await manyThreads(group, layout, { modules: lanes.modules, memory, kernels: program.kernels }, wanted.start)
    return { layout, buffer, pool, group }
  }
  let opened: Awaited<ReturnType<typeof open>>
  try {
    opened = await open(threads)
  } catch (error) {
    if (threads === 1) throw error
    warnings.push(`threads did not start, one is taken: ${error instanceof Error ? error.message : String(error)}`)
    opened = await open(1)
  }
  const { layout, buffer, pool, group } = opened
  const { form, fields } = layout
  const { nq, nv, nu } = model
  const F = numbersOf(form, buffer)
  const key: SnapshotKey = [modelHash(model), count, form.lanes, layout.stateStride]
  const states = new Uint8Array(buffer, layout.states, layout.groups * layout.stateStride)
  const delay = vary.includes('delay') ? createDelay(count, model.nu, timestep) : undefined
  const watchers = new Set<() => void>()
  const runner = program.searching?.(layout, F, count, options.trace === true)

  const environment = (e: number): number => {
    if (!(Number.isInteger(e) && e >= 0 && e < count)) throw new RangeError(`environment: expected 0 … ${count - 1}, got ${e}`)
    return e
  }
  const view = (name: string, field: Field, e: number): EnvironmentVector => environmentVector(F, layout, field, environment(e), name)
  const numberAt = (field: Field, e: number): number => F[firstOf(layout, field, e)]
  const varied = (name: BatchParameter): Field => {
    const field = name === 'delay' ? undefined : fields[name]
    if (field) return field
    if (!batchParameters.includes(name))
      throw new RangeError(`parameter: expected one of ${batchParameters.join(', ')}, got '${String(name)}'`)
    throw new RangeError(`parameter '${name}': the same in all environments; say so when the batch is made: vary: ['${name}']`)
  }
  let ended = false
  const run = (task: number, times: number): void => {
    if (ended) throw new Error('this batch was closed; make another')
    if (task === 1 && runner) runner.run(pool, times)
    else pool.run(task, times)
  }
  const checkAccelerations = (name: string): void => {
    if (runner) throw noAccelerations(name)
  }

  /** A task for one group, on the calling thread. */
  const runGroup = (task: number, g: number): void => {
    if (ended) throw new Error('this batch was closed; make another')
    group[task](layout.tree + g * layout.treeStride, layout.work[0], layout.group + g * layout.groupStride, layout.step[0])
  }

  const fill = (field: Field, e: number, values: ArrayLike<number> | number): void => {
    const first = firstOf(layout, field, e)
    for (let k = 0; k < field.length; k++) F[first + form.lanes * k] = typeof values === 'number' ? values : values[k]
  }
  const cleared = (['a', 'tau', 'steps', 'failed', 'iterations', 'taken', 'contactForce'] satisfies StateField[]).map(
    (name) => fields[name],
  )
  const begin = (e: number, { q, v, control, act }: Starter): void => {
    fill(fields.q, e, q)
    fill(fields.v, e, v)
    fill(fields.control, e, control)
    fill(fields.act, e, fields.act.length > 0 ? act : 0)
    for (const field of cleared) fill(field, e, 0)
    if (fields.counts) fill(fields.counts, e, 0)
    if (fields.fresh) fill(fields.fresh, e, 1)
    if (e < count) delay?.reset(e, control)
  }
  /** What acts in the next step, of the controls that were written. */
  const act = (e: number, ring: Float64Array, from: number): void => {
    const first = firstOf(layout, fields.control, e)
    for (let k = 0; k < nu; k++) F[first + form.lanes * k] = ring[from + k]
  }
  const numbersAt = (field: Field, e: number): Float64Array =>
    environmentVector(F, layout, field, e, '').read(new Float64Array(field.length))
  const retry = (e: number) => {
    const g = Math.floor(e / form.lanes)
    const kept = states.slice(g * layout.stateStride, (g + 1) * layout.stateStride)
    runGroup(1, g)
    states.set(kept, g * layout.stateStride)
    const next = (column: string, length: number): Float64Array => {
      const first = layout.workspace[column] / form.bytes + (e - g * form.lanes)
      return Float64Array.from({ length }, (_, k) => F[first + form.lanes * k])
    }
    return { q: next('qNext', nq), v: next('vNext', nv) }
  }

  // also those that fill up the last group, so that they compute something sensible
  startAll(model, layout.groups * form.lanes, undefined, {}, begin)

  return {
    ...{ model, count, precision: form.bytes === 8 ? 'f64' : 'f32', lanes: form.lanes, threads: layout.work.length, timestep },
    ...{ fused: fused && lanes.modules.length > 0, leftOut, warnings },
    searches: runner?.searches,
    observations: program.observed?.parts ?? [],
    observationSize: program.observed?.size ?? 0,
    readObservations(to) {
      const size = program.observed?.size ?? 0
      checkLength('readObservations', to, count * size)
      if (size === 0) return to
      run(2, 1)
      gather(F, layout, fields.observation, to, count, size, 0)
      return to
    },
    step(given = 1) {
      const times = typeof given === 'number' ? given : given.times
      if (!(Number.isInteger(times) && times >= 0)) throw new RangeError(`step: expected a whole number of steps, got ${times}`)
      if (delay === undefined && watchers.size === 0) run(1, times)
      else
        for (let n = 0; n < times; n++) {
          delay?.pass(act)
          run(1, 1)
          for (const call of watchers) call()
        }
      let lost = 0
      for (let e = 0; e < count; e++) lost += numberAt(fields.failed, e)
      return lost
    },
    forwardDynamics() {
      checkAccelerations('forwardDynamics')
      run(0, 1)
    },
    forward(ids) {
      checkAccelerations('forward')
      if (ids === undefined) return run(0, 1)
      checkSelection(ids, count)
      const wanted = new Set(ids)
      for (const g of new Set(ids.map((e) => Math.floor(e / form.lanes)))) {
        const kept = states.slice(g * layout.stateStride, (g + 1) * layout.stateStride)
        runGroup(0, g)
        // accelerations are where the next step begins to iterate: those of the others stay
        const before = numbersOf(form, kept.buffer)
        for (let lane = 0; lane < form.lanes; lane++) {
          if (wanted.has(g * form.lanes + lane)) continue
          const first = (layout.states + g * layout.stateStride) / form.bytes
          for (let k = lane; k < before.length; k += form.lanes) F[first + k] = before[k]
        }
      }
    },
    reset: (which, start = {}) => startAll(model, count, which, start, begin),
    q: (e) => view('q', fields.q, e),
    v: (e) => view('v', fields.v, e),
    a(e) {
      checkAccelerations('a')
      return view('a', fields.a, e)
    },
    tau: (e) => view('tau', fields.tau, e),
    control: (e) => delay?.control(environment(e)) ?? view('control', fields.control, e),
    act: (e) => view('act', fields.act, e),
    parameter: (name, e) => (name === 'delay' && delay ? delay.seconds(environment(e)) : view(name, varied(name), e)),
    scaleMass(e, body, factor) {
      const inertia = view('inertia', varied('inertia'), e)
      if (!(Number.isInteger(body) && body > 0 && body < model.nbody))
        throw new RangeError(`scaleMass: expected a body 1 … ${model.nbody - 1}, got ${body}`)
      if (!(factor > 0 && factor < Number.POSITIVE_INFINITY)) throw new RangeError(`scaleMass: expected a positive factor, got ${factor}`)
      for (let k = 10 * body; k < 10 * body + 10; k++) inertia.set(k, factor * model.inertia[k])
    },
    time: (e) => numberAt(fields.steps, environment(e)) * timestep,
    failed: (e) => numberAt(fields.failed, environment(e)) !== 0,
    failure(e) {
      if (numberAt(fields.failed, environment(e)) === 0) return undefined
      const state = createState(model)
      state.t = numberAt(fields.steps, e) * timestep
      for (const name of ['q', 'v', 'tau', 'control'] as const) state[name].set(numbersAt(fields[name], e))
      if (fields.act.length > 0) state.act.set(numbersAt(fields.act, e))
      const own = planned.vary.map((name: GroundParameter) => [name, numbersAt(varied(name), e)] as const)
      if (runner) return explainTrajectory(model, e, state, own, timestep, runner.tries(e))
      return explainEnvironment(model, e, state, own, timestep, () => retry(e))
    },
    onStep(call) {
      watchers.add(call)
      return () => void watchers.delete(call)
    },
    readState(to) {
      checkLength('readState', to, count * (nq + nv))
      gather(F, layout, fields.q, to, count, nq + nv, 0)
      gather(F, layout, fields.v, to, count, nq + nv, nq)
      return to
    },
    writeState(from) {
      checkLength('writeState', from, count * (nq + nv))
      scatter(F, layout, fields.q, from, count, nq + nv, 0)
      scatter(F, layout, fields.v, from, count, nq + nv, nq)
    },
    readAccelerations(to) {
      checkAccelerations('readAccelerations')
      checkLength('readAccelerations', to, count * nv)
      gather(F, layout, fields.a, to, count, nv, 0)
      return to
    },
    writeControl(from) {
      checkLength('writeControl', from, count * nu)
      if (delay) delay.wanted.set(from)
      else scatter(F, layout, fields.control, from, count, nu, 0)
    },
    writeTau(from) {
      checkLength('writeTau', from, count * nv)
      scatter(F, layout, fields.tau, from, count, nv, 0)
    },
    snapshot: () => writeSnapshot(key, states, delay?.bytes() ?? new Uint8Array(0)),
    restore(snapshot) {
      const more = readSnapshot(key, snapshot, states, delay !== undefined)
      delay?.restore(more)
    },
    close() {
      if (!ended) pool.close()
      ended = true
    },
  }
}
