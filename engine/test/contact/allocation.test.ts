/** Finding contacts and writing their rows allocates nothing, not even a boxed number. */
import { beforeAll, describe, expect, it } from 'vitest'
import { runProbe } from '../allocation/run-probe.js'
import type { MeasuredSearch } from './allocation-probe.js'

/** one boxed number a call would be 12 to 16 */
const OWN = 2

let results: readonly MeasuredSearch[] = []

beforeAll(async () => {
  results = (await runProbe(new URL('./allocation-probe.ts', import.meta.url))) as MeasuredSearch[]
}, 120_000)

describe('allocation in the search for contacts', () => {
  it('is measured: a call that makes one small object is seen', () => {
    expect(results.find(({ name }) => name === 'control')?.bytesPerCall).toBeGreaterThan(10)
  })

  it('is zero for every shape, with contacts to find', () => {
    const measured = results.filter(({ name }) => name !== 'control')
    expect(measured.length).toBeGreaterThan(5)
    expect(measured.filter(({ contacts }) => contacts < 20)).toEqual([])
    expect(measured.filter(({ bytesPerCall }) => !(bytesPerCall <= OWN))).toEqual([])
  })
})
