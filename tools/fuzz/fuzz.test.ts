/** The short form of `npm run fuzz`: mutated files of every format are read or refused, soon, and by nothing but a ModelError. */
import { ModelError } from 'limber'
import { expect, it } from 'vitest'
import { inputOf, tryInput } from './inputs.mjs'
import { formats } from './samples.mjs'
import { LONGEST_STEP } from './step.mjs'

const COUNT = 3000
/** seconds of processor time */
const LONGEST = 2

const isRefusal = (error: unknown): boolean => error instanceof ModelError && error.problems.length > 0

it('samples are read as they are', async () => {
  for (const format of formats) {
    let read = 0
    for (const bytes of format.samples) {
      const { outcome, fault } = await tryInput({ format, bytes: Uint8Array.from(bytes) }, isRefusal)
      expect(fault, format.name).toBeUndefined()
      if (outcome === 'read') read++
    }
    expect(read, format.name).toBeGreaterThan(0)
  }
})

it(`${COUNT} mutated files (seed 7)`, async () => {
  const outcomes = new Map(formats.map(({ name }) => [name, { read: 0, refused: 0 }]))
  for (let k = 0; k < COUNT; k++) {
    const input = inputOf(7, k)
    const { outcome, fault, seconds } = await tryInput(input, isRefusal, 2 * LONGEST_STEP)
    expect(fault, `npm run fuzz -- --seed 7 --only ${k} (${input.format.name})`).toBeUndefined()
    expect(seconds, `npm run fuzz -- --seed 7 --only ${k} (${input.format.name})`).toBeLessThan(LONGEST)
    const row = outcomes.get(input.format.name) as { read: number; refused: number }
    if (outcome !== 'fault') row[outcome as 'read' | 'refused']++
  }
  // files that are always refused test a checksum and no more
  for (const [name, { read, refused }] of outcomes) {
    // a changed byte of an MCAP file is found by the checksums of its chunks and of its footer
    if (name !== 'MCAP') expect(read, name).toBeGreaterThan(0)
    expect(refused, name).toBeGreaterThan(0)
  }
})

it('is the same on every machine', () => {
  const sums = Array.from({ length: 20 }, (_, k) => inputOf(7, k)).map(({ format, bytes }) => `${format.name} ${bytes.length}`)
  expect(sums).toEqual(Array.from({ length: 20 }, (_, k) => inputOf(7, k)).map(({ format, bytes }) => `${format.name} ${bytes.length}`))
  expect(new Set(sums).size).toBeGreaterThan(10)
})
