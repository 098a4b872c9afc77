/**
 * Environments of a task, stepped together, with the calls of Gymnasium's vector environments: `reset` and `step` give rows of observations,
 * rewards, and whether episodes ended.
 *
 * Every environment draws from random numbers of its own, so the same seed gives the same rows whatever the number of threads or environments.
 */
import { hintAt } from '../build/problems.js'
import type { Model } from '../model/model.js'
import { type Batch, createBatch } from './batch.js'
import type { Precision } from './lanes.js'
import { checkSeed, createRandom, type Random, seedOf } from './random.js'
import { addNoise, checkNames, checkNoise, keyframeOf } from './start.js'
import type { StartRow, Task, TaskRow } from './task.js'
import type { StartThread } from './threads.js'

/**
 * When an environment whose episode ended begins again. `next-step`: in the step after, which ignores its action, gives reward 0 and the first
 * observation. `same-step`: at once; the last observation of the episode is in `info.finalObservation`. `disabled`: when `reset` is called for it.
 */
export type Autoreset = 'next-step' | 'same-step' | 'disabled'

export interface EnvironmentsOptions {
  readonly count: number
  /** of all random numbers until `reset` gives another; default 0 */
  readonly seed?: number
  readonly threads?: number
  /** what starts threads: in Node `startThread` of `limber/node` */
  readonly startThread?: StartThread
  /** default `next-step` */
  readonly autoreset?: Autoreset
  /** default f32 */
  readonly precision?: Precision
}

/** What a step tells beside the rows; entries are of environments whose episode ended in this step (`ended`). */
export interface StepInfo {
  /** 1: the episode ended, terminated or truncated */
  readonly ended: Uint8Array
  /** rows like those of observations; with `same-step` the last ones of the episodes that ended */
  readonly finalObservation: Float32Array
  /** sum of rewards and number of actions of the episode */
  readonly episodeReward: Float32Array
  readonly episodeLength: Int32Array
  /** environments that could not go on, with the cause; they count as terminated */
  readonly failures: readonly string[]
}

/** The arrays are reused by the next call: copy the numbers that you keep. */
export interface StepResult {
  readonly observation: Float32Array
  readonly reward: Float32Array
  /** 1: ended for good */
  readonly terminated: Uint8Array
  /** 1: ended by the time limit alone */
  readonly truncated: Uint8Array
  readonly info: StepInfo
}

export interface ResetOptions {
  /** begins the random numbers of these environments anew; default: they go on */
  readonly seed?: number
  /** environments that begin again, by a mask; default all */
  readonly mask?: ArrayLike<number | boolean>
  /** handed to `begin` of the task */
  readonly options?: unknown
}

export interface Environments {
  readonly count: number
  readonly observationSize: number
  readonly actionSize: number
  readonly autoreset: Autoreset
  /** seconds of an action */
  readonly timestep: number
  /** the batch below: its warnings, parameters, recordings */
  readonly batch: Batch
  reset(options?: ResetOptions): { readonly observation: Float32Array; readonly info: { readonly options: unknown } }
  /** Holds an action for `substeps` steps: a row of `actionSize` numbers for each environment. */
  step(actions: Float32Array | Float64Array): StepResult
  close(): void
}

const modes: readonly string[] = ['next-step', 'same-step', 'disabled'] satisfies Autoreset[]
const optionNames = Object.keys({
  ...{ count: 0, seed: 0, threads: 0, startThread: 0, autoreset: 0, precision: 0 },
} satisfies Record<keyof EnvironmentsOptions, 0>)
const taskNames = Object.keys({
  ...{ model: 0, timestep: 0, substeps: 0, observe: 0, episode: 0, contact: 0, vary: 0, memory: 0, start: 0 },
  ...{ begin: 0, action: 0, reward: 0, terminated: 0, observation: 0 },
} satisfies Record<keyof Task, 0>)

