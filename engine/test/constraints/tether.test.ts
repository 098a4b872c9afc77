/**
 * A heavy ball on a chain of light links, tied by a loop: it falls until the chain is stretched, where only light links could close the loop, by
 * turning far. The step must close it near by, without energy from nowhere.
 */
import { type BodySpec, buildModel, type ConstraintSpec, createData, createSimulation, createState, energy, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/constraints/assembly/assemble.js'

const L = 0.2
// of what the ball can fall
const GAIN = 1e-3

function tether(n: number, light: number, heavy: number): Spec {
  const bodies: BodySpec[] = Array.from({ length: n }, (_, k) => ({
    name: `l${k}`,
    parent: k === 0 ? 'world' : `l${k - 1}`,
    position: [k === 0 ? 0 : L, 0, 0],
    inertia: { mass: light, com: [L / 2, 0, 0], tensor: [1e-4 * light, (light * L * L) / 12, (light * L * L) / 12, 0, 0, 0] },
    joints: [{ name: `j${k}`, type: 'revolute', axis: [0, 1, 0], initial: k === 0 ? 0 : k % 2 ? 1 : -1 }],
  }))
  const moment = 0.004 * heavy
  bodies.push({
    name: 'ball',
    position: [0.3, 0, -0.1],
    joints: [{ type: 'free' }],
    inertia: { mass: heavy, tensor: [moment, moment, moment, 0, 0, 0] },
  })
  return { bodies, constraints: [{ name: 'tie', type: 'point', a: { body: `l${n - 1}`, point: [L, 0, 0] }, b: { body: 'ball' } }] }
}

describe.each(['auto', 'newton'])('a ball that falls into its tether, scheme %s', (scheme) => {
  it.each([
    [5, 0.01, 100],
    [5, 1e-4, 1000],
    [10, 0.1, 100],
    [20, 0.001, 100],
  ])('%d links of %d kg and %d kg: never gains energy', (n, light, heavy) => {
    const model = buildModel(tether(n, light, heavy))
    const data = createData(model)
    const simulation = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.01 })
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, simulation.state)
      return kinetic + potential
    }
    simulation.step(0)
    const first = total()
    let most = first
    for (let k = 0; k < 150; k++) {
      expect(simulation.step().message).toBe('')
      most = Math.max(most, total())
    }
    expect(most - first).toBeLessThan(GAIN * heavy * 9.81 * n * L)
  })
})

describe('assembly', () => {
  it('moves a heavy ball where light links alone would turn without end', () => {
    const model = buildModel(tether(20, 0.001, 100))
    const { q } = createState(model)
    expect(assemble(model, q).status).toBe('assembled')
  })

  it('takes velocities that keep redundant loops already for what they are', () => {
    const body = (name: string, x: number): BodySpec => ({
      name,
      position: [x, 0.3, -0.2],
      joints: [{ type: 'free' }],
      inertia: { mass: 1 + x, com: [0.1, 0.2, x], tensor: [0.3, 0.4, 0.5, 0.01, 0.02, 0.03] },
    })
    const bodies = [body('a', 0), body('b', 0.7)]
    const [atA, atB] = [
      [0.3, 0.1, 0.7],
      [-0.4, 0.1, 0.7],
    ] as const
    const point: ConstraintSpec = { name: 'two', type: 'point', a: { body: 'a', point: atA }, b: { body: 'b', point: atB } }
    const model = buildModel({ bodies, constraints: [{ name: 'one', type: 'weld', a: 'a', b: 'b' }, point] })
    const { q, v } = createState(model)
    v.forEach((_, k) => {
      v[k] = Math.sin(7 * k + 1)
    })
    // the second time only rounding is left to project
    for (let k = 0; k < 3; k++) expect(assemble(model, q, { v }).message).toBe('')
  })
})
