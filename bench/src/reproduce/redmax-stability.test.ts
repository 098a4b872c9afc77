/** Long chains at a frame's step, shortened: `limber reproduce redmax` runs the 60 s. */
import { describe, expect, it } from 'vitest'
import { chainCases, stabilityRun } from './redmax-stability.js'

/** seconds for each size: past the moments when chains whip and springs strike, which come first */
const seconds: Readonly<Record<number, number>> = { 30: 8, 100: 4, 300: 2 }
/** what the issue allows */
const MOST = 0.05

describe('chains at h = 0.02', () => {
  it.each(chainCases())('of $n hinges, springs: $springs, $start, gain at most 5 % of the energy they can lose', (one) => {
    const row = stabilityRun(one, { seconds: seconds[one.n] })
    expect(row.steps).toBe(row.asked)
    expect(row.gain).toBeLessThan(MOST)
  })

  it('of 30, 100 and 300 hinges with joint damping 1 gain at most 5 % too', () => {
    for (const n of [30, 100, 300]) {
      const row = stabilityRun({ n, springs: 'yes', start: 'coiled' }, { seconds: 1.5, friction: 1 })
      expect(row.steps).toBe(row.asked)
      expect(row.gain).toBeLessThan(MOST)
    }
  })

  it('are hard: eq. 2.13 itself gains energy or breaks', () => {
    const row = stabilityRun({ n: 100, springs: 'no', start: 'hanging' }, { seconds: 4, solver: { scheme: 'linear' } })
    expect(row.steps < row.asked || row.gain > MOST).toBe(true)
  })
})
