/** The builder reads each shape a fixed number of times, however many there are: twice the shapes, twice the reads. */
import { buildModel, type GeomSpec } from 'limber'
import { expect, it } from 'vitest'

/** Reads of what kind of shape they are while n spheres without a name are built, on the world or on a body. */
function reads(n: number, on: 'world' | 'body', contact: boolean): number {
  let count = 0
  const geom = (): GeomSpec => {
    const sphere = { radius: 0.1, mass: 1 } as GeomSpec
    return Object.defineProperty(sphere, 'shape', {
      enumerable: true,
      get() {
        count++
        return 'sphere'
      },
    })
  }
  const geoms = Array.from({ length: n }, geom)
  buildModel({
    ...(on === 'world' ? { world: { geoms } } : {}),
    bodies: [
      {
        name: 'b',
        joints: [{ name: 'j', type: 'free' }],
        inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
        ...(on === 'body' ? { geoms } : {}),
      },
    ],
    ...(contact ? { contact: { stiffness: 1e4 } } : {}),
  })
  return count
}

it.each([
  ['world', false],
  ['body', false],
  ['world', true],
  ['body', true],
] as const)('shapes without a name on the %s, contact as a penalty %s', (on, contact) => {
  expect(reads(400, on, contact)).toBeLessThanOrEqual(2 * reads(200, on, contact))
})
