import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson } from './read-json.js'

describe('JSON without comments', () => {
  it('has the value and the places that it has with a comment, which goes another way', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = `${JSON.stringify(value, null, space)}\n`
        const plain = readJson(text, 'a.json')
        const other = readJson(`${text}// a comment`, 'a.json')
        expect(plain.value).toEqual(other.value)
        expect(plain.places).toEqual(other.places)
        expect(plain.problems).toEqual(other.problems)
        for (const path of Object.keys(plain.places)) expect(plain.locate(path.split('/'))).toEqual(other.locate(path.split('/')))
      }),
      { seed: 7, numRuns: 400 },
    )
  })

  it.each([
    ['a key given twice', '{ "a": { "b": 1,\n "b": 2 } }', 'a/b', 2],
    ['a key of every object', '{ "a": { "__proto__": 1 } }', 'a/__proto__', 1],
    ['a key that is too long', `{ "a":\n { "${'k'.repeat(100_000)}": [{}] } }`, 'a', 2],
  ])('still tells %s', (_, text, path, line) => {
    expect(readJson(text, undefined).problems).toMatchObject([{ path, place: { line } }])
  })

  it('is not read deeper than a scene can be', () => {
    expect(() => readJson(`${'['.repeat(101)}${']'.repeat(101)}`, undefined)).toThrow(/fewer nested brackets/)
    expect(readJson(`${'['.repeat(100)}${']'.repeat(100)}`, undefined).problems).toEqual([])
  })
})
