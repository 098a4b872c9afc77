/** What is not in the language of kernels is refused, with file and line, and with what to write instead. */
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { options } from './build.mjs'
import { compile, compileFiles, tablesOf } from './compile.mjs'
import { printWasm } from './print-wasm.mjs'
import { hostOf, pathOf } from './test-host.mjs'

const HEAD = `import { add, any, type Int, type Ints, type Lanes, negate, scale, type Shared, sub } from '../math/values/columns.js'
import { type Force, type Motion, type Pose, rotate, type Vec3 } from '../math/values/spatial.js'
export { add, any, negate, rotate, scale, sub }
export type { Force, Motion, Pose, Vec3 }
type Open = { a: number; b: [number, number] }
export interface Fixed { readonly n: Int; readonly at: Ints; readonly K: Shared<Pose>; readonly h: number; readonly g: Shared<number> }
export interface Work { readonly x: Lanes<number>; readonly X: Lanes<Pose>; readonly V: Lanes<Motion>; readonly F: Lanes<Force>; readonly o: Lanes<Open> }
let state = 1
export const touch = (): void => { state = 2 }
const setFirst = (x: Lanes<number>): number => { x[0] = 1; return 2 }
export const useAll = [setFirst]
/** @kernel */
export function other(d: Work, x: Lanes<number>, k: Int): void { x[k] = d.x[k] }
`
const LINE = HEAD.split('\n').length + 2

