/** Many data of one MuJoCo model in a thread of their own, stepped in a loop. The same file is both ends. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { buildModel, createState, type Spec } from 'limber'
import { startAsking } from './ask-thread.js'
import { compile, loadMujoco, rivalOf } from './rival.js'
import { startState } from './sampling.js'

export interface RivalBatch {
  /** of one of them, in Limber's coordinates */
  readonly accelerations: Float64Array
  reset(): Promise<void>
  run(steps: number): Promise<void>
  stop(): Promise<void>
}

interface Task {
  readonly spec: Spec
  readonly count: number
  readonly timestep: number
}

/** undefined when MuJoCo is not installed. */
export async function createRivalBatch(spec: Spec, count: number, timestep: number): Promise<RivalBatch | undefined> {
  const { answer, ask, stop } = startAsking(import.meta.url, { spec, count, timestep } satisfies Task)
  const accelerations = (await answer()) as Float64Array | null
  if (accelerations === null) {
    await stop()
    return undefined
  }
  const run = async (steps: number): Promise<void> => void (await ask(steps))
  return { accelerations, reset: () => run(0), run, stop }
}

/** bytes of contacts and constraints of one data, of which there are none here; the default is too much for a thousand */
const ARENA = 300_000

async function serve({ spec, count, timestep }: Task): Promise<void> {
  const mujoco = await loadMujoco()
  if (!mujoco) {
    parentPort?.postMessage(null)
    return
  }
  const model = buildModel(spec)
  const { m } = compile(mujoco, spec, model)
  m.narena = ARENA
  m.opt.timestep = timestep
  // dampers explicit, as in our step
  m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_EULERDAMP.value
  const list = Array.from({ length: count }, () => new mujoco.MjData(m))
  const start = createState(model)
  startState(model, start)
  const rivals = list.map((d) => rivalOf(mujoco, model, m, d))
  const reset = (): void => {
    for (const rival of rivals) rival.set(start.q, start.v)
  }
  reset()
  rivals[0].forward()
  // 0 asks for the start, another number for so many steps
  parentPort?.on('message', (steps: number) => {
    if (steps === 0) reset()
    for (let n = 0; n < steps; n++) for (const d of list) mujoco.mj_step(m, d)
    parentPort?.postMessage(steps)
  })
  parentPort?.postMessage(rivals[0].accelerations())
}

if (!isMainThread) await serve(workerData as Task)
