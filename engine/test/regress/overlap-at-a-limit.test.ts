/**
 * A shape that overlaps another as it is drawn, on a joint whose limit keeps it from parting: the forces of the vain attempt stayed, grew from
 * step to step as limit and contact held each other, and ended in steps of seconds; and a limit further away let the attempt pass for a success.
 */
import { type BodySpec, buildModel, createSimulation, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const inertia = { mass: 1, com: [0.2, 0, 0], tensor: [0.01, 0.05, 0.05, 0, 0, 0] } as const

/** turns upwards out of the slab, which its limit forbids */
const jammed: BodySpec = {
  name: 'jammed',
  position: [0, 1, 0],
  inertia,
  joints: [{ name: 'knuckle', type: 'revolute', axis: [0, 1, 0], limits: [0, 1] }],
  geoms: [{ shape: 'box', size: [0.4, 0.04, 0.04], position: [0.2, 0, 0] }],
}
const swinging: BodySpec = {
  name: 'swinging',
  position: [0, -1, 1],
  inertia,
  joints: [{ name: 'hinge', type: 'revolute', axis: [0, 1, 0], limits: [-3, 1.8] }],
}
const spec = (bodies: readonly BodySpec[]): Spec => ({
  timestep: 0.002,
  solver: { name: 'redmax' },
  bodies,
  world: { geoms: [{ shape: 'box', size: [0.2, 0.2, 0.1], position: [0.2, 1, -0.045] }] },
})

describe('a shape that a limit keeps inside another', () => {
  it('stays there with forces of its weight, and what is beside it moves as without it', () => {
    const both = createSimulation(buildModel(spec([swinging, jammed])))
    const alone = createSimulation(buildModel(spec([swinging])))
    let strongest = 0
    let touched = false
    for (let n = 0; n < 150; n++) {
      expect(both.step().status).toBe('ok')
      alone.step()
      for (const { force } of both.contacts()) {
        touched = true
        strongest = Math.max(strongest, Math.hypot(...force))
      }
      expect(Math.abs(both.state.q[1])).toBeLessThan(1e-6)
      expect(both.state.q[0]).toBeCloseTo(alone.state.q[0], 8)
    }
    expect(touched).toBe(true)
    expect(strongest).toBeLessThan(1000)
    // in parts a step has many more
    expect(both.report.iterations).toBeLessThan(10 * 150)
  })
})