/** what is refused, body of the kernel, and the message */
const BODIES: readonly (readonly [string, string, RegExp])[] = [
  // statements
  ['while', 'while (m.n > 3) d.x[0] = 1', /no while: write for/],
  ['do', 'do d.x[0] = 1\nwhile (m.n > 3)', /no do: write for/],
  ['break', 'for (let i = 0; i < m.n; i++) { if (m.at[i] > 2) break }', /no break: put the condition in the test/],
  ['switch', 'switch (m.n) { case 1: d.x[0] = 1 }', /no switch: write if/],
  ['for of', 'for (const x of [1, 2]) d.x[0] = x', /no for of: count/],
  ['labels', 'again: for (let i = 0; i < m.n; i++) continue again', /not in the language of kernels: const, let/],
  ['throw', 'throw m.n', /not in the language of kernels: const, let/],
  ['classes', 'class A { x = 1 }', /not in the language of kernels: const, let/],
  ['functions inside', 'function f(): void { d.x[0] = 1 }\nf()', /arrow functions/],
  ['var', 'var x = 1\nd.x[0] = x', /no var: write const or let/],
  ['no value', 'let x: number\nx = 1\nd.x[0] = x', /begins with a value/],
  ['return in a loop', 'for (let i = 0; i < m.n; i++) if (m.at[i] > 2) return', /no return from inside a loop: keep/],
  ['loop without a counter', 'let i = m.n\nfor (; i < 3; i++) d.x[0] = 1', /a loop declares its counter/],
  ['counter that is not whole', 'for (let t = 0.5; t < m.h; t++) d.x[0] = t', /a counter, a whole number/],
  ['too many turns', 'for (let i = 0; i < 65; i++) d.x[i] = 1', /more than 64 turns to unroll: take the bound from a table/],
  ['a test that stops being constant', 'for (let i = 0; i < 2 || m.n > i; i++) d.x[i] = 1', /constant at first and later not/],
  ['a loop whose test writes', 'for (let i = 0; setFirst(d.x) > i; i++) d.x[1] = 1', /test of a loop does not write/],
  ['returned numbers', 'return d.x[0] as unknown as void', /a kernel returns nothing: write to a column/],
  [
    'a value on some paths only',
    'const f = (k: Int): number | undefined => { if (k > 3) return 1\nreturn }\nd.x[0] = f(m.n) as number',
    /either every path returns a value/,
  ],
  // expressions
  ['strings', "const s = 'a'\nd.x[0] = s.length", /not in the language of kernels: numbers/],
  ['new', 'd.x[0] = new Float64Array(3)[0]', /not in the language of kernels: numbers/],
  ['functions of Math that differ', 'd.x[0] = Math.sin(d.x[1])', /Math\.sin differs between engines: of Math use sqrt.*math\/values\/trig/],
  ['constants of Math', 'd.x[0] = Math.PI', /only constants and functions may come from outside/],
  ['remainder', 'd.x[0] = d.x[1] % 2', /'%' is not in the language/],
  ['bits', 'd.x[m.n >> 1] = 1', /'>>' is not in the language/],
  ['plus sign', 'd.x[0] = +d.x[1]', /'\+' is not in the language/],
  ['chained assignment', 'let a = 1\nlet b = 2\na = b = d.x[1]\nd.x[0] = a + b', /statements of their own/],
  ['counting inside an expression', 'let k: Int = 0\nd.x[k++] = 1', /statements of their own/],
  ['spread in a call', 'd.x[0] = Math.max(...d.X[0].p)', /no spread: give every part/],
  ['spread in a tuple', 'const t = [...d.X[0].p]\nd.x[0] = t[0]', /no spread: give every part/],
  ['methods of tuples', 'd.X[0] = { R: d.X[0].R, p: d.X[1].p.map((x) => 2 * x) as unknown as Vec3 }', /no part 'map'/],
  ['computed names', "const r = { ['a']: 1 }\nd.x[0] = r.a", /values by their names/],
  ['functions without a source', 'd.x[0] = isFinite(d.x[1]) ? 1 : 2', /no source is known/],
  ['recursion', 'const f = (x: number): number => f(x)\nd.x[0] = f(1)', /does not call itself: write a loop/],
  ['a kernel that calls itself', 'k(m, d)', /does not call itself/],
  ['module state', 'd.x[0] = state', /only constants and functions may come from outside a kernel: make it a parameter/],
  ['defaults', 'const f = (x = 1): number => x\nd.x[0] = f()', /no rest, no default/],
  ['optional parameters', 'const f = (x?: number): number => x as number\nd.x[0] = f()', /no rest, no default/],
  ['rest', 'const f = (...x: number[]): number => x[0]\nd.x[0] = f(1)', /no rest, no default/],
  ['defaults in patterns', 'const [a = 1] = [d.x[0]]\nd.x[0] = a', /no rest and no default in a pattern/],
  ['rest in patterns', 'const [a, ...b] = [d.x[0], 1]\nd.x[0] = a + b[0]', /no rest and no default in a pattern/],
  ['numbers as tests', 'if (d.x[0]) d.x[1] = 1', /a test is a comparison: write `x !== 0`/],
  ['whole numbers as tests', 'd.x[0] = m.n ? 1 : 2', /a test is a comparison/],
  ['not of a number', 'd.x[0] = !m.n ? 1 : 2', /a test is a comparison/],
  ['and of numbers', 'd.x[0] = m.h && 2', /a test is a comparison/],
  ['any of a number', 'if (any(m.h as unknown as boolean)) d.x[0] = 1', /a test is a comparison/],
  ['a loop on a number', 'for (let i = m.n; i; i--) d.x[i] = 1', /a test is a comparison/],
  ['comparison of tests', 'd.x[0] = (m.n > 2) === (m.n > 3) ? 1 : 2', /of tests write `a && b`/],
  ['comparison of tuples', 'd.x[0] = d.X[0].p === d.X[1].p ? 1 : 2', /numbers only: for tuples/],
  // variables and values
  [
    'assigning from a closure',
    'let s = 0\nconst f = (): void => { s = 1 }\nf()\nd.x[0] = s',
    /does not assign to what lies outside of it: return the value/,
  ],
  [
    'a variable function',
    'let f = (x: number): number => x\nif (m.n > 2) f = (x) => 2 * x\nd.x[0] = f(1)',
    /name functions and columns with const/,
  ],
  ['a variable column', 'let c = d.x\nfor (let i = 0; i < m.n; i++) c = d.x\nc[0] = 1', /numbers only|with const/],
  [
    'a chosen function',
    'const f = m.n > 2 ? (x: number): number => x : (x: number): number => 2 * x\nd.x[0] = f(1)',
    /sides of a branch on numbers give numbers/,
  ],
  ['a column chosen by numbers', 'const c = d.x[0] > 1 ? m.g : d.x\nd.x[0] = c[1]', /a function or a column is no value/],
  ['partial writes', 'd.o[0].a = 1', /values never change: write a whole record/],
  ['partial writes to a tuple', 'd.o[0].b[1] = 1', /values never change: write a whole record/],
  ['patterns that assign to parts', 'let a = 1\n;({ a } = { a: 2 })\nd.x[0] = a', /values never change/],
  ['shapes that differ', 'const both = add<{ a: number }>({ a: 1 }, d.o[0])\nd.x[0] = both.a', /one and the same shape/],
  ['sides of other shapes', 'const r: { a: number } = m.n > 2 ? d.o[0] : { a: 1 }\nd.x[0] = r.a', /one and the same shape/],
  [
    'dynamic index of a tuple',
    'for (let i = 0; i < m.n; i++) d.x[i] = d.X[i].p[i]',
    /the index of a tuple is a constant: use a loop with constant bounds/,
  ],
  ['a tuple without this part', 'for (let i = 0; i < 4; i++) d.x[i] = d.X[0].p[i]', /a tuple without part 3/],
  // memory
  ['writes to Shared by way of a function', 'setFirst(m.g as unknown as Lanes<number>)', /'g' is read only/],
  ['a write inside a choice', 'd.x[1] = d.x[2] > 0 ? setFirst(d.x) : 2', /neither may write/],
  ['a write after and', 'd.x[1] = d.x[2] > 0 && setFirst(d.x) > 1 ? 1 : 2', /neither may write/],
  ['an index that is not whole', 'd.x[0] = d.x[d.x[1]]', /an index is a whole number/],
  ['a written index that is not whole', 'd.x[d.x[1]] = 1', /an index is a whole number/],
  ['a fraction as an index', 'd.x[0.5] = 1', /an index is a whole number/],
  ['an index below zero', 'd.x[0] = d.x[-1]', /an index is not below zero/],
  ['tests in columns', 'd.x[0] = (m.n > 2) as unknown as number', /holds numbers, not whole ones or tests/],
  ['whole numbers in columns', 'd.x[0] = m.n', /holds numbers, not whole ones or tests/],
  // two kinds of numbers
  ['sums of both kinds', 'd.x[0] = m.n + d.x[1]', /whole numbers and others do not mix/],
  ['products of both kinds', 'd.x[0] = m.n * d.x[1]', /whole numbers and others do not mix/],
  ['comparison of both kinds', 'd.x[0] = m.n < d.x[1] ? 1 : 2', /no whole number/],
  ['a fraction and a whole number', 'd.x[m.n + 0.5] = 1', /0\.5 is no whole number/],
  ['a whole number below a fraction', 'd.x[0] = m.n < 2.5 ? 1 : 2', /2\.5 is no whole number/],
  ['whole numbers too large', 'd.x[0] = m.n < 1e10 ? 1 : 2', /is no whole number/],
  ['division', 'd.x[m.n / 2] = 1', /whole numbers are not divided; keep the quotient/],
  ['Math of whole numbers', 'd.x[Math.min(m.n, 2)] = 1', /Math\.min takes numbers, not whole ones/],
  ['a literal choice as an index', 'd.x[m.n > 2 ? 1 : 2] = 1', /an index is a whole number/],
  ['sides of both kinds', 'const c = m.n > 2 ? m.n : m.h\nd.x[0] = c', /do not mix/],
  ['a whole number or a fraction', 'const c = m.n > 2 ? m.n : 0.5\nd.x[c] = 1', /do not mix/],
  ['whole numbers chosen by numbers', 'const k = d.x[0] > 1 ? m.n : 2\nd.x[k] = 1', /whole ones are the same in all lanes/],
  [
    'a loop that makes a number whole',
    'let k = 0\nfor (let i = 0; i < m.n; i++) k = m.at[i]\nd.x[k] = 1',
    /declare whole ones as `let k: Int`/,
  ],
  ['a loop that makes a whole number none', 'let k: Int = 0\nfor (let i = 0; i < m.n; i++) k = d.x[i]\nd.x[k] = 1', /the other way round/],
  ['tests of two kinds', 'd.x[0] = m.n > 1 && d.x[1] > 1 ? 1 : 2', /tests on whole numbers and on others do not mix; nest two/],
  // calls of kernels
  ['a number for an Int', 'other(d, d.x, d.x[0])', /'k' is a whole number/],
  ['a column of other records', 'other(d, d.V as unknown as Lanes<number>, 1)', /'x' has another layout/],
  ['a column that is read only', 'other(d, m.g as unknown as Lanes<number>, 1)', /'x' has another layout/],
]

