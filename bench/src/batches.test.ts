import { describe, expect, it } from 'vitest'
import { type BatchRow, judgeBatches } from './batches.js'

const row = (name: string, threads: number, more: Partial<BatchRow>): BatchRow => ({
  ...{ name, threads, perSecond: 1, processor: { minimum: 1, median: 1 }, wall: { minimum: 1, median: 1 } },
  ...more,
})

describe('judgeBatches', () => {
  it('holds each precision on one core against MuJoCo, and two threads against one', () => {
    const verdicts = judgeBatches([
      row('f64', 1, { faster: 4 }),
      row('f32', 1, { faster: 4.9 }),
      row('f32 fused', 1, { faster: 1 }),
      row('f64', 2, { faster: 4, scaling: { free: 1.9, wall: 1 } }),
      row('f32', 2, { faster: 5, scaling: { free: 1.7, wall: 1.9 } }),
      row('mujoco', 1, {}),
    ])
    expect(verdicts.map(({ measured, limit, holds }) => [measured, limit, holds])).toEqual([
      [4, 3, true],
      [4.9, 5, false],
      [1.9, 1.8, true],
      [1.7, 1.8, false],
    ])
  })

  it('says nothing of ratios without a rival', () => {
    expect(judgeBatches([row('f64', 1, {}), row('f32', 1, {})])).toEqual([])
  })
})
