import { findScene } from 'limber-scenes'
import { describe, expect, it } from 'vitest'
import { decode, encode, sweepId } from './task.js'

describe('tasks as text', () => {
  it('keep every bit of every number', () => {
    const value = {
      a: [-0, 0, Number.NaN, Number.POSITIVE_INFINITY, 0.1 + 0.2, 5e-324],
      b: Float64Array.of(-0, 1 / 3),
      c: Int32Array.of(-7, 2 ** 30),
    }
    const back = decode(encode(value)) as typeof value
    expect(back).toEqual(value)
    expect(Object.is(back.a[0], -0)).toBe(true)
    expect(back.b).toBeInstanceOf(Float64Array)
  })

  it('keep arrays that are parts of others', () => {
    const part = Float64Array.of(1, 2, 3, 4).subarray(1, 3)
    expect(decode(encode({ part }))).toEqual({ part: Float64Array.of(2, 3) })
  })

  it.each(['humanoid', 'flower'])('keep the scene %s, meshes and domains included', (name) => {
    const spec = findScene(name)?.build({})
    expect(spec).toBeDefined()
    expect(decode(encode(spec))).toEqual(spec)
  })

  it('refuse what they do not know', () => {
    expect(() => encode({ a: new DataView(new ArrayBuffer(8)) })).toThrow('does not travel')
    expect(() => decode('{"$array":"Function","data":""}')).toThrow('does not travel')
  })

  it('give a sweep a number that follows its content', () => {
    const ensemble = { variations: [{ key: 'a', values: [1, 2] }] }
    expect(sweepId('x', ensemble)).toMatch(/^[0-9a-f]{16}$/)
    expect(sweepId('x', ensemble)).toBe(sweepId('x', structuredClone(ensemble)))
    expect(sweepId('x', ensemble)).not.toBe(sweepId('y', ensemble))
    expect(sweepId('x', ensemble)).not.toBe(sweepId('x', { ...ensemble, random: { count: 2, seed: 1 } }))
  })
})
