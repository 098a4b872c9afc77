import { describe, expect, it } from 'vitest'
import { buildModel } from '../build/build-model.js'
import type { BodySpec } from '../build/spec.js'
import { createOverlapNotes, overlapNotes } from './overlaps.js'

const ball = (name: string, x: number): BodySpec => ({
  name,
  position: [x, 0, 0],
  joints: [{ type: 'free' }],
  geoms: [{ shape: 'sphere', radius: 0.1, density: 1000 }],
})

describe('overlapNotes', () => {
  it('names the deepest pair and counts the others', () => {
    const m = buildModel({ bodies: [ball('a', 0), ball('b', 0.15), ball('c', 0.33), ball('d', 0.5)] })
    const [note, ...more] = overlapNotes(m, m.q0)
    expect(more).toEqual([])
    expect(note).toContain("sphere 1 of body 'a' and sphere 1 of body 'b' overlap by 50 mm at the start, as 2 other pairs do:")
  })

  it('says nothing of what touches, is excluded or is apart', () => {
    const touching = buildModel({ bodies: [ball('a', 0), ball('b', 0.1999)] })
    const excluded = buildModel({ bodies: [ball('a', 0), ball('b', 0.1)], exclude: [['a', 'b']] })
    for (const m of [touching, excluded]) expect(overlapNotes(m, m.q0)).toEqual([])
  })
})

describe('createOverlapNotes', () => {
  it('is about the pose that was marked last, before that about the present one, and empty where nothing touches', () => {
    const m = buildModel({ bodies: [ball('a', 0), ball('b', 0.15)] })
    const notes = createOverlapNotes(m, true)
    expect(notes.list(m.q0)).toEqual(overlapNotes(m, m.q0))
    const q = m.q0.slice()
    notes.start(q)
    // the run goes on before warnings are read
    q[0] = 5
    expect(notes.list(q)).toEqual(overlapNotes(m, m.q0))
    expect(notes.list(q)[0]).toContain('50 mm')
    notes.start(q)
    expect(notes.list(q)).toEqual([])
    const apart = createOverlapNotes(m, false)
    apart.start(m.q0)
    expect(apart.list(m.q0)).toEqual([])
  })
})
