/**
 * Would constraint columns Y = A⁻¹ Gᵀ pay in parallel? What a column costs, against what it costs to wake a thread and wait for it.
 */
import { Worker } from 'node:worker_threads'
import { buildModel, createSimulation, type Model } from 'limber'
import { scenes } from 'limber-scenes'
import { cpuMillis } from './redmax-runs.js'

export interface ColumnRow {
  readonly scene: string
  readonly dofs: number
  readonly rows: number
  readonly linear: string
  /** microseconds of a step with all rows, and without any */
  readonly step: number
  readonly free: number
  /** microseconds that a second thread could save at most: half of the columns, less its latency */
  readonly saving: number
}

const ECHO = `
const { workerData } = require('node:worker_threads')
const flag = new Int32Array(workerData)
for (let turn = 1; ; turn += 2) {
  Atomics.wait(flag, 0, turn - 1)
  if (Atomics.load(flag, 0) < 0) break
  Atomics.store(flag, 0, turn + 1)
  Atomics.notify(flag, 0)
}`

/** Microseconds from waking another thread to knowing that it has answered; median. */
export function threadLatency(samples = 200): number {
  const shared = new SharedArrayBuffer(4)
  const flag = new Int32Array(shared)
  const worker = new Worker(ECHO, { eval: true, workerData: shared })
  worker.unref()
  const times: number[] = []
  for (let k = 0; k < samples; k++) {
    const turn = 2 * k
    const start = performance.now()
    Atomics.store(flag, 0, turn + 1)
    Atomics.notify(flag, 0)
    Atomics.wait(flag, 0, turn + 1, 2000)
    times.push(1000 * (performance.now() - start))
  }
  Atomics.store(flag, 0, -1)
  Atomics.notify(flag, 0)
  return times.toSorted((a, b) => a - b)[samples >> 1]
}

/** Umbrellas with ribs of so many bodies, and bridges with flexible towers of about as many degrees of freedom. */
export function columnRows(sizes: readonly number[], millis: number, latency: number): ColumnRow[] {
  return sizes.flatMap((segments) => [
    ...sceneRows('umbrella', { segments }, 16, millis, latency),
    ...sceneRows('bridge', { bodies: 8 * segments, towers: 'flexible' }, 2, millis, latency),
  ])
}

function sceneRows(
  name: string,
  values: Readonly<Record<string, string | number>>,
  rows: number,
  millis: number,
  latency: number,
): ColumnRow[] {
  const scene = scenes.find((one) => one.name === name)
  if (!scene) throw new Error(`no scene ${name}`)
  const spec = scene.build(values)
  const { constraints: _, ...open } = spec
  const model = buildModel(spec)
  const loose = buildModel(open)
  return ['pcg', 'direct'].map((linear) => {
    const step = leastOf(model, linear, millis)
    const free = leastOf(loose, linear, millis)
    return { scene: name, dofs: model.nv, rows, linear, step, free, saving: Math.max(0, (step - free) / 2 - latency) }
  })
}

function leastOf(model: Model, linear: string, millis: number): number {
  const sim = createSimulation(model, { solver: 'redmax', scheme: 'linear', linear, timestep: 0.01 })
  sim.step(3)
  let least = Number.POSITIVE_INFINITY
  const begin = performance.now()
  for (let k = 0; k < 200 && (k < 12 || performance.now() - begin < millis); k++) {
    const start = performance.now()
    const used = cpuMillis()
    sim.step()
    least = Math.min(least, 1000 * Math.min(performance.now() - start, cpuMillis() - used))
  }
  return least
}
