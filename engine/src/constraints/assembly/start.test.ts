import { describe, expect, it } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import type { Spec } from '../../build/spec.js'
import { createState } from '../../model/state.js'
import { assemble } from './assemble.js'
import { prepareStart } from './start.js'

type Range = readonly [number, number]

/**
 * A light slide that a gear ties to a heavy one. Moved to its limit, the light one is pulled back by the gear by all but 1/16 of the way, so
 * that rounds which end at the limit get there with (15/16)ⁿ.
 */
function gearedSlides(light: Range, heavy: Range): Spec {
  const slide = (name: string, mass: number, limits: Range): Spec['bodies'][number] => ({
    name,
    inertia: { mass, com: [0, 0, 0], tensor: [1, 1, 1, 0, 0, 0] },
    joints: [{ name, type: 'prismatic', limits }],
  })
  return {
    bodies: [slide('light', 1, light), slide('heavy', 15, heavy)],
    constraints: [{ type: 'coupling', name: 'gear', joint: 'light', of: 'heavy', polynomial: [0, 1] }],
  }
}

describe('a start inside limits and on constraints', () => {
  it('is found where rounds that end at the limit would close in too slowly', () => {
    const model = buildModel(gearedSlides([1, 2], [-5, 5]))
    const state = createState(model)
    const { refusal, notes } = prepareStart(model, state, { exact: true })
    expect(refusal).toBe('')
    expect(notes.join()).toContain("'light'")
    expect(assemble(model, state.q.slice()).before).toBeLessThan(1e-9)
    expect(state.q[0]).toBeGreaterThanOrEqual(1 - 1e-9)
    expect(state.q[0]).toBeLessThanOrEqual(1.5)
  })

  it('is found with a limit on one side only', () => {
    for (const range of [
      [1, Number.POSITIVE_INFINITY],
      [Number.NEGATIVE_INFINITY, -1],
    ] as const) {
      const model = buildModel(gearedSlides(range, [-5, 5]))
      const state = createState(model)
      expect(prepareStart(model, state, { exact: true }).refusal).toBe('')
      expect(Math.abs(state.q[0])).toBeGreaterThanOrEqual(1 - 1e-9)
    }
  })

  it('is refused, with the nearest pose of all rounds, where limits and constraints exclude each other', () => {
    const model = buildModel(gearedSlides([1, 2], [-5, 0.5]))
    const state = createState(model)
    const { refusal } = prepareStart(model, state, { exact: true })
    expect(refusal).toContain('exclude each other')
    const missed = Number(/joint 'light' by ([\d.e-]+)/.exec(refusal)?.[1])
    expect(missed).toBeLessThan(0.5)
    expect([...state.q]).toEqual([0, 0])
  })
})
