/**
 * Batches: many environments of one model at once, each with its own state, controls and, where asked for, parameters.
 *
 * Environments lie in lanes: groups of two (f64) or four (f32) are stepped by one call of a kernel, each instruction working on all of them. In
 * f64 every environment has the bits that a simulation of its own has. Nothing joins environments, so nothing depends on their number, their
 * order or the number of threads.
 */
import { crc32 } from '../model/crc32.js'
import { modelHash } from '../model/hash.js'
import type { Model } from '../model/model.js'
import { ModelError } from '../model/model-error.js'
import { tableaus } from '../solvers/ode/tableaus.js'
import { loadLanes, mayFuse, type Precision } from './lanes.js'
import { type BatchArray, type BatchParameter, batchParameters, type Field, numbersOf, planLayout } from './layout.js'
import { leftOutOfBatch } from './left-out.js'
import { type GroupKernel, manyThreads, oneThread, type Pool, pageThreads, type StartThread } from './threads.js'
import { checkLength, type EnvironmentVector, environmentVector, firstOf, gather, scatter } from './views.js'

export interface BatchOptions {
  /** environments */
  readonly count: number
  /** the only one so far: explicit and semi-implicit steps of fixed size */
  readonly solver?: 'ode'
  /** default semi-implicit */
  readonly method?: BatchMethod
  /** default f64; f32 is twice as fast and good to some six digits */
  readonly precision?: Precision
  /**
   * true: products and sums are rounded once, not twice. Faster, but without the bits of a simulation, which may then differ between machines
   * too. Default false. Needs relaxed SIMD; where there is none, `warnings` says so
   */
  readonly fused?: boolean
  /** default 1: the thread that calls. More need memory that threads may share; where there is none, `warnings` says so */
  readonly threads?: number
  /** what starts threads: in Node `startThread` of `limber/node`; default: workers of a page */
  readonly startThread?: StartThread
  /** seconds; default: the model's */
  readonly timestep?: number
  /** numbers of the model that each environment has for itself, to be set by `parameter`; default none */
  readonly vary?: readonly BatchParameter[]
  /** true: a model with anything that batches leave out is refused. Default false: `leftOut` lists it */
  readonly strict?: boolean
}

export type BatchMethod = 'semi-implicit' | 'rk4' | 'euler'

