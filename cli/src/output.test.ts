import { describe, expect, it } from 'vitest'
import { short, stringify, table } from './output.js'

describe('stringify', () => {
  it('writes JSON that reads back to the same values', () => {
    const value = { name: 'a "b"\n[ 1,  2 ]', list: [1, -2.5e-300, 0.1], nested: [{ x: null }, []], empty: {}, flag: true }
    expect(JSON.parse(stringify(value))).toEqual(value)
  })

  it('writes typed arrays as lists on one line', () => {
    expect(stringify({ q: Float64Array.of(1, 0.5) })).toBe('{\n  "q": [1, 0.5]\n}')
  })

  it('never turns a number into null', () => {
    expect(JSON.parse(stringify([Number.NaN, Infinity, Float64Array.of(-Infinity)]))).toEqual(['NaN', 'Infinity', ['-Infinity']])
  })

  it('leaves out what is undefined, as JSON does', () => {
    expect(JSON.parse(stringify({ a: undefined, b: 1 }))).toEqual({ b: 1 })
  })
})

describe('short', () => {
  it('keeps six digits, and writes exponents where there would be many zeros', () => {
    expect([1 / 60, 0, 123456789, -1.57878e18, 2e9].map(short)).toEqual(['0.0166667', '0', '123457000', '-1.57878e18', '2e9'])
  })
})

describe('table', () => {
  it('aligns text left and numbers right', () => {
    expect(
      table([
        ['name', 'n'],
        ['a', 10],
        ['long name', 2],
      ]),
    ).toEqual(['name        n', 'a          10', 'long name   2'])
  })
})
