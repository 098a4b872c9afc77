/**
 * A chain drawn straight between two fixed ends: exactly closed it would pull without bound. It must hold still and stay closed.
 */
import { buildModel, createSimulation, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const LINKS = 8

function taut(type: 'point' | 'hinge'): Spec {
  const a = { body: `l${LINKS - 1}`, point: [0.2, 0, 0], axis: [0, 1, 0] } as const
  const b = { body: 'world', point: [0.2 * LINKS, 0, 0], axis: [0, 1, 0] } as const
  return {
    bodies: Array.from({ length: LINKS }, (_, k) => ({
      name: `l${k}`,
      parent: k === 0 ? 'world' : `l${k - 1}`,
      position: [k === 0 ? 0 : 0.2, 0, 0] as const,
      inertia: { mass: 0.1, com: [0.1, 0, 0] as const, tensor: [1e-5, 3e-4, 3e-4, 0, 0, 0] as const },
      joints: [{ type: 'revolute', axis: [0, 1, 0] as const }],
    })),
    constraints: [type === 'hinge' ? { name: 'end', type, a, b } : { name: 'end', type, a: omit(a), b: omit(b) }],
  }
}

const omit = ({ body, point }: { body: string; point: readonly [number, number, number] }) => ({ body, point })

describe.each(['point', 'hinge'] as const)('a straight chain between two fixed ends, closed by a %s', (type) => {
  it.each([0.01, 0.02])('sags by less than a milliradian and stays closed at h = %d', (timestep) => {
    const model = buildModel(taut(type))
    const simulation = createSimulation(model, { solver: 'redmax', timestep })
    simulation.step(100)
    expect(simulation.report.status).toBe('ok')
    const { q } = simulation.state
    // the first link hangs down, the others turn back one by one
    expect(q[0]).toBeGreaterThan(0)
    for (let k = 1; k < LINKS; k++) expect(Math.abs(q[k])).toBeLessThan(1e-3)
    expect(simulation.report.iterations).toBeLessThan(100 * 200)
    expect(gap(model, q)).toBeLessThan(1e-7)
  })
})

function gap(model: ReturnType<typeof buildModel>, q: Float64Array): number {
  let angle = 0
  let x = 0
  let z = 0
  for (let k = 0; k < model.nv; k++) {
    angle += q[k]
    x += 0.2 * Math.cos(angle)
    z -= 0.2 * Math.sin(angle)
  }
  return Math.hypot(x - 0.2 * LINKS, z)
}
