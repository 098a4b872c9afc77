/** Routines give the same bits in every form, the source as it is, JavaScript and WebAssembly; what is outside of their language is refused with what to write instead. */
import { compileFunction } from 'node:vm'
import ts from 'typescript'
import { describe, expect, it, test } from 'vitest'
import { options } from '../build.mjs'
import { hostOf, pathOf, runSource } from '../test-host.mjs'
import { random } from '../test-programs.mjs'
import { readRoutines } from './front.mjs'
import { printRoutinesJs } from './print-js.mjs'
import { printRoutines } from './print-wasm.mjs'

const HEAD = `import type { Int } from '../math/values/columns.js'
type Vec = Float64Array
/** @record */
export interface Inner { total: Int; readonly y: Vec }
/** @record */
export interface Space { count: Int; readonly x: Vec; readonly k: Int32Array; readonly inner: Inner; readonly name?: string }
const HALF = 0.5
const EIGHT = 1 << 3
const scratch = new Float64Array(8)
const TABLE = Float64Array.of(1.5, -2, 0.25, 8)
const mix = (a: number, b: number): number => a * HALF - b
const isBelow = (p: Space, i: Int, b: number): boolean => p.x[i & 7] < b
function sumOf({ x, count }: Space, n: Int): number {
  let sum = 0
  for (let i = 0; i < n; i++) {
    if (i === count) continue
    if (sum > 1e6) break
    sum += x[i & 7] * TABLE[i & 3]
  }
  return sum
}
function firstAbove(p: Space, b: number): Int {
  let at = 0
  while (at < p.x.length) {
    if (p.x[at] > b) return at
    at++
  }
  return -1
}
`
const path = pathOf('routines')

function read(text: string): ReturnType<typeof readRoutines> {
  return readRoutines(ts.createProgram([path], options, hostOf({ routines: HEAD + text })), [path])
}

// --- random programs

const pick = <T>(next: () => number, list: readonly T[]): T => list[Math.floor(next() * list.length)]

