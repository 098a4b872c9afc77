/**
 * A point mass on a slanted axis left a pivot of 1e-17 instead of zero, and the builder took it for an inertia: accelerations of 1e17.
 */
import { buildModel } from 'limber'
import { expect, it } from 'vitest'

it('a mass that its joint does not feel is refused also where rounding hides it', () => {
  const point = [0.3, -0.2, 0.7] as const
  const joints = [{ type: 'revolute', axis: [1, 2, -0.5], anchor: point }] as const
  expect(() => buildModel({ bodies: [{ name: 'a', inertia: { mass: 2, com: point }, joints }] })).toThrow(
    "expected an inertia about joint 'a' of body 'a', got none",
  )
})