export async function createEnvironments(task: Task, options: EnvironmentsOptions): Promise<Environments> {
  const { count, threads = 1, startThread, autoreset = 'next-step', precision = 'f32' } = options
  checkNames('environments', options, optionNames)
  if (!modes.includes(autoreset)) throw new RangeError(`autoreset: expected one of ${modes.join(', ')}, got '${autoreset}'`)
  checkTask(task)
  const { model, substeps, observe, contact = true, vary = [], memory = 0 } = task
  const batch = await createBatch(model, {
    ...{ count, threads, precision, contact, observe, vary, timestep: task.timestep ?? model.timestep },
    ...(startThread ? { startThread } : {}),
  })
  const { nq, nv, nu } = model
  const width = batch.observationSize
  const size = task.observation?.size ?? width
  const timestep = substeps * batch.timestep
  const episode = task.episode === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.round(task.episode / timestep))

  // rows, one an environment
  const observed = new Float64Array(count * width)
  const observation = new Float32Array(count * size)
  const outputs = split(observation, count, size)
  const actions = new Float32Array(count * nu)
  const lastActions = new Float32Array(count * nu)
  const [action, lastAction] = [split(actions, count, nu), split(lastActions, count, nu)]
  const control = new Float64Array(count * nu)
  const memories = split(new Float64Array(count * memory), count, memory)
  const { offset, scale, limit } = actionOf(task, model)

  const seeds = new Uint32Array(count)
  const randoms = Array.from({ length: count }, (_, e) => createRandom(seeds, e))
  const seedAll = (seed: number, mask?: ArrayLike<number | boolean>): void => {
    checkSeed('seed', seed)
    for (let e = 0; e < count; e++) if (mask === undefined || mask[e]) seeds[e] = seedOf(seed, e)
  }
  seedAll(options.seed ?? 0)

  const row = rowOf(batch, memories, randoms, action, lastAction)
  const length = new Int32Array(count)
  const sum = new Float64Array(count)
  const failures: string[] = []
  const result = {
    observation,
    reward: new Float32Array(count),
    terminated: new Uint8Array(count),
    truncated: new Uint8Array(count),
    info: {
      ended: new Uint8Array(count),
      finalObservation: new Float32Array(count * size),
      episodeReward: new Float32Array(count),
      episodeLength: new Int32Array(count),
      failures,
    },
  }
  const { ended } = result.info
  /** environments to begin again in the next step */
  const waiting = new Uint8Array(count)
  let given: unknown
  let hasBegun = false

  const starter = starterOf(task, batch, memories)
  const q = new Float64Array(count * nq)
  const v = new Float64Array(count * nv)
  /** Begins the episodes of a mask. */
  const begin = (mask: ArrayLike<number | boolean>): void => {
    const ids = listOf(mask, count)
    for (const [n, e] of ids.entries()) {
      starter.begin(e, randoms[e], given)
      q.set(starter.q, n * nq)
      v.set(starter.v, n * nv)
      action[e].fill(0)
      lastAction[e].fill(0)
      length[e] = 0
      sum[e] = 0
      waiting[e] = 0
    }
    batch.reset(ids, {
      ...(task.start?.keyframe === undefined ? {} : { keyframe: task.start.keyframe }),
      ...{ q: q.subarray(0, ids.length * nq), v: v.subarray(0, ids.length * nv) },
    })
    batch.forward(ids)
  }
  /** Writes observations of all environments, or of a mask. */
  const look = (mask?: ArrayLike<number | boolean>): void => {
    batch.readObservations(observed)
    for (let e = 0; e < count; e++) {
      if (mask !== undefined && !mask[e]) continue
      row.show(e, observed, length[e] * timestep)
      if (task.observation) task.observation.write(row.view, outputs[e])
      else outputs[e].set(row.view.numbers)
    }
  }

  /** control = offset + scale · action; nothing changes where an action is no number */
  const drive = (from: Float32Array | Float64Array): void => {
    for (let n = 0; n < from.length; n++)
      if (!(Math.abs(from[n]) < Number.POSITIVE_INFINITY))
        throw new RangeError(
          `actions: environment ${Math.floor(n / nu)}, actuator '${model.actuators.names[n % nu] || n % nu}': expected a finite number, got ${from[n]}`,
        )
    lastActions.set(actions)
    actions.set(from)
    for (let n = 0; n < from.length; n++) control[n] = offset[n % nu] + scale[n % nu] * Math.min(Math.max(actions[n], -limit), limit)
    batch.writeControl(control)
  }
  /** Reward and end of one environment at its row. */
  const judge = (e: number): void => {
    const isFailed = batch.failed(e)
    if (isFailed) failures.push(batch.failure(e) ?? `environment ${e} failed`)
    const reward = task.reward(row.view)
    const isOver = isFailed || task.terminated?.(row.view) === true
    result.reward[e] = reward
    sum[e] += reward
    result.terminated[e] = isOver ? 1 : 0
    result.truncated[e] = !isOver && length[e] >= episode ? 1 : 0
    ended[e] = result.terminated[e] | result.truncated[e]
    result.info.episodeReward[e] = ended[e] ? sum[e] : 0
    result.info.episodeLength[e] = ended[e] ? length[e] : 0
  }

  return {
    ...{ count, observationSize: size, actionSize: nu, autoreset, timestep, batch },
    reset({ seed, mask, options: more } = {}) {
      if (mask !== undefined && mask.length !== count) throw new RangeError(`mask: expected ${count} numbers, got ${mask.length}`)
      if (seed !== undefined) seedAll(seed, mask)
      given = more
      hasBegun = true
      const chosen = mask ?? new Uint8Array(count).fill(1)
      begin(chosen)
      look(chosen)
      return { observation, info: { options: more } }
    },
    step(from) {
      if (!hasBegun) throw new Error('step: expected a call of reset first')
      if (from.length !== count * nu)
        throw new RangeError(`actions: expected ${count} rows of ${nu} numbers, ${count * nu}, got ${from.length}`)
      drive(from)
      batch.step(substeps)
      failures.length = 0
      const isAny = autoreset === 'next-step' && waiting.includes(1)
      if (isAny) clearBegun(result, waiting)
      const fresh = isAny ? waiting.slice() : undefined
      if (fresh) begin(fresh)
      batch.readObservations(observed)
      for (let e = 0; e < count; e++) {
        if (fresh?.[e] !== 1) length[e]++
        row.show(e, observed, length[e] * timestep)
        if (fresh?.[e] !== 1) judge(e)
        if (task.observation) task.observation.write(row.view, outputs[e])
        else outputs[e].set(row.view.numbers)
      }
      if (!ended.includes(1)) return result
      if (autoreset === 'next-step') waiting.set(ended)
      else if (autoreset === 'same-step') {
        result.info.finalObservation.set(observation)
        begin(ended)
        look(ended)
      }
      return result
    },
    close: () => batch.close(),
  }
}

