import { describe, expect, it } from 'vitest'
import { hint, nearest } from './suggest.js'

describe('nearest', () => {
  it.each([
    ['chian', 'chain'],
    ['humaniod', 'humanoid'],
    ['hum', 'humanoid'],
    ['CHAIN', 'chain'],
  ])('takes %s for %s', (given, meant) => {
    expect(nearest(given, ['chain', 'humanoid', 'double-pendulum'])).toBe(meant)
  })

  it('suggests nothing for something else', () => {
    expect(nearest('excavator', ['chain', 'humanoid'])).toBeUndefined()
    expect(hint('excavator', ['chain'])).toBe('; known: chain')
    expect(hint('7', ['2', '3', 'radau'])).toBe('; known: 2, 3, radau')
    expect(hint('chian', ['chain'])).toBe('; did you mean chain? Known: chain')
  })
})
