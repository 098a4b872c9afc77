/**
 * Heaps: so many contacts at once that they are solved by sweeps over sparse rows.
 */
import { type BodySpec, buildModel, createData, createSimulation, type GeomSpec, type Simulation, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { energy } from '../../src/forces/dynamics.js'

const H = 0.01

function total(simulation: Simulation): number {
  const { kinetic, potential } = energy(simulation.model, createData(simulation.model), simulation.state)
  return kinetic + potential
}

const overlap = (simulation: Simulation): number => Math.max(0, ...simulation.contacts().map(({ gap }) => -gap))

const free = (name: string, position: readonly [number, number, number], geom: GeomSpec): BodySpec => ({
  name,
  position,
  joints: [{ type: 'free' }],
  geoms: [{ density: 1000, ...geom }],
})

/** Bodies in layers of nine above a bin. */
function bin(count: number, geom: GeomSpec): Spec {
  const wall = (x: number, y: number, along: readonly [number, number]): GeomSpec => ({
    shape: 'box',
    size: [...along, 2],
    position: [x, y, 1],
  })
  return {
    world: {
      geoms: [{ shape: 'plane' }, wall(0.3, 0, [0.1, 0.7]), wall(-0.3, 0, [0.1, 0.7]), wall(0, 0.3, [0.7, 0.1]), wall(0, -0.3, [0.7, 0.1])],
    },
    bodies: Array.from({ length: count }, (_, k) => {
      const i = k % 9
      const x = -0.14 + 0.14 * (i % 3) + 0.005 * Math.sin(13 * k + 1)
      const y = -0.14 + 0.14 * Math.floor(i / 3) + 0.005 * Math.sin(13 * k + 2)
      return free(`body${k}`, [x, y, 0.1 + 0.16 * Math.floor(k / 9)], geom)
    }),
  }
}

const run = (spec: Spec): Simulation => createSimulation(buildModel(spec), { solver: 'redmax', timestep: H })

describe('a heap', () => {
  it('of balls in a bin comes to rest, overlaps below 1 mm, the energy always below that of the start', () => {
    const simulation = run(bin(50, { shape: 'sphere', radius: 0.06 }))
    const first = total(simulation)
    for (let k = 0; k < 150; k++) {
      expect(simulation.step().message).toBe('')
      expect(total(simulation)).toBeLessThan(first)
      expect(overlap(simulation)).toBeLessThan(1e-3)
    }
    expect(simulation.contacts().length).toBeGreaterThan(100)
    // the floor is the only geom below
    const up = simulation.contacts().reduce((sum, { bodyA, normal, force }) => sum + (bodyA === 0 && normal[2] > 0.99 ? force[2] : 0), 0)
    const side = simulation.contacts().reduce((sum, { bodyA, bodyB, normal, force }) => {
      const sign = bodyA === 0 ? 1 : bodyB === 0 ? -1 : 0
      return sum + (Math.abs(normal[2]) < 0.99 ? sign * force[2] : 0)
    }, 0)
    const weight = 50 * 1000 * (4 / 3) * Math.PI * 0.06 ** 3 * 9.81
    expect((up + side) / weight).toBeCloseTo(1, 2)
  })

  it('at rest takes up the forces of the step before: a solve or two a step', () => {
    const simulation = run(bin(50, { shape: 'sphere', radius: 0.06 }))
    simulation.step(200)
    const before = simulation.report.evaluations
    simulation.step(20)
    expect((simulation.report.evaluations - before) / 20).toBeLessThan(3.5)
  })

  it('goes on from a snapshot bit for bit', () => {
    const spec = bin(40, { shape: 'sphere', radius: 0.06 })
    const simulation = run(spec)
    simulation.step(60)
    const other = run(spec)
    other.restore(simulation.snapshot())
    simulation.step(10)
    other.step(10)
    expect([...other.state.q, ...other.state.v]).toEqual([...simulation.state.q, ...simulation.state.v])
  })

  it.each([
    ['boxes', { shape: 'box', size: [0.11, 0.1, 0.09] }],
    ['capsules', { shape: 'capsule', radius: 0.04, length: 0.08 }],
  ] as const)('of %s, whose corners take turns, is held too', (_, geom) => {
    const simulation = run(bin(27, geom))
    const first = total(simulation)
    for (let k = 0; k < 80; k++) {
      expect(simulation.step().message).toBe('')
      expect(total(simulation)).toBeLessThan(first + 1e-6)
      expect(overlap(simulation)).toBeLessThan(2e-3)
    }
    // what fell up to half a metre is slow by now, though it may roll
    for (let k = 0; k < 27; k++) expect(Math.hypot(...simulation.state.v.subarray(6 * k + 3, 6 * k + 6))).toBeLessThan(1)
  })

  it('of four stacks of ten boxes stands', () => {
    const stacks: Spec = {
      world: { geoms: [{ shape: 'plane' }] },
      bodies: Array.from({ length: 40 }, (_, k) =>
        free(`box${k}`, [Math.floor(k / 10), 0, 0.1 + 0.2 * (k % 10)], { shape: 'box', size: [0.2, 0.2, 0.2] }),
      ),
    }
    const simulation = run(stacks)
    const before = simulation.state.q.slice()
    for (let k = 0; k < 500; k++) expect(simulation.step().message).toBe('')
    expect(simulation.contacts().length).toBe(160)
    expect(Math.max(...simulation.state.q.map((x, k) => Math.abs(x - before[k])))).toBeLessThan(1e-8)
  })

  it('of boxes that fall in every attitude settles without a blow and without parts of steps by the dozen', () => {
    const model = buildModel(bin(30, { shape: 'box', size: [0.11, 0.1, 0.09] }))
    const simulation = createSimulation(model, { solver: 'redmax', timestep: H })
    const q = simulation.state.q.slice()
    for (let k = 0; k < 30; k++) {
      const turn = [1, 2, 3, 4].map((e) => Math.sin(7 * k + 3 * e))
      for (let e = 0; e < 4; e++) q[7 * k + 3 + e] = turn[e] / Math.hypot(...turn)
      q[7 * k + 2] = 0.1 + 0.22 * Math.floor(k / 9)
    }
    simulation.reset({ q })
    let before = total(simulation)
    let most = 0
    for (let k = 0; k < 120; k++) {
      const made = simulation.report.evaluations
      expect(simulation.step().message).toBe('')
      most = Math.max(most, simulation.report.evaluations - made)
      const now = total(simulation)
      // of some 50 J; overlaps of the start may give a little
      expect(now - before).toBeLessThan(0.05)
      before = now
    }
    expect(most).toBeLessThan(60)
    for (let k = 0; k < 30; k++) expect(Math.hypot(...simulation.state.v.subarray(6 * k + 3, 6 * k + 6))).toBeLessThan(1)
  })

  it('in the air passes on the momentum of what strikes it, and no more', () => {
    const cluster: Spec = {
      gravity: [0, 0, 0],
      bodies: [
        ...Array.from({ length: 64 }, (_, k) =>
          free(`ball${k}`, [0.1 * (k % 4), 0.1 * (Math.floor(k / 4) % 4), 0.1 * Math.floor(k / 16)], { shape: 'sphere', radius: 0.05 }),
        ),
        free('striker', [-0.4, 0.17, 0.12], { shape: 'sphere', radius: 0.08 }),
      ],
    }
    const model = buildModel(cluster)
    const simulation = createSimulation(model, { solver: 'redmax', timestep: H })
    const v = new Float64Array(model.nv)
    v[6 * 64 + 3] = 5
    simulation.reset({ v })
    const first = total(simulation)
    const masses = Array.from({ length: 65 }, (_, k) => model.inertia[10 * (k + 1)])
    const moment = (): number[] => {
      const { q, v: speed } = simulation.state
      const sum = [0, 0, 0]
      for (let k = 0; k < 65; k++) {
        // velocities are in the frame of the ball: world = R v
        const [w, x, y, z] = q.subarray(7 * k + 3, 7 * k + 7)
        const [a, b, c] = speed.subarray(6 * k + 3, 6 * k + 6)
        const R = [
          [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
          [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
          [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        for (let r = 0; r < 3; r++) sum[r] += masses[k] * (R[r][0] * a + R[r][1] * b + R[r][2] * c)
      }
      return sum
    }
    const before = moment()
    for (let k = 0; k < 40; k++) {
      expect(simulation.step().message).toBe('')
      expect(total(simulation)).toBeLessThan(first * (1 + 1e-9))
    }
    // some of the motion is in the cluster by now
    expect(Math.abs(simulation.state.v[6 * 64 + 3])).toBeLessThan(4)
    for (const [r, x] of moment().entries()) expect(Math.abs(x - before[r])).toBeLessThan(1e-2 * before[0])
  })
})
