/**
 * Dry friction in joints: stick below the bound, Coulomb's force above it, in every scheme of RedMax; the other solvers say that they leave
 * it out.
 */
import { buildModel, createSimulation, parseMjcf, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const g = 10
/** A block of 2 kg that slides along x, pulled by the weight of a tilt. */
const block = (friction: number, pull: number): Spec => ({
  gravity: [pull / 2, 0, -g],
  bodies: [{ name: 'block', inertia: { mass: 2 }, joints: [{ name: 'slide', type: 'prismatic', axis: [1, 0, 0], friction }] }],
})
const schemes = ['linear', 'second-order', 'auto'] as const

describe('dry friction of a joint', () => {
  it.each(schemes)('holds what is pulled by less, scheme %s', (scheme) => {
    const sim = createSimulation(buildModel(block(5, 4.9)), { solver: 'redmax', scheme, timestep: 0.01 })
    sim.advance(5)
    expect(sim.report.message).toBe('')
    expect(Math.abs(sim.state.q[0])).toBeLessThan(1e-12)
  })

  it.each(schemes)('lets go what is pulled by more, with the difference, scheme %s', (scheme) => {
    const sim = createSimulation(buildModel(block(5, 9)), { solver: 'redmax', scheme, timestep: 0.001 })
    sim.advance(1)
    expect(sim.state.v[0]).toBeCloseTo((9 - 5) / 2, 3)
  })

  it.each(schemes)('stops a thrown block after v²/2a and keeps it there, scheme %s', (scheme) => {
    const sim = createSimulation(buildModel(block(5, 0)), { solver: 'redmax', scheme, timestep: 0.001 })
    sim.reset({ v: Float64Array.of(1) })
    sim.advance(2)
    expect(Math.abs(sim.state.v[0])).toBeLessThan(1e-12)
    expect(sim.state.q[0]).toBeCloseTo(1 / (2 * 2.5), 2)
    const rest = sim.state.q[0]
    sim.advance(1)
    expect(sim.state.q[0]).toBeCloseTo(rest, 12)
  })

  it('brakes a swinging arm of an MJCF file until it stands', () => {
    const spec = parseMjcf(
      `<mujoco><worldbody><body><joint name="j" type="hinge" axis="0 1 0" frictionloss="0.5"/>
        <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05" mass="1" contype="0" conaffinity="0"/></body></worldbody></mujoco>`,
    )
    const sim = createSimulation(buildModel(spec), { solver: 'redmax', timestep: 0.005 })
    sim.reset({ q: Float64Array.of(1) })
    sim.advance(10)
    expect(Math.abs(sim.state.v[0])).toBeLessThan(1e-9)
    // within the angle at which gravity is weaker than friction
    expect(Math.abs(sim.state.q[0])).toBeLessThan(Math.asin(0.5 / (9.81 * 0.5)))
    expect(Math.abs(sim.state.q[0])).toBeGreaterThan(1e-4)
  })

  it('is named by the solvers that leave it out', () => {
    const model = buildModel(block(5, 9))
    for (const solver of ['ode', 'position']) {
      expect(createSimulation(model, { solver }).warnings().join()).toMatch(/dry friction of 1 joint: left out by .*redmax/)
    }
    expect(createSimulation(model, { solver: 'redmax' }).warnings()).toEqual([])
  })
})
