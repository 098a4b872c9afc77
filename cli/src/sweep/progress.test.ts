import { describe, expect, it } from 'vitest'
import { describeProgress, duration } from './progress.js'

describe('progress', () => {
  it('says how many are done, how many failed, how fast and how long', () => {
    expect(describeProgress(37, 2, 100, 12.345)).toBe('37 of 100 jobs, 2 failed, 12.3 a second, 6 s left')
    expect(describeProgress(0, 0, 100, 0)).toBe('0 of 100 jobs')
  })

  it.each([
    [0.2, '1 s'],
    [99, '99 s'],
    [600, '10 min'],
    [9000, '2 h 30 min'],
  ])('says %d seconds as %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text)
  })
})
