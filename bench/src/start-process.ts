/**
 * One engine that starts on one model in a fresh process, and tells how long that took. A process, not a thread: threads of one process share
 * compiled WebAssembly. The same file is both ends.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildModel, createSimulation, parseMjcf } from 'limber'
import { loadMujoco } from './rival.js'
import { minimumAndMedian } from './sampling.js'

export type StartEngine = 'limber' | 'mujoco'

/** Milliseconds, in one process. */
export interface StartTimes {
  /** the first simulation of the process: `createSimulation(model)` under auto, `new MjData(model)` */
  readonly first: number
  /** its first step */
  readonly step: number
  /** a further simulation of the same model: median */
  readonly again: number
}

interface Task {
  readonly engine: StartEngine
  readonly mjcf: string
}

// of the further simulations
const REPEATS = 40

/** undefined when the engine is not installed. */
export function startOnce(engine: StartEngine, mjcf: string): Promise<StartTimes | undefined> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), ['start'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    child.once('message', (times) => {
      resolve((times as StartTimes | null) ?? undefined)
      child.disconnect()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`bench: the process that starts ${engine} ended with code ${code}`)))
    child.send({ engine, mjcf } satisfies Task)
  })
}

/** What is timed: a simulation, and its first step. */
type Create = () => () => void

async function creatorOf({ engine, mjcf }: Task): Promise<Create | undefined> {
  if (engine === 'limber') {
    const model = buildModel(parseMjcf(mjcf))
    return () => {
      const simulation = createSimulation(model)
      return () => simulation.step()
    }
  }
  const mujoco = await loadMujoco()
  if (!mujoco) return undefined
  const model = mujoco.MjModel.from_xml_string(mjcf)
  if (!model) throw new Error('mujoco: cannot read the model')
  return () => {
    const data = new mujoco.MjData(model)
    return () => mujoco.mj_step(model, data)
  }
}

async function serve(task: Task): Promise<StartTimes | null> {
  const create = await creatorOf(task)
  if (!create) return null
  const begin = performance.now()
  const makeStep = create()
  const created = performance.now()
  makeStep()
  const stepped = performance.now()
  const again = Array.from({ length: REPEATS }, () => {
    const start = performance.now()
    create()
    return performance.now() - start
  })
  return { first: created - begin, step: stepped - created, again: minimumAndMedian(again).median }
}

if (process.send && process.argv[2] === 'start') {
  process.once('message', (task) => {
    void serve(task as Task).then((times) => process.send?.(times))
  })
}
