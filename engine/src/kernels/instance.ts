/**
 * Kernels of a printed module, ready to be called in a block of memory: parameters are byte addresses and whole numbers.
 */
import type { Block } from './memory.js'

/** What `tools/kernels` prints of a module. */
export interface KernelModule {
  readonly names: readonly string[]
  /** bytes of the WebAssembly module, in base64 */
  readonly f64: string
  readonly js: Readonly<Record<string, (F: Float64Array, I: Int32Array, ...args: number[]) => void>>
}

/** One for each thread; null where the engine refuses: a content security policy without wasm-unsafe-eval, or old Chrome on a page's main thread. */
const compiled = new WeakMap<KernelModule, WebAssembly.Module | null>()

export function kernelsIn<K extends object>(module: KernelModule, block: Block): K {
  let kernels = block.instances.get(module) as K | undefined
  if (kernels === undefined) {
    kernels = instantiate(module, block) as K
    block.instances.set(module, kernels)
  }
  return kernels
}

function instantiate(module: KernelModule, block: Block): object {
  const wasm = block.wasm === undefined ? null : moduleOf(module)
  if (wasm !== null) return new WebAssembly.Instance(wasm, { env: { memory: block.wasm as WebAssembly.Memory } }).exports
  const { F, I } = block
  return Object.fromEntries(
    module.names.map((name) => {
      const kernel = module.js[name]
      // fixed numbers of parameters: a rest parameter would allocate in every call
      switch (kernel.length - 2) {
        case 3:
          return [name, (a: number, b: number, c: number) => kernel(F, I, a, b, c)]
        case 4:
          return [name, (a: number, b: number, c: number, d: number) => kernel(F, I, a, b, c, d)]
        case 5:
          return [name, (a: number, b: number, c: number, d: number, e: number) => kernel(F, I, a, b, c, d, e)]
        case 6:
          return [name, (a: number, b: number, c: number, d: number, e: number, f: number) => kernel(F, I, a, b, c, d, e, f)]
        default:
          return [
            name,
            (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) =>
              kernel(F, I, a, b, c, d, e, f, g, h),
          ]
      }
    }),
  )
}

function moduleOf(module: KernelModule): WebAssembly.Module | null {
  let wasm = compiled.get(module)
  if (wasm === undefined) {
    try {
      wasm = new WebAssembly.Module(decode(module.f64))
    } catch {
      wasm = null
    }
    compiled.set(module, wasm)
  }
  return wasm
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k)
  return bytes
}
