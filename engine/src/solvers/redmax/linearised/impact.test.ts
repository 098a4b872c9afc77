import { buildModel, createData, createSimulation, energy, type Simulation, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const steps = [0.002, 0.005, 0.01, 0.02]

const ball: Spec = {
  world: { geoms: [{ shape: 'plane' }] },
  bodies: [
    { name: 'ball', position: [0, 0, 0.1], joints: [{ type: 'free' as const }], geoms: [{ shape: 'sphere', radius: 0.1, density: 1000 }] },
  ],
}

const box: Spec = {
  world: { geoms: [{ shape: 'plane', friction: 0.5 }] },
  bodies: [
    {
      name: 'box',
      position: [0, 0, 0.1],
      joints: [{ type: 'free' as const }],
      geoms: [{ shape: 'box', size: [0.4, 0.4, 0.2], density: 500, friction: 0.5 }],
    },
  ],
}

/** A trunk with two hinged limbs, dropped. */
const doll: Spec = {
  world: { geoms: [{ shape: 'plane' }] },
  bodies: [
    {
      name: 'trunk',
      position: [0, 0, 0.8],
      quaternion: [0.9, 0.3, 0.2, 0.1],
      joints: [{ type: 'free' as const }],
      geoms: [{ shape: 'capsule', radius: 0.1, length: 0.4, density: 1000 }],
    },
    ...[-1, 1].map((side) => ({
      name: `limb${side}`,
      parent: 'trunk',
      position: [0.15 * side, 0, -0.2] as const,
      joints: [{ type: 'revolute' as const, axis: [0, 1, 0] as const, limits: [-1, 1] as const, damping: 0.1 }],
      geoms: [{ shape: 'capsule', radius: 0.04, length: 0.4, density: 1000, position: [0, 0, -0.25] as const } as const],
    })),
  ],
}

function start(spec: Spec, timestep: number, v: readonly number[]): Simulation {
  const model = buildModel(spec)
  const sim = createSimulation(model, { solver: 'redmax', scheme: 'second-order', timestep })
  sim.reset({ v: Float64Array.from({ length: model.nv }, (_, k) => v[k] ?? 0) })
  return sim
}

/** Most by which energy rose above its start, in J. */
function gain(sim: Simulation, seconds: number): number {
  const { model, state } = sim
  const data = createData(model)
  const total = (): number => {
    const { kinetic, potential } = energy(model, data, state)
    return kinetic + potential
  }
  const first = total()
  let most = Number.NEGATIVE_INFINITY
  while (state.t < seconds - 1e-9) {
    expect(sim.step().message).toBe('')
    most = Math.max(most, total() - first)
  }
  return most
}

describe('steps of the second order in which something pushes', () => {
  it.each(steps)('give a ball that rolls less than 1e-9 J in 20 s, h = %s', (h) => {
    const sim = start(ball, h, [0, 0, 0, 2])
    expect(gain(sim, 20)).toBeLessThan(1e-9)
    const [a, b, c, x, y, z] = sim.state.v
    const speed = Math.hypot(x, y, z)
    // 5/7 of the speed it slid with
    expect(Math.abs(speed / (10 / 7) - 1)).toBeLessThan(0.01)
    // rows hold the velocity at one end of a step in which the ball turns by θ
    const turn = (h * speed) / 0.1
    expect(Math.abs((0.1 * Math.hypot(a, b, c)) / speed - 1)).toBeLessThan(Math.max(1e-3, turn * turn * 0.1))
    expect(sim.state.q[2]).toBeCloseTo(0.1, 4)
  })

  it.each(steps)('bring a box that slides to rest where friction does, h = %s', (h) => {
    const sim = start(box, h, [0, 0, 0, 3])
    expect(gain(sim, 2)).toBeLessThan(1e-9)
    // v²/(2 μ g), a step of v h / 2 less
    const length = 9 / (2 * 0.5 * 9.81)
    expect(Math.abs(sim.state.q[0] - length)).toBeLessThan(2 * 3 * h + 1e-3)
    expect(Math.max(...sim.state.v.map(Math.abs))).toBeLessThan(1e-6)
  })

  it.each(steps)('let a doll with limits fall and lie still, with a gain below 1 mJ of 130 J, h = %s', (h) => {
    const sim = start(doll, h, [1, 2, 3])
    // of some 130 J: what the second order misses in the air
    expect(gain(sim, 6)).toBeLessThan(1e-3)
    expect(Math.max(...sim.state.v.map(Math.abs))).toBeLessThan(0.05)
  })

  it('go on from a snapshot bit for bit, in the air and on the ground', () => {
    const make = () => start({ ...ball, bodies: [{ ...ball.bodies[0], position: [0, 0, 0.3] }] }, 0.005, [0, 5, 0, 1])
    const sim = make()
    for (const k of [20, 25, 40]) {
      sim.step(k)
      const other = make()
      other.restore(sim.snapshot())
      const next = make()
      next.restore(sim.snapshot())
      other.step(30)
      next.step(30)
      expect([...other.state.q, ...other.state.v]).toEqual([...next.state.q, ...next.state.v])
      sim.step(30)
      expect([...other.state.q, ...other.state.v]).toEqual([...sim.state.q, ...sim.state.v])
    }
  })

  it('list the contacts, with the weight on them', () => {
    const sim = start(box, 0.005, [])
    sim.step(20)
    const up = sim.contacts().reduce((sum, { force }) => sum + force[2], 0)
    expect(Math.abs(up)).toBeCloseTo(0.4 * 0.4 * 0.2 * 500 * 9.81, 6)
  })
  it('count the same evaluations after a reset', () => {
    const sim = start(ball, 0.005, [0, 0, 0, 2])
    const count = (): number => {
      sim.step(20)
      return sim.report.evaluations
    }
    const first = count()
    expect(first).toBeGreaterThan(20)
    sim.reset({ v: Float64Array.of(0, 0, 0, 2, 0, 0) })
    expect(count()).toBe(first)
  })
})
