/**
 * Mutated files: 1,000 of each format, seeded, give an error or a model, never a crash or a hang. What builds is also evaluated, stepped and
 * written out in every format, since a model that only the reader survives is of no use.
 */
import {
  buildModel,
  createData,
  createSimulation,
  createState,
  forwardDynamics,
  ModelError,
  parseMjcf,
  parseScene,
  parseUrdf,
  type Spec,
  writeGlb,
  writeMjcf,
  writeScene,
  writeUrdf,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../cpu-time.js'
import { loadModels } from '../oracles/models.js'
import { createRandom } from '../random.js'

const models = loadModels()
const texts = (format: 'mjcf' | 'urdf'): string[] => models.filter((model) => model.format === format).map(({ text }) => text)
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const resolve = (path: string): string | Uint8Array | undefined => {
  const { files } = models[0]
  return files[path] ?? Object.entries(files).find(([key]) => baseName(key) === baseName(path))?.[1]
}

const COUNT = 1000
/** seconds of processor time: far above what the slowest takes, far below a hang */
const LONGEST = 10

const words = [
  '0',
  '-1',
  '1e308',
  '1e-320',
  'NaN',
  'inf',
  '',
  '"',
  '<',
  '>',
  '{',
  ']',
  ',',
  ':',
  'null',
  'true',
  'world',
  '../x',
  '\0',
  'ü',
  '-0',
]

/** One to three changes: cut, insert, repeat, swap words, change a number or a quoted value. */
function mutate(text: string, pick: (n: number) => number): string {
  let out = text
  for (let n = 1 + pick(3); n > 0; n--) {
    const at = pick(out.length + 1)
    const word = words[pick(words.length)]
    const span = 1 + pick(40)
    switch (pick(6)) {
      case 0:
        out = out.slice(0, at) + out.slice(at + span)
        break
      case 1:
        out = out.slice(0, at) + word + out.slice(at)
        break
      case 2:
        out = out.slice(0, at) + out.slice(at, at + span) + out.slice(at)
        break
      case 3:
        out = change(out, NUMBER, pick, () => word)
        break
      case 4:
        out = change(out, /"[^"]*"/g, pick, () => `"${word}"`)
        break
      default: {
        // a name or value from elsewhere in the file, so that references break or close loops
        const quoted = out.match(/"[^"]*"/g) ?? ['""']
        out = change(out, /"[^"]*"/g, pick, () => quoted[pick(quoted.length)])
      }
    }
  }
  return out
}

/**
 * One to three numbers off by a factor, or in the place of another: the syntax stays, so that what lies behind the parser is met as well.
 * Without such files next to nothing of a strict format loads, and how much does hangs on the seed.
 */
function nudge(text: string, pick: (n: number) => number): string {
  let out = text
  for (let n = 1 + pick(3); n > 0; n--) {
    const numbers = out.match(NUMBER) ?? ['0']
    const factor = factors[pick(factors.length)]
    const other = numbers[pick(numbers.length)]
    out = change(out, NUMBER, pick, (old) => (factor === 0 ? other : String(Number(old) * factor)))
  }
  return out
}

/** 0: another number of the file */
const factors = [0, 0, 0.5, 0.999, 2, 1000, 1e-6, -1]
const NUMBER = /-?\d+(?:\.\d*)?(?:e-?\d+)?/g

function change(text: string, pattern: RegExp, pick: (n: number) => number, replace: (old: string) => string): string {
  const found = [...text.matchAll(pattern)]
  if (found.length === 0) return text
  const { index, 0: old } = found[pick(found.length)]
  return text.slice(0, index) + replace(old) + text.slice(index + old.length)
}

/** What a user would do with a model. */
function use(spec: Spec): void {
  const model = buildModel(spec)
  forwardDynamics(model, createData(model), createState(model))
  createSimulation(model, { solver: 'ode' }).step()
  for (const write of [writeScene, writeMjcf, writeUrdf, writeGlb]) {
    // a writer may refuse what its format cannot hold, in the same words
    tolerate(() => write(spec))
  }
}

/** True when the action ended well, false when it refused; anything else is a crash. */
function tolerate(action: () => unknown): boolean {
  try {
    action()
    return true
  } catch (error) {
    if (error instanceof ModelError && error.problems.length > 0) return false
    throw error
  }
}

describe.each([
  ['MJCF', texts('mjcf'), (text: string) => parseMjcf(text, { file: 'mutated.xml', resolve })],
  ['URDF', texts('urdf'), (text: string) => parseUrdf(text, { file: 'mutated.urdf', resolve })],
  [
    'scene',
    texts('mjcf').map((text) => writeScene(parseMjcf(text, { resolve }))),
    (text: string) => parseScene(text, { file: 'mutated.json' }),
  ],
] as const)('%s', (name, originals, parse) => {
  it(`${COUNT} mutated files (seed 7) give an error or a model that runs`, { timeout: 300_000 }, () => {
    const pick = createRandom(7).below
    let good = 0
    let slowest = 0
    for (let k = 0; k < COUNT; k++) {
      const alter = k % 4 === 0 ? nudge : mutate
      const text = alter(originals[pick(originals.length)], pick)
      const start = cpuTime()
      try {
        if (tolerate(() => use(parse(text)))) good++
      } catch (error) {
        throw new Error(`${name} mutation ${k}: ${String(error)}\n${text}`, { cause: error })
      }
      slowest = Math.max(slowest, cpuTime() - start)
    }
    expect(slowest).toBeLessThan(LONGEST)
    // both outcomes must be met, or the mutations test nothing
    expect(good).toBeGreaterThan(COUNT / 20)
    expect(good).toBeLessThan(COUNT - COUNT / 20)
  })
})