/** In the step in which an environment begins nothing is rewarded and nothing ends. */
function clearBegun({ reward, terminated, truncated, info }: StepResult, mask: Uint8Array): void {
  for (let e = 0; e < mask.length; e++) {
    if (mask[e] === 0) continue
    reward[e] = 0
    terminated[e] = 0
    truncated[e] = 0
    info.ended[e] = 0
    info.episodeReward[e] = 0
    info.episodeLength[e] = 0
  }
}

/** Views on the rows of an array. */
function split<T extends Float32Array | Float64Array>(rows: T, count: number, width: number): T[] {
  return Array.from({ length: count }, (_, e) => rows.subarray(e * width, (e + 1) * width) as T)
}

function listOf(mask: ArrayLike<number | boolean>, count: number): Int32Array {
  const ids: number[] = []
  for (let e = 0; e < count; e++) if (mask[e]) ids.push(e)
  return Int32Array.from(ids)
}

/** The row that functions of a task see, and what points it at an environment. */
function rowOf(
  { observations, observationSize }: Batch,
  memories: readonly Float64Array[],
  randoms: readonly Random[],
  action: readonly Float32Array[],
  lastAction: readonly Float32Array[],
) {
  const numbers = new Float64Array(observationSize)
  const parts = new Map(observations.map(({ name, start, length }) => [name, numbers.subarray(start, start + length)]))
  const view = {
    environment: 0,
    numbers,
    action: action[0],
    lastAction: lastAction[0],
    time: 0,
    memory: memories[0],
    random: randoms[0],
    of(name: string): Float64Array {
      const part = parts.get(name)
      if (!part) throw new RangeError(`row: expected a name of \`observe\`, got '${name}'${hintAt(name, parts.keys())}`)
      return part
    },
  }
  return {
    view: view as TaskRow,
    show(e: number, observed: Float64Array, time: number): void {
      view.environment = e
      for (let k = 0; k < observationSize; k++) numbers[k] = observed[e * observationSize + k]
      view.action = action[e]
      view.lastAction = lastAction[e]
      view.time = time
      view.memory = memories[e]
      view.random = randoms[e]
    },
  }
}

