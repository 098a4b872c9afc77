/** Random programs give the same bits in every form: the source as it is, JavaScript, WebAssembly with one, two and four lanes. */
import ts from 'typescript'
import { expect, test } from 'vitest'
import { options } from './build.mjs'
import { compile, compileFiles } from './compile.mjs'
import { hostOf, interpret, LANES, openForm, pathOf, runForm, runSource } from './test-host.mjs'
import { HEAD, inputs, program, random, sourceOf } from './test-programs.mjs'

type Columns = ReadonlyMap<string, Float64Array | Float32Array>

/** more of them, or others: FUZZ=20000 FUZZ_SEED=5 */
const count = Number(process.env.FUZZ ?? 1500)
const seed = Number(process.env.FUZZ_SEED ?? 1)
const BATCH = 500
const path = pathOf('fuzz')

/** Where two results differ first. `exact`: 0 and −0 differ too. */
function difference(a: Columns, b: Columns, exact: boolean): string | undefined {
  for (const [name, x] of a) {
    const y = b.get(name)!
    for (let k = 0; k < x.length; k++)
      if (!(exact ? Object.is(x[k], y[k]) : x[k] === y[k] || (x[k] !== x[k] && y[k] !== y[k]))) return `${name} ${k}: ${x[k]} and ${y[k]}`
  }
  return undefined
}

const isScalar = (k: number): boolean => k % 8 === 7
const programs = (first: number, size: number): string[] =>
  Array.from({ length: size }, (_, k) => program(`k${k}`, random(seed * 1_000_000 + first + k), isScalar(k)))

function runBatch(first: number, size: number): { differ: string[]; finite: number; numbers: number } {
  const texts = programs(first, size)
  // all of them are made of the same parts: one test looks at the types of some
  const kernels = compileFiles(ts.createProgram([path], options, hostOf({ fuzz: HEAD + texts.join('\n') })), [path])
  const inLanes = kernels.filter((kernel: { name: string }) => !isScalar(Number(kernel.name.slice(1))))
  const forms = {
    source: openForm('source', kernels, { source: runSource(path, HEAD, sourceOf(texts)) }),
    js: openForm('js', kernels),
    f64: openForm('f64', kernels),
    f64x2: openForm('f64x2', inLanes),
    f32x4: openForm('f32x4', inLanes),
  }
  const differ: string[] = []
  let finite = 0
  let numbers = 0
  for (const kernel of kernels) {
    if (!/^k\d/.test(kernel.name)) continue
    const k = Number(kernel.name.slice(1))
    const given = inputs(seed * 1_000_000 + first + k)
    const only = (lane: number) => ({
      ...given,
      w: [given.w[lane]],
      d: Object.fromEntries(Object.entries(given.d).map(([n, v]) => [n, [(v as unknown[])[lane]]])),
    })
    const say = (form: string, why: string | undefined): void => {
      if (why) differ.push(`program ${first + k} ${form}: ${why}`)
    }
    try {
      const js = [0, 1].map((lane) => runForm(forms.js, kernel, only(lane))[0])
      for (const lane of [0, 1]) {
        for (const x of js[lane].values()) {
          numbers += x.length
          finite += x.filter(Number.isFinite).length
        }
        say('source', difference(js[lane], runForm(forms.source, kernel, only(lane))[0], false))
        say('f64', difference(js[lane], runForm(forms.f64, kernel, only(lane))[0], true))
      }
      if (isScalar(k)) continue
      const pairs = runForm(forms.f64x2, kernel, given)
      for (const lane of [0, 1]) say('f64x2', difference(js[lane], pairs[lane], true))
      const single = runForm(forms.f32x4, kernel, given)
      const expected = runForm(forms.f32x4, kernel, given, (...args: number[]) => interpret(kernels, kernel.name, forms.f32x4.buffer, args))
      for (let lane = 0; lane < LANES.f32x4; lane++) say('f32x4', difference(expected[lane], single[lane], true))
    } catch (e) {
      say('failed', (e as Error).message)
    }
  }
  return { differ, finite, numbers }
}

test('the types of random programs are right', () => {
  expect(compile([path], options, hostOf({ fuzz: HEAD + programs(0, 40).join('\n') }))).toHaveLength(42)
})

for (let first = 0; first < count; first += BATCH) {
  test(`random programs ${first} to ${Math.min(first + BATCH, count) - 1}`, () => {
    const { differ, finite, numbers } = runBatch(first, Math.min(BATCH, count - first))
    expect(differ).toEqual([])
    // zeros that types know hide what is not finite, so there must be little of it
    expect(finite / numbers).toBeGreaterThan(0.99)
  })
}