/** A function of arithmetic on everything that is there; whole numbers stay small. */
function program(name: string, next: () => number): string {
  let locals = 0
  const wholes = ['n', 'p.count', 'p.inner.total', '3', 'EIGHT']
  const numbers = ['a', 'HALF', '0.75', '2']
  const whole = (depth: number): string => {
    if (depth === 0) return pick(next, wholes)
    const part = (): string => whole(depth - 1)
    return pick(next, [
      () => `((${part()} + ${part()}) & 255)`,
      () => `(${part()} - ${part()})`,
      () => `((${part()} & 15) * (${part()} & 15))`,
      () => `p.k[${part()} & 7]`,
      () => `(${truth(depth - 1)} ? ${part()} : ${part()})`,
      () => `(((${number(depth - 1)} | 0) >> 3) & 31)`,
      () => `Math.${pick(next, ['min', 'max'])}(${part()}, ${part()})`,
      () => `firstAbove(p, ${number(depth - 1)})`,
      () => `(${part()} % 7)`,
      () => `(-${part()})`,
      () => `(${part()} ^ p.k.length)`,
    ])()
  }
  const number = (depth: number): string => {
    if (depth === 0) return pick(next, numbers)
    const part = (): string => number(depth - 1)
    return pick(next, [
      () => `(${part()} + ${part()})`,
      () => `(${part()} - ${part()})`,
      () => `(${part()} * ${part()})`,
      () => `(${part()} / (1 + ${part()} * ${part()}))`,
      () => `p.x[${whole(depth - 1)} & 7]`,
      () => `p.inner.y[(${whole(depth - 1)} & 3) + 1]`,
      () => `scratch[${whole(depth - 1)} & 7]`,
      () => `(${truth(depth - 1)} ? ${part()} : ${whole(depth - 1)})`,
      () => `Math.sqrt(Math.abs(${part()}))`,
      () => `Math.${pick(next, ['floor', 'ceil', 'trunc'])}(${part()})`,
      () => `Math.${pick(next, ['min', 'max'])}(${part()}, ${part()})`,
      () => `mix(${part()}, ${whole(depth - 1)})`,
      () => `sumOf(p, ${whole(depth - 1)} & 15)`,
      () => `(-${part()})`,
    ])()
  }
  const truth = (depth: number): string => {
    const part = (): string => truth(Math.max(0, depth - 1))
    return pick(next, [
      () => `${number(depth)} ${pick(next, ['<', '<=', '>', '>=', '===', '!=='])} ${number(depth)}`,
      () => `${whole(depth)} ${pick(next, ['<', '<=', '>', '>=', '===', '!=='])} ${whole(depth)}`,
      ...(depth > 0 ? [() => `(${part()} && ${part()})`, () => `(${part()} || ${part()})`, () => `!(${part()})`] : []),
      () => `isBelow(p, ${whole(depth)}, ${number(depth)})`,
      () => `Number.isNaN(${number(depth)})`,
    ])()
  }
  const block = (depth: number, isLoop: boolean): string => {
    const [w, f] = [wholes.length, numbers.length]
    const lines = Array.from({ length: 2 + Math.floor(3 * next()) }, () => statement(depth, isLoop))
    // what is declared inside is not seen outside
    wholes.length = w
    numbers.length = f
    return lines.join('\n')
  }
  const statement = (depth: number, isLoop: boolean): string => {
    const local = `v${locals++}`
    const choice = Math.floor(next() * 14)
    if (choice === 0) {
      const line = `const ${local} = ${whole(2)}`
      wholes.push(local)
      return line
    }
    if (choice === 1) {
      const line = `let ${local} = ${next() < 0.5 ? '0' : number(2)}\n${local} += ${number(2)}`
      numbers.push(local)
      return line
    }
    if (choice === 2) return `p.x[${whole(1)} & 7] ${pick(next, ['=', '+=', '-=', '*='])} ${number(2)}`
    if (choice === 3) return `p.k[${whole(1)} & 7] ${pick(next, ['=', '+=', '-='])} ${whole(1)} & 63`
    if (choice === 4) return `p.count = ${whole(2)} & 15`
    if (choice === 5) return pick(next, ['p.count++', 'p.k[p.count & 7]--', 'p.inner.total++'])
    if (choice === 6) return `scratch.fill(${number(1)}, ${whole(0)} & 3, 4 + (${whole(0)} & 3))`
    if (choice === 7 && isLoop) return `if (${truth(1)}) ${pick(next, ['break', 'continue'])}`
    if (choice === 8 && depth > 0)
      return `for (let ${local} = 0; ${local} < ${1 + Math.floor(4 * next())}; ${local}++) {\n${block(depth - 1, true)}\n}`
    if (choice === 9 && depth > 0)
      return `let ${local} = 0\nwhile (${local} < ${1 + Math.floor(4 * next())}) {\n${local}++\n${block(depth - 1, true)}\n}`
    if (choice === 10) return `p.inner.y[${whole(1)} & 3] = ${number(1)}`
    if (choice === 11) return `if (${truth(1)} && p.count === 11) return ${number(1)}`
    if (depth > 0) return `if (${truth(2)}) {\n${block(depth - 1, isLoop)}\n} else {\n${block(depth - 1, isLoop)}\n}`
    return `p.x[${whole(1)} & 7] = ${number(3)}`
  }
  return `/** @routine */\nexport function ${name}(p: Space, n: Int, a: number): number {\nscratch.fill(0, 0, 8)\n${block(2, false)}\nreturn ${number(3)}\n}\n`
}

const SPACE = 1024
const INNER = 1280
const [X, K, Y] = [2048, 3072, 4096]

/** The same numbers for every form: of the record in memory, at the addresses above. */
function fillMemory({ F, I }: { F: Float64Array; I: Int32Array }, statics: { data: [number, string, number[]][] }, seed: number): void {
  const next = random(seed)
  F.fill(0)
  for (const [at, kind, numbers] of statics.data) {
    if (kind === 'f') F.set(numbers, at / 8)
    else I.set(numbers, at / 4)
  }
  I.set([5, X, K, INNER], SPACE / 4)
  I.set([2, Y], INNER / 4)
  for (const [at, length] of [
    [X, 8],
    [K, 8],
    [Y, 5],
  ])
    I[at / 4 - 2] = length
  for (let i = 0; i < 8; i++) {
    F[X / 8 + i] = 4 * next() - 2
    I[K / 4 + i] = Math.floor(20 * next())
    if (i < 5) F[Y / 8 + i] = 4 * next() - 2
  }
}

