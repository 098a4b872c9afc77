/**
 * One engine in a thread of its own, warmed up on one mechanism; see `forward-dynamics.ts` for why. The same file is both ends.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { buildModel, createData, createState, forwardDynamics, type Spec, useKernels } from 'limber/core'
import { jsKernels } from 'limber/js-kernels'
import { startAsking } from './ask-thread.js'
import { createRival, loadMujoco } from './rival.js'
import { repeatsFor, sampleOnce, startState } from './sampling.js'

/** `limber-js`: with kernels in their JavaScript form. */
export type EngineName = 'limber' | 'limber-js' | 'mujoco'

export interface EngineThread {
  readonly joints: number
  /** in Limber's coordinates */
  readonly accelerations: Float64Array
  /** One sample, in nanoseconds a call. */
  sample(): Promise<number>
  stop(): Promise<void>
}

interface Ready {
  readonly joints: number
  readonly accelerations: Float64Array
}

interface Task {
  readonly engine: EngineName
  readonly spec: Spec
}

/** undefined when the engine is not installed. */
export async function createEngineThread(engine: EngineName, spec: Spec): Promise<EngineThread | undefined> {
  const { answer, ask, stop } = startAsking(import.meta.url, { engine, spec } satisfies Task)
  const ready = (await answer()) as Ready | null
  if (ready === null) {
    await stop()
    return undefined
  }
  return { ...ready, sample: async () => (await ask('sample')) as number, stop }
}

async function serve({ engine, spec }: Task): Promise<void> {
  if (engine === 'limber-js') useKernels(jsKernels)
  const model = buildModel(spec)
  const state = createState(model)
  startState(model, state)
  let call: () => void
  let accelerations: () => Float64Array
  if (engine !== 'mujoco') {
    const data = createData(model)
    call = () => forwardDynamics(model, data, state)
    accelerations = () => data.a.slice()
  } else {
    const mujoco = await loadMujoco()
    if (!mujoco) {
      parentPort?.postMessage(null)
      return
    }
    const rival = createRival(mujoco, spec, model)
    rival.set(state.q, state.v)
    call = rival.forward
    accelerations = rival.accelerations
  }
  call()
  const repeats = repeatsFor(call)
  parentPort?.on('message', () => parentPort?.postMessage(sampleOnce(call, repeats)))
  parentPort?.postMessage({ joints: model.nv, accelerations: accelerations() } satisfies Ready)
}

if (!isMainThread) await serve(workerData as Task)
