import { describe, expect, it } from 'vitest'
import { contactAt, contactSize } from '../view/view-protocol.js'
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

  it('writes point, normal, force, gap and patch in a row', () => {
    expect([...packContacts([contact, contact])]).toEqual([1, 2, 3, 0, 0, 1, 4, 5, 6, -0.1, 0, 1, 2, 3, 0, 0, 1, 4, 5, 6, -0.1, 0])
  })

  it('puts the points of one pair of shapes beside each other, and those that face elsewhere into another patch', () => {
    const other = { ...contact, shapeB: 'cube' }
    const wall = { ...contact, normal: [1, 0, 0] } as const
    const tilted = { ...contact, gap: 7, normal: [0.1, 0, 0.995] } as const
    const list = packContacts([contact, other, wall, tilted])
    const column = (at: number) => Array.from({ length: 4 }, (_, k) => list[contactSize * k + at])
    expect(column(contactAt.patch)).toEqual([0, 0, 1, 2])
    expect(column(contactAt.gap)).toEqual([-0.1, 7, -0.1, -0.1])
    expect(column(contactAt.normal)).toEqual([0, 0.1, 0, 1])
  })
})