/** whole files after HEAD */
const FILES: readonly (readonly [string, string, RegExp])[] = [
  [
    'kernels that are no functions',
    '/** @kernel */\nexport const k = (d: Work): void => { d.x[0] = 1 }',
    /a kernel is a function: write `export function`/,
  ],
  ['kernels without a name', '/** @kernel */\nexport default function (d: Work): void { d.x[0] = 1 }', /has a name and a body/],
  ['patterns as parameters', '/** @kernel */\nexport function k({ x }: Work): void { x[0] = 1 }', /every parameter of a kernel has a name/],
  [
    'defaults of a kernel',
    '/** @kernel */\nexport function k(d: Work, n: Int = 1): void { d.x[n] = 1 }',
    /every parameter of a kernel has a name/,
  ],
  [
    'numbers as parameters',
    '/** @kernel */\nexport function k(d: Work, h: number): void { d.x[0] = h }',
    /a kernel takes interfaces of columns, columns and Int/,
  ],
  [
    'records as parameters',
    '/** @kernel */\nexport function k(d: Work, h: Vec3): void { d.x[0] = h[0] }',
    /a kernel takes interfaces of columns, columns and Int/,
  ],
  [
    'names of the printed form',
    '/** @kernel */\nexport function k(t1: Work): void { t1.x[0] = 1 }',
    /printed form uses this name itself: take another/,
  ],
  [
    'kernels with names of the printed form',
    '/** @kernel */\nexport function $F(d: Work): void { d.x[0] = 1 }',
    /printed form uses this name itself: take another/,
  ],
  [
    'a parameter with the name of a called kernel',
    'const f = (d: Work): void => other(d, d.x, 1)\n/** @kernel */\nexport function k(d: Work, other: Int): void { d.x[other] = 1\nf(d) }',
    /a parameter of 'k' has the same name: take another/,
  ],
  [
    'booleans in memory',
    'interface B { readonly b: Lanes<boolean> }\n/** @kernel */\nexport function k(d: B): void { d.b[0] = true }',
    /boolean is no value: use numbers, tuples and records/,
  ],
  [
    'arrays in memory',
    'interface B { readonly b: Lanes<readonly number[]> }\n/** @kernel */\nexport function k(d: B): void { d.b[0] = [1] }',
    /readonly number\[\] is no value/,
  ],
  [
    'tuples of no fixed length',
    'interface B { readonly b: Lanes<readonly [number, ...number[]]> }\n/** @kernel */\nexport function k(d: B): void { d.b[0] = [1] }',
    /has no fixed length: give every part/,
  ],
  [
    'methods of tables',
    'interface B { f(): number }\n/** @kernel */\nexport function k(d: Work, b: B): void { d.x[0] = b.f() }',
    /a table has columns and whole numbers/,
  ],
  [
    'columns that may be missing',
    'interface B { readonly x?: Lanes<number> }\n/** @kernel */\nexport function k(d: B): void { d.x![0] = 1 }',
    /each of them always/,
  ],
  [
    'tables with more columns',
    'interface More extends Work { readonly aa: Lanes<number> }\n/** @kernel */\nexport function k(d: More): void { other(d, d.aa, 1) }',
    /'d' has another layout: give a kernel the very table/,
  ],
  [
    'kernels that call each other',
    '/** @kernel */\nexport function round(d: Work): void { back(d) }\n/** @kernel */\nexport function back(d: Work): void { round(d) }',
    /a kernel does not call itself, also not by way of others/,
  ],
]

