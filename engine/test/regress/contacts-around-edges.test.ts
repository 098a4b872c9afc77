/**
 * Steps of one of the random mechanisms fell apart into thousands of parts: the points of contact of its ellipsoids ran around their edges, so that no
 * correction shrank what was left, however short the part.
 */
import { buildModel, createSimulation } from 'limber'
import { expect, it } from 'vitest'
import { contactMechanism } from '../contact/random/mechanism.js'

it('a step with points of contact that run around edges takes few evaluations', () => {
  const { spec, servos, velocity } = contactMechanism(3)
  const model = buildModel(spec)
  const simulation = createSimulation(model, { solver: 'redmax', timestep: 0.002 })
  simulation.reset({ v: velocity(model.nv), control: Float64Array.from(servos, ({ target }) => target) })
  let most = 0
  for (let k = 0; k < 300; k++) {
    const { evaluations } = simulation.report
    expect(simulation.step().message).toBe('')
    most = Math.max(most, simulation.report.evaluations - evaluations)
  }
  // there were 20,000
  expect(most).toBeLessThan(1000)
  expect(simulation.report.bounded).toBeUndefined()
})
