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

/** `shared`: the memory is one of several threads. */
export async function loadLanes(precision: Precision, shared: boolean): Promise<Lanes> {
  try {
    const text = precision === 'f64' ? (await import('../printed/batch-f64x2.js')).f64x2 : (await import('../printed/batch-f32x4.js')).f32x4
    const bytes = decode(text)
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
