/** Nothing is allocated in a step of `position` once it is warm: whatever the order, the optimiser, the forces. */
import { beforeAll, describe, expect, it } from 'vitest'
import { runProbe } from '../allocation/run-probe.js'
import type { Measured } from './allocation-probe.js'

/** reading the heap itself leaves a few hundred bytes in a window of 100 steps or more; one boxed number a step would be 12 to 16 */
const OWN = 4

let results: readonly Measured[] = []

beforeAll(async () => {
  results = (await runProbe(new URL('./allocation-probe.ts', import.meta.url))) as Measured[]
}, 400_000)

describe('allocation', () => {
  it('is measured: a step that makes one small object is seen', () => {
    expect(results.find(({ name }) => name === 'control')?.bytesPerStep).toBeGreaterThan(10)
  })

  it('is zero for every order and optimiser, on chains and on a mechanism with everything', () => {
    const measured = results.filter((one) => one.name !== 'control')
    expect(measured.length).toBe(20)
    expect(measured.filter(({ bytesPerStep }) => !(bytesPerStep <= OWN))).toEqual([])
  })
})
