import { describe, expect, it } from 'vitest'
import { changedGroups, packContacts } from './seen.js'

describe('changedGroups', () => {
  const of = Int32Array.of(-1, 0, 1)

  it('is silent while a solver reports none, as all of today do', () => {
    expect(changedGroups(undefined, {})).toBeUndefined()
  })

  it('gives copies, by name, when groups appear, change and go', () => {
    const first = changedGroups([{ name: 'domains', of }], {})
    expect(first).toEqual({ domains: of })
    // the solver rewrites its own array in place
    expect(first?.['domains']).not.toBe(of)
    expect(changedGroups([{ name: 'domains', of }], { domains: of.slice() })).toBeUndefined()
    expect(changedGroups([{ name: 'domains', of: Int32Array.of(-1, 1, 1) }], { domains: of })).toEqual({ domains: Int32Array.of(-1, 1, 1) })
    expect(changedGroups([{ name: 'parts', of }], { domains: of })).toEqual({ parts: of })
    expect(changedGroups([], { domains: of })).toEqual({})
  })
})

describe('packContacts', () => {
  it('writes point, normal, force and gap in a row', () => {
    const contact = {
      bodyA: 0,
      bodyB: 1,
      shapeA: 'floor',
      shapeB: 'ball',
      point: [1, 2, 3],
      normal: [0, 0, 1],
      force: [4, 5, 6],
      gap: -0.1,
    } as const
    expect([...packContacts([contact, contact])]).toEqual([1, 2, 3, 0, 0, 1, 4, 5, 6, -0.1, 1, 2, 3, 0, 0, 1, 4, 5, 6, -0.1])
  })
})
