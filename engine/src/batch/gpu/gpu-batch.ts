/** Batches on a GPU, and what becomes of them where there is none, or where it is lost. */
import { modelHash } from '../../model/hash.js'
import type { Model } from '../../model/model.js'
import { ModelError } from '../../model/model-error.js'
import { type GroundParameter, groundParameters } from '../../solvers/implicit/layout.js'
import type { Batch } from '../batch.js'
import type { BatchArray } from '../layout.js'
import { type BatchOptions, checkModel, checkOptions, type GpuBatchOptions } from '../options.js'
import { programOf } from '../programs.js'
import { readSnapshot, type SnapshotKey, writeSnapshot } from '../snapshot.js'
import { checkSelection } from '../start.js'
import { noAccelerations } from '../trajectories.js'
import { checkLength } from '../views.js'
import { type DeviceOrReason, openDevice } from './device.js'
import { createDeviceStore } from './device-store.js'
import { lanesStore } from './lanes-store.js'
import { DYNAMICS, OBSERVE, STEP, type Store } from './store.js'
import type { GpuBatch, GpuLoss } from './types.js'
import { unpackShader } from './unpack.js'

/** environments from which a GPU pays */
const PAYS = 4096
/** devices that are opened at most: who loses two will lose a third */
const MOST_DEVICES = 2

/** In the queue: what it does in its turn, and what it does where the batch is closed before. */
interface Waiting {
  readonly work: Work
  readonly drop?: () => void
}

/** Enqueues something; a promise where it goes on later. */
type Work = () => Promise<void> | undefined | void

/** How lanes are made, and for tests: where devices come from, and environments of a chunk. */
export interface GpuMakers {
  readonly lanes: (model: Model, options: BatchOptions) => Promise<Batch>
  readonly open?: () => Promise<DeviceOrReason>
  readonly text?: () => Promise<string>
  readonly chunk?: number
}

