import { describe, expect, it } from 'vitest'
import { candidates, judge, type TimingRow } from './forward-dynamics.js'

const row = (name: string, joints: number, ours: number, theirs?: number): TimingRow => ({
  name,
  joints,
  limber: { minimum: ours, median: ours },
  js: { minimum: 2 * ours, median: 2 * ours },
  ...(theirs === undefined ? {} : { mujoco: { minimum: theirs, median: theirs }, ratio: ours / theirs }),
})

describe('judge', () => {
  it('holds ratios against their limits, the longest chain against the strictest', () => {
    const verdicts = judge([row('chain 30', 30, 30, 100), row('humanoid', 27, 9, 10), row('chain 1000', 1000, 1000, 90_000)])
    expect(verdicts.map(({ measured, limit, holds }) => [measured.toFixed(4), limit, holds])).toEqual([
      ['0.3000', 0.4, true],
      ['0.9000', 0.4, false],
      ['0.0111', 0.01, false],
      ['1.0000', 1.3, true],
    ])
  })

  it('compares the time a joint over the chains, and says nothing of ratios without a rival', () => {
    const verdicts = judge([row('chain 10', 10, 99), row('chain 30', 30, 30), row('chain 300', 300, 450), row('tree 31', 31, 500)])
    expect(verdicts).toHaveLength(1)
    expect(verdicts[0]).toMatchObject({ measured: 1.5, holds: false })
  })
})

describe('candidates', () => {
  it('are the chains, trees and the humanoid of the claims; the quick ones are among them', () => {
    const names = candidates().map(({ name }) => name)
    expect(names).toEqual([...[10, 30, 100, 300, 1000].map((n) => `chain ${n}`), ...[31, 127, 1023].map((n) => `tree ${n}`), 'humanoid'])
    for (const { name } of candidates(true)) expect(names).toContain(name)
  })
})
