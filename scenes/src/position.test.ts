import { buildModel, createData, createSimulation, createState, energy, type Model } from 'limber'
import { describe, expect, it } from 'vitest'
import { findScene } from './index.js'

const scene = (name: string, values: Record<string, number> = {}): Model => {
  const found = findScene(name)
  if (!found) throw new Error(name)
  return buildModel(found.build(values))
}

describe.each(['2', '3', 'radau'])('order %s at 0.1 s', (order) => {
  it.each([
    ['swinging-chain', { links: 10 }, 20],
    ['swinging-chain', { links: 40 }, 5],
    ['swimmer', {}, 20],
    ['spider', {}, 10],
  ] as const)('stays bounded on %s %o', (name, values, seconds) => {
    const model = scene(name, values)
    const data = createData(model)
    const simulation = createSimulation(model, { solver: 'position', timestep: 0.1, order })
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, simulation.state)
      return kinetic + potential
    }
    const hanging = createState(model)
    hanging.q.fill(0)
    const depth = name === 'swinging-chain' ? total() - energy(model, data, hanging).potential : 1
    const start = total()
    for (let k = 0; k < 10 * seconds; k++) {
      expect(simulation.step().status).toBe('ok')
      expect(total()).toBeLessThan(start + (order === '2' ? 1e-9 : 0.5 * depth))
    }
    expect(simulation.report.rejected).toBe(0)
  })
})

describe('drag', () => {
  it('of the same size in all directions moves no swimmer, of different sizes it does', () => {
    const distance = (along: number, across: number): number => {
      const model = scene('swimmer', { along, across })
      const simulation = createSimulation(model, { solver: 'position', timestep: 0.05, order: '2' })
      const q = model.q0.slice()
      q.fill(0, 7)
      simulation.reset({ q, control: new Float64Array(3) })
      const data = createData(model)
      const com = (): number[] => {
        energy(model, data, simulation.state)
        const sum = [0, 0, 0]
        for (let i = 1; i < model.nbody; i++)
          for (let r = 0; r < 3; r++) sum[r] += (data.X_WB[12 * i + 9 + r] - 0.25 * data.X_WB[12 * i + 3 * r]) / 4
        return sum
      }
      const before = com()
      for (let k = 0; k < 60; k++) {
        for (let j = 0; j < 3; j++) simulation.state.control[j] = 0.7 * Math.sin(2 * Math.PI * simulation.state.t - 2 * j)
        simulation.step()
      }
      return Math.hypot(...com().map((x, k) => x - before[k]))
    }
    expect(distance(4, 4)).toBeLessThan(1e-6)
    expect(distance(1, 8)).toBeGreaterThan(0.2)
  })
})
