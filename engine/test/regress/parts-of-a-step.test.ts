/**
 * A step that failed in its second half was begun again, in smaller parts, from the middle: time ran on beyond the step. And one that
 * failed in all parts left the state somewhere inside the step.
 */
import { buildModel, createSimulation, type Force } from 'limber'
import { describe, expect, it } from 'vitest'

/** A slide of mass one at speed one that meets syrup at q = 0.05: fast brakes for small steps, nonsense for large ones. */
function syrup(most: number) {
  const force: Force = {
    name: 'syrup',
    apply(_m, d, { q, v }) {
      if (v[0] < most) d.qf[0] = Number.NaN
      else if (q[0] > 0.05) d.qf[0] -= 30 * v[0]
    },
  }
  const spec = { gravity: [0, 0, 0], bodies: [{ name: 'a', inertia: { mass: 1 }, joints: [{ type: 'prismatic' }] }] } as const
  const simulation = createSimulation(buildModel(spec), { solver: 'ode', method: 'rk4', timestep: 0.16, forces: [force] })
  simulation.reset({ v: Float64Array.of(1) })
  return simulation
}

describe('a step made in parts', () => {
  it('covers just its own time when halves were not small enough', () => {
    const simulation = syrup(-0.5)
    const report = simulation.step()
    expect(report.status).toBe('ok')
    // one refusal of the whole, one of the second half
    expect(report.rejected).toBe(2)
    expect(simulation.state.t).toBeCloseTo(0.16, 14)
    expect(simulation.state.q[0]).toBeLessThan(0.16)
  })

  it('leaves the state as it was when no part was small enough', () => {
    const simulation = syrup(0.9)
    const report = simulation.step()
    expect(report.status).toBe('diverged')
    expect([simulation.state.t, simulation.state.q[0], simulation.state.v[0]]).toEqual([0, 0, 1])
  })
})
