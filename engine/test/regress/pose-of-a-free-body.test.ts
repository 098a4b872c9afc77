/**
 * A free body whose position had too many numbers ran over the end of the coordinates: a RangeError of the runtime, without a place.
 */
import { buildModel, ModelError, type Spec } from 'limber'
import { expect, it } from 'vitest'

it('a free body with a malformed pose is a ModelError that names it', () => {
  const spec = { bodies: [{ name: 'a', inertia: { mass: 1 }, position: [0, 0, 0, 0], joints: [{ type: 'free', armature: 1 }] }] }
  const build = () => buildModel(spec as unknown as Spec)
  expect(build).toThrow(ModelError)
  expect(build).toThrow('bodies/0/position: expected 3 numbers, got 4')
})
