import { createSimulation, difference, type Model, type State } from 'limber'
import { describe, expect, it } from 'vitest'
import { mechanisms } from '../../../test/conformance/mechanisms.js'
import { position } from './position.js'

function distance(model: Model, a: State, b: State): number {
  const x = new Float64Array(model.nv)
  difference(model, x, a.q, b.q)
  return Math.hypot(...x, ...a.v.map((value, k) => value - b.v[k]))
}

describe.each(mechanisms())('$name', ({ model, v }) => {
  const T = 0.5
  const reference = createSimulation(model, { solver: 'ode', method: 'rk4', timestep: T / 4096 })
  reference.reset({ v })
  reference.step(4096)
  const error = (order: string, n: number, uneven = false): number => {
    const simulation = createSimulation(model, { solver: position, timestep: T / n, order, tolerance: 1e-13 })
    simulation.reset({ v })
    if (!uneven) simulation.step(n)
    else
      for (let k = 0; k < n / 2; k++) {
        simulation.timestep = (0.5 * T) / n
        simulation.step()
        simulation.timestep = (1.5 * T) / n
        simulation.step()
      }
    expect(simulation.report.status).toBe('ok')
    expect(simulation.state.t).toBeCloseTo(T, 10)
    return distance(model, simulation.state, reference.state)
  }

  it.each([
    ['2', 1, 512],
    ['3', 2, 128],
    ['4', 3, 64],
    ['5', 4, 32],
    ['radau', 3, 64],
  ] as const)('order %s has accuracy %i', (order, accuracy, n) => {
    const [coarse, fine] = [error(order, n), error(order, 2 * n)]
    const found = Math.log2(coarse / fine)
    expect(found).toBeGreaterThan(accuracy - 0.3)
    expect(found).toBeLessThan(accuracy + 0.6)
  })

  it.each([
    ['2', 1, 512],
    ['3', 1.5, 128],
    ['radau', 3, 64],
  ] as const)('order %s converges when every step has another size', (order, accuracy, n) => {
    const found = Math.log2(error(order, n, true) / error(order, 2 * n, true))
    expect(found).toBeGreaterThan(accuracy - 0.3)
  })
})
