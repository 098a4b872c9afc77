import { buildModel, createData, createSimulation, energy, type Model, type Spec, type State } from 'limber'
import { describe, expect, it } from 'vitest'
import { GAMMA } from './stages.js'

const scheme = 'second-order'

function total(model: Model): (state: State) => number {
  const data = createData(model)
  return (state) => {
    const { kinetic, potential } = energy(model, data, state)
    return kinetic + potential
  }
}

const ball = { mass: 2, com: [0, 0, 0], tensor: [0.1, 0.1, 0.1, 0, 0, 0] } as const

/** Rods that hang from each other, thrown about. */
function fastChain(links: number): Spec {
  const inertia = { mass: 0.2, com: [0, 0, -0.05], tensor: [2e-4, 2e-4, 1e-6, 0, 0, 0] } as const
  return {
    gravity: [0, 0, -9.81],
    bodies: Array.from({ length: links }, (_, k) => ({
      name: `link${k}`,
      parent: k === 0 ? 'world' : `link${k - 1}`,
      position: [0, 0, k === 0 ? 0 : -0.1] as const,
      inertia,
      joints: [{ name: `hinge${k}`, type: 'revolute', axis: [0, 1, 0] as const }],
    })),
  }
}

describe('stages of the second order', () => {
  it.each([0.1, 1, 10, 1000])('damp an oscillation by the stability function of the method, ωh = %d', (y) => {
    const model = buildModel({
      gravity: [0, 0, 0],
      bodies: [{ name: 'ball', inertia: ball, joints: [{ type: 'prismatic', axis: [1, 0, 0], stiffness: 50, initial: 0.3 }] }],
    })
    const h = y / Math.sqrt(50 / ball.mass)
    const sim = createSimulation(model, { solver: 'redmax', scheme, timestep: h })
    const energyOf = total(model)
    const start = energyOf(sim.state)
    sim.step()
    // |R(iy)|² of R(z) = (1 + (1 − 2γ) z)/(1 − γ z)²
    const share = (1 + ((1 - 2 * GAMMA) * y) ** 2) / (1 + (GAMMA * y) ** 2) ** 2
    expect(energyOf(sim.state) / start / share).toBeCloseTo(1, 9)
  })

  it('are made in parts where the motion is too fast for the step, and gain less than 0.5 of 157 J', () => {
    const model = buildModel(fastChain(40))
    const energyOf = total(model)
    const run = (timestep: number, seconds: number) => {
      const sim = createSimulation(model, { solver: 'redmax', scheme, timestep })
      sim.reset({ v: sim.state.v.map((_, k) => 4 * Math.sin(2 * k + 1)) })
      const start = energyOf(sim.state)
      let gain = 0
      while (sim.state.t < seconds) {
        expect(sim.step().status).toBe('ok')
        gain = Math.max(gain, energyOf(sim.state) - start)
      }
      return { gain, solves: sim.report.evaluations / sim.report.steps }
    }
    const long = run(0.02, 1)
    expect(long.solves).toBeGreaterThan(5)
    // of 157 J between hanging and level
    expect(long.gain).toBeLessThan(0.5)
    expect(run(0.001, 0.1).solves).toBeLessThan(2.5)
  })

  it('go on with the same parts from a snapshot', () => {
    const model = buildModel(fastChain(40))
    const make = () => createSimulation(model, { solver: 'redmax', scheme, timestep: 0.02 })
    const sim = make()
    sim.reset({ v: sim.state.v.map((_, k) => 4 * Math.sin(2 * k + 1)) })
    sim.step(20)
    const other = make()
    other.restore(sim.snapshot())
    sim.step(20)
    other.step(20)
    expect([...other.state.q, ...other.state.v]).toEqual([...sim.state.q, ...sim.state.v])
  })

  it('leave the state alone where no number of parts is enough', () => {
    const model = buildModel(fastChain(40))
    const sim = createSimulation(model, { solver: 'redmax', scheme, timestep: 50 })
    sim.reset({ v: sim.state.v.map((_, k) => 1e4 * Math.sin(2 * k + 1)) })
    const before = [...sim.state.q, ...sim.state.v]
    const { status, message } = sim.step()
    expect(status).not.toBe('ok')
    expect(message).not.toBe('')
    expect([...sim.state.q, ...sim.state.v]).toEqual(before)
  })
})
