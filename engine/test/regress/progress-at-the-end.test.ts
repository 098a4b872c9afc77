/**
 * When the last step was shortened, progress was not told of it: a bar stopped short of the end.
 */
import { buildModel, createSimulation } from 'limber'
import { expect, it } from 'vitest'

it('progress reaches the end of a run whose last step is shortened', () => {
  const model = buildModel({ bodies: [{ name: 'a', inertia: { mass: 1 }, joints: [{ type: 'prismatic' }] }] })
  let last = 0
  createSimulation(model, { timestep: 0.1 }).advance(0.25, (done) => {
    last = done
    return undefined
  })
  expect(last).toBeCloseTo(0.25, 14)
})
