/** Nothing is allocated in a step of `position` once it is warm: whatever the order, the optimiser, the forces. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Measured } from '../allocation/bytes-per-call.js'
import { runProbe } from '../allocation/run-probe.js'

/** one boxed number a step would be 12 to 16 */
const OWN = 2

let results: readonly Measured[] = []

beforeAll(async () => {
  results = (await runProbe(new URL('./allocation-probe.ts', import.meta.url))) as Measured[]
}, 400_000)

describe('allocation', () => {
  it('is measured: a step that makes one small object is seen', () => {
    expect(results.find(({ name }) => name === 'control')?.bytesPerCall).toBeGreaterThan(10)
  })

  it('is zero for every order and optimiser, on chains and on a mechanism with everything', () => {
    const measured = results.filter((one) => one.name !== 'control')
    expect(measured.length).toBe(18)
    expect(measured.filter(({ bytesPerCall }) => !(bytesPerCall <= OWN))).toEqual([])
  })
})
