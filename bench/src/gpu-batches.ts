/**
 * Batches on a GPU against f32 lanes: chains, a humanoid and a quadruped on the ground, and position trajectories, of the same starts. Where the
 * driver computes on the processor, only results are compared.
 */
import { type Batch, type BatchOptions, buildModel, createBatch, type GpuBatch, type Model, parseMjcf } from 'limber'
import { groundRobots } from './contact/ground-robots.js'
import { sceneSpec } from './forward-dynamics.js'
import { findGpu, type GpuDevices } from './gpu-device.js'

export interface GpuRow {
  readonly name: string
  readonly environments: number
  readonly steps: number
  /** largest difference of q and v to f32 lanes, and of those to f64, relative to the number where it is above 1 */
  readonly toLanes: number
  readonly toDouble: number
  readonly failed: number
  /** environment steps a second on the clock; none of a driver that computes on the processor */
  readonly perSecond?: { readonly gpu: number; readonly lanes: number }
}

export interface GpuTimes {
  /** name of the adapter, or why there is none */
  readonly adapter: string
  readonly isSoftware: boolean
  readonly rows: readonly GpuRow[]
}

export interface GpuTimingOptions {
  readonly quick?: boolean
  readonly onProgress?: (done: number, total: number, name: string) => void
}

interface Case {
  readonly name: string
  readonly model: () => Model
  readonly options: Pick<BatchOptions, 'contact' | 'solver' | 'timestep'>
  readonly steps: number
}

const chain = (links: number): Case => ({
  name: `chain of ${links} hinges`,
  model: () => buildModel(sceneSpec('chain', { links, joint: 'revolute', angle: 1 })),
  options: {},
  steps: 100,
})
const robot = (index: number): Case => ({
  name: `${groundRobots[index].name}, on the ground`,
  model: () => buildModel(parseMjcf(groundRobots[index].alone)),
  options: { contact: { self: false } },
  steps: 50,
})
const cases: readonly Case[] = [
  chain(10),
  chain(40),
  robot(1),
  robot(3),
  {
    name: 'position trajectories, 10 links',
    model: () => buildModel(sceneSpec('swinging-chain', { links: 10 })),
    options: { solver: 'position', timestep: 0.05 },
    steps: 10,
  },
]

/** environments where a graphics card is timed, and where a driver that computes on the processor shows that results are right */
const MANY = 8192
const FEW = 128

export async function timeGpuBatches({ quick = false, onProgress }: GpuTimingOptions = {}): Promise<GpuTimes> {
  const devices = await findGpu()
  if (typeof devices === 'string') return { adapter: devices, isSoftware: false, rows: [] }
  const chosen = quick ? [cases[0], cases[4]] : cases
  const rows: GpuRow[] = []
  for (const [k, one] of chosen.entries()) {
    onProgress?.(k, chosen.length, one.name)
    rows.push(await timeCase(one, devices))
  }
  onProgress?.(chosen.length, chosen.length, 'done')
  devices.close()
  return { adapter: devices.name, isSoftware: devices.isSoftware, rows }
}

async function timeCase({ name, model: make, options, steps }: Case, devices: GpuDevices): Promise<GpuRow> {
  const model = make()
  const count = devices.isSoftware ? FEW : MANY
  const start = { noise: 0.05, seed: 1 }
  const single = await createBatch(model, { ...options, count, precision: 'f32' })
  const double = await createBatch(model, { ...options, count })
  const gpu = await createBatch(model, { ...options, count, device: await devices.open() })
  const lanesTime = await timed(single, start, steps)
  double.reset(undefined, start)
  double.step(steps)
  const gpuTime = await timed(gpu, start, steps)
  const rowsOf = (batch: Batch): Float64Array => batch.readState(new Float64Array(count * (model.nq + model.nv)))
  const [a, b, c] = [await gpu.readState(), rowsOf(single), rowsOf(double)]
  const failed = await gpu.failures()
  for (const batch of [single, double, gpu]) batch.close()
  return {
    ...{ name, environments: count, steps, toLanes: distance(a, b), toDouble: distance(b, c), failed },
    ...(devices.isSoftware ? {} : { perSecond: { gpu: (count * steps) / gpuTime, lanes: (count * steps) / lanesTime } }),
  }
}

/** Seconds of these steps, the second time that they are made. */
async function timed(batch: Batch | GpuBatch, start: { readonly noise: number; readonly seed: number }, steps: number): Promise<number> {
  let seconds = 0
  for (let round = 0; round < 2; round++) {
    batch.reset(undefined, start)
    await batch.readState(new Float32Array(batch.count * (batch.model.nq + batch.model.nv)))
    const begin = performance.now()
    batch.step(steps)
    // what was enqueued is done when its result is there
    await batch.readState(new Float32Array(batch.count * (batch.model.nq + batch.model.nv)))
    seconds = (performance.now() - begin) / 1000
  }
  return seconds
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0
  for (let k = 0; k < a.length; k++) {
    const off = Math.abs(a[k] - b[k]) / Math.max(1, Math.abs(b[k]))
    most = off <= most ? most : Number.isNaN(off) ? Number.POSITIVE_INFINITY : off
  }
  return most
}

/** What holds of the rows. */
export function judgeGpuBatches({ rows }: GpuTimes): { claim: string; measured: number; limit: number; holds: boolean }[] {
  return rows.flatMap(({ name, toLanes, toDouble, failed }) => {
    // two roundings of the same motion may lie on both sides of that of f64
    const limit = 4 * Math.max(toDouble, 1e-6)
    return [
      { claim: `${name}: off f32 lanes by no more than these are off f64`, measured: toLanes, limit, holds: toLanes <= limit },
      { claim: `${name}: environments that failed`, measured: failed, limit: 0, holds: failed === 0 },
    ]
  })
}
