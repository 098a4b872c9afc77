/**
 * Steps a second of a batch of humanoids without contact against MuJoCo, which steps as many data of its own in a loop.
 *
 * The same mechanism, time step and scheme: semi-implicit Euler with explicit dampers, contacts, limits and friction off; accelerations must
 * agree before anything is timed. Samples are interleaved, and each is timed in processor time of the process, in which nothing else
 * runs meanwhile: other work on the machine takes none of it, whereas the clock on the wall goes on. MuJoCo has a thread of its own, as in
 * `forward-dynamics.ts`.
 */
import { setFlagsFromString } from 'node:v8'
import { buildModel, createBatch, createState, type Spec } from 'limber'
import { startThread } from 'limber/node'
import { createRivalBatch } from './batch-thread.js'
import { relativeDifference, sceneSpec } from './forward-dynamics.js'
import { startState } from './sampling.js'

export interface BatchRow {
  readonly name: string
  readonly threads: number
  /** microseconds of processor time, of all threads, a step of one environment: minimum and median over the samples */
  readonly processor: { readonly minimum: number; readonly median: number }
  /** microseconds on the clock, the same */
  readonly wall: { readonly minimum: number; readonly median: number }
  /** steps a second and core, from the minimum of processor time */
  readonly perSecond: number
  /** times the steps a second of MuJoCo; undefined without it */
  readonly faster?: number
  /** times the steps a second of the same precision in one thread: with both cores free, and on the clock of this run */
  readonly scaling?: { readonly free: number; readonly wall: number }
  /** largest difference of the accelerations from MuJoCo's, relative to the largest of them */
  readonly difference?: number
}

export interface BatchTimingOptions {
  readonly quick?: boolean
  readonly onProgress?: (done: number, total: number, name: string) => void
}

const COUNT = 1000
const TIMESTEP = 0.002

interface Contestant {
  readonly name: string
  readonly threads: number
  /** steps of all environments in a sample: some tens of milliseconds */
  readonly steps: number
  readonly accelerations: Float64Array
  /** All environments back to the start. */
  reset(): void | Promise<void>
  run(steps: number): void | Promise<void>
  stop(): void | Promise<void>
}

export async function timeBatches({ quick = false, onProgress }: BatchTimingOptions = {}): Promise<BatchRow[]> {
  const spec = sceneSpec('humanoid', { support: 'none' })
  // Node 20 has it behind a flag
  setFlagsFromString('--experimental-wasm-relaxed-simd')
  const contestants: Contestant[] = []
  for (const [threads, fused] of [
    [1, false],
    [1, true],
    [2, false],
  ] as const) {
    for (const precision of ['f64', 'f32'] as const) {
      const contestant = await limberBatch(spec, precision, threads, fused)
      if (contestant) contestants.push(contestant)
    }
  }
  const rival = await createRivalBatch(spec, COUNT, TIMESTEP)
  if (rival) contestants.push({ name: 'mujoco', threads: 1, steps: 1, ...rival })

  const times = contestants.map(() => ({ processor: [] as number[], wall: [] as number[] }))
  // the first rounds warm up
  const rounds = quick ? 12 : 40
  for (let round = -3; round < rounds; round++) {
    onProgress?.(Math.max(0, round), rounds, 'batches')
    for (const [k, contestant] of contestants.entries()) {
      await contestant.reset()
      const start = performance.now()
      const before = process.cpuUsage()
      await contestant.run(contestant.steps)
      const { user, system } = process.cpuUsage(before)
      const wall = 1000 * (performance.now() - start)
      if (round < 0) continue
      times[k].processor.push((user + system) / (COUNT * contestant.steps))
      times[k].wall.push(wall / (COUNT * contestant.steps))
    }
  }
  for (const contestant of contestants) await contestant.stop()
  onProgress?.(rounds, rounds, 'done')
  return rowsOf(contestants, times, rival?.accelerations)
}

type Times = { readonly processor: readonly number[]; readonly wall: readonly number[] }

function rowsOf(contestants: readonly Contestant[], times: readonly Times[], theirs: Float64Array | undefined): BatchRow[] {
  const rows = contestants.map(({ name, threads, accelerations }, k) => {
    const processor = spread(times[k].processor)
    return {
      ...{ name, threads, processor, wall: spread(times[k].wall), perSecond: 1e6 / processor.minimum },
      ...(theirs && name !== 'mujoco' ? { difference: relativeDifference(accelerations, theirs) } : {}),
    }
  })
  const mujoco = rows.find(({ name }) => name === 'mujoco')
  return rows.map((row) => {
    if (row === mujoco) return row
    const one = rows.find(({ name, threads }) => name === row.name && threads === 1)
    return {
      ...row,
      ...(mujoco ? { faster: row.perSecond / mujoco.perSecond } : {}),
      ...(one && row.threads > 1
        ? {
            scaling: {
              free: (row.threads * one.processor.median) / row.processor.median,
              wall: one.wall.minimum / row.wall.minimum,
            },
          }
        : {}),
    }
  })
}

const spread = (list: readonly number[]): { minimum: number; median: number } => {
  const sorted = list.toSorted((x, y) => x - y)
  return { minimum: sorted[0], median: sorted[sorted.length >> 1] }
}

/** undefined where products and sums cannot be had in one rounding. */
async function limberBatch(spec: Spec, precision: 'f64' | 'f32', threads: number, fused: boolean): Promise<Contestant | undefined> {
  const model = buildModel(spec)
  const state = createState(model)
  startState(model, state)
  const start = { q: state.q, v: state.v }
  const batch = await createBatch(model, { count: COUNT, timestep: TIMESTEP, precision, threads, startThread, fused })
  if (batch.fused !== fused) return undefined
  batch.reset(undefined, start)
  batch.forwardDynamics()
  return {
    name: fused ? `${precision} fused` : precision,
    threads: batch.threads,
    steps: precision === 'f64' ? 8 : 16,
    accelerations: batch.a(0).read(new Float64Array(model.nv)),
    reset: () => batch.reset(undefined, start),
    run(steps) {
      const lost = batch.step(steps)
      if (lost > 0) throw new Error(`bench: ${lost} of ${COUNT} environments failed`)
    },
    stop: () => batch.close(),
  }
}

/** The claims of batches, each with what was measured. */
export function judgeBatches(rows: readonly BatchRow[]): { claim: string; measured: number; limit: number; holds: boolean }[] {
  return rows.flatMap(({ name, threads, faster, scaling }) => {
    const claims: { claim: string; measured: number; limit: number }[] = []
    if (threads === 1 && faster !== undefined && !name.endsWith('fused')) {
      const limit = name === 'f64' ? 3 : 5
      claims.push({ claim: `${name} on one core: at least ${limit} × the steps a second of mj_step`, measured: faster, limit })
    }
    if (scaling)
      claims.push({ claim: `${name} in ${threads} threads on free cores: at least 1.8 × one`, measured: scaling.free, limit: 1.8 })
    return claims.map((claim) => ({ ...claim, holds: claim.measured >= claim.limit }))
  })
}