/** Where environments begin: numbers for all of them, or a row for each. Default: the model's initial coordinates, at rest. */
export interface BatchStart {
  readonly q?: ArrayLike<number>
  readonly v?: ArrayLike<number>
}

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

  /** So many steps of all environments; returns how many of them could not go on. Those stay at their last state, `failed(e)`. */
  step(times?: number): number
  /** Accelerations of all at their states, for `a(e)` and `readAccelerations`. A step leaves those at its start, `rk4` of its last stage. */
  forwardDynamics(): void
  /** Back to the start, with joint forces and controls zero: all environments, or those whose entry in `mask` is true or not 0. Parameters stay. */
  reset(mask?: ArrayLike<number | boolean>, start?: BatchStart): void

  q(e: number): EnvironmentVector
  v(e: number): EnvironmentVector
  /** accelerations */
  a(e: number): EnvironmentVector
  /** joint forces from outside */
  tau(e: number): EnvironmentVector
  /** a number an actuator */
  control(e: number): EnvironmentVector
  /** numbers laid out as those of the model: gravity 3, inertia 10 a body, armature, damping, stiffness nv, rest nq, gain and bias 3 an actuator */
  parameter(name: BatchParameter, e: number): EnvironmentVector
  /** Multiplies mass and inertia of a body, as the model has them, by a factor. `inertia` must be among those that vary. */
  scaleMass(e: number, body: number, factor: number): void
  /** seconds since the start */
  time(e: number): number
  /** the last step of the environment would have led to numbers that are not finite */
  failed(e: number): boolean

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
export async function createBatch(model: Model, options: BatchOptions): Promise<Batch> {
  const { count, method = 'semi-implicit', precision = 'f64', timestep = model.timestep, vary = [] } = options
  checkOptions(options)
  const out = leftOutOfBatch(model)
  checkModel(model, options.strict === true ? out : [])

  const warnings: string[] = []
  const wanted = threadsFor(options, warnings)
  const fused = options.fused === true && mayFuse()
  if (options.fused === true && !fused)
    warnings.push(
      'fused: no relaxed SIMD here, so products and sums are rounded twice; Node has it from 21, Node 20 with --experimental-wasm-relaxed-simd, Chrome from 114',
    )
  const lanes = await loadLanes(precision, wanted.threads > 1, fused)
  if (lanes.module === undefined) {
    warnings.push(
      `no WebAssembly with SIMD here: environments are computed one at a time, in f64${wanted.threads > 1 ? ', in one thread' : ''}`,
    )
  }
  const threads = lanes.module === undefined ? 1 : wanted.threads
  const tableau = method === 'semi-implicit' ? undefined : tableaus[method]
  const plan = { form: lanes.form, count, timestep, tableau, vary: batchParameters.filter((name) => vary.includes(name)) }
  const names = ['groupDynamics', tableau === undefined ? 'stepSemiImplicit' : 'stepRungeKutta'] as const

  const open = async (threads: number) => {
    const layout = planLayout(model, { ...plan, threads })
    const { kernels, buffer, memory } = lanes.open(layout.size)
    layout.fill(buffer)
    const group: readonly GroupKernel[] = names.map((name) => kernels[name])
    let pool: Pool = oneThread(group, layout)
    if (threads > 1 && lanes.module !== undefined && memory !== undefined && wanted.start !== undefined)
      pool = await manyThreads(group, layout, { module: lanes.module, memory, kernels: names }, wanted.start)
    return { layout, buffer, pool }
  }
  let opened: Awaited<ReturnType<typeof open>>
  try {
    opened = await open(threads)
  } catch (error) {
    if (threads === 1) throw error
    warnings.push(`threads did not start, one is taken: ${error instanceof Error ? error.message : String(error)}`)
    opened = await open(1)
  }
  const { layout, buffer, pool } = opened
  const { form, fields } = layout
  const F = numbersOf(form, buffer)
  const hash = modelHash(model)

  const environment = (e: number): number => {
    if (!(Number.isInteger(e) && e >= 0 && e < count)) throw new RangeError(`environment: expected 0 … ${count - 1}, got ${e}`)
    return e
  }
  const view = (name: string, field: Field, e: number): EnvironmentVector => environmentVector(F, layout, field, environment(e), name)
  const numberAt = (field: Field, e: number): number => F[firstOf(layout, field, e)]
  const varied = (name: BatchParameter): Field => {
    const field = fields[name]
    if (field) return field
    if (!batchParameters.includes(name))
      throw new RangeError(`parameter: expected one of ${batchParameters.join(', ')}, got '${String(name)}'`)
    throw new RangeError(`parameter '${name}': the same in all environments; say so when the batch is made: vary: ['${name}']`)
  }
  let ended = false
  const run = (task: number, times: number): void => {
    if (ended) throw new Error('this batch was closed; make another')
    pool.run(task, times)
  }

  /** Writes one environment's numbers, from a row of its own or one for all. */
  const fill = (field: Field, e: number, values: ArrayLike<number> | undefined, usual: ArrayLike<number> | number): void => {
    const first = firstOf(layout, field, e)
    const row = values !== undefined && values.length > field.length ? field.length * e : 0
    const from = values ?? usual
    for (let k = 0; k < field.length; k++) F[first + form.lanes * k] = typeof from === 'number' ? from : from[row + k]
  }
  const rewind = (e: number, { q, v }: BatchStart): void => {
    fill(fields.q, e, q, model.q0)
    fill(fields.v, e, v, 0)
    for (const field of [fields.a, fields.tau, fields.control, fields.steps, fields.failed]) fill(field, e, undefined, 0)
  }
  const checkRows = (name: string, values: ArrayLike<number> | undefined, each: number): void => {
    if (values !== undefined && values.length !== each && values.length !== each * count)
      throw new RangeError(
        `${name}: expected ${each} numbers for all environments, or ${each * count} for each its own, got ${values.length}`,
      )
  }

  // also those that fill up the last group, so that they compute something sensible
  for (let e = 0; e < layout.groups * form.lanes; e++) rewind(e, {})

  const { nq, nv, nu } = model
  return {
    ...{ model, count, precision: form.bytes === 8 ? 'f64' : 'f32', lanes: form.lanes, threads: layout.work.length, timestep },
    ...{ fused: fused && lanes.module !== undefined, leftOut: out, warnings },
    step(times = 1) {
      if (!(Number.isInteger(times) && times >= 0)) throw new RangeError(`step: expected a whole number of steps, got ${times}`)
      run(1, times)
      let lost = 0
      for (let e = 0; e < count; e++) lost += numberAt(fields.failed, e)
      return lost
    },
    forwardDynamics: () => run(0, 1),
    reset(mask, start = {}) {
      if (mask !== undefined) checkLength('mask', mask as ArrayLike<number>, count)
      checkRows('q', start.q, nq)
      checkRows('v', start.v, nv)
      for (let e = 0; e < count; e++) if (mask === undefined || mask[e]) rewind(e, start)
    },
    q: (e) => view('q', fields.q, e),
    v: (e) => view('v', fields.v, e),
    a: (e) => view('a', fields.a, e),
    tau: (e) => view('tau', fields.tau, e),
    control: (e) => view('control', fields.control, e),
    parameter: (name, e) => view(name, varied(name), e),
    scaleMass(e, body, factor) {
      const inertia = view('inertia', varied('inertia'), e)
      if (!(Number.isInteger(body) && body > 0 && body < model.nbody))
        throw new RangeError(`scaleMass: expected a body 1 … ${model.nbody - 1}, got ${body}`)
      if (!(factor > 0 && factor < Number.POSITIVE_INFINITY)) throw new RangeError(`scaleMass: expected a positive factor, got ${factor}`)
      for (let k = 10 * body; k < 10 * body + 10; k++) inertia.set(k, factor * model.inertia[k])
    },
    time: (e) => numberAt(fields.steps, environment(e)) * timestep,
    failed: (e) => numberAt(fields.failed, environment(e)) !== 0,
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
      checkLength('readAccelerations', to, count * nv)
      gather(F, layout, fields.a, to, count, nv, 0)
      return to
    },
    writeControl(from) {
      checkLength('writeControl', from, count * nu)
      scatter(F, layout, fields.control, from, count, nu, 0)
    },
    writeTau(from) {
      checkLength('writeTau', from, count * nv)
      scatter(F, layout, fields.tau, from, count, nv, 0)
    },
    snapshot() {
      const bytes = layout.groups * layout.stateStride
      const whole = new Uint8Array(HEADER + bytes)
      whole.set(new Uint8Array(buffer, layout.states, bytes), HEADER)
      const checksum = crc32(whole.subarray(HEADER))
      new Uint32Array(whole.buffer, 0, HEADER / 4).set([hash, count, form.lanes, layout.stateStride, checksum, 0])
      return whole.buffer
    },
    restore(snapshot) {
      const bytes = layout.groups * layout.stateStride
      const header = snapshot.byteLength < HEADER ? [] : [...new Uint32Array(snapshot, 0, HEADER / 4)]
      const expected = [hash, count, form.lanes, layout.stateStride]
      if (snapshot.byteLength !== HEADER + bytes || expected.some((x, k) => x !== header[k]))
        throw new RangeError('snapshot: expected one of a batch of the same model, count, precision and vary')
      if (header[4] !== crc32(new Uint8Array(snapshot, HEADER)) || header[5] !== 0)
        throw new RangeError('snapshot: it is damaged: its checksum does not fit; take another one')
      new Uint8Array(buffer, layout.states, bytes).set(new Uint8Array(snapshot, HEADER))
    },
    close() {
      if (!ended) pool.close()
      ended = true
    },
  }
}

