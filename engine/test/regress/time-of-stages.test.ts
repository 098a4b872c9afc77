/**
 * Runge–Kutta evaluated every stage at the time of the step's start: a force that depends on time was met with first order only.
 */
import { buildModel, createSimulation, type Force } from 'limber'
import { describe, expect, it } from 'vitest'

describe('a force that depends on time', () => {
  it('is integrated with fourth order by rk4', () => {
    const push: Force = {
      name: 'push',
      apply(_m, d, { t }) {
        d.qf[0] += Math.cos(3 * t)
      },
    }
    const spec = { gravity: [0, 0, 0], bodies: [{ name: 'a', inertia: { mass: 1 }, joints: [{ type: 'prismatic' }] }] } as const
    const model = buildModel(spec)
    const error = (h: number): number => {
      const simulation = createSimulation(model, { solver: 'ode', method: 'rk4', timestep: h, forces: [push] })
      simulation.step(Math.round(2 / h))
      return Math.abs(simulation.state.v[0] - Math.sin(6) / 3) + Math.abs(simulation.state.q[0] - (1 - Math.cos(6)) / 9)
    }
    expect(Math.log2(error(0.1) / error(0.05))).toBeGreaterThan(3.8)
  })
})
