/**
 * Q −= Σ g(k) h(k)ᵀ, the product that large factorisations spend their time on, four rows by four columns at a time, so that sums stay in
 * registers: in JavaScript, and as a WebAssembly function with two numbers an instruction, three times as fast. Both add in the same order,
 * so that every bit of the result is the same, and who lacks the one takes the other.
 */
import type { Vec } from '../math/types.js'

/**
 * On the lower triangle of the first w rows of Q, `st` apart from `base` on; blocks that cross the diagonal write above it, and up to three
 * rows beyond. `panel` holds n rows of g, `width` apart, and from `scaled` on those of h; their numbers from w to `width`, a multiple of 4, are zero.
 */
export type SubtractPanel = (Q: Vec, base: number, st: number, w: number, panel: Vec, width: number, scaled: number, n: number) => void

export function subtractPanel(Q: Vec, base: number, st: number, w: number, panel: Vec, width: number, scaled: number, n: number): void {
  const last = n * width
  for (let i = 0; i < w; i += 4) {
    for (let j = 0; j <= i; j += 4) {
      let a0 = 0
      let a1 = 0
      let a2 = 0
      let a3 = 0
      let b0 = 0
      let b1 = 0
      let b2 = 0
      let b3 = 0
      let c0 = 0
      let c1 = 0
      let c2 = 0
      let c3 = 0
      let d0 = 0
      let d1 = 0
      let d2 = 0
      let d3 = 0
      for (let k = 0; k < last; k += width) {
        const g0 = panel[k + i]
        const g1 = panel[k + i + 1]
        const g2 = panel[k + i + 2]
        const g3 = panel[k + i + 3]
        const x = scaled + k + j
        const h0 = panel[x]
        a0 += g0 * h0
        b0 += g1 * h0
        c0 += g2 * h0
        d0 += g3 * h0
        const h1 = panel[x + 1]
        a1 += g0 * h1
        b1 += g1 * h1
        c1 += g2 * h1
        d1 += g3 * h1
        const h2 = panel[x + 2]
        a2 += g0 * h2
        b2 += g1 * h2
        c2 += g2 * h2
        d2 += g3 * h2
        const h3 = panel[x + 3]
        a3 += g0 * h3
        b3 += g1 * h3
        c3 += g2 * h3
        d3 += g3 * h3
      }
      let q = base + i * st + j
      Q[q] -= a0
      Q[q + 1] -= a1
      Q[q + 2] -= a2
      Q[q + 3] -= a3
      q += st
      Q[q] -= b0
      Q[q + 1] -= b1
      Q[q + 2] -= b2
      Q[q + 3] -= b3
      q += st
      Q[q] -= c0
      Q[q + 1] -= c1
      Q[q + 2] -= c2
      Q[q + 3] -= c3
      q += st
      Q[q] -= d0
      Q[q + 1] -= d1
      Q[q + 2] -= d2
      Q[q + 3] -= d3
    }
  }
}

export interface PanelSpace {
  readonly Q: Vec
  readonly panel: Vec
  readonly subtract: SubtractPanel
}

/** Room for a matrix and a panel of so many numbers, and the fastest way to subtract there; `plain`: without WebAssembly. */
export function createPanelSpace(numbers: number, panelNumbers: number, plain = false): PanelSpace {
  const fast = plain ? undefined : createFast(numbers, panelNumbers)
  return fast ?? { Q: new Float64Array(numbers), panel: new Float64Array(panelNumbers), subtract: subtractPanel }
}

// what is used of the WebAssembly interface, which the language's own library of types leaves out
interface WebAssemblyLike {
  validate(bytes: Uint8Array): boolean
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
  readonly Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
}
type Kernel = (q: number, st: number, w: number, g: number, h: number, width: number, n: number) => void

const PAGE = 65536

/** Undefined where there is no WebAssembly, no two numbers an instruction, no permission, or no room. The memory never grows. */
function createFast(numbers: number, panelNumbers: number): PanelSpace | undefined {
  const { WebAssembly } = globalThis as { WebAssembly?: WebAssemblyLike }
  const bytes = 8 * (numbers + panelNumbers + 4)
  if (!WebAssembly || bytes > 2 ** 31 - PAGE) return undefined
  try {
    const code = kernelModule()
    if (!WebAssembly.validate(code)) return undefined
    const pages = Math.ceil(bytes / PAGE)
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { m: { m: memory } })
    const kernel = exports.f as Kernel
    const from = 8 * panelNumbers
    return {
      Q: new Float64Array(memory.buffer, from, numbers),
      panel: new Float64Array(memory.buffer, 0, panelNumbers),
      subtract(_Q, base, st, w, _panel, width, scaled, n) {
        if (w > 0 && n > 0) kernel(from + 8 * base, 8 * st, w, 0, 8 * scaled, 8 * width, n)
      },
    }
  } catch {
    return undefined
  }
}

