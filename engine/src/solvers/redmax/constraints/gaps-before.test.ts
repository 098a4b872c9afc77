/** Rows of a linearised step at a pose ahead: their gaps are those before the motion that led there. */
import { buildModel, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { integrate } from '../../../joints/index.js'
import { createState } from '../../../model/state.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import { createLinearised } from '../linearised/linearised-record.js'
import { createWork } from '../work.js'
import { findLinearised } from './find-rows.js'

const H = 0.01
const ROUNDING = 1e-13

/** Slides in all directions, so that gaps are linear, with limits, one of a tendon, over a plane; `links` more make the tree too large for a matrix of entries. */
function slides(links: number): Spec {
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const
  return {
    world: { geoms: [{ shape: 'plane' }] },
    bodies: Array.from({ length: 1 + links }, (_, n) => ({
      name: `b${n}`,
      ...(n === 0 ? { position: [0, 0, 0.1003] as const } : { parent: `b${n - 1}`, position: [0.3, 0, 0] as const }),
      joints: axes.map((axis, k) => ({ name: `j${n}${k}`, type: 'prismatic' as const, axis, limits: [-0.01, 0.02] as const })),
      geoms: [{ shape: 'sphere' as const, radius: 0.1, density: 1000 }],
    })),
    tendons: [
      {
        path: [
          { body: 'world', point: [0, 0, -1] },
          { body: 'b0', point: [0, 0, 0] },
        ],
        limits: [0, 1.11],
      },
    ],
  }
}

describe('rows of a linearised step ahead', () => {
  it.each([
    ['by entries', 0],
    ['as a recursion', 31],
  ])('have the gaps of its start, with the matrix %s', (form, links) => {
    const model = buildModel(slides(links))
    const l = createLinearised(
      model,
      { scheme: 'second-order', linear: 'auto', tolerance: 1e-6, contact: true },
      [],
      createWork(model, 0),
      0,
    )
    const { constraints: c, data, clock } = l
    if (!c) throw new Error('nothing is constrained')
    expect(c.convex.entries === undefined).toBe(form === 'as a recursion')
    const state = createState(model)
    // along the tendon, whose rate is then linear too
    state.v.forEach((_, k) => (state.v[k] = k < 2 ? 0 : 0.1 * Math.sin(k)))
    clock.set([H, H])
    const gaps = (q: Float64Array, ahead: boolean): number[][] => {
      forwardKinematics(model, data, q, state.v)
      findLinearised(c, q, state.v, clock, ahead)
      const { limits, contacts } = c.unilateral
      return [[...limits.g.subarray(0, limits.count)], [...contacts.gap.subarray(0, contacts.count)]]
    }
    const [limits, contacts] = gaps(state.q, false)
    expect(limits.length).toBe(6 * (links + 1) + 1)
    expect(contacts.length).toBeGreaterThan(links)
    const q = state.q.slice()
    integrate(model, q, state.v, H)
    const [ahead, touching] = gaps(q, true)
    expect(ahead.length).toBe(limits.length)
    expect(touching.length).toBe(contacts.length)
    const off = (a: readonly number[], b: readonly number[]): number => Math.max(...a.map((x, k) => Math.abs(x - b[k])))
    expect(off(ahead, limits)).toBeLessThan(ROUNDING)
    expect(off(touching, contacts)).toBeLessThan(ROUNDING)
    // without, they are those of the pose
    expect(off(gaps(q, false)[1], contacts)).toBeGreaterThan(1e-4)
  })
})
