import { describe, expect, it } from 'vitest'
import { hintAt, suggest } from './problems.js'

describe('suggest', () => {
  it.each([
    ['positon', ['pos', 'position'], 'position'],
    ['position', ['name', 'pos', 'quat'], 'pos'],
    ['col', ['name', 'rgba', 'color'], 'color'],
    ['Mass', ['mass', 'maxx'], 'mass'],
    ['kne', ['hip', 'knee'], 'knee'],
  ])('finds what %s was meant to be', (name, known, best) => {
    expect(suggest(name, known)).toBe(`; did you mean '${best}'?`)
  })

  it('offers nothing where nothing is near', () => {
    expect(suggest('radius', ['zaxis', 'size', 'mass'])).toBe('')
    expect(suggest('x', ['y', 'z'])).toBe('')
  })

  it('lists what there is instead, where that is asked for', () => {
    expect(hintAt('radius', ['size', 'mass'])).toBe("; there are 'size', 'mass'")
    expect(hintAt('radius', [])).toBe('; the model has none')
  })
})
