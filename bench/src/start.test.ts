import { describe, expect, it } from 'vitest'
import { judgeStart, type StartRow } from './start.js'

const row = (name: string, first: number, bar?: number): StartRow => ({
  ...{ name, limber: { first, step: 10, again: 0.1 } },
  ...(bar === undefined ? {} : { bar }),
})

describe('judgeStart', () => {
  it('holds the first simulation of a process against its bar, and says nothing where there is none', () => {
    const verdicts = judgeStart([row('cart-pole', 0.4, 1), row('quadruped', 5.1, 5), row('humanoid', 50)])
    expect(verdicts.map(({ measured, limit, holds }) => [measured, limit, holds])).toEqual([
      [0.4, 1, true],
      [5.1, 5, false],
    ])
  })
})
