/**
 * Memory that kernels work in: runs of bytes in blocks that a WebAssembly module can see.
 *
 * A block is opened when the last one is full and lives as long as anything in it. It never grows: growing detaches every view of it, and
 * V8 then checks for that in all typed arrays of the thread, for good. Blocks are shared by models because a browser allows some hundred
 * WebAssembly memories only; without one, a block is an ordinary buffer and kernels run in their JavaScript form, which a program
 * gives by value (`useKernels`): it is as large as the WebAssembly, and few need it.
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
  readonly instances: Map<string, unknown>
}

/** A run of bytes, aligned for lanes. */
export interface Room {
  readonly block: Block
  /** first byte */
  readonly start: number
}

/** The JavaScript form of kernels: functions over every number and every whole number of a block, by module and name. */
export type JsKernels = Readonly<Record<string, Readonly<Record<string, (F: Float64Array, I: Int32Array, ...args: number[]) => void>>>>

let js: JsKernels | undefined
let preferred: 'wasm' | 'js' = 'wasm'
let open: { block: Block; used: number } | undefined

/**
 * How kernels run in data that is made from now on: as WebAssembly, the default, or in the JavaScript form that is given. Results have the
 * same bits. `{ whenRefused: true }`: the JavaScript form only where WebAssembly is not to be had.
 */
export function useKernels(form: 'wasm' | JsKernels, { whenRefused = false } = {}): void {
  if (form !== 'wasm') js = form
  preferred = form === 'wasm' || whenRefused ? 'wasm' : 'js'
  open = undefined
}

export function jsForm(): JsKernels | undefined {
  return js
}

const blocks = new WeakMap<ArrayBufferLike, Block>()

/** The block that numbers of this buffer lie in, if kernels may see them. */
export function blockWith(buffer: ArrayBufferLike): Block | undefined {
  return blocks.get(buffer)
}

/** A block over memory from outside. */
export function blockOf(memory: ArrayBufferLike | WebAssembly.Memory): Block {
  const wasm = 'buffer' in memory ? memory : undefined
  const buffer = 'buffer' in memory ? memory.buffer : memory
  const block: Block = {
    buffer,
    wasm,
    F: new Float64Array(buffer, 0, Math.floor(buffer.byteLength / 8)),
    I: new Int32Array(buffer, 0, Math.floor(buffer.byteLength / 4)),
    instances: new Map(),
  }
  blocks.set(buffer, block)
  return block
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
  if (preferred === 'wasm' && typeof WebAssembly !== 'undefined') {
    try {
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
      return blockOf(memory)
    } catch {
      // too many memories in this process
    }
  }
  return blockOf(new ArrayBuffer(pages * PAGE))
}