/** bytes before the states in a snapshot */
const HEADER = 24

function checkOptions({
  count,
  solver = 'ode',
  method = 'semi-implicit',
  precision = 'f64',
  threads = 1,
  timestep,
  vary = [],
}: BatchOptions): void {
  const whole = (x: number): boolean => Number.isInteger(x) && x >= 1
  if (!whole(count)) throw new RangeError(`count: expected a whole number of environments from 1, got ${count}`)
  if (!whole(threads)) throw new RangeError(`threads: expected a whole number from 1, got ${threads}`)
  if (solver !== 'ode') throw new RangeError(`solver: batches have 'ode' only, got '${String(solver)}'`)
  const methods: readonly string[] = ['semi-implicit', 'rk4', 'euler']
  if (!methods.includes(method)) throw new RangeError(`method: expected one of ${methods.join(', ')}, got '${String(method)}'`)
  if (precision !== 'f64' && precision !== 'f32') throw new RangeError(`precision: expected f64 or f32, got '${String(precision)}'`)
  if (timestep !== undefined && !(timestep > 0 && timestep < Number.POSITIVE_INFINITY))
    throw new RangeError(`timestep: expected positive seconds, got ${timestep}`)
  for (const name of vary)
    if (!batchParameters.includes(name))
      throw new RangeError(
        `vary: expected some of ${batchParameters.join(', ')}, got '${String(name)}', which batches leave out or all environments share`,
      )
}

function checkModel(model: Model, refused: readonly string[]): void {
  const problems = refused.map((message) => ({ path: 'batch', message }))
  if (model.modes.count > 0)
    problems.push({ path: 'batch', message: 'bodies that deform do not run in lanes; take createSimulation with ode' })
  if (problems.length > 0) throw new ModelError(problems)
}

/** How many threads there can be, and what starts them. */
function threadsFor({ threads = 1, startThread }: BatchOptions, warnings: string[]): { threads: number; start: StartThread | undefined } {
  if (threads === 1) return { threads: 1, start: undefined }
  const start = startThread ?? pageThreads()
  const one = (why: string): { threads: number; start: undefined } => {
    warnings.push(`threads: ${threads} were asked for, one is taken: ${why}`)
    return { threads: 1, start: undefined }
  }
  if (start === undefined) return one('nothing starts threads here; in Node pass startThread of limber/node')
  if (typeof SharedArrayBuffer === 'undefined')
    return one(
      'no shared memory; a page must be served with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp',
    )
  return { threads, start }
}
