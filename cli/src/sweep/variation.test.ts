import { ModelError } from 'limber'
import { describe, expect, it } from 'vitest'
import { parseVariation } from './variation.js'

const valuesOf = (text: string): unknown => {
  const variation = parseVariation(text, false)
  return 'values' in variation ? variation.values : variation
}

function problemOf(text: string, random = false): string {
  try {
    parseVariation(text, random)
  } catch (error) {
    if (error instanceof ModelError) return error.message
    throw error
  }
  return ''
}

describe('parseVariation', () => {
  it('reads lists of numbers, words and truth values', () => {
    expect(valuesOf('method=rk4,gear')).toEqual(['rk4', 'gear'])
    expect(valuesOf('q.knee=-1,0.5,2e-3')).toEqual([-1, 0.5, 0.002])
    expect(valuesOf('x=true,7')).toEqual([true, 7])
  })

  it('spaces values evenly, both ends and whole numbers exact', () => {
    expect(valuesOf('links=10:100:10')).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    expect(valuesOf('x=1:-1:5')).toEqual([1, 0.5, 0, -0.5, -1])
    expect(valuesOf('x=0.1:0.3:3')).toEqual([0.1, 0.2, 0.3])
    expect(valuesOf('x=3:9:1')).toEqual([3])
  })

  it('spaces values over the logarithm, both ends exact', () => {
    const values = valuesOf('x=1e-4:1e-1:4:log') as number[]
    expect([values[0], values[3]]).toEqual([1e-4, 1e-1])
    expect(values[1]).toBeCloseTo(1e-3, 15)
    expect(values[2]).toBeCloseTo(1e-2, 14)
    expect((valuesOf('x=-1:-100:3:log') as number[])[1]).toBeCloseTo(-10, 12)
  })

  it('has one zero, since a sweep is told apart by its values as JSON', () => {
    expect(Object.is((valuesOf('x=-0,1') as number[])[0], 0)).toBe(true)
    expect(Object.is((valuesOf('x=-0:1:2') as number[])[0], 0)).toBe(true)
  })

  it('takes a range without a number of values for random samples only', () => {
    expect(parseVariation('x=1:2', true)).toEqual({ key: 'x', from: 1, to: 2, log: false, whole: false })
    expect(parseVariation('x=1:2:log', true)).toMatchObject({ log: true })
    expect(problemOf('x=1:2')).toBe('--vary x=1:2: expected how many values between 1 and 2: x=1:2:10, or --random N')
  })

  it.each([
    ['x', 'expected key=a:b:n or key=v1,v2,v3'],
    ['=1', 'expected key=a:b:n or key=v1,v2,v3'],
    ['x=1,,2', 'expected a value before and after every comma'],
    ['x=', 'expected a value before and after every comma'],
    ['x=a:b:3', 'expected two numbers'],
    ['x=1:2:3:4', 'expected two numbers'],
    ['x=1::3', 'expected two numbers'],
    ['x=1:2:2.5', 'expected a whole number of values from 1 to 1000000, got 2.5'],
    ['x=1:2:0', 'expected a whole number of values'],
    ['x=0:1:3:log', 'expected two numbers above zero'],
    ['x=-1:1:3:log', 'expected two numbers above zero'],
  ])('refuses %s', (text, message) => {
    expect(problemOf(text)).toContain(message)
  })
})
