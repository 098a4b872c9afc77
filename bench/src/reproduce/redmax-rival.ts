/**
 * The tied chain against MuJoCo's implicit integrators: milliseconds a step, and the largest step at which a run stays clean. Each engine
 * runs in a thread of its own (see `forward-dynamics`). The same file is both ends.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, createData, createSimulation, createState, energy, type Model, type Spec } from 'limber'
import { compile, loadMujoco } from '../rival.js'
import { chainSpec, lowestEnergy, randomVelocities } from './redmax-stability.js'

export type Engine = 'limber' | 'implicitfast' | 'discrete'
export const engines: readonly Engine[] = ['limber', 'implicitfast', 'discrete']

export interface RivalTask {
  readonly engine: Engine
  readonly n: number
  readonly start: 'hanging' | 'coiled'
  readonly h: number
  readonly seconds: number
  /** viscous damping of every hinge, N m s */
  readonly friction: number
}

export interface RivalRow extends RivalTask {
  readonly steps: number
  /** mean over the run, and the least of windows of 25 steps: what a busy machine leaves of it */
  readonly milliseconds: number
  readonly least: number
  /** largest rise of energy above the start, as a share of the energy above rest; infinite where the run broke */
  readonly gain: number
  /** every step made, and no gain above 5 % */
  readonly clean: boolean
}

const CLEAN = 0.05
const WINDOW = 25
// milliseconds
const WARM_UP = 1000

/** One run in a thread of its own; undefined where the engine is not installed. */
export async function rivalRun(task: RivalTask): Promise<RivalRow | undefined> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { redmaxRival: task } })
  try {
    return await new Promise<RivalRow | undefined>((resolve, reject) => {
      worker.once('message', (row: RivalRow | null) => resolve(row ?? undefined))
      worker.once('error', reject)
    })
  } finally {
    await worker.terminate()
  }
}

/** One after another, so that they do not share the processor. */
export async function redmaxRival(tasks: readonly RivalTask[], onRow?: (row: RivalRow) => void): Promise<RivalRow[]> {
  const rows: RivalRow[] = []
  for (const task of tasks) {
    const row = await rivalRun(task)
    if (!row) continue
    rows.push(row)
    onRow?.(row)
  }
  return rows
}

/**
 * The comparison of the issue: n = 300 for the speed, all three sizes at h = 0.02 for clean runs, joint damping 1, coiled. `implicitfast` breaks
 * there after a few steps; what a step costs it, which does not depend on h, is timed at a step that it survives.
 */
export function rivalTasks(seconds = 10): RivalTask[] {
  const one = { start: 'coiled', h: 0.02, seconds, friction: 1 } as const
  const runs = [30, 100, 300].flatMap((n) => engines.map((engine) => ({ engine, n, ...one })))
  // ours once more right after it, for the case that the machine had a slow spell, and until the chain hangs
  return [
    ...runs,
    { ...one, engine: 'implicitfast', n: 300, h: 0.0005, seconds: 0.05 },
    { ...one, engine: 'limber', n: 300, seconds: Math.max(10, seconds) },
  ]
}

interface Runner {
  readonly q: Float64Array
  readonly v: Float64Array
  step(): boolean
}

function limberRunner(model: Model, h: number): Runner {
  const simulation = createSimulation(model, { solver: 'redmax', timestep: h })
  const { q, v } = simulation.state
  return { q, v, step: () => simulation.step().status === 'ok' }
}

function mujocoRunner(mujoco: MainModule, spec: Spec, model: Model, task: RivalTask): Runner {
  const { m, d } = compile(mujoco, spec, model)
  const { mjINT_IMPLICITFAST, mjINT_DISCRETE } = mujoco.mjtIntegrator
  m.opt.integrator = (task.engine === 'discrete' ? mjINT_DISCRETE : mjINT_IMPLICITFAST).value
  m.opt.timestep = task.h
  d.qpos.set(model.q0)
  return {
    get q() {
      return d.qpos as Float64Array
    },
    get v() {
      return d.qvel as Float64Array
    },
    step() {
      // a state that is no longer finite is reset, and with it the time
      const before = d.time
      mujoco.mj_step(m, d)
      return d.time > before
    },
  }
}

function run(task: RivalTask, model: Model, runner: Runner): RivalRow {
  const data = createData(model)
  const state = createState(model)
  const total = (): number => {
    state.q.set(runner.q)
    state.v.set(runner.v)
    const { kinetic, potential } = energy(model, data, state)
    return kinetic + potential
  }
  if (task.start === 'hanging') randomVelocities(runner.v)
  const first = total()
  const depth = first - lowestEnergy(model)
  const asked = Math.round(task.seconds / task.h)
  let highest = first
  let spent = 0
  let window = 0
  let least = Number.POSITIVE_INFINITY
  let steps = 0
  while (steps < asked) {
    const begin = performance.now()
    const good = runner.step()
    const time = performance.now() - begin
    const now = total()
    if (!good || !Number.isFinite(now)) {
      highest = Number.POSITIVE_INFINITY
      break
    }
    spent += time
    window += time
    steps++
    if (steps % WINDOW === 0) {
      least = Math.min(least, window / WINDOW)
      window = 0
    }
    highest = Math.max(highest, now)
  }
  const gain = (highest - first) / depth
  return { ...task, steps, milliseconds: spent / Math.max(1, steps), least, gain, clean: steps === asked && gain <= CLEAN }
}

/** Lets the compilers finish on a runner that is then thrown away. */
function warmUp(runner: Runner): void {
  const end = performance.now() + WARM_UP
  while (performance.now() < end && runner.step()) {
    // the step is all
  }
}

async function serve(task: RivalTask): Promise<RivalRow | null> {
  const spec = chainSpec({ n: task.n, springs: 'yes', start: task.start }, task.friction)
  const model = buildModel(spec)
  const mujoco = task.engine === 'limber' ? undefined : await loadMujoco()
  if (task.engine !== 'limber' && !mujoco) return null
  const create = (): Runner => (mujoco ? mujocoRunner(mujoco, spec, model, task) : limberRunner(model, task.h))
  // twice: when a literal is evaluated for the second time V8 widens its shape, and drops what it compiled for it
  warmUp(create())
  warmUp(create())
  return run(task, model, create())
}

// other files of this package start threads too: only a task of this one is answered
const given = (workerData as { redmaxRival?: RivalTask } | null)?.redmaxRival
if (!isMainThread && given) void serve(given).then((row) => parentPort?.postMessage(row))
