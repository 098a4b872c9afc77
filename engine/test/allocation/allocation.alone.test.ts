/**
 * Nothing is allocated once a call is warm: not by steps of any solver, not by the dynamics, contact, constraints and linear algebra below them,
 * not by messages between processors.
 */
import { adaptiveMethods } from 'limber'
import { scenes } from 'limber-scenes'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Measured } from './bytes-per-call.js'
import { caseLists } from './cases/index.js'
import { runProbe } from './run-probe.js'

type List = keyof typeof caseLists

/** one boxed number a call would be 12 to 16 */
const OWN = 2

const lists = Object.keys(caseLists) as List[]
let results: Readonly<Record<List, readonly Measured[]>>

beforeAll(async () => {
  results = await runProbe(lists)
}, 600_000)

describe.each(lists)('allocation, %s', (list) => {
  const expected = caseLists[list]().map(({ name }) => name)

  it('is measured: a call that makes one small object is seen as more than 10 bytes', () => {
    expect(results[list].find(({ name }) => name === 'control')?.bytesPerCall).toBeGreaterThan(10)
  })

  it(`is at most ${OWN} bytes a call in each of ${expected.length} cases`, () => {
    const measured = results[list].filter(({ name }) => name !== 'control')
    expect(measured.map(({ name }) => name)).toEqual(expected)
    expect(measured.filter(({ bytesPerCall }) => !(bytesPerCall <= OWN))).toEqual([])
  })
})

describe('the cases', () => {
  const names = (list: List): string[] => caseLists[list]().map(({ name }) => name)

  it('hold every scene, and every method that chooses its own steps', () => {
    expect(names('scenes')).toEqual(expect.arrayContaining(scenes.map(({ name }) => name)))
    for (const method of adaptiveMethods)
      expect(names('methods').filter((name) => new RegExp(`^ode ${method}[ ,]`).test(name))).toHaveLength(4)
  })

  it('are as many as were thought of', () => {
    const counts = Object.fromEntries(lists.map((list) => [list, names(list).length]))
    expect(counts).toMatchObject({
      position: 18,
      contact: 8,
      constraints: 8,
      deforming: 9,
      linalg: 8,
      domains: 6,
      batch: 10,
      links: 3,
      parallel: 4,
      processors: 2,
      handles: 3,
      wrapping: 5,
    })
    expect(counts.methods).toBeGreaterThan(10 + 4 * adaptiveMethods.length)
  })
})
