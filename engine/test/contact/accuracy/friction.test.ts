/**
 * Coulomb's friction on single bodies against closed forms: what sticks does not creep, what slides slows by μ g, and a ball ends in rolling.
 */
import { describe, expect, it } from 'vitest'
import { ball, box, G, onFloor, run, start, turnY } from './course.js'

const STEPS = [0.002, 0.005, 0.02]

/** m/s: sticking is exact, and this is what tolerances of the iterations may leave */
const CREEP = 1e-8
/** m/s: deceleration is constant, so that the scheme makes no error of its own; the iterations leave 6e-9 at 20 ms */
const SLIDING = 1e-8

describe.each(STEPS)('h = %s s', (h) => {
  it.each([20, 26, 26.5])('a box on a slope of %s° with μ = 0.5, which holds up to 26.565°, does not creep', (degrees) => {
    const angle = (degrees * Math.PI) / 180
    const [x, z] = [Math.sin(angle), Math.cos(angle)]
    const quaternion = turnY(angle)
    const simulation = start(
      {
        gravity: [0, 0, -G],
        world: { geoms: [{ shape: 'plane', quaternion, friction: 0.5 }] },
        bodies: [{ ...box('box', [0.1 * x, 0, 0.1 * z], 1, 0.5), quaternion }],
      },
      h,
    )
    run(simulation, 1)
    const { q } = simulation.state
    const before = q.slice()
    run(simulation, 9)
    expect(Math.hypot(q[0] - before[0], q[1] - before[1], q[2] - before[2]) / 9).toBeLessThan(CREEP)
    expect(Math.hypot(...[3, 4, 5, 6].map((k) => q[k] - before[k]))).toBeLessThan(1e-6)
  })

  it('a box on a slope of 27° slides down with g (sin α − μ cos α)', () => {
    const angle = (27 * Math.PI) / 180
    const quaternion = turnY(angle)
    const simulation = start(
      {
        gravity: [0, 0, -G],
        world: { geoms: [{ shape: 'plane', quaternion, friction: 0.5 }] },
        bodies: [{ ...box('box', [0.1 * Math.sin(angle), 0, 0.1 * Math.cos(angle)], 1, 0.5), quaternion }],
      },
      h,
    )
    run(simulation, 1)
    expect(simulation.state.v[3]).toBeCloseTo(G * (Math.sin(angle) - 0.5 * Math.cos(angle)), 6)
  })

  it('a sliding box slows by μ g and stops within a step of the exact time', () => {
    const simulation = start(onFloor([box('box', [0, 0, 0.1], 1, 0.3)], 0.3), h)
    const { state } = simulation
    state.v[3] = 2
    const until = Math.round(0.3 / h) * h
    run(simulation, until)
    expect(Math.abs(state.v[3] - (2 - 0.3 * G * until))).toBeLessThan(SLIDING)
    let stopped = 0
    run(simulation, 1, () => {
      if (state.v[3] > 1e-6) stopped = state.t
    })
    expect(Math.abs(stopped - 2 / (0.3 * G))).toBeLessThanOrEqual(h)
    expect(Math.abs(state.v[3])).toBeLessThan(CREEP)
    // exact way, within what a step of first order makes of it: h v / 2 at each end
    expect(Math.abs(state.q[0] - 2 / (0.3 * G))).toBeLessThan(1.01 * h)
    // it neither lifts nor sinks on its way
    expect(Math.abs(state.q[2] - 0.1)).toBeLessThan(1e-6)
  })

  it('a box that slides crosswise goes straight', () => {
    const simulation = start(onFloor([box('box', [0, 0, 0.1], 1, 0.3)], 0.3), h)
    simulation.state.v.set([1.2, -0.9], 3)
    run(simulation, 1)
    const [x, y] = simulation.state.q
    expect(y / x).toBeCloseTo(-0.75, 6)
    expect(Math.abs(Math.hypot(x, y) - 1.5 ** 2 / (2 * 0.3 * G))).toBeLessThan(1.01 * h * 0.75)
  })

  it('a ball that slides ends in rolling at 5/7 of its speed, and keeps it', () => {
    const simulation = start(onFloor([ball('ball', [0, 0, 0.1], 1, 0.3)], 0.3), h)
    const { state } = simulation
    state.v[3] = 2
    run(simulation, 2)
    const speedNow = (): number => {
      const [x, y] = state.q
      run(simulation, h)
      return Math.hypot(state.q[0] - x, state.q[1] - y) / h
    }
    const speed = speedNow()
    // the step in which sliding ends is of first order
    expect(Math.abs(speed / (10 / 7) - 1)).toBeLessThan(h <= 0.005 ? 1e-3 : 0.012)
    run(simulation, 3)
    expect(Math.abs(speedNow() - speed)).toBeLessThan(1e-6)
    expect(Math.abs(state.q[2] - 0.1)).toBeLessThan(1e-6)
  })
})

describe('a ball dropped with a speed of 3 m/s to the side', () => {
  it.each([
    [0, 3],
    [1, (3 * 5) / 7],
  ])('with μ = %s goes on at %f m/s', (friction, expected) => {
    const simulation = start(onFloor([ball('ball', [0, 0, 1], 1, friction)], friction), 0.005)
    const { state } = simulation
    state.v[3] = 3
    run(simulation, 2)
    const [x, y] = state.q
    run(simulation, 0.005)
    // 2e-3: the sweep to the floor ends within a step
    expect(Math.abs(Math.hypot(state.q[0] - x, state.q[1] - y) / 0.005 / expected - 1)).toBeLessThan(2e-3)
    expect(Math.abs(state.q[2] - 0.1)).toBeLessThan(1e-6)
  })
})
