/**
 * The rival in a thread of its own; see `forward-dynamics.ts` for why. The same file is both ends.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { buildModel, createState, type Spec } from 'limber'
import { createRival, loadMujoco, type Rival } from './rival.js'
import { repeatsFor, sampleOnce, startState } from './sampling.js'

export interface RivalThread {
  /** Takes over the mechanism, warms up, and returns its accelerations in Limber's coordinates. */
  load(spec: Spec): Promise<Float64Array>
  /** One sample, in nanoseconds a call. */
  sample(): Promise<number>
  stop(): Promise<void>
}

type Request = { readonly load: Spec } | 'sample' | 'ready'

/** undefined when the rival is not installed. */
export async function createRivalThread(): Promise<RivalThread | undefined> {
  const worker = new Worker(new URL(import.meta.url))
  const ask = (request: Request): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.postMessage(request)
    }).finally(() => worker.removeAllListeners('error'))
  if ((await ask('ready')) !== true) {
    await worker.terminate()
    return undefined
  }
  return {
    load: async (spec) => (await ask({ load: spec })) as Float64Array,
    sample: async () => (await ask('sample')) as number,
    async stop() {
      await worker.terminate()
    },
  }
}

async function serve(): Promise<void> {
  const mujoco = await loadMujoco()
  let rival: Rival | undefined
  let repeats = 1
  parentPort?.on('message', (request: Request) => {
    if (request === 'ready') {
      parentPort?.postMessage(mujoco !== undefined)
    } else if (request === 'sample') {
      parentPort?.postMessage(rival ? sampleOnce(rival.forward, repeats) : Number.NaN)
    } else if (mujoco) {
      rival?.free()
      const model = buildModel(request.load)
      const state = createState(model)
      startState(model, state)
      rival = createRival(mujoco, request.load, model)
      rival.set(state.q, state.v)
      rival.forward()
      const a = rival.accelerations()
      repeats = repeatsFor(rival.forward)
      parentPort?.postMessage(a)
    }
  })
}

if (!isMainThread) await serve()
