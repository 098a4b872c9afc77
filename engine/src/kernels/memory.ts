/**
 * Memory that kernels work in: runs of bytes in blocks that a WebAssembly module can see.
 *
 * A block is opened when the last one is full and lives as long as anything in it. It never grows: growing detaches every view of it, and
 * V8 then checks for that in all typed arrays of the thread, for good. Blocks are shared by models because a browser allows some hundred
 * WebAssembly memories only; without one, a block is an ordinary buffer and kernels run in their JavaScript form, with the same bits.
 */

const PAGE = 65536
/** most models and their data take some tens of kilobytes */
const BLOCK = 16 * PAGE

export interface Block {
  readonly buffer: ArrayBufferLike
  /** undefined where there is no WebAssembly, or the memory came from outside */
  readonly wasm: WebAssembly.Memory | undefined
  /** every number and every whole number of the block */
  readonly F: Float64Array
  readonly I: Int32Array
  /** kernels that run in this block, by module */
  readonly instances: Map<object, unknown>
}

/** A run of bytes, aligned for lanes. */
export interface Room {
  readonly block: Block
  /** first byte */
  readonly start: number
}

export type KernelForm = 'wasm' | 'js'

let form: KernelForm = 'wasm'
let open: { block: Block; used: number } | undefined

/**
 * The form in which kernels of data made from now on run: `wasm`, the default, where the engine allows it, or `js`. Results have the same
 * bits.
 */
export function useKernels(wanted: KernelForm): void {
  if (wanted === form) return
  form = wanted
  open = undefined
}

/** A block over memory from outside. */
export function blockOf(buffer: ArrayBufferLike, wasm?: WebAssembly.Memory): Block {
  return {
    buffer,
    wasm,
    F: new Float64Array(buffer, 0, Math.floor(buffer.byteLength / 8)),
    I: new Int32Array(buffer, 0, Math.floor(buffer.byteLength / 4)),
    instances: new Map(),
  }
}

/** Zeros. */
export function takeRoom(bytes: number): Room {
  const size = Math.ceil(bytes / 16) * 16
  // what is large gets a block of its own, and the open one keeps its rest
  if (size > BLOCK / 4) return { block: openBlock(size), start: 0 }
  if (open === undefined || open.used + size > BLOCK) open = { block: openBlock(BLOCK), used: 0 }
  const start = open.used
  open.used += size
  return { block: open.block, start }
}

function openBlock(bytes: number): Block {
  const pages = Math.ceil(bytes / PAGE)
  if (form === 'wasm' && typeof WebAssembly !== 'undefined') {
    try {
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
      return blockOf(memory.buffer, memory)
    } catch {
      // too many memories in this process
    }
  }
  return blockOf(new ArrayBuffer(pages * PAGE))
}
