/**
 * Many trajectories of the swinging chain, each from its own start: stepped one by one, in lanes, on two threads and on a GPU.
 */
import { type Batch, callKinds, createBatch, createSimulation, type Model } from 'limber'
import { startThread } from 'limber/node'
import type { GpuDevices } from '../gpu-device.js'
import { createRandom } from '../random.js'
import { chainModel } from './position-runs.js'

/** s */
export const STEP = 0.05
export const STEPS = 10
/** largest coordinate of the last iteration, rad, of all that is timed in f64 */
const TOLERANCE = 1e-6
/** the same where results are compared with */
const REFERENCE_TOLERANCE = 1e-10
/** rad, to both sides of the level chain */
const SPREAD = 0.3

/** Rows of q: the scene's start, each coordinate moved at random. */
export function chainStarts({ q0, nq }: Model, count: number): Float64Array {
  const random = createRandom()
  return Float64Array.from({ length: count * nq }, (_, k) => q0[k % nq] + SPREAD * random())
}

/** One way to step all trajectories from their starts; `q` has their rows at the end. */
export interface Way {
  readonly name: string
  readonly threads: number
  run(): void | Promise<void>
  q(): Float64Array | Promise<Float64Array>
  close(): void
}

export const ONE_BY_ONE = 'one by one, f64'
export const GPU = 'GPU, f32'

export function oneByOne(model: Model, starts: Float64Array, h = STEP, steps = STEPS, tolerance = TOLERANCE): Way {
  const { nq } = model
  const simulation = createSimulation(model, { solver: 'position', order: '2', timestep: h, tolerance })
  const ends = new Float64Array(starts.length)
  return {
    ...{ name: ONE_BY_ONE, threads: 1, q: () => ends, close: () => simulation.close() },
    run() {
      for (let k = 0; k < starts.length; k += nq) {
        simulation.reset({ q: starts.slice(k, k + nq) })
        const { status, message } = simulation.step(steps)
        if (status !== 'ok') throw new Error(`trajectory ${k / nq}: ${message}`)
        ends.set(simulation.state.q, k)
      }
    },
  }
}

export const reference = (model: Model, starts: Float64Array, h: number, steps: number): Way =>
  oneByOne(model, starts, h, steps, REFERENCE_TOLERANCE)

interface LaneOptions {
  readonly precision: 'f64' | 'f32'
  readonly threads?: number
  readonly h?: number
  readonly steps?: number
}

export async function inLanes(
  model: Model,
  starts: Float64Array,
  { precision, threads = 1, h = STEP, steps = STEPS }: LaneOptions,
): Promise<Way> {
  const count = starts.length / model.nq
  const batch = await createBatch(model, {
    ...{ count, precision, threads, startThread, solver: 'position', timestep: h },
    ...(precision === 'f64' ? { tolerance: TOLERANCE } : {}),
  })
  return {
    name: `lanes, ${precision}${batch.threads > 1 ? `, ${batch.threads} threads` : ''}`,
    threads: batch.threads,
    run() {
      batch.reset(undefined, { q: starts })
      const lost = batch.step(steps)
      if (lost > 0) throw new Error(`${lost} of ${count} trajectories failed in ${precision}`)
    },
    q: () => rowsOf(batch),
    close: () => batch.close(),
  }
}

const rowsOf = (batch: Batch): Float64Array => positionsOf(batch.model, batch.readState(new Float64Array(batch.count * widthOf(batch))))
const widthOf = ({ model: { nq, nv } }: Batch): number => nq + nv

/** The q of rows of q and v. */
function positionsOf({ nq, nv }: Model, rows: ArrayLike<number>): Float64Array {
  const count = rows.length / (nq + nv)
  return Float64Array.from({ length: count * nq }, (_, k) => rows[Math.floor(k / nq) * (nq + nv) + (k % nq)])
}

/** On a GPU; a run ends when all have made their steps. */
export async function onGpu(devices: GpuDevices, model: Model, starts: Float64Array, h = STEP, steps = STEPS): Promise<Way> {
  const count = starts.length / model.nq
  const batch = await createBatch(model, { count, device: await devices.open(), solver: 'position', timestep: h })
  return {
    ...{ name: GPU, threads: 1 },
    async run() {
      batch.reset(undefined, { q: starts })
      batch.step(steps)
      const lost = await batch.failures()
      if (lost > 0) throw new Error(`${lost} of ${count} trajectories failed on the GPU`)
    },
    q: async () => positionsOf(model, await batch.readState()),
    close: () => batch.close(),
  }
}

/** What every trajectory did in every call: one iteration of each a call. */
export interface Waiting {
  readonly links: number
  readonly trajectories: number
  /** calls until all have made their steps, where none waits for another */
  readonly calls: number
  /** calls if all waited for the slowest after every step */
  readonly waiting: number
  readonly evaluations: number
  /** evaluations of each step of each trajectory */
  readonly perStep: readonly (readonly number[])[]
}

export async function countCalls(links: number, count: number, steps = STEPS): Promise<Waiting> {
  const model = chainModel(links)
  const batch = await createBatch(model, { count, solver: 'position', timestep: STEP, tolerance: TOLERANCE, trace: true })
  batch.reset(undefined, { q: chainStarts(model, count) })
  const lost = batch.step(steps)
  if (lost > 0 || !batch.searches) throw new Error(`${lost} of ${count} trajectories failed`)
  const { trace, calls } = batch.searches
  const perStep = Array.from({ length: count }, (_, e) => {
    const made: number[] = [0]
    for (const call of trace) {
      if (callKinds[call[e]] === 'idle') continue
      made[made.length - 1]++
      if (callKinds[call[e]] === 'step') made.push(0)
    }
    return made.slice(0, steps)
  })
  batch.close()
  const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0)
  const slowest = Array.from({ length: steps }, (_, k) => Math.max(...perStep.map((row) => row[k])))
  return {
    ...{ links, trajectories: count, calls, perStep },
    waiting: sum(slowest),
    evaluations: sum(perStep.map(sum)) / count,
  }
}

/** Largest and root mean square difference of two ways' ends, rad. */
export async function difference(one: Way, other: Way): Promise<{ readonly largest: number; readonly rms: number }> {
  await one.run()
  await other.run()
  const a = await one.q()
  const b = await other.q()
  const off = a.map((x, k) => Math.abs(x - b[k]))
  one.close()
  other.close()
  return { largest: Math.max(...off), rms: Math.sqrt(off.reduce((sum, x) => sum + x * x, 0) / off.length) }
}