interface Form {
  run(name: string, n: number, a: number): number
  results(): number[]
}

function openForms(text: string, seed: number): Form[] {
  const { functions, statics } = read(text)
  const memoryForm = (
    open: (memory: WebAssembly.Memory, F: Float64Array, I: Int32Array) => (name: string, n: number, a: number) => number,
  ): Form => {
    const memory = new WebAssembly.Memory({ initial: 1 })
    const [F, I] = [new Float64Array(memory.buffer), new Int32Array(memory.buffer)]
    fillMemory({ F, I }, statics, seed)
    const results = (): number[] => [
      ...[I[SPACE / 4], I[INNER / 4]],
      ...F.slice(X / 8, X / 8 + 8),
      ...I.slice(K / 4, K / 4 + 8),
      ...F.slice(Y / 8, Y / 8 + 5),
    ]
    return { run: open(memory, F, I), results }
  }
  const wasm = memoryForm((memory) => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(printRoutines(functions)), { env: { memory } })
    return (name, n, a) => (exports[name] as (...args: number[]) => number)(SPACE, n, a)
  })
  const js = memoryForm((_, F, I) => {
    const found = runJs(printRoutinesJs(functions))
    return (name, n, a) => found[name](F, I, SPACE, n, a)
  })
  const source = memoryForm((_, F, I) => {
    const inner = { total: 2, y: F.subarray(Y / 8, Y / 8 + 5) }
    const p = { count: 5, x: F.subarray(X / 8, X / 8 + 8), k: I.subarray(K / 4, K / 4 + 8), inner }
    const found = runSource(path, HEAD + text) as Record<string, (...args: unknown[]) => number>
    return (name, n, a) => {
      const result = found[name](p, n, a)
      I[SPACE / 4] = p.count
      I[INNER / 4] = inner.total
      return result
    }
  })
  return [source, js, wasm]
}

const COUNT = Number(process.env.FUZZ ?? 600)
const BATCH = 100
for (let first = 0; first < COUNT; first += BATCH) {
  test(`random routines ${first} to ${first + BATCH - 1} have the same bits in every form`, () => {
    const names = Array.from({ length: BATCH }, (_, k) => `r${first + k}`)
    const forms = openForms(names.map((name, k) => program(name, random(77_000 + first + k))).join('\n'), first)
    for (const name of names) {
      const outcomes = forms.map((form) => [form.run(name, 6, 1.25), ...form.results()])
      expect(outcomes[1], `${name}, JavaScript`).toEqual(outcomes[0])
      expect(outcomes[2], `${name}, WebAssembly`).toEqual(outcomes[0])
    }
  })
}

/** The exports of printed JavaScript; `names` and `values` of what it is given from outside. */
function runJs(text: string, names: string[] = [], values: unknown[] = []): Record<string, (...args: unknown[]) => number> {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } })
  const found: Record<string, (...args: unknown[]) => number> = {}
  compileFunction(outputText, ['exports', ...names])(found, ...values)
  return found
}

it('call functions that stay outside, in every form', () => {
  const { functions } = read(`/** @outside */
export function tell(k: Int, x: number): boolean { return k * x > 10 }
/** @routine */
export function ask(p: Space, n: Int): Int { return tell(n, p.x[0]) ? 7 : 8 }
`)
  const asked: number[][] = []
  const tell = (k: number, x: number): boolean => {
    asked.push([k, x])
    return k * x > 10
  }
  const memory = new WebAssembly.Memory({ initial: 1 })
  const [F, I] = [new Float64Array(memory.buffer), new Int32Array(memory.buffer)]
  I.set([5, X, K, INNER], SPACE / 4)
  F[X / 8] = 2.5
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(printRoutines(functions)), { env: { memory, tell } })
  const js = runJs(printRoutinesJs(functions), ['tell'], [tell])
  for (const n of [4, 5]) {
    const [one, other] = [(exports.ask as (...args: number[]) => number)(SPACE, n), js.ask(F, I, SPACE, n)]
    expect([one, other]).toEqual(n === 5 ? [7, 7] : [8, 8])
  }
  expect(asked).toEqual([4, 4, 5, 5].map((k) => [k, 2.5]))
})

