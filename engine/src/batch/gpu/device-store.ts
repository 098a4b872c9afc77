/** The states of a batch on a GPU. */
import type { Model } from '../../model/model.js'
import { IDLE, searchPlaces } from '../../solvers/position/lanes/tables.js'
import type { Program } from '../programs.js'
import { startAll } from '../start.js'
import { BEGIN, FINISH, ITERATE } from '../trajectories.js'
import type { OpenDevice } from './device.js'
import { type GpuField, gpuImage } from './image.js'
import { createRuns, sizesFor, spread, tooLarge } from './runs.js'
import { runSearches, type Searches } from './searches.js'
import { readShaderText, shaderOf, wordsUsed } from './shader.js'
import { countShader, NUMBERED_ROW, ONE_ROW, OWN_ROW, resetShader } from './small-shaders.js'
import { DYNAMICS, OBSERVE, STEP, type Store } from './store.js'

/** fields that a start writes, those that it clears, and those that it marks: only searches have the last two */
const WRITTEN = ['q', 'v', 'control', 'act'] as const
const CLEARED = ['a', 'tau', 'steps', 'failed', 'iterations', 'taken', 'contactForce', 'counts'] as const
const MARKED = ['fresh'] as const

export interface DeviceOptions {
  readonly count: number
  /** environments of a chunk; default: what the work space has room for in the cache */
  readonly chunk?: number
}

/** Throws a RangeError where the device cannot hold the batch. `text`: the printed functions. */
export async function createDeviceStore(
  model: Model,
  program: Program,
  opened: OpenDevice,
  text: string,
  { count, chunk }: DeviceOptions,
): Promise<Store> {
  const { device, adapter } = opened
  const searches = program.searching !== undefined
  const tasks = searches ? [BEGIN, ITERATE, FINISH] : [DYNAMICS, STEP, ...((program.observed?.size ?? 0) > 0 ? [OBSERVE] : [])]
  const functions = readShaderText(text)
  const image = gpuImage(
    program,
    wordsUsed(
      functions,
      tasks.map((task) => program.kernels[task]),
    ),
  )
  const { N, C } = sizesFor(count, image, chunk)
  const refused = tooLarge(device, image, { N, C })
  if (refused !== undefined) throw new RangeError(`count: ${refused}`)

  const field = (name: string): GpuField => image.fields[name]
  const states = spread(image.state, N)
  const rows = (name: string, e: number, values: ArrayLike<number>): void => {
    const { at, length } = field(name)
    for (let k = 0; k < length; k++) states[(at + k) * N + e] = values[k]
  }
  const present = (names: readonly string[]): GpuField[] => names.flatMap((name) => field(name) ?? [])
  startAll(model, count, undefined, {}, (e, s) => {
    for (const name of WRITTEN) rows(name, e, s[name])
    for (const { at } of present(MARKED)) states[at * N + e] = 1
  })
  const shaders = program.kernels.map((kernel) => () => shaderOf(functions, kernel, image, { N, C }))
  const runs = await createRuns(device, image, { count, N, C, states }, shaders, searches ? ITERATE : STEP)
  const numbers = image.state.length

  const resets = runs.small(() => resetShader(N, WRITTEN.map(field), present(CLEARED), present(MARKED)))
  const counter = (name: string, place: number, test: string): (() => Promise<number>) => {
    const shader = runs.small(() => countShader(N, field(name).at + place, test))
    return async () => new Uint32Array(await shader.read([count, 0, 0, 0], [new Uint32Array(1)]))[0]
  }
  const failures = counter('failed', 0, '!=0f')
  let closed = false
  const ofSearches: Searches = {
    setGoal: (steps) => runs.write(field('goal').at, new Float32Array(N).fill(steps)),
    open: counter('search', searchPlaces.phase, `<${IDLE}f`),
    isClosed: () => closed,
  }
  const width = WRITTEN.reduce((sum, name) => sum + field(name).length, 0)

  return {
    device: 'gpu',
    adapter,
    warnings: [],
    lost: device.lost.then(({ reason, message }) => message || reason || 'without a reason'),
    buffers: () => ({ state: runs.state, stride: N, fields: image.fields }),
    run(task, times) {
      if (searches) return runSearches(runs, times, ofSearches)
      runs.run(task, times)
      return undefined
    },
    encode: (encoder, times) => runs.encode(encoder, STEP, times),
    reset(which, start) {
      const isBuffer = which !== undefined && !('length' in which)
      // noise and rows of their own are worked out here: one row for all else
      const own = start.noise !== undefined || (start.q?.length ?? 0) > model.nq || (start.v?.length ?? 0) > model.nv
      const mask = new Uint32Array(count)
      const starts: number[] = []
      let row = 0
      startAll(model, count, isBuffer ? undefined : which, start, (e, s) => {
        mask[e] = own && !isBuffer ? row + 1 : 1
        if (own || row === 0) for (const name of WRITTEN) for (let k = 0; k < field(name).length; k++) starts.push(s[name][k])
        row++
      })
      if (row === 0) return
      const mode = !own ? ONE_ROW : isBuffer ? OWN_ROW : NUMBERED_ROW
      resets.run([count, mode, width, 0], [isBuffer ? which : mask, Float32Array.from(starts)])
    },
    async read(fields, out) {
      const size = fields.reduce((sum, name) => sum + field(name).length, 0)
      let column = 0
      await Promise.all(
        fields.map(async (name) => {
          const { at, length } = field(name)
          const first = column
          column += length
          if (length === 0) return
          const side = new Float32Array(await runs.read(at, length))
          for (let e = 0; e < count; e++) for (let k = 0; k < length; k++) out[e * size + first + k] = side[k * N + e]
        }),
      )
    },
    write(fields, from) {
      const size = fields.reduce((sum, name) => sum + field(name).length, 0)
      let column = 0
      for (const name of fields) {
        const { at, length } = field(name)
        const side = new Float32Array(length * N)
        for (let e = 0; e < count; e++) for (let k = 0; k < length; k++) side[k * N + e] = from[e * size + column + k]
        if (length > 0) runs.write(at, side)
        column += length
      }
    },
    failures,
    async states() {
      const all = new Float32Array(await runs.read(0, numbers))
      const own = new Float32Array(numbers * count)
      for (let k = 0; k < numbers; k++) own.set(all.subarray(k * N, k * N + count), k * count)
      return own
    },
    setStates(own) {
      const all = spread(image.state, N)
      for (let k = 0; k < numbers; k++) all.set(own.subarray(k * count, (k + 1) * count), k * N)
      runs.write(0, all)
    },
    close() {
      closed = true
      runs.destroy()
      opened.close()
    },
  }
}
