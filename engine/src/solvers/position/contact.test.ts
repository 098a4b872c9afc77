import { buildModel, createSimulation, type Model, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const K = 2000
const MU = 0.4
const MASS = 2
const G = 9.81

/** A ball that may slide along x and z without turning, on level ground. */
function slider(extra: Partial<NonNullable<Spec['contact']>> = {}): Model {
  return buildModel({
    gravity: [0, 0, -G],
    bodies: [
      {
        name: 'ball',
        joints: [
          { type: 'prismatic', axis: [1, 0, 0] },
          { type: 'prismatic', axis: [0, 0, 1], initial: 0.1 - (MASS * G) / K },
        ],
        geoms: [{ shape: 'sphere', radius: 0.1, mass: MASS }],
      },
    ],
    world: { geoms: [{ shape: 'plane' }] },
    contact: { stiffness: K, friction: MU, slip: 1e-3, ...extra },
  })
}

describe.each([0.01, 0.05])('lagged contact of order 2 at %d s', (h) => {
  it('carries the weight at the depth weight/stiffness', () => {
    const simulation = createSimulation(slider(), { solver: 'position', timestep: h })
    simulation.step(40)
    expect(simulation.state.q[1]).toBeCloseTo(0.1 - (MASS * G) / K, 9)
  })

  it('slows a slide down by the coefficient of friction times gravity, whatever the step', () => {
    const simulation = createSimulation(slider(), { solver: 'position', timestep: h })
    simulation.reset({ v: Float64Array.of(3, 0) })
    simulation.step(Math.round(0.5 / h))
    expect(simulation.state.v[0]).toBeCloseTo(3 - MU * G * 0.5, 6)
  })

  it('does not lift what slides: the printed form, with the depth of the end, would', () => {
    const simulation = createSimulation(slider(), { solver: 'position', timestep: h })
    simulation.reset({ v: Float64Array.of(30, 0) })
    simulation.step(10)
    expect(simulation.state.q[1]).toBeCloseTo(0.1 - (MASS * G) / K, 9)
  })

  it('stops a slide, and only creeps below the slip velocity', () => {
    const simulation = createSimulation(slider(), { solver: 'position', timestep: h })
    simulation.reset({ v: Float64Array.of(1, 0) })
    simulation.step(Math.round(1 / h))
    const at = simulation.state.q[0]
    simulation.step(Math.round(1 / h))
    expect(simulation.state.q[0] - at).toBeLessThan(1e-3)
    expect(at).toBeGreaterThan(0.5 / (MU * G) / 2)
  })

  it('never rises above its start, and keeps its speed to 1e-9 m/s', () => {
    const simulation = createSimulation(slider({ friction: 0 }), { solver: 'position', timestep: h })
    simulation.reset({ q: Float64Array.of(0, 0.5), v: Float64Array.of(1, 0) })
    let highest = 0.5
    for (let k = 0; k < 200; k++) {
      simulation.step()
      highest = Math.max(highest, simulation.state.q[1])
    }
    expect(highest).toBeLessThanOrEqual(0.5)
    expect(simulation.state.v[0]).toBeCloseTo(1, 9)
  })
})