it('that are checked name the function whose index leads out of an array', () => {
  const { functions } = read('/** @routine */\nexport function beyond(p: Space, n: Int): number { return p.x[n] }\n')
  const { beyond } = runJs(printRoutinesJs(functions, { checked: true }))
  const I = new Int32Array(16384)
  const views = [new Float64Array(I.buffer), I]
  I.set([5, X, K, INNER], SPACE / 4)
  I[X / 4 - 2] = 8
  expect(beyond(...views, SPACE, 7)).toBe(0)
  expect(() => beyond(...views, SPACE, 8)).toThrow('beyond: index 8 of 8')
  expect(() => beyond(...views, SPACE, -1)).toThrow(RangeError)
})

// --- refusals

const BODIES: readonly (readonly [string, string, RegExp])[] = [
  ['strings', "const s = 'a'\np.x[0] = s.length", /has a type that is not known|not in the language/],
  ['switch', 'switch (n) { case 1: p.x[0] = 1 }', /not in the language of routines/],
  ['for of', 'for (const x of p.x) p.x[0] = x', /not in the language of routines|type that is not known/],
  ['labels', 'again: for (let i = 0; i < n; i++) continue again', /not in the language of routines/],
  ['throw', 'throw n', /not in the language of routines/],
  ['new', 'const x = new Float64Array(3)\np.x[0] = x[0]', /type that is not known/],
  ['functions of Math that differ', 'p.x[0] = Math.sin(a)', /sqrt, floor, ceil, trunc, abs, min, max, imul/],
  ['numbers as whole ones', 'p.k[0] = a', /is a number where a whole number belongs: \(x \| 0\) makes one/],
  ['numbers as indices', 'p.x[a] = 1', /is a number where a whole number belongs/],
  ['truths as numbers', 'p.x[0] = n > 3', /is a truth where a number belongs/],
  ['numbers as truths', 'if (a) p.x[0] = 1', /is a number where a truth belongs/],
  ['remainders of numbers', 'p.x[0] = a % 2', /whole numbers only/],
  ['fields that are no memory', 'p.x[0] = p.name === undefined ? 1 : 2', /no field that a routine can see/],
  ['another record', 'p.x[0] = sumOf(p.inner, 3)', /is a Inner, not a Space/],
  ['missing parameters', 'p.x[0] = mix(a)', /gets every parameter/],
  ['statements that do nothing', 'a + 1', /does nothing/],
  ['recursion', 'bad(p, n, a)', /calls itself/],
  ['closures', 'const f = (x: number): number => x * a\np.x[0] = f(2)', /type that is not known|not in the language/],
  ['counting numbers', 'let x = a\nx++', /counts whole numbers/],
]

describe('what is outside of the language is refused', () => {
  it.each(BODIES)('%s', (_, body, message) => {
    expect(() => read(`/** @routine */\nexport function bad(p: Space, n: Int, a: number): void {\n${body}\n}\n`)).toThrow(message)
  })

  it('names file and line', () => {
    const line = HEAD.split('\n').length + 2
    expect(() => read('/** @routine */\nexport function bad(p: Space, n: Int): void {\np.x[0] = n > 3\n}\n')).toThrow(
      `routines.ts:${line}:`,
    )
  })

  it('parameters without a type that memory knows, and two routines of one name', () => {
    expect(() => read('/** @routine */\nexport function bad(p: { a: number }): void {\np.a = 1\n}\n')).toThrow(/@record/)
    expect(() => read('/** @routine */\nexport function bad(p: string): void {\n}\n')).toThrow(/@record/)
  })
})
