/** Which shapes may meet is found without looking at all pairs of shapes of a body. */
import { expect, it } from 'vitest'
import { buildModel } from '../build/build-model.js'
import type { Model } from '../model/model.js'
import { meetingPairs } from './reach.js'

const COUNT = 2000

/** A body of many spheres, and another one that may meet them. */
const model = (distance: number): Model =>
  buildModel({
    bodies: [
      {
        name: 'cluster',
        joints: [{ type: 'revolute' }],
        geoms: Array.from({ length: COUNT }, () => ({ shape: 'sphere', radius: 0.1, mass: 1 })),
      },
      { name: 'other', position: [distance, 0, 0], joints: [{ type: 'revolute' }], geoms: [{ shape: 'sphere', radius: 0.1, mass: 1 }] },
    ],
  })

/** The model with masks that count how often they are read: once for each pair that is looked at. */
function counted(m: Model): { model: Model; reads: () => number } {
  let reads = 0
  const mask = new Proxy(m.shapes.mask, {
    get(target, key) {
      reads++
      return Reflect.get(target, key)
    },
  })
  return { model: { ...m, shapes: { ...m.shapes, mask } }, reads: () => reads }
}

it.each([
  [5, 0],
  [0.15, COUNT],
])('shapes of one body are passed over, with another body at %d m', (distance, pairs) => {
  const { model: m, reads } = counted(model(distance))
  expect(meetingPairs(m, () => true)).toHaveLength(pairs)
  expect(reads()).toBeLessThan(10 * COUNT)
})
