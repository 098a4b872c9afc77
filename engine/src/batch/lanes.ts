/**
 * Kernels of a batch, fetched when one is made: in lanes where the engine has WebAssembly with SIMD, else one environment at a time.
 */
import { decode, type KernelModule, kernelsIn, withSharedMemory } from '../kernels/instance.js'
import type { LaneForm } from '../kernels/lane-layout.js'
import { takeRoom } from '../kernels/memory.js'
import type { GroupKernel } from './threads.js'

export type Precision = 'f64' | 'f32'

/** Kernels by name; all have the parameters of a group. */
export type LaneKernels = Readonly<Record<string, GroupKernel>>

/** Kernels that wait for a memory of a size that follows from their form. */
export interface Lanes {
  readonly form: LaneForm
  /** none: not in lanes */
  readonly modules: readonly WebAssembly.Module[]
  /** Memory of zeros, at least so large, with the kernels in it. */
  open(bytes: number): { kernels: LaneKernels; buffer: ArrayBufferLike; memory: WebAssembly.Memory | undefined }
}

const PAGE = 65536
const MOST_PAGES = 65536

/** What fetches a printed module: the text of each form in lanes, and the module for one environment at a time. */
export interface LaneSource {
  readonly text: Readonly<Record<Precision | `${Precision} fused`, () => Promise<string>>>
  readonly single: () => Promise<KernelModule>
}

export const explicitSource: LaneSource = {
  text: {
    f64: async () => (await import('../printed/batch-f64x2.js')).f64x2,
    f32: async () => (await import('../printed/batch-f32x4.js')).f32x4,
    'f64 fused': async () => (await import('../printed/batch-f64x2-fused.js')).f64x2,
    'f32 fused': async () => (await import('../printed/batch-f32x4-fused.js')).f32x4,
  },
  single: async () => (await import('../printed/batch.js')).batchModule,
}

export const groundSource: LaneSource = {
  text: {
    f64: async () => (await import('../printed/ground-f64x2.js')).f64x2,
    f32: async () => (await import('../printed/ground-f32x4.js')).f32x4,
    'f64 fused': async () => (await import('../printed/ground-f64x2-fused.js')).f64x2,
    'f32 fused': async () => (await import('../printed/ground-f32x4-fused.js')).f32x4,
  },
  single: async () => (await import('../printed/ground.js')).groundModule,
}

export const pairSource: LaneSource = {
  text: {
    f64: async () => (await import('../printed/pairs-f64x2.js')).f64x2,
    f32: async () => (await import('../printed/pairs-f32x4.js')).f32x4,
    'f64 fused': async () => (await import('../printed/pairs-f64x2-fused.js')).f64x2,
    'f32 fused': async () => (await import('../printed/pairs-f32x4-fused.js')).f32x4,
  },
  single: async () => (await import('../printed/pairs.js')).pairsModule,
}

export const observeSource: LaneSource = {
  text: {
    f64: async () => (await import('../printed/observe-f64x2.js')).f64x2,
    f32: async () => (await import('../printed/observe-f32x4.js')).f32x4,
    'f64 fused': async () => (await import('../printed/observe-f64x2-fused.js')).f64x2,
    'f32 fused': async () => (await import('../printed/observe-f32x4-fused.js')).f32x4,
  },
  single: async () => (await import('../printed/observe.js')).observeModule,
}

/** A module of one function, x y + z of three vectors in one rounding. */
const RELAXED = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b, 3, 2, 1, 0],
  ...[10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x87, 2, 0x0b],
]

/** Whether the engine can round products and sums once. */
export const mayFuse = (): boolean => typeof WebAssembly !== 'undefined' && WebAssembly.validate(Uint8Array.from(RELAXED))

/**
 * The kernels of all sources. `shared`: the memory is one of several threads. `fused`: products and sums in one rounding, where the engine has it
 * (`mayFuse`).
 */
export async function loadLanes(sources: readonly LaneSource[], precision: Precision, shared: boolean, fused: boolean): Promise<Lanes> {
  const compile = async ({ text }: LaneSource): Promise<WebAssembly.Module> => {
    const bytes = decode(await text[fused ? (`${precision} fused` as const) : precision]())
    return WebAssembly.compile(shared ? withSharedMemory(bytes) : bytes)
  }
  try {
    const modules = await Promise.all(sources.map(compile))
    return {
      form: precision === 'f64' ? { lanes: 2, bytes: 8 } : { lanes: 4, bytes: 4 },
      modules,
      open(size) {
        const pages = Math.ceil(size / PAGE)
        if (pages > MOST_PAGES)
          throw new RangeError(`count: the batch takes ${Math.ceil(size / 2 ** 20)} MB, and a memory holds 4096; make several batches`)
        const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared })
        const all = modules.map((module) => new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as LaneKernels)
        return { kernels: Object.assign({}, ...all), buffer: memory.buffer, memory }
      },
    }
  } catch (error) {
    // a refusal of the module, not of anything else
    if (!(typeof WebAssembly === 'undefined' || error instanceof WebAssembly.CompileError)) throw error
    return loadSingle(sources)
  }
}

/** One environment at a time, in double precision: WebAssembly without SIMD, or JavaScript. */
async function loadSingle(sources: readonly LaneSource[]): Promise<Lanes> {
  const modules = await Promise.all(sources.map(({ single }) => single()))
  return {
    form: { lanes: 1, bytes: 8 },
    modules: [],
    open(size) {
      // a block of its own, which begins at 0
      const { block } = takeRoom(Math.max(size, OWN_BLOCK))
      const all = modules.map((module) => kernelsIn<LaneKernels>(module, block))
      return { kernels: Object.assign({}, ...all), buffer: block.buffer, memory: undefined }
    },
  }
}

/** rooms of this size do not share their block with others */
const OWN_BLOCK = 2 ** 20
