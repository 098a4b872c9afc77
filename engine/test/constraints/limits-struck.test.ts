/**
 * Joint limits that are struck: held to rounding at any speed, without a rebound, in every scheme.
 */
import { buildModel, createData, createSimulation, energy } from 'limber'
import { describe, expect, it } from 'vitest'

const rod = { mass: 1, com: [0.5, 0, 0], tensor: [0.01, 0.1, 0.1, 0, 0, 0] } as const
const arm = (name: string, limit: number, more: object = {}) => ({
  name,
  inertia: rod,
  joints: [{ name, type: 'revolute' as const, axis: [0, 1, 0] as const, limits: [-limit, limit] as const }],
  ...more,
})

describe.each(['linear', 'second-order', 'auto'])('joint limits, scheme %s', (scheme) => {
  it.each([5, 20, 100])('stop an arm of %i rad/s where they are', (speed) => {
    const sim = createSimulation(buildModel({ gravity: [0, 0, 0], bodies: [arm('a', 0.5)] }), { solver: 'redmax', scheme, timestep: 0.005 })
    sim.reset({ v: Float64Array.of(speed) })
    for (let k = 0; k < 100; k++) {
      expect(sim.step().message).toBe('')
      expect(sim.state.q[0]).toBeLessThan(0.5 + 1e-9)
    }
    expect(sim.state.q[0]).toBeCloseTo(0.5, 9)
    expect(Math.abs(sim.state.v[0])).toBeLessThan(1e-9)
  })

  it('hold a chain that is thrown about to 1e-6 rad, and give it at most 3 % of its energy', () => {
    const links = [0, 1, 2, 3].map((k) => arm(`b${k}`, 0.6, k > 0 ? { parent: `b${k - 1}`, position: [1, 0, 0] } : {}))
    const model = buildModel({ bodies: links })
    const data = createData(model)
    const sim = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.01 })
    sim.reset({ v: Float64Array.of(3, -8, 10, 5) })
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, sim.state)
      return kinetic + potential
    }
    const start = total()
    // what it could gain by falling is 4 · 9.81 · 2
    const room = 0.03 * (Math.abs(start) + 4 * 9.81 * 2)
    for (let k = 0; k < 500; k++) {
      expect(sim.step().message).toBe('')
      for (const q of sim.state.q) expect(Math.abs(q)).toBeLessThan(0.6 + 1e-6)
      expect(total()).toBeLessThan(start + room)
    }
  })
})
