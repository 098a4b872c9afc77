/** Cases that went wrong once, or would go wrong silently; and what the printed text looks like. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { sincos } from '../../engine/src/math/values/trig.js'
import { options } from './build.mjs'
import { compile, compileFiles, tablesOf } from './compile.mjs'
import { printJs } from './print-js.mjs'
import { printWasm } from './print-wasm.mjs'
import { hostOf, openForms, pathOf, runForms, runSource } from './test-host.mjs'
import { HEAD as PROGRAMS, program, random } from './test-programs.mjs'

const FORMS = ['f64', 'f64x2', 'f32x4'] as const
const HEAD = `import { add, any, type Int, type Ints, type Lanes, negate, scale, type Shared, sub } from '../math/values/columns.js'
import { isFinite } from '../math/values/form.js'
import { type SinCos, sincos } from '../math/values/trig.js'
export { isFinite }
export { add, any, negate, scale, sincos, sub }
export type { SinCos }
export type Pair = { readonly a: number; readonly b: readonly [number, number] }
/** parts with the names that the compiler itself uses */
export type Odd = { readonly op: number; readonly kind: number; readonly value: number; readonly local: number; readonly length: number; readonly same: 1 }
export interface Fixed { readonly n: Int; readonly many: Int; readonly at: Ints; readonly K: Shared<Pair>; readonly h: number }
export interface Work { readonly x: Lanes<number>; readonly y: Lanes<Pair>; readonly o: Lanes<Odd> }
`
const path = pathOf('details')
const given = (extra: number[] = []) => {
  const lanes = (n: number, first: number) => [0, 1, 2, 3].map((l) => Array.from({ length: n }, (_, k) => first + k + 100 * l))
  const x = lanes(200, 1)
  extra.forEach((value, k) => x.forEach((lane, l) => (lane[k] = l % 2 === 0 ? value : -value)))
  return {
    m: { n: 4, many: 100, at: [0, 3, 1, 2, 5, 4], K: [1, 2, 3, 4, 5, 6], h: [0.5] },
    d: { x, y: lanes(12, 30), o: lanes(10, 60) },
    w: lanes(12, 80),
    q: 2,
  }
}
const fileOf = (body: string): string =>
  `${HEAD}/** @kernel */\nexport function k(m: Fixed, d: Work, w: Lanes<number>, q: Int): void {\n${body}\n}\n`
const kernelsOf = (text: string) => compileFiles(ts.createProgram([path], options, hostOf({ details: text })), [path])
const jsOf = (body: string): string => printJs(kernelsOf(fileOf(body))[0])

/** Column x of the first lane, after all forms were found to agree. */
function run(body: string, extra?: number[]): Float64Array {
  const text = fileOf(body)
  const kernels = kernelsOf(text)
  const { results, differ } = runForms(
    openForms(kernels, runSource(path, text)),
    kernels.find((k: { name: string }) => k.name === 'k'),
    given(extra),
  )
  expect(differ).toEqual([])
  return results[0].get('d.x')
}

describe('memory', () => {
  test('a load stays before a store to its column', () => {
    expect([...run('const a = d.x[0]\nconst b = d.x[q]\nd.x[q] = 50\nd.x[0] = 60\nd.x[4] = a\nd.x[5] = b')].slice(0, 6)).toEqual([
      60, 2, 50, 4, 1, 3,
    ])
  })
  test('indices may be the same where their names differ', () => {
    expect(run('const a = d.x[q]\nd.x[m.at[3]] = 50\nd.x[4] = a\nd.x[5] = d.x[q]')[5]).toBe(50)
    expect(run('d.x[q] = 7\nd.x[m.at[3]] = 50\nd.x[5] = d.x[q]')[5]).toBe(50)
  })
  test('a load stays before a branch, a loop and a call that store to its column', () => {
    expect(run('const a = d.x[1]\nif (m.n > 3) d.x[1] = 50\nd.x[4] = a + d.x[1]')[4]).toBe(52)
    expect(run('const a = d.x[1]\nfor (let i = 0; i < m.n; i++) d.x[i] = 50\nd.x[4] = a + d.x[1]')[4]).toBe(52)
    const other = `}\n/** @kernel */\nexport function other(x: Lanes<number>): void { x[1] = 50`
    expect(run(`const a = d.x[1]\nother(d.x)\nd.x[4] = a + d.x[1]\n${other}`)[4]).toBe(52)
  })
  test('a loop sees what its own turns store', () => {
    expect([...run('d.x[0] = 1\nfor (let i = 1; i < m.n; i++) d.x[i] = d.x[i - 1] + d.x[0]')].slice(0, 4)).toEqual([1, 2, 3, 4])
  })
  test('parts of a record change places', () => {
    run('const { a, b } = d.y[0]\nd.y[0] = { b: [a, b[0]], a: b[1] }\nd.y[q] = { b: [d.y[q].b[1], d.y[0].a], a: d.y[q].b[0] }')
  })
  test('indices with constants below zero', () => {
    expect(run('d.x[q - 1] = 50\nd.x[m.n - 4] = 60\nfor (let i = -2; i < m.n; i++) d.x[i + 3] += 1')[1]).toBe(51)
  })
  test('an index that a loop only seems to change', () => {
    expect(run('let k: Int = 3\nfor (let i = 0; i < m.n; i++) {\nd.x[k] = 50 + d.x[i]\nk = k\n}')[3]).toBe(103)
  })
  test('parts may have any name', () => {
    run(
      'const o = d.o[0]\nd.o[1] = { same: 1, length: o.op, local: o.kind, value: o.length, kind: 2, op: o.value }\nd.x[0] = d.o[1].length',
    )
  })
})

describe('control', () => {
  test('a test that begins as a literal', () => {
    run(
      'let open = true\nlet a = d.x[0]\nfor (let n = 0; any(open) && n < 9; n++) {\na = open ? 0.5 * a : a\nopen = open && a > 1\n}\nd.x[1] = a',
    )
    run('let found = false\nfor (let i = 0; i < m.n; i++) if (m.at[i] === 1) found = true\nd.x[1] = found ? 1 : 2')
  })
  test('a variable inside of a branch may become a test of another kind', () => {
    run('if (m.n > 3) {\nlet t = m.n > 2\nt = d.x[0] > 1\nd.x[1] = t ? 5 : 6\n}')
  })
  test('a literal that a branch makes whole', () => {
    expect(run('let k: Int = 0\nif (m.n > 3) k = 1\nd.x[k] = 50')[1]).toBe(50)
  })
  test('a choice of tests, a loop without writes inside a choice', () => {
    run('const t = d.x[0] > 1 ? d.x[1] > 2 : false\nd.x[2] = t ? 5 : 6')
    run('const sum = (): number => {\nlet s = 0\nfor (let i = 0; i < m.n; i++) s += d.x[i]\nreturn s\n}\nd.x[2] = d.x[0] > 1 ? sum() : 6')
  })
  test('64 turns are unrolled', () => {
    expect(run('let s = 0\nfor (let i = 0; i < 64; i++) s += 1\nd.x[0] = s')[0]).toBe(64)
  })
  test('what follows a loop inside a branch is printed once', () => {
    const js = jsOf('if (m.n > 3) for (let i = 0; i < m.n; i++) {\nif (m.at[i] > 2) continue\nd.x[i] = 1\n}\nd.x[9] = Math.sqrt(m.h)')
    expect(js.match(/sqrt/g)).toHaveLength(1)
  })
  test('least and greatest of one and of three', () => {
    expect([...run('d.x[0] = Math.max(d.x[1], d.x[3], d.x[2])\nd.x[5] = Math.min(d.x[4])')].slice(0, 6)).toEqual([4, 2, 3, 4, 5, 5])
  })
})

describe('numbers', () => {
  test('the zero below zero', () => {
    const x = run('d.x[0] = -0\nd.x[1] = 0\nd.x[2] = Math.min(-0, w[0])\nd.x[3] = 1 / -0\nd.x[4] = -0 * 1')
    expect([...x].slice(0, 5)).toEqual([-0, 0, -0, Number.NEGATIVE_INFINITY, -0])
    expect(jsOf('d.x[0] = -0')).toContain('(-0)')
  })
  test('what is no number, and what has no end', () => {
    const x = run(
      'd.x[0] = 0 / 0\nd.x[1] = 1 / 0\nd.x[2] = Math.max(d.x[0], w[0])\nd.x[3] = d.x[0] < 1 ? 1 : 2\nd.x[4] = d.x[0] !== d.x[0] ? 1 : 2',
    )
    expect([...x].slice(0, 5)).toEqual([Number.NaN, Number.POSITIVE_INFINITY, Number.NaN, 2, 1])
  })
  test('what is finite', () => {
    const x = run('for (let i = 0; i < 5; i++) d.x[i + 5] = isFinite(d.x[i]) ? 1 : 0\nd.x[10] = isFinite(2) ? 1 : 0', [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      -3e38,
      0,
      Number.NEGATIVE_INFINITY,
    ])
    expect([...x].slice(5, 11)).toEqual([0, 0, 1, 1, 0, 1])
  })
  test('sine and cosine of single precision are good to its last digit', () => {
    const text = `${HEAD}/** @kernel */\nexport function k(x: Lanes<number>, n: Int): void {
for (let i = 0; i < n; i++) {\nconst { s, c } = sincos(x[i])\nx[i] = s\nx[i + n] = c\n}\n}\n`
    const program = ts.createProgram([path], options, hostOf({ details: text }))
    const memory = new WebAssembly.Memory({ initial: 10 })
    const bytes = printWasm(compileFiles(program, [path], { single: true }), 'f32x4')
    const { k } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports as { k(x: number, n: number): void }
    const F = new Float32Array(memory.buffer)
    const n = 5000
    const angles = Float32Array.from({ length: 4 * n }, (_, i) => (i / n - 2) * 50)
    F.set(angles)
    k(0, n)
    let most = 0
    angles.forEach((angle, i) => {
      most = Math.max(most, Math.abs(F[i] - Math.sin(angle)), Math.abs(F[i + 4 * n] - Math.cos(angle)))
    })
    // half a last digit is 6e-8
    expect(most).toBeLessThan(1e-7)
    // beyond what resolves a turn there is no answer
    F.set([1e4, -1e5, 3e6, Number.POSITIVE_INFINITY])
    k(0, 1)
    expect([...F.slice(0, 4)].map((s, i) => (i < 2 ? Math.abs(s - Math.sin([1e4, -1e5][i])) < 0.01 : Number.isNaN(s)))).toEqual(
      new Array(4).fill(true),
    )
  })
  test('comparisons of equal numbers', () => {
    const signs = ['<', '<=', '>', '>=', '===', '!==']
    expect([...run(signs.map((sign, k) => `d.x[${k}] = w[0] ${sign} 80 ? 1 : 0`).join('\n'))].slice(0, 6)).toEqual([0, 1, 0, 1, 1, 0])
  })
  test('sums and products commute, nothing else does', () => {
    const x = run(
      'd.x[4] = w[0] - w[2]\nd.x[5] = w[2] - w[0]\nd.x[6] = w[0] / w[2]\nd.x[7] = w[2] / w[0]\nd.x[8] = w[0] < w[2] ? 1 : 2\nd.x[9] = w[2] < w[0] ? 1 : 2',
    )
    expect([...x].slice(4, 10)).toEqual([-2, 2, 80 / 82, 82 / 80, 1, 2])
  })
  test('a sum is never regrouped', () => {
    const x = run(
      'd.x[4] = d.x[0] + d.x[1] + d.x[2]\nd.x[5] = d.x[0] + (d.x[1] + d.x[2])\nd.x[6] = d.x[0] - (d.x[1] - d.x[2])\nd.x[7] = d.x[0] / (d.x[1] / d.x[2])',
      [1e20, -1e20, 3],
    )
    expect([...x].slice(4, 8)).toEqual([3, 0, 2e20, 1e20 / (-1e20 / 3)])
  })
  test('sine and cosine', () => {
    const next = random(7)
    const angles = Array.from({ length: 100 }, (_, k) => (2 * next() - 1) * 10 ** (k / 10 - 1))
    const x = run('for (let i = 0; i < m.many; i++) {\nconst { s, c } = sincos(d.x[i])\nd.x[i] = s\nd.x[i + m.many] = c\n}', angles)
    angles.forEach((angle, k) => {
      const { s, c } = sincos(angle)
      expect([x[k], x[k + 100]]).toEqual([s, c])
    })
  })
})

describe('printed text', () => {
  test('constants of the model are loaded where they are used', () => {
    const lines = jsOf('const K = m.K[q]\nif (m.n > 3) d.x[0] = K.a\nif (m.n > 5) d.x[1] = K.b[1]').split('\n')
    const before = lines.slice(
      0,
      lines.findIndex((line) => line.includes('if (')),
    )
    expect(before.join('\n')).not.toContain('F[')
  })
  test('unused work is left out', () => {
    const js = jsOf(
      'const a = Math.sqrt(d.x[0])\nlet b = 0\nfor (let i = 0; i < m.n; i++) b += a\nlet c = 1\nif (m.at[0] > 2) c = b\nd.x[1] = 0 * c + w[0] * 1',
    )
    expect(
      js
        .split('\n')
        .slice(1, -2)
        .filter((line) => !/^ {2}const t\d+ = \(*I\[/.test(line)),
    ).toHaveLength(1)
    expect(js).not.toMatch(/sqrt|for|if/)
  })
  test('what is used twice is worked out once, in either order', () => {
    const js = jsOf('d.x[0] = w[0] * w[1] + w[2]\nd.x[1] = w[2] + w[1] * w[0]')
    expect(js.match(/\*/g)).toHaveLength(1)
    expect(js.match(/ \+ t|t\d+ \+ F/g)?.length ?? 1).toBe(1)
  })
  test('two runs print the same', () => {
    const text = PROGRAMS + Array.from({ length: 20 }, (_, k) => program(`k${k}`, random(k), false)).join('\n')
    const [a, b] = [kernelsOf(text), kernelsOf(text)]
    expect(a.map(printJs)).toEqual(b.map(printJs))
    for (const form of FORMS) expect(printWasm(a, form)).toEqual(printWasm(b, form))
  })
  test('tables have their words in the order of the interface', () => {
    expect([...tablesOf(kernelsOf(fileOf('d.x[0] = 1')))]).toEqual([
      [
        'Fixed',
        [
          ['n', 'Int', 1],
          ['many', 'Int', 1],
          ['at', 'Ints', 1],
          ['K', 'Shared', 3],
          ['h', 'Shared', 1],
        ],
      ],
      [
        'Work',
        [
          ['x', 'Lanes', 1],
          ['y', 'Lanes', 3],
          ['o', 'Lanes', 5],
        ],
      ],
    ])
  })
  test('names may have any letter', () => {
    const kernels = kernelsOf(`${HEAD}/** @kernel */\nexport function größe(x: Lanes<number>): void { x[0] = 1 }`)
    const { exports } = WebAssembly.Module
    expect(exports(new WebAssembly.Module(printWasm(kernels, 'f64')))[0]).toEqual({ name: 'größe', kind: 'function' })
  })
})

describe('kernels of the engine', () => {
  const source = join(dirname(fileURLToPath(import.meta.url)), '../../engine/src')
  const files = (readdirSync(source, { recursive: true }) as string[]).filter((f) => f.endsWith('.kernel.ts')).map((f) => join(source, f))
  const kernels = compile(files, options)
  // the elimination branches on its pivots, which differ from lane to lane
  const inLanes = kernels.filter(({ file }: { file: string }) => /\/(joints|tree|batch|forces\/joint-forces\.kernel\.ts$)/.test(file))
  const isValid = (form: string, more?: object): boolean => WebAssembly.validate(printWasm(form === 'f64' ? kernels : inLanes, form, more))
  test.each(FORMS)('are valid as %s, also with a memory that threads share', (form) => {
    expect(isValid(form)).toBe(true)
    expect(isValid(form, { shared: true })).toBe(true)
  })

  // older engines know it behind a flag only
  setFlagsFromString('--experimental-wasm-relaxed-simd')
  const known = WebAssembly.validate(
    Uint8Array.from([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96, 3, 123, 123, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32, 1, 32, 2, 253, 135, 2,
      11,
    ]),
  )
  test.skipIf(!known)(
    `are valid with products and sums in one rounding${known ? '' : ' (skipped: this engine has no relaxed SIMD)'}`,
    () => {
      for (const form of FORMS) expect(isValid(form, { fused: true })).toBe(true)
      // whole numbers are exact in either rounding
      const text = fileOf(
        'd.x[4] = w[0] + w[1] * w[2]\nd.x[5] = w[1] * w[3] + w[3]\nd.x[6] = w[0] - w[2] * w[3]\nd.x[7] = w[4] * w[3] - w[0]',
      )
      const some = kernelsOf(text)
      expect(printWasm(some, 'f64x2', { fused: true })).not.toEqual(printWasm(some, 'f64x2'))
      expect(runForms(openForms(some, runSource(path, text), undefined, { fused: true }), some[0], given()).differ).toEqual([])
    },
  )
  test('f64 has no other rounding', () => {
    expect(printWasm(kernels, 'f64', { fused: true })).toEqual(printWasm(kernels, 'f64'))
  })
})