export async function createGpuBatch(model: Model, options: GpuBatchOptions, makers: GpuMakers): Promise<GpuBatch> {
  const { device, ...rest } = options
  refuse(options)
  checkOptions(rest)
  checkModel(model)
  const { count, timestep = model.timestep, vary = [] } = options
  const planned = { count: 1, timestep, precision: 'f32', vary: groundParameters.filter((name) => vary.includes(name)) } as const
  const program = programOf(model, rest, planned)
  const { leftOut } = program
  if (options.strict === true && leftOut.length > 0) throw new ModelError(leftOut.map((message) => ({ path: 'batch', message })))
  const warnings: string[] = []

  const given = typeof device === 'object' ? device : undefined
  const open = async (): Promise<DeviceOrReason> =>
    given ? { device: given, adapter: 'a device of the caller', close: () => {} } : await (makers.open ?? (() => openDevice(false)))()
  const text = makers.text ?? (async () => unpackShader(await program.shaders()))
  const openLanes = async (): Promise<Store> => {
    const batch = await makers.lanes(model, { ...rest, precision: 'f32' })
    return lanesStore(batch, programOf(model, rest, { ...planned, count }))
  }
  /** A store on a device, or why there is none. */
  const openGpu = async (): Promise<Store | string> => {
    const opened = await open()
    if (opened.device === undefined) return opened.reason
    try {
      return await createDeviceStore(model, program, opened, await text(), { count, ...(makers.chunk && { chunk: makers.chunk }) })
    } catch (error) {
      opened.close()
      if (error instanceof RangeError) return error.message
      throw error
    }
  }
  const first = async (): Promise<Store> => {
    if (device === 'auto' && count < PAYS) {
      warnings.push(`device: lanes are taken, since a GPU pays from ${PAYS} environments; give device: 'gpu' to have it nevertheless`)
      return openLanes()
    }
    const store = await openGpu()
    if (typeof store !== 'string') return store
    if (device !== 'auto') throw new Error(`device: ${store}; device: 'auto' takes lanes instead`)
    warnings.push(`device: lanes are taken: ${store}`)
    return openLanes()
  }

  let store = await first()
  warnings.push(...store.warnings)
  const { nq, nv, nu } = model
  const size = program.observed?.size ?? 0
  const numbers = 4 * ((await store.states()).length / count)
  const key: SnapshotKey = [modelHash(model), count, 1, numbers]
  const pack = (states: Float32Array<ArrayBuffer>): ArrayBuffer => writeSnapshot(key, new Uint8Array(states.buffer), new Uint8Array(0))
  const unpack = (snapshot: ArrayBuffer): Float32Array => {
    const states = new Float32Array((numbers / 4) * count)
    readSnapshot(key, snapshot, new Uint8Array(states.buffer), false)
    return states
  }
  let last = pack(await store.states())
  let closed = false
  let devices = 1
  /** what must end before anything else is enqueued: searches, or the change to another device or to lanes; and what waits for it */
  let busy: Promise<void> | undefined
  const waiting: Waiting[] = []
  let trouble: unknown
  let announce: (loss: GpuLoss) => void = () => {}
  const nextLoss = (): Promise<GpuLoss> =>
    new Promise((resolve) => {
      announce = resolve
    })
  let lost = nextLoss()

  const watch = (watched: Store): void => {
    void watched.lost.then((reason) => {
      if (!closed) hold(recover(watched, reason))
    })
  }
  const recover = async (from: Store, reason: string): Promise<void> => {
    from.close()
    const other =
      given === undefined && devices < MOST_DEVICES ? await openGpu().catch(String) : 'a device of the caller is not opened again'
    devices++
    store = typeof other === 'string' ? await openLanes() : other
    warnings.push(
      `device: it was lost (${reason}); the batch goes on ${store.device === 'gpu' ? 'on a new one' : 'in lanes'} from its last snapshot`,
    )
    if (closed) {
      store.close()
      return
    }
    store.setStates(unpack(last))
    trouble = undefined
    watch(store)
    announce({ reason, snapshot: last, device: store.device })
    lost = nextLoss()
  }
  watch(store)

  /** Nothing is enqueued until this ends; what it fails with, unless the device is lost, is thrown at the next question. */
  const hold = (work: Promise<void>): void => {
    const ended: Promise<void> = work
      .catch((error: unknown) => {
        trouble = error
      })
      .then(() => {
        // a device that was lost meanwhile is another work
        if (busy !== ended) return
        busy = undefined
        while (busy === undefined && waiting.length > 0) begin(waiting.shift()?.work)
      })
    busy = ended
  }
  const begin = (work: Work | undefined): void => {
    const more = work?.()
    if (more) hold(more)
  }
  const enqueue = (work: Work): void => {
    if (closed) throw new Error('this batch was closed; make another')
    if (busy) waiting.push({ work })
    else begin(work)
  }
  /** Rejects with the remedy where the device is lost before the answer is there. */
  const ask = async <T>(question: (store: Store) => Promise<T>): Promise<T> => {
    if (closed) throw new Error('this batch was closed; make another')
    // in its turn: it must not see what is enqueued later
    if (busy) {
      return new Promise((resolve, reject) => {
        const work = (): void => void ask(question).then(resolve, reject)
        waiting.push({ work, drop: work })
      })
    }
    const asked = store
    try {
      if (trouble !== undefined) {
        const error = trouble
        trouble = undefined
        throw error
      }
      return await question(asked)
    } catch (error) {
      const reason = await Promise.race([asked.lost, Promise.resolve(undefined)])
      if (reason === undefined) throw error
      throw new Error(`the device was lost (${reason}) before this was read; the batch goes on from its last snapshot: wait for batch.lost`)
    }
  }
  const rows = (name: string, width: number, out: BatchArray | undefined): BatchArray => {
    const to = out ?? new Float32Array(count * width)
    checkLength(name, to, count * width)
    return to
  }
  const write = (name: string, fields: readonly string[], width: number, from: BatchArray): void => {
    checkLength(name, from, count * width)
    // copied now if it must wait
    const numbers = busy ? from.slice() : from
    enqueue(() => store.write(fields, numbers))
  }
  const read = async (name: string, fields: readonly string[], width: number, out?: BatchArray): Promise<BatchArray> => {
    const to = rows(name, width, out)
    if (width > 0) await ask((asked) => asked.read(fields, to))
    return to
  }
  const checkTimes = (times: number): void => {
    if (!(Number.isInteger(times) && times >= 0)) throw new RangeError(`step: expected a whole number of steps, got ${times}`)
  }

  return {
    ...{ model, count, precision: 'f32', timestep, leftOut, warnings },
    get device() {
      return store.device
    },
    get adapter() {
      return store.adapter
    },
    get lost() {
      return lost
    },
    get buffers() {
      return store.buffers()
    },
    observations: program.observed?.parts ?? [],
    observationSize: size,
    step(times = 1) {
      checkTimes(times)
      if (times > 0) enqueue(() => store.run(STEP, times))
    },
    encode(encoder, times = 1) {
      checkTimes(times)
      if (program.searching)
        throw new RangeError('encode: how many dispatches trajectories of `position` take is not known before; call step')
      store.encode(encoder, times)
    },
    forwardDynamics() {
      if (program.searching) throw noAccelerations('forwardDynamics')
      enqueue(() => store.run(DYNAMICS, 1))
    },
    reset(which, start = {}) {
      if (which !== undefined && 'length' in which) checkSelection(which, count)
      enqueue(() => store.reset(which, start))
    },
    writeState: (from) => write('writeState', ['q', 'v'], nq + nv, from),
    writeControl: (from) => write('writeControl', ['control'], nu, from),
    writeTau: (from) => write('writeTau', ['tau'], nv, from),
    writeParameter(name, from) {
      if (!planned.vary.includes(name as GroundParameter))
        throw new RangeError(`parameter '${name}': the same in all environments; say so when the batch is made: vary: ['${name}']`)
      write('writeParameter', [name], from.length / count, from)
    },
    readState: (out) => read('readState', ['q', 'v'], nq + nv, out),
    async readAccelerations(out) {
      if (program.searching) throw noAccelerations('readAccelerations')
      return read('readAccelerations', ['a'], nv, out)
    },
    async readObservations(out) {
      if (size > 0) enqueue(() => store.run(OBSERVE, 1))
      return read('readObservations', ['observation'], size, out)
    },
    async readFailed() {
      return Uint8Array.from(await read('readFailed', ['failed'], 1))
    },
    failures: () => ask((asked) => asked.failures()),
    async failure(e) {
      if (!(Number.isInteger(e) && e >= 0 && e < count)) throw new RangeError(`environment: expected 0 … ${count - 1}, got ${e}`)
      const states = await ask((asked) => asked.states())
      // the same step again, in a lane
      const alone = await makers.lanes(model, { ...rest, precision: 'f32', count: 1, threads: 1 })
      const one = lanesStore(alone, programOf(model, rest, planned))
      one.setStates(Float32Array.from({ length: numbers / 4 }, (_, k) => states[k * count + e]))
      return alone.failure(0)?.replace('environment 0', `environment ${e}`)
    },
    async snapshot() {
      last = pack(await ask((asked) => asked.states()))
      return last.slice(0)
    },
    restore(snapshot) {
      const states = unpack(snapshot)
      last = snapshot.slice(0)
      enqueue(() => store.setStates(states))
    },
    close() {
      if (closed) return
      closed = true
      store.close()
      for (const { drop } of waiting.splice(0)) drop?.()
    },
  }
}

/** Options that have no meaning on a GPU. */
function refuse({ device, precision, fused, threads = 1, vary = [] }: GpuBatchOptions): void {
  if (precision !== undefined && (precision as string) !== 'f32')
    throw new RangeError(
      `precision: a GPU has f32 only, got '${String(precision)}'; leave it out, or leave out device to have f64 in lanes`,
    )
  if ((fused as boolean | undefined) === true)
    throw new RangeError('fused: on a GPU its driver decides how products and sums are rounded; leave it out')
  if (threads !== 1 && device !== 'auto')
    throw new RangeError("threads: a GPU has its own; leave it out, or give device: 'auto', where lanes have them")
  if (vary.includes('delay')) throw new RangeError('vary: delay of actions is not on the GPU; delay what you write to writeControl')
  if (device !== 'gpu' && device !== 'auto' && typeof device !== 'object')
    throw new RangeError(`device: expected 'cpu', 'gpu', 'auto' or a GPUDevice, got '${String(device)}'`)
}
