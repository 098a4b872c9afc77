/** Ellipsoids of a medium: the medium that moves along with known ones, and what has none. */
import { describe, expect, test } from 'vitest'
import { ELLIPSOID_SIZE } from '../forces/ellipsoid-drag.js'
import { buildModel } from './build-model.js'
import type { GeomSpec, Spec } from './spec.js'

const fluid = [0.5, 0.25, 1.5, 1, 1] as const
const swimmer = (...geoms: GeomSpec[]): Spec => ({
  medium: { density: 1000 },
  bodies: [{ name: 'swimmer', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, geoms, joints: [{ type: 'free' }] }],
})
/** M and J of the first ellipsoid, by its volume */
function added(...radii: [number, number, number]): number[] {
  const { numbers } = buildModel(swimmer({ shape: 'ellipsoid', radii, fluid })).medium.ellipsoids
  const volume = (4 / 3) * Math.PI * radii[0] * radii[1] * radii[2]
  return [...numbers.slice(8, ELLIPSOID_SIZE)].map((x) => x / volume)
}

describe('the medium that moves along', () => {
  test('with a sphere is half of what it takes the place of, and does not turn', () => {
    const [x, y, z, ...J] = added(0.3, 0.3, 0.3)
    for (const M of [x, y, z]) expect(M).toBeCloseTo(0.5, 5)
    for (const turn of J) expect(turn).toBeCloseTo(0, 12)
  })

  test('with a long body is all of it across, as with a cylinder, and little along', () => {
    const [x, y, z] = added(0.01, 0.01, 1)
    expect(x).toBeCloseTo(1, 2)
    // but for the order of products
    expect(y).toBeCloseTo(x, 14)
    expect(z).toBeLessThan(0.01)
  })
})

test('a body with ellipsoids has no box, and one without mass has neither', () => {
  const { boxes, ellipsoids } = buildModel(swimmer({ shape: 'sphere', radius: 0.1, fluid }, { shape: 'sphere', radius: 0.2 })).medium
  expect(ellipsoids.count).toBe(1)
  expect(boxes.every((x) => x === 0)).toBe(true)
  const light: Spec = { bodies: [{ name: 'shadow', geoms: [{ shape: 'sphere', radius: 0.1, mass: 0, fluid }] }] }
  expect(buildModel(light).medium.ellipsoids.count).toBe(0)
})

test('a shape without half axes is refused, with its place', () => {
  expect(() => buildModel(swimmer({ shape: 'plane', fluid }))).toThrow('bodies/0/geoms/0/fluid: expected a sphere, capsule')
})
