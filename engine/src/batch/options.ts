/** Options of a batch, and what is refused of them. */
import { suggest, suggestKey } from '../build/problems.js'
import type { Model } from '../model/model.js'
import { ModelError } from '../model/model-error.js'
import { describeValue } from '../model/remedies.js'
import type { Observation } from '../solvers/implicit/observe.js'
import type { Precision } from './lanes.js'
import { type BatchParameter, batchParameters } from './layout.js'
import type { BatchContact, BatchMethod } from './programs.js'
import { pageThreads, type StartThread } from './threads.js'

export interface BatchOptions {
  /** environments */
  readonly count: number
  /** `ode`: explicit and semi-implicit steps of fixed size, the default; `implicit`: the ground step, which `contact` asks for */
  readonly solver?: 'ode' | 'implicit'
  /** contact with planes and height fields of the world, limits and dry friction, by the ground step; default none */
  readonly contact?: boolean | BatchContact
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
  /** what `readObservations` writes a row of for each environment, by name; with contact only */
  readonly observe?: readonly Observation[]
  /** numbers of the model that each environment has for itself, to be set by `parameter`; default none */
  readonly vary?: readonly BatchParameter[]
  /** true: a model with anything that batches leave out is refused. Default false: `leftOut` lists it */
  readonly strict?: boolean
}

/** every key of `BatchOptions`: one that is missing here does not compile */
const optionNames = Object.keys({
  ...{ count: 0, solver: 0, method: 0, precision: 0, fused: 0, threads: 0, startThread: 0, timestep: 0 },
  ...{ contact: 0, observe: 0, vary: 0, strict: 0 },
} satisfies Record<keyof BatchOptions, 0>)

/** Throws a RangeError that names the option, what it takes and what it got. */
export function checkOptions(options: BatchOptions): void {
  for (const name of Object.keys(options)) {
    if (!optionNames.includes(name))
      throw new RangeError(`option of a batch: expected one of ${optionNames.join(', ')}, got '${name}'${suggestKey(name, optionNames)}`)
  }
  checkContact(options.contact)
  checkValues(options)
}

/** every key of `BatchContact` */
const contactNames = Object.keys({ self: 0, tolerance: 0, iterations: 0 } satisfies Record<keyof BatchContact, 0>)

function checkContact(contact: unknown): void {
  if (contact === undefined || typeof contact === 'boolean') return
  if (typeof contact !== 'object' || contact === null)
    throw new RangeError(`contact: expected true, false or an object, got ${describeValue(contact)}`)
  for (const [name, value] of Object.entries(contact)) {
    if (!contactNames.includes(name))
      throw new RangeError(`contact: expected some of ${contactNames.join(', ')}, got '${name}'${suggest(name, contactNames)}`)
    if (value === undefined) continue
    if (name === 'self' && typeof value !== 'boolean')
      throw new RangeError(`contact.self: expected true or false, got ${describeValue(value)}`)
    if (name === 'tolerance' && !(typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY))
      throw new RangeError(`contact.tolerance: expected a positive number, got ${describeValue(value)}`)
    if (name === 'iterations' && !(Number.isInteger(value) && Number(value) >= 1))
      throw new RangeError(`contact.iterations: expected a whole number from 1, got ${describeValue(value)}`)
  }
}

function checkValues({
  count,
  solver = 'ode',
  method = 'semi-implicit',
  precision = 'f64',
  threads = 1,
  timestep,
  vary = [],
}: BatchOptions): void {
  const whole = (x: number): boolean => Number.isInteger(x) && x >= 1
  if (!whole(count)) throw new RangeError(`count: expected a whole number of environments from 1, got ${describeValue(count)}`)
  if (!whole(threads)) throw new RangeError(`threads: expected a whole number from 1, got ${describeValue(threads)}`)
  if (solver !== 'ode' && solver !== 'implicit') throw new RangeError(`solver: batches have ode and implicit, got '${String(solver)}'`)
  const methods: readonly string[] = ['semi-implicit', 'rk4', 'euler']
  if (!methods.includes(method)) throw new RangeError(`method: expected one of ${methods.join(', ')}, got '${String(method)}'`)
  if (precision !== 'f64' && precision !== 'f32') throw new RangeError(`precision: expected f64 or f32, got '${String(precision)}'`)
  if (timestep !== undefined && !(Number.isFinite(timestep) && timestep > 0))
    throw new RangeError(`timestep: expected a positive number of seconds, got ${describeValue(timestep)}`)
  for (const name of vary)
    if (!batchParameters.includes(name))
      throw new RangeError(
        `vary: expected some of ${batchParameters.join(', ')}, got '${String(name)}', which batches leave out or all environments share${suggest(String(name), batchParameters)}`,
      )
}

export function checkModel(model: Model): void {
  if (model.modes.count > 0)
    throw new ModelError([{ path: 'batch', message: 'bodies that deform do not run in lanes; take createSimulation with ode' }])
}

/** How contact is to be solved; undefined: without it. */
export function contactOf({ contact, solver }: BatchOptions): BatchContact | undefined {
  if (typeof contact === 'object') return contact
  if (contact === true || (solver === 'implicit' && contact !== false)) return {}
  return solver === 'implicit' ? { self: false } : undefined
}

/** How many threads there can be, and what starts them. */
export function threadsFor(
  { threads = 1, startThread }: BatchOptions,
  warnings: string[],
): { threads: number; start: StartThread | undefined } {
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