const TYPES: readonly (readonly [string, string, RegExp])[] = [
  ['a force added to a motion', 'd.V[0] = add(d.V[0], d.F[0])', /error TS2345|error TS2322/],
  ['a motion written as a force', 'd.F[0] = d.V[0]', /error TS2739/],
  ['writes to Shared', 'm.K[0] = m.K[1]', /error TS2542/],
  ['writes to Ints', 'm.at[0] = 1', /error TS2542/],
  ['writes to a part of a value', 'd.X[0].p = d.X[1].p', /error TS2540/],
  ['a record without a part', 'd.V[0] = { w: d.V[1].w }', /error TS2741/],
]

const kernelOf = (body: string): string => `${HEAD}/** @kernel */\nexport function k(m: Fixed, d: Work): void {\n${body}\n}\n`
const texts = Object.fromEntries([
  ...BODIES.map(([, body], n) => [`body${n}`, kernelOf(body)]),
  ...FILES.map(([, text], n) => [`file${n}`, HEAD + text]),
])
const program = ts.createProgram(Object.keys(texts).map(pathOf), options, hostOf(texts))

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (e) {
    return (e as Error).message
  }
  return 'accepted'
}

/** Types are right, so that it is the compiler that refuses; the message names the file and a line of the kernel. */
function expectRefused(name: string, why: RegExp, from: number, to: number): void {
  const path = pathOf(name)
  const types = program.getSemanticDiagnostics(program.getSourceFile(path)).map((d) => ts.flattenDiagnosticMessageText(d.messageText, ' '))
  expect(types).toEqual([])
  const message = messageOf(() => compileFiles(program, [path]))
  expect(message).toMatch(why)
  const [, file, line] = /^(.*?):(\d+):\d+: /.exec(message) ?? []
  expect(file).toBe(path)
  expect(Number(line)).toBeGreaterThanOrEqual(from)
  expect(Number(line)).toBeLessThanOrEqual(to)
}

