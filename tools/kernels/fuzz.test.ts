/** Random programs give the same bits in every form: the source as it is, JavaScript, WebAssembly with one, two and four lanes. */
import ts from 'typescript'
import { expect, test } from 'vitest'
import { options } from './build.mjs'
import { compile, compileFiles } from './compile.mjs'
import { hostOf, openForms, pathOf, runForms, runSource } from './test-host.mjs'
import { HEAD, inputs, program, random, sourceOf } from './test-programs.mjs'

/** more of them, or others: FUZZ=20000 FUZZ_SEED=5 */
const count = Number(process.env.FUZZ ?? 1500)
const seed = Number(process.env.FUZZ_SEED ?? 1)
const BATCH = 500
const path = pathOf('fuzz')

/** Every eighth may branch on numbers that differ from lane to lane. */
const isScalar = (name: string): boolean => Number(name.slice(1)) % 8 === 7
const programs = (first: number, size: number): string[] =>
  Array.from({ length: size }, (_, k) => program(`k${first + k}`, random(seed * 1_000_000 + first + k), isScalar(`k${first + k}`)))

function runBatch(first: number, size: number): { differ: string[]; finite: number; numbers: number } {
  const texts = programs(first, size)
  // all of them are made of the same parts: one test looks at the types of some
  const kernels = compileFiles(ts.createProgram([path], options, hostOf({ fuzz: HEAD + texts.join('\n') })), [path])
  const forms = openForms(kernels, runSource(path, HEAD, sourceOf(texts)), (kernel: { name: string }) => !isScalar(kernel.name))
  const all: string[] = []
  let finite = 0
  let numbers = 0
  for (const kernel of kernels) {
    if (!/^k\d/.test(kernel.name)) continue
    try {
      const { results, differ } = runForms(forms, kernel, inputs(seed * 1_000_000 + Number(kernel.name.slice(1))))
      all.push(...differ)
      for (const columns of results)
        for (const x of columns.values()) {
          numbers += x.length
          finite += x.filter(Number.isFinite).length
        }
    } catch (e) {
      all.push(`${kernel.name} ${(e as Error).message}`)
    }
  }
  return { differ: all, finite, numbers }
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
