/**
 * Armature of tendons in redmax: every scheme converges, at its order, to the motion that the explicit solver finds with it.
 */
import { buildModel, createData, createSimulation, energy, type Model, type Options, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const inertia = { mass: 1, com: [0.25, 0, 0.02], tensor: [0.02, 0.1, 0.09, 0, 0, 0.001] } as const

/** Two arms and a weight, pulled together by a heavy line over points of all three, and by one over joints. */
function arms(armature: number): Model {
  const spec: Spec = {
    bodies: [
      { name: 'upper', inertia, joints: [{ name: 'shoulder', type: 'revolute', axis: [0, 1, 0.2], initial: 0.4 }] },
      { name: 'lower', parent: 'upper', position: [0.5, 0, 0], inertia, joints: [{ name: 'elbow', type: 'revolute', axis: [0, 1, 0] }] },
      { name: 'weight', position: [0, 0, -1], inertia: { mass: 2 }, joints: [{ name: 'rail', type: 'prismatic' }] },
    ],
    tendons: [
      {
        name: 'line',
        path: [
          { body: 'lower', point: [0.4, 0.1, 0] },
          { body: 'upper', point: [0.1, 0, 0.2] },
          { body: 'world', point: [0, 0.1, 0.5] },
          { body: 'weight', point: [0.1, 0, 0] },
        ],
        armature,
        stiffness: 20,
      },
      {
        name: 'gear',
        joints: [
          { joint: 'shoulder', coefficient: 1 },
          { joint: 'elbow', coefficient: -2 },
        ],
        armature: armature / 10,
      },
    ],
  }
  return buildModel(spec)
}

function pose(model: Model, timestep: number, options: Options): number[] {
  const simulation = createSimulation(model, { timestep, ...options })
  simulation.state.v.set([1, -2, 0.5])
  simulation.step(Math.round(0.2 / timestep))
  expect(simulation.report.status).toBe('ok')
  return Array.from(simulation.state.q)
}

const distance = (a: readonly number[], b: readonly number[]): number => Math.max(...a.map((x, k) => Math.abs(x - b[k])))

describe('tendons with armature in redmax', () => {
  const model = arms(3)
  const exact = pose(model, 1e-4, { solver: 'ode', method: 'rk4' })

  it('move otherwise than those without', () => {
    expect(distance(exact, pose(arms(0), 1e-4, { solver: 'ode', method: 'rk4' }))).toBeGreaterThan(0.05)
  })

  it.each([
    ['auto', 1],
    ['newton', 1],
    ['linear', 1],
    ['second-order', 2],
  ] as const)('are taken up by scheme %s, to its order', (scheme, order) => {
    const off = (h: number): number => distance(exact, pose(model, h, { solver: 'redmax', scheme }))
    const coarse = off(0.004)
    const fine = off(0.001)
    expect(fine).toBeLessThan(0.01)
    expect(Math.log(coarse / fine) / Math.log(4)).toBeGreaterThan(0.75 * order)
  })

  it('go on from a snapshot with the same bits', () => {
    const one = createSimulation(model, { solver: 'redmax', timestep: 0.01 })
    one.state.v.set([1, -2, 0.5])
    one.step(20)
    const other = createSimulation(model, { solver: 'redmax', timestep: 0.01 })
    other.restore(one.snapshot())
    one.step(30)
    other.step(30)
    expect([...other.state.q]).toEqual([...one.state.q])
  })

  it('gain at most 5 % of their energy at steps of 50 ms', () => {
    const simulation = createSimulation(model, { solver: 'redmax', timestep: 0.05 })
    simulation.state.v.set([4, -6, 0.5])
    simulation.step()
    const data = createData(model)
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, simulation.state)
      return kinetic + potential
    }
    const first = total()
    for (let k = 0; k < 400; k++) {
      simulation.step()
      expect(total()).toBeLessThan(first + 0.05 * Math.abs(first))
    }
  })
})