describe('a kernel is refused for', () => {
  test.each(BODIES.map(([what, body, why], n) => ({ what, body, why, n })))('$what', ({ body, why, n }) => {
    // where a function of HEAD is at fault, the place is there; where the whole kernel is, its head
    expectRefused(`body${n}`, why, body.includes('setFirst(m.g') ? 1 : LINE - 1, LINE + body.split('\n').length)
  })
  test.each(FILES.map(([what, , why], n) => ({ what, why, n })))('$what', ({ why, n }) => {
    expectRefused(`file${n}`, why, LINE - 2, LINE + 9)
  })
})

test.each(TYPES.map(([what, body, why]) => ({ what, body, why })))('types refuse $what', ({ body, why }) => {
  const message = messageOf(() => compile([pathOf('types')], options, hostOf({ types: kernelOf(body) })))
  expect(message).toMatch(why)
  expect(message).toContain(`${pathOf('types')}(${LINE},`)
})

describe('across files', () => {
  const one = 'export interface T { readonly x: Lanes<number> }\n/** @kernel */\nexport function k(d: T): void { d.x[0] = 1 }\n'
  const two = 'export interface T { readonly y: Lanes<number> }\n/** @kernel */\nexport function l(d: T): void { d.y[0] = 1 }\n'
  const from = "import type { Lanes } from '../math/values/columns.js'\n"
  const both = { one: from + one, same: from + one, two: from + two }
  const opened = ts.createProgram(Object.keys(both).map(pathOf), options, hostOf(both))

  test('two kernels of one name', () => {
    expect(messageOf(() => compileFiles(opened, [pathOf('one'), pathOf('same')]))).toMatch(/same\.ts:4:1: two kernels are called 'k'/)
  })
  test('two tables of one name', () => {
    const kernels = compileFiles(opened, [pathOf('one'), pathOf('two')])
    expect(messageOf(() => tablesOf(kernels))).toMatch(/two\.ts:4:1: another table is called 'T'/)
  })
})

describe('lanes are refused for', () => {
  const bodies = {
    branch: ['if (d.x[0] > 1) d.x[1] = 2', /a branch differs from lane to lane: test any/],
    loop: ['let x = d.x[0]\nfor (let n = 0; x > 1; n++) x *= 0.5\nd.x[1] = x', /a loop ends at another turn in each lane: test any/],
    call: ['other(d, d.x, 1)', /'other' is not in this module/],
  } as const
  const lanes = Object.fromEntries(Object.entries(bodies).map(([name, [body]]) => [name, kernelOf(body)]))
  const opened = ts.createProgram(Object.keys(lanes).map(pathOf), options, hostOf(lanes))
  test.each(Object.entries(bodies).map(([what, [, why]]) => ({ what, why })))('a $what', ({ what, why }) => {
    const kernels = compileFiles(opened, [pathOf(what)]).filter((k: { name: string }) => k.name === 'k')
    const message = messageOf(() => printWasm(kernels, 'f64x2'))
    expect(message).toMatch(why)
    expect(message).toMatch(new RegExp(`^${pathOf(what)}:(${LINE}|${LINE + 1}):`))
    if (what !== 'call') expect(WebAssembly.validate(printWasm(kernels, 'f64'))).toBe(true)
  })
})
