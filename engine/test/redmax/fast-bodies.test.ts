/**
 * Bodies that move further in a step than they are thick: they strike what is in their way, and nothing else.
 */
import { buildModel, createSimulation, type GeomSpec, type Simulation } from 'limber'
import { describe, expect, it } from 'vitest'

const H = 0.01

const movers = {
  sphere: { shape: 'sphere', radius: 0.05 },
  capsule: { shape: 'capsule', radius: 0.05, length: 0.2 },
  box: { shape: 'box', size: [0.1, 0.1, 0.1] },
} as const satisfies Record<string, GeomSpec>

type Mover = keyof typeof movers

/** A body thrown along x, against an obstacle at the origin. */
function thrown(obstacle: GeomSpec, mover: Mover, place: readonly [number, number, number], speed: number, scheme = 'auto'): Simulation {
  const model = buildModel({
    gravity: [0, 0, 0],
    world: { geoms: [{ friction: 0, ...obstacle }] },
    bodies: [
      { name: 'mover', position: place, joints: [{ type: 'free' as const }], geoms: [{ density: 1000, friction: 0, ...movers[mover] }] },
    ],
  })
  const simulation = createSimulation(model, { solver: 'redmax', scheme, timestep: H })
  simulation.reset({ v: Float64Array.of(0, 0, 0, speed, 0, 0) })
  return simulation
}

const kinds = Object.keys(movers) as Mover[]
// 0.1, 0.5, 2 and 10 m a step
const speeds = [10, 50, 200, 1000]

/** Highest x on the way. */
function farthest(simulation: Simulation, steps: number): number {
  let most = Number.NEGATIVE_INFINITY
  for (let k = 0; k < steps; k++) {
    expect(simulation.step().message).toBe('')
    most = Math.max(most, simulation.state.q[0])
  }
  return most
}

describe.each(['auto', 'second-order'])('what moves further in a step than it is thick, scheme %s', (scheme) => {
  const each = kinds.flatMap((mover) => speeds.map((speed) => [mover, speed] as const))

  it.each(each)('stops at a thin wall: %s at %d m/s', (mover, speed) => {
    const wall: GeomSpec = { shape: 'box', size: [0.002, 2, 2] }
    for (const off of [0, 0.3, 0.7]) {
      const simulation = thrown(wall, mover, [-1 - off * speed * H, 0.01, 0.02], speed, scheme)
      expect(farthest(simulation, 5 + Math.ceil(1 / (speed * H)))).toBeCloseTo(-0.051, 3)
    }
  })

  it.each(each)('stops at a plane: %s at %d m/s', (mover, speed) => {
    const wall: GeomSpec = { shape: 'plane', quaternion: [Math.SQRT1_2, 0, -Math.SQRT1_2, 0] }
    const simulation = thrown(wall, mover, [-1, 0.01, 0.02], speed, scheme)
    expect(farthest(simulation, 5 + Math.ceil(1 / (speed * H)))).toBeCloseTo(-0.05, 3)
  })

  it.each(kinds)('does not pass a ridge of a height field: %s', (mover) => {
    // 2 m high and steep, along y: the body is turned back or goes over it, never through
    const heights = Array.from({ length: 81 }, (_, k) => (k % 9 === 4 ? 2 : 0))
    const field: GeomSpec = { shape: 'heightfield', size: [1, 1], rows: 9, columns: 9, heights }
    for (const speed of speeds) {
      const simulation = thrown(field, mover, [-0.8, 0.01, 0.3], speed, scheme)
      for (let k = 0; k < 20; k++) {
        const before = simulation.state.q.slice(0, 3)
        expect(simulation.step().message).toBe('')
        const { q } = simulation.state
        if (before[0] > 0 || q[0] < 0) continue
        // height at which the straight way crosses the crest
        expect(before[2] + ((q[2] - before[2]) * -before[0]) / (q[0] - before[0])).toBeGreaterThan(1.9)
      }
    }
  })

  it.each(kinds)('passes beside what it does not touch as if it were not there: %s', (mover) => {
    const obstacles: readonly GeomSpec[] = [
      { shape: 'sphere', radius: 0.3 },
      { shape: 'box', size: [0.6, 0.6, 0.6] },
      { shape: 'box', size: [0.002, 0.6, 2] },
      { shape: 'capsule', radius: 0.3, length: 1 },
      { shape: 'box', size: [0.3 * Math.SQRT2, 0.3 * Math.SQRT2, 1], quaternion: [Math.cos(Math.PI / 8), 0, 0, Math.sin(Math.PI / 8)] },
    ]
    for (const obstacle of obstacles) {
      for (const speed of speeds) {
        // 1 mm clear
        const simulation = thrown(obstacle, mover, [-1.3, 0.351, 0], speed, scheme)
        simulation.step(3 + Math.ceil(3 / (speed * H)))
        expect(simulation.state.v[3] / speed).toBeCloseTo(1, 9)
        for (const k of [0, 1, 2, 4, 5]) expect(simulation.state.v[k] / speed).toBeCloseTo(0, 9)
      }
    }
  })

  it('strikes what flies the other way, and shares its momentum', () => {
    const ball = (name: string, x: number) => ({
      name,
      position: [x, 0, 0] as const,
      joints: [{ type: 'free' as const }],
      geoms: [{ shape: 'sphere', radius: 0.05, density: 1000, friction: 0 } as const],
    })
    const model = buildModel({ gravity: [0, 0, 0], bodies: [ball('a', -1), ball('b', 1)] })
    const simulation = createSimulation(model, { solver: 'redmax', scheme, timestep: H })
    simulation.reset({ v: Float64Array.of(0, 0, 0, 200, 0, 0, 0, 0, 0, -100, 0, 0) })
    simulation.step(6)
    // no bounce: both go on with the mean
    expect(simulation.state.v[3]).toBeCloseTo(50, 3)
    expect(simulation.state.v[9]).toBeCloseTo(50, 3)
    expect(simulation.state.q[7] - simulation.state.q[0]).toBeCloseTo(0.1, 3)
  })
})