/** The bytes of a module with one function, `f`, on the memory that it is given. */
function kernelModule(): Uint8Array {
  const I32 = 0x7f
  const V128 = 0x7b
  const number = (x: number): number[] => (x < 128 ? [x] : [(x & 127) | 128, ...number(x >> 7)])
  const vector = (items: readonly (readonly number[])[]): number[] => [...number(items.length), ...items.flat()]
  const section = (id: number, body: readonly number[]): number[] => [id, ...number(body.length), ...body]
  const text = (name: string): number[] => [name.length, ...[...name].map((c) => c.charCodeAt(0))]

  // parameters, whole numbers, pairs of numbers
  const [q, st, w, g, h, width, n] = [0, 1, 2, 3, 4, 5, 6]
  const [i, j, k, row, left, p, x, t] = [7, 8, 9, 10, 11, 12, 13, 14]
  const sums = [15, 16, 17, 18, 19, 20, 21, 22]
  const [h0, h1, s] = [23, 24, 25]
  const get = (v: number): number[] => [0x20, v]
  const set = (v: number, ...value: number[][]): number[] => [...value.flat(), 0x21, v]
  const int = (x: number): number[] => [0x41, ...(x < 64 ? [x] : [(x & 127) | 128, x >> 7])]
  const add = (a: number[], b: number[]): number[] => [...a, ...b, 0x6a]
  const simd = (code: number): number[] => [0xfd, ...number(code)]
  const load = (at: number, offset: number): number[] => [...get(at), ...simd(0), 3, ...number(offset)]
  const both = (at: number, offset: number): number[] => [...get(at), ...simd(10), 3, ...number(offset)]
  const plus = simd(240)
  const minus = simd(241)
  const times = simd(242)
  const zero = [...simd(12), ...new Array<number>(16).fill(0)]
  // repeats while the condition at its end holds
  const loop = (...body: number[][]): number[] => [0x03, 0x40, ...body.flat(), 0x0d, 0, 0x0b]

  const product = [0, 1, 2, 3].flatMap((r) => [
    ...set(s, both(p, 8 * r)),
    ...[h0, h1].flatMap((c, half) => set(sums[2 * r + half], get(sums[2 * r + half]), get(s), get(c), times, plus)),
  ])
  const store = [0, 1, 2, 3].flatMap((r) => [
    ...[0, 1].flatMap((half) => [...get(t), ...load(t, 16 * half), ...get(sums[2 * r + half]), ...minus, ...simd(11), 3, 16 * half]),
    ...set(t, add(get(t), get(st))),
  ])
  const body = [
    ...set(row, get(q)),
    ...set(left, get(g)),
    ...loop(
      set(j, int(0)),
      loop(
        ...sums.map((v) => set(v, zero)),
        set(p, get(left)),
        set(x, add(get(h), [...get(j), ...int(3), 0x74])),
        set(k, get(n)),
        loop(
          set(h0, load(x, 0)),
          set(h1, load(x, 16)),
          product,
          set(p, add(get(p), get(width))),
          set(x, add(get(x), get(width))),
          set(k, [...get(k), ...int(1), 0x6b]),
          get(k),
        ),
        set(t, add(get(row), [...get(j), ...int(3), 0x74])),
        store,
        set(j, add(get(j), int(4))),
        [...get(j), ...get(i), 0x4c],
      ),
      set(row, add(get(row), [...get(st), ...int(2), 0x74])),
      set(left, add(get(left), int(32))),
      set(i, add(get(i), int(4))),
      [...get(i), ...get(w), 0x48],
    ),
  ]
  const locals = vector([
    [8, I32],
    [11, V128],
  ])
  const code = [...locals, ...body, 0x0b]
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([[0x60, ...vector(new Array<number[]>(7).fill([I32])), 0]])),
    ...section(2, vector([[...text('m'), ...text('m'), 2, 0, 0]])),
    ...section(3, vector([[0]])),
    ...section(7, vector([[...text('f'), 0, 0]])),
    ...section(10, vector([[...number(code.length), ...code]])),
  ])
}