/** Starts of episodes: keyframe, noise, and what `begin` of the task makes of them. */
function starterOf(task: Task, batch: Batch, memories: readonly Float64Array[]) {
  const { model, start = {} } = task
  const frame = start.keyframe === undefined ? undefined : keyframeOf(model, start.keyframe)
  const noise = typeof start.noise === 'number' ? { q: start.noise, v: start.noise } : start.noise
  const q = new Float64Array(model.nq)
  const v = new Float64Array(model.nv)
  let environment = 0
  let options: unknown
  const row: StartRow = {
    get environment() {
      return environment
    },
    get memory() {
      return memories[environment]
    },
    get options() {
      return options
    },
    ...{ q, v },
    parameter: (name) => batch.parameter(name, environment),
  }
  return {
    q,
    v,
    begin(e: number, random: Random, given: unknown): void {
      environment = e
      options = given
      q.set(frame?.q ?? model.q0)
      v.fill(0)
      if (frame) v.set(frame.v)
      memories[e].fill(0)
      if (noise) addNoise(model, row, noise, random)
      task.begin?.(row, random)
    },
  }
}

function actionOf({ action = {}, start = {} }: Task, model: Model): { offset: Float64Array; scale: Float64Array; limit: number } {
  checkNames('action', action, ['offset', 'scale', 'limit'])
  const rest = start.keyframe === undefined ? 0 : keyframeOf(model, start.keyframe).control
  const { offset = rest, scale = 1, limit = Number.POSITIVE_INFINITY } = action
  const all = (name: string, x: number | ArrayLike<number>): Float64Array => {
    if (typeof x === 'number') return new Float64Array(model.nu).fill(x)
    if (x.length !== model.nu) throw new RangeError(`action: expected one number or ${model.nu} as ${name}, got ${x.length}`)
    return Float64Array.from(x)
  }
  if (!(limit > 0)) throw new RangeError(`action: expected a positive limit, got ${limit}`)
  return { offset: all('offset', offset), scale: all('scale', scale), limit }
}

function checkTask(task: Task): void {
  checkNames('task', task, taskNames)
  const { substeps, episode, memory = 0, start = {}, observation } = task
  if (!(Number.isInteger(substeps) && substeps >= 1)) throw new RangeError(`substeps: expected a whole number from 1, got ${substeps}`)
  if (episode !== undefined && !(episode > 0)) throw new RangeError(`episode: expected positive seconds, got ${episode}`)
  if (!(Number.isInteger(memory) && memory >= 0)) throw new RangeError(`memory: expected a whole number of numbers, got ${memory}`)
  if (observation !== undefined && !(Number.isInteger(observation.size) && observation.size >= 1))
    throw new RangeError(`observation: expected a size from 1, got ${observation.size}`)
  checkNames('start', start, ['keyframe', 'noise'])
  if (start.noise !== undefined) checkNoise(start.noise)
}
