/**
 * Kernels of a batch, fetched when one is made: in lanes where the engine has WebAssembly with SIMD, else one environment at a time.
 */
import { decode, kernelsIn, withSharedMemory } from '../kernels/instance.js'
import { takeRoom } from '../kernels/memory.js'
import type { BatchKernels } from '../printed/batch.js'
import type { LaneForm } from './layout.js'

export type Precision = 'f64' | 'f32'

/** Kernels that wait for a memory of a size that follows from their form. */
export interface Lanes {
  readonly form: LaneForm
  /** undefined: not in lanes */
  readonly module: WebAssembly.Module | undefined
  /** Memory of zeros, at least so large, with the kernels in it. */
  open(bytes: number): { kernels: BatchKernels; buffer: ArrayBufferLike; memory: WebAssembly.Memory | undefined }
}

const PAGE = 65536
const MOST_PAGES = 65536

/** What fetches the kernels of each form, as text. */
const fetchText = {
  f64: async () => (await import('../printed/batch-f64x2.js')).f64x2,
  f32: async () => (await import('../printed/batch-f32x4.js')).f32x4,
  'f64 fused': async () => (await import('../printed/batch-f64x2-fused.js')).f64x2,
  'f32 fused': async () => (await import('../printed/batch-f32x4-fused.js')).f32x4,
}

/** A module of one function, x y + z of three vectors in one rounding. */
const RELAXED = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b, 3, 2, 1, 0],
  ...[10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x87, 2, 0x0b],
]

/** Whether the engine can round products and sums once. */
export const mayFuse = (): boolean => typeof WebAssembly !== 'undefined' && WebAssembly.validate(Uint8Array.from(RELAXED))

/** `shared`: the memory is one of several threads. `fused`: products and sums in one rounding, where the engine has it (`mayFuse`). */
export async function loadLanes(precision: Precision, shared: boolean, fused: boolean): Promise<Lanes> {
  try {
    const bytes = decode(await fetchText[fused ? (`${precision} fused` as const) : precision]())
    const module = await WebAssembly.compile(shared ? withSharedMemory(bytes) : bytes)
    return {
      form: precision === 'f64' ? { lanes: 2, bytes: 8 } : { lanes: 4, bytes: 4 },
      module,
      open(size) {
        const pages = Math.ceil(size / PAGE)
        if (pages > MOST_PAGES)
          throw new RangeError(`count: the batch takes ${Math.ceil(size / 2 ** 20)} MB, and a memory holds 4096; make several batches`)
        const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared })
        const kernels = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as BatchKernels
        return { kernels, buffer: memory.buffer, memory }
      },
    }
  } catch (error) {
    // a refusal of the module, not of anything else
    if (!(typeof WebAssembly === 'undefined' || error instanceof WebAssembly.CompileError)) throw error
    return loadSingle()
  }
}

/** One environment at a time, in double precision: WebAssembly without SIMD, or JavaScript. */
async function loadSingle(): Promise<Lanes> {
  const { batchModule } = await import('../printed/batch.js')
  return {
    form: { lanes: 1, bytes: 8 },
    module: undefined,
    open(size) {
      // a block of its own, which begins at 0
      const { block } = takeRoom(Math.max(size, OWN_BLOCK))
      return { kernels: kernelsIn<BatchKernels>(batchModule, block), buffer: block.buffer, memory: undefined }
    },
  }
}

/** rooms of this size do not share their block with others */
const OWN_BLOCK = 2 ** 20
