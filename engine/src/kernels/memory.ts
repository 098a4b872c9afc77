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
export type JsKernels = Readonly<
  Record<string, Readonly<Record<string, (F: Float64Array, I: Int32Array, ...args: number[]) => number | void>>>
>

let js: JsKernels | undefined
let preferred: 'wasm' | 'js' = 'wasm'

/** Rooms of one kind, taken from blocks of so many bytes, the first of which belong to none of them. */
export interface Pool {
  readonly head: number
  readonly bytes: number
  open: { block: Block; used: number } | undefined
}

const dataPool: Pool = { head: 0, bytes: BLOCK, open: undefined }
const pools: Pool[] = [dataPool]

export function createPool(head: number, bytes: number): Pool {
  const pool: Pool = { head: Math.ceil(head / 16) * 16, bytes, open: undefined }
  pools.push(pool)
  return pool
}

/**
 * How kernels run in data that is made from now on: as WebAssembly, the default, or in the JavaScript form that is given. Results have the
 * same bits. `{ whenRefused: true }`: the JavaScript form only where WebAssembly is not to be had.
 */
export function useKernels(form: 'wasm' | JsKernels, { whenRefused = false } = {}): void {
  if (form !== 'wasm') js = form
  preferred = form === 'wasm' || whenRefused ? 'wasm' : 'js'
  for (const pool of pools) pool.open = undefined
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
export function takeRoom(bytes: number, pool: Pool = dataPool): Room {
  const { head, bytes: most } = pool
  const size = Math.ceil(bytes / 16) * 16
  // what is large gets a block of its own, and the open one keeps its rest
  if (size > most / 4) return { block: openBlock(head + size), start: head }
  if (pool.open === undefined || pool.open.used + size > most) pool.open = { block: openBlock(most), used: head }
  const start = pool.open.used
  pool.open.used += size
  return { block: pool.open.block, start }
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
