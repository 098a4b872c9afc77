/** The numeric phases of linalg allocate nothing, not even a boxed number. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Measured } from '../allocation/bytes-per-call.js'
import { runProbe } from '../allocation/run-probe.js'

/** one boxed number a call would be 12 to 16 */
const OWN = 2

let results: readonly Measured[] = []

beforeAll(async () => {
  results = (await runProbe(new URL('./allocation-probe.ts', import.meta.url))) as Measured[]
}, 120_000)

describe('allocation in linalg', () => {
  it('is measured: a call that makes one small object is seen', () => {
    expect(results.find(({ name }) => name === 'control')?.bytesPerCall).toBeGreaterThan(10)
  })

  it('is zero in every factorisation, solve and iteration', () => {
    const measured = results.filter(({ name }) => name !== 'control')
    expect(measured.length).toBeGreaterThan(6)
    expect(measured.filter(({ bytesPerCall }) => !(bytesPerCall <= OWN))).toEqual([])
  })
})
