/**
 * Contact and limits as users meet them: nothing sinks in, creeps, gains energy, or stops the run.
 */
import { buildModel, createData, createSimulation, type GeomSpec, type Simulation, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { energy } from '../../src/forces/dynamics.js'

// m: what a step may leave overlapping, and what the loose iterations of the default scheme add over many
const OVERLAP = 5e-5
// the same where edges of a field change what touches in mid-iteration
const FIELD_OVERLAP = 1e-3

const plane: GeomSpec = { shape: 'plane' }

function start(spec: Spec, timestep: number, v?: (index: number) => number): Simulation {
  const model = buildModel(spec)
  const simulation = createSimulation(model, { solver: 'redmax', timestep })
  if (v) simulation.reset({ v: Float64Array.from({ length: model.nv }, (_, k) => v(k)) })
  return simulation
}

interface Course {
  /** deepest overlap, and how much energy rose above the start */
  readonly overlap: number
  readonly gain: number
}

/** Runs, and watches after every step. */
function watch(simulation: Simulation, steps: number): Course {
  const { model, state } = simulation
  const data = createData(model)
  const total = (): number => {
    const { kinetic, potential } = energy(model, data, state)
    return kinetic + potential
  }
  const first = total()
  let overlap = 0
  let gain = 0
  for (let k = 0; k < steps; k++) {
    expect(simulation.step().message).toBe('')
    gain = Math.max(gain, total() - first)
    overlap = Math.max(overlap, ...simulation.contacts().map(({ gap }) => -gap))
  }
  return { overlap, gain }
}

const solid = (geom: GeomSpec, position: readonly [number, number, number]) => ({
  name: 'solid',
  position,
  quaternion: [0.8, 0.4, 0.3, 0.2] as const,
  joints: [{ type: 'free' as const }],
  geoms: [{ density: 1000, ...geom }],
})

/** Boxes on each other, on the ground. */
const stack = (high: number): Spec => ({
  world: { geoms: [plane] },
  bodies: Array.from({ length: high }, (_, k) => ({
    name: `box${k}`,
    position: [0, 0, 0.1 + 0.2 * k] as const,
    joints: [{ type: 'free' as const }],
    geoms: [{ shape: 'box', size: [0.2, 0.2, 0.2], density: 1000 } as const],
  })),
})

describe('what falls, rolls and slides', () => {
  it.each([0.005, 0.02])('sinks less than 0.05 mm into a plane that it rolls down, h = %s', (h) => {
    const slope: Spec = {
      gravity: [9.81 * Math.sin(0.3), 0, -9.81 * Math.cos(0.3)],
      world: { geoms: [plane] },
      bodies: [solid({ shape: 'sphere', radius: 0.1 }, [0, 0, 0.1])],
    }
    const simulation = start(slope, h)
    const { overlap, gain } = watch(simulation, Math.round(1 / h))
    expect(overlap).toBeLessThan(OVERLAP)
    expect(gain).toBeLessThan(1e-9)
    // it rolls without slipping: v = ω r; the axis is y of the world, and the ball is free in its own frame
    const speed = Math.hypot(simulation.state.v[3], simulation.state.v[4], simulation.state.v[5])
    const turn = Math.hypot(simulation.state.v[0], simulation.state.v[1], simulation.state.v[2])
    expect(speed).toBeGreaterThan(0.5)
    expect(turn * 0.1).toBeCloseTo(speed, 1)
  })

  it.each([0.0025, 0.005, 0.01])('gains less than 1e-9 J on a long way down, h = %s', (h) => {
    const slope: Spec = {
      gravity: [9.81 * Math.sin(0.3), 0, -9.81 * Math.cos(0.3)],
      world: { geoms: [plane] },
      bodies: [solid({ shape: 'sphere', radius: 0.1 }, [0, 0, 0.1])],
    }
    // a loose solution of each step gained 0.02 to 0.08 of 50 J
    expect(watch(start(slope, h), Math.round(2.5 / h)).gain).toBeLessThan(1e-9)
  })

  it.each([
    ['sphere', { shape: 'sphere', radius: 0.1 }],
    ['capsule', { shape: 'capsule', radius: 0.1, length: 0.3 }],
    ['cylinder', { shape: 'cylinder', radius: 0.1, length: 0.3 }],
    ['ellipsoid', { shape: 'ellipsoid', radii: [0.1, 0.2, 0.3] }],
    ['box', { shape: 'box', size: [0.2, 0.3, 0.4] }],
  ] as const)('meets the ground in mid-step, overlap below 0.05 mm, gain below 1e-9 J: %s', (_, geom) => {
    const { overlap, gain } = watch(start({ world: { geoms: [plane] }, bodies: [solid(geom, [0, 0, 1])] }, 0.02), 150)
    expect(overlap).toBeLessThan(OVERLAP)
    expect(gain).toBeLessThan(1e-9)
  })

  it('comes to rest on a height field', () => {
    const heights = Array.from({ length: 81 }, (_, k) => 0.1 * Math.cos(k % 9) * Math.cos(Math.floor(k / 9)))
    const field: GeomSpec = { shape: 'heightfield', size: [2, 2], rows: 9, columns: 9, heights }
    const simulation = start({ world: { geoms: [field] }, bodies: [solid({ shape: 'box', size: [0.2, 0.3, 0.4] }, [0.1, 0.1, 0.6])] }, 0.02)
    const { overlap } = watch(simulation, 250)
    expect(overlap).toBeLessThan(FIELD_OVERLAP)
    expect(Math.max(...simulation.state.v.map(Math.abs))).toBeLessThan(1e-6)
  })

  it('stays where it is to 1e-9 m, stacked five high', () => {
    const simulation = start(stack(5), 0.02)
    const before = simulation.state.q.slice()
    watch(simulation, 300)
    expect(Math.max(...simulation.state.q.map((x, k) => Math.abs(x - before[k])))).toBeLessThan(1e-9)
  })

  it('stays where it is to 1e-8 m for a minute, stacked ten high', () => {
    const simulation = start(stack(10), 0.02)
    const before = simulation.state.q.slice()
    simulation.step(3000)
    expect(simulation.state.t).toBeCloseTo(60, 6)
    expect(simulation.contacts().length).toBe(40)
    expect(Math.max(...simulation.state.q.map((x, k) => Math.abs(x - before[k])))).toBeLessThan(1e-8)
  })

  it('is stopped by a thin wall at any step that finds it', () => {
    const wall: Spec = {
      gravity: [0, 0, 0],
      world: { geoms: [{ shape: 'box', size: [0.02, 2, 2] }] },
      bodies: [
        {
          name: 'ball',
          position: [-0.2, 0, 0],
          joints: [{ type: 'free' as const }],
          geoms: [{ shape: 'sphere', radius: 0.05, density: 1000 }],
        },
      ],
    }
    // 25 mm a step, less than half of ball and wall
    const simulation = start(wall, 0.005, (k) => (k === 3 ? 5 : 0))
    watch(simulation, 50)
    expect(simulation.state.q[0]).toBeCloseTo(-0.06, 4)
  })
})

describe('shapes that overlap from the start', () => {
  const rod = (name: string) => ({
    name,
    inertia: { mass: 1, com: [0.5, 0, 0] as const, tensor: [0.01, 0.1, 0.1, 0, 0, 0] as const },
    geoms: [{ shape: 'capsule', radius: 0.1, length: 1, position: [0.5, 0, 0], quaternion: [0.7071068, 0, 0.7071068, 0] } as const],
  })

  it.each([0.005, 0.02])('and are pinned together by a loop swing on, h = %s', (h) => {
    const spec: Spec = {
      bodies: [
        { ...rod('a'), joints: [{ type: 'revolute' as const, axis: [0, 1, 0] }] },
        { ...rod('b'), position: [1, 0, 0], joints: [{ type: 'free' as const }] },
      ],
      constraints: [{ name: 'pin', type: 'point', a: { body: 'a', point: [1, 0, 0] }, b: { body: 'b' } }],
    }
    const { gain } = watch(start(spec, h), Math.round(3 / h))
    expect(gain).toBeLessThan(1e-6)
  })

  it('and are kept at a distance move on together', () => {
    const spec: Spec = {
      bodies: [0, 0.4].map((x, k) => ({
        name: `ball${k}`,
        position: [x, 0, 0] as const,
        joints: [{ type: 'prismatic' as const, axis: [1, 0, 0] as const }],
        inertia: { mass: 1, tensor: [0.1, 0.1, 0.1, 0, 0, 0] as const },
        geoms: [{ shape: 'sphere', radius: 0.3 } as const],
      })),
      constraints: [{ name: 'bar', type: 'distance', a: { body: 'ball0' }, b: { body: 'ball1' } }],
    }
    const simulation = start(spec, 0.02, () => 1)
    watch(simulation, 50)
    expect(simulation.state.q[0]).toBeCloseTo(1, 9)
    expect(simulation.state.q[1]).toBeCloseTo(1, 9)
  })
})

describe('a can on a tile', () => {
  it('stands, and no warning says that they would pass through each other', () => {
    const tile: GeomSpec = { name: 'tile', shape: 'box', size: [4, 4, 1] }
    const can = { ...solid({ name: 'can', shape: 'cylinder', radius: 0.1, length: 0.3 }, [0, 0, 0.66]), quaternion: [1, 0, 0, 0] as const }
    const simulation = start({ world: { geoms: [tile] }, bodies: [can] }, 0.01)
    expect(simulation.warnings()).toEqual([])
    watch(simulation, 300)
    expect(simulation.state.q[2]).toBeCloseTo(0.65, 4)
  })
})
