/**
 * Kernels of a printed module, ready to be called in a block of memory: parameters are byte addresses and whole numbers.
 */
import { type Block, jsForm } from './memory.js'

/** What `tools/kernels` prints of a module. */
export interface KernelModule {
  readonly name: string
  readonly kernels: readonly string[]
  /** bytes of the WebAssembly module, as text for `decode` */
  readonly f64: string
  /** functions of JavaScript that it calls */
  readonly outside?: Readonly<Record<string, WebAssembly.ImportValue>>
}

/** The compiled modules of this thread; null where the engine refuses: a content security policy, or old Chrome on a page's main thread. */
const compiled = new Map<string, WebAssembly.Module | null>()

/** Throws with the remedy where neither form is to be had. */
export function kernelsIn<K extends object>(module: KernelModule, block: Block): K {
  let kernels = block.instances.get(module.name) as K | undefined
  if (kernels === undefined) {
    kernels = (asWasm(module, block) ?? asJs(module, block)) as K
    block.instances.set(module.name, kernels)
  }
  return kernels
}

function asWasm(module: KernelModule, { wasm, buffer }: Block): object | undefined {
  if (wasm === undefined) return undefined
  const shared = !(buffer instanceof ArrayBuffer)
  const key = shared ? `${module.name}, shared` : module.name
  let code = compiled.get(key)
  if (code === undefined) {
    try {
      const bytes = decode(module.f64)
      code = new WebAssembly.Module(shared ? withSharedMemory(bytes) : bytes)
    } catch {
      code = null
    }
    compiled.set(key, code)
  }
  return code === null ? undefined : new WebAssembly.Instance(code, { env: { memory: wasm, ...module.outside } }).exports
}

function asJs(module: KernelModule, { F, I, wasm }: Block): object {
  const form = jsForm()?.[module.name]
  if (form === undefined) {
    const why =
      wasm === undefined
        ? 'memory that is no WebAssembly.Memory'
        : 'a place where WebAssembly is refused (a content security policy without wasm-unsafe-eval?)'
    throw new Error(`kernels in ${why} need their JavaScript form: call useKernels(jsKernels) first, with jsKernels of 'limber/js-kernels'`)
  }
  return Object.fromEntries(
    module.kernels.map((name) => {
      const kernel = form[name]
      // fixed numbers of parameters: a rest parameter would allocate in every call
      // those with more are called by kernels only
      if (kernel.length > 12) return [name, (...given: number[]) => kernel(F, I, ...given)]
      if (kernel.length <= 6) return [name, (a: number, b: number, c: number, d: number) => kernel(F, I, a, b, c, d)]
      if (kernel.length <= 8)
        return [name, (a: number, b: number, c: number, d: number, e: number, f: number) => kernel(F, I, a, b, c, d, e, f)]
      return [
        name,
        (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number) =>
          kernel(F, I, a, b, c, d, e, f, g, h, i, j),
      ]
    }),
  )
}

// calls after which V8 compiles what stands between JavaScript and a function of WebAssembly
const CALLS = 1000
const compiledWrappers = new WeakSet<object>()

/**
 * Has what stands between JavaScript and these kernels compiled now. V8 does that at the thousandth call of a function for all with its parameters, and
 * so for all that are called once a step in one and the same step, which then takes as long as forty others. Every module has functions for this that do nothing.
 */
export function compileWrappers(kernels: object): void {
  if (compiledWrappers.has(kernels)) return
  compiledWrappers.add(kernels)
  for (const [name, idle] of Object.entries(kernels as Record<string, (...args: number[]) => void>)) {
    if (name.startsWith('$')) for (let k = 0; k < CALLS; k++) idle(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  }
}

/** what a printed module is written in: characters that need no escape in a string; the last two lead to the rarer bytes */
const CHARACTERS = Array.from({ length: 95 }, (_, k) => String.fromCharCode(32 + k)).filter((c) => !"'\\`$".includes(c))
const ONE = CHARACTERS.length - 2

/** Bytes of a printed module: the byte values by frequency, in hexadecimal, then for each byte its place among them. */
export function decode(text: string): Uint8Array<ArrayBuffer> {
  const order = Array.from({ length: 256 }, (_, k) => Number.parseInt(text.slice(2 * k, 2 * k + 2), 16))
  const place = new Int32Array(128)
  for (const [k, c] of CHARACTERS.entries()) place[c.charCodeAt(0)] = k
  const bytes = new Uint8Array(text.length)
  let n = 0
  for (let k = 512; k < text.length; k++) {
    const first = place[text.charCodeAt(k)]
    bytes[n++] = order[first < ONE ? first : ONE + ONE * (first - ONE) + place[text.charCodeAt(++k)]]
  }
  return bytes.slice(0, n)
}

const IMPORTS = 2
const NOT_SHARED = [0, 1]
// shared, at least one page, at most 65536
const SHARED = [3, 1, 0x80, 0x80, 4]

/** The module with its imported memory, the last entry of the imports, declared as shared: all that tells the two apart. */
export function withSharedMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let at = 8
  while (bytes[at] !== IMPORTS) {
    let length = 0
    let shift = 0
    let k = at + 1
    for (; bytes[k] >= 128; k++, shift += 7) length |= (bytes[k] & 127) << shift
    at = k + 1 + (length | (bytes[k] << shift))
  }
  // the section is short: its length takes one byte
  const end = at + 2 + bytes[at + 1]
  const more = SHARED.length - NOT_SHARED.length
  const out = new Uint8Array(bytes.length + more)
  out.set(bytes.subarray(0, end - NOT_SHARED.length))
  out[at + 1] += more
  out.set(SHARED, end - NOT_SHARED.length)
  out.set(bytes.subarray(end), end + more)
  return out
}
