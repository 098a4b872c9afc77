/** What is written to the state between two steps counts, under every solver: the motion goes on as from a fresh start there. */
import { buildModel, createSimulation, type Model, type Simulation, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const solvers: readonly [string, Record<string, string>][] = [
  ...['rk4', 'semi-implicit', 'euler', 'gear', 'bdf', 'rkf45', 'rkg', 'rk3', 'iec'].map((method): [string, Record<string, string>] => [
    `ode ${method}`,
    { solver: 'ode', method },
  ]),
  ...['auto', 'newton', 'linear', 'second-order'].map((scheme): [string, Record<string, string>] => [
    `redmax ${scheme}`,
    { solver: 'redmax', scheme },
  ]),
  ...['2', '3', '4', '5', 'radau'].map((order): [string, Record<string, string>] => [`position ${order}`, { solver: 'position', order }]),
]

/** A step keeps no memory but its own: what is left is the tolerance of methods that have one, over half a second. */
const SAME = 2e-5
/** The same where the memory goes on (forces do not touch it): a fresh start knows it to the method's accuracy at this step. */
const ALIKE = 0.03
/** what the forces written do in that time */
const EFFECT = 5 * ALIKE

/** a body that flies, and an arm with a motor on it */
const flier: Spec = {
  gravity: [0, 0, -1],
  bodies: [
    {
      name: 'ship',
      inertia: { mass: 2, com: [0.1, 0, 0], tensor: [0.3, 0.4, 0.5, 0, 0, 0] },
      joints: [{ name: 'flight', type: 'free' }],
    },
    {
      name: 'arm',
      parent: 'ship',
      position: [0.3, 0, 0],
      inertia: { mass: 1, com: [0.2, 0, 0], tensor: [0.02, 0.1, 0.1, 0, 0, 0] },
      joints: [{ name: 'shoulder', type: 'revolute', axis: [0, 1, 0] }],
    },
  ],
  actuators: [{ name: 'motor', joint: 'shoulder' }],
  timestep: 0.01,
}

/** a hinge with a loop: a four-bar linkage in the x-z plane */
const linkage = (): Model => {
  const inertia = { mass: 1, com: [0, 0, 0.5], tensor: [0.1, 0.1, 0.02, 0, 0, 0] } as const
  return buildModel({
    gravity: [0, 0, -9.81],
    bodies: [
      { name: 'crank', inertia, joints: [{ name: 'a', type: 'revolute', axis: [0, 1, 0] }] },
      {
        name: 'bar',
        parent: 'crank',
        position: [0, 0, 1],
        inertia: { ...inertia, com: [1, 0, 0] },
        joints: [{ name: 'b', type: 'revolute', axis: [0, 1, 0] }],
      },
      { name: 'rocker', position: [2, 0, 0], inertia, joints: [{ name: 'c', type: 'revolute', axis: [0, 1, 0] }] },
    ],
    constraints: [{ name: 'pin', type: 'point', a: { body: 'bar', point: [2, 0, 0] }, b: { body: 'rocker', point: [0, 0, 1] } }],
    timestep: 0.01,
  })
}

const motion = ({ state: { q, v } }: Simulation): number[] => [...q, ...v]

function expectSame(a: readonly number[], b: readonly number[], tolerance: number): void {
  expect(a.length).toBe(b.length)
  for (let k = 0; k < a.length; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(tolerance)
}

/** Runs, writes, runs on; beside it a simulation that starts at what was written. */
function compare(options: Record<string, string>, write: (simulation: Simulation) => void, tolerance = SAME): void {
  const model = buildModel(flier)
  const simulation = createSimulation(model, options)
  simulation.reset({ v: Float64Array.of(0.3, -0.5, 1, 0.2, 0.1, 0.4, -2) })
  simulation.step(30)
  const left = createSimulation(model, options)
  left.reset(simulation.state)
  const steps = simulation.report.steps
  write(simulation)
  const fresh = createSimulation(model, options)
  fresh.reset(simulation.state)
  simulation.step(50)
  fresh.step(50)
  left.step(50)
  expect(simulation.report.message).toBe('')
  expect(simulation.report.steps).toBeGreaterThan(steps)
  expectSame(motion(simulation), motion(fresh), tolerance)
  expect(Math.max(...motion(simulation).map((x, k) => Math.abs(x - motion(left)[k])))).toBeGreaterThan(EFFECT)
}

describe.each(solvers)('%s', (_, options) => {
  it('moves a body with the velocity that was written', () => {
    const model = buildModel({ ...flier, gravity: [0, 0, 0] })
    const simulation = createSimulation(model, options)
    simulation.step(20)
    expect(Array.from(simulation.state.q.subarray(0, 3))).toEqual([0, 0, 0])
    // of the whole without a turn: it goes on for ever
    simulation.state.v.set([0, 0, 0, 1, 2, -3, 0])
    simulation.step(50)
    expectSame(Array.from(simulation.state.q.subarray(0, 3)), [0.5, 1, -1.5], SAME)
    expectSame(Array.from(simulation.state.v), [0, 0, 0, 1, 2, -3, 0], SAME)
  })

  it('goes on from a velocity that was written as from a fresh start', () => {
    compare(options, ({ state }) => state.v.set([-1, 0.4, 0.2, 1, 0, 3, 1.5]))
  })

  it('goes on from a pose that was written as from a fresh start', () => {
    compare(options, ({ state }) => {
      state.q.set([1, 2, 3, Math.SQRT1_2, 0, Math.SQRT1_2, 0, -0.7])
    })
  })

  it('goes on with joint forces and controls that were written as from a fresh start', () => {
    compare(
      options,
      ({ state }) => {
        state.tau.set([0.1, 0, -0.2, 1, 0.5, 3, 0])
        state.control[0] = 0.8
      },
      ALIKE,
    )
    compare(
      options,
      ({ state }) => {
        state.control = Float64Array.of(-0.5)
      },
      ALIKE,
    )
  })

  it('restores a snapshot that was taken right after a write with the same bits', () => {
    const [whole, parts] = [0, 1].map(() => createSimulation(buildModel(flier), options))
    whole.step(10)
    whole.state.v[3] = 2
    whole.state.q[6] += 0.1
    whole.state.control[0] = 1
    const bytes = whole.snapshot()
    parts.step(3)
    parts.restore(bytes)
    whole.step(20)
    parts.step(20)
    expect(motion(parts)).toEqual(motion(whole))
  })

  it('counts what is written in a callback of `advance`', () => {
    const [called, stepped] = [0, 1].map(() => createSimulation(buildModel(flier), options))
    called.advance(0.2, (done) => {
      if (Math.abs(done - 0.1) < 1e-6) called.state.v[5] = 4
      return true
    })
    stepped.step(10)
    stepped.state.v[5] = 4
    stepped.step(10)
    expect(motion(called)).toEqual(motion(stepped))
  })
})

describe.each(['auto', 'newton', 'linear', 'second-order'])('a loop under redmax %s', (scheme) => {
  /** largest distance between the ends of the loop */
  const gap = ({ state: { q } }: Simulation): number => {
    const [a, b, c] = q
    const x = Math.sin(a) + 2 * Math.cos(a + b) - (2 + Math.sin(c))
    const z = Math.cos(a) - 2 * Math.sin(a + b) - Math.cos(c)
    return Math.hypot(x, z)
  }

  it('is closed again where a pose was written that misses it', () => {
    const simulation = createSimulation(linkage(), { solver: 'redmax', scheme })
    simulation.step(20)
    simulation.state.q[0] += 0.2
    simulation.step()
    expect(simulation.report.message).toBe('')
    expect(gap(simulation)).toBeLessThan(scheme === 'linear' ? 1e-3 : 1e-9)
    expect(Math.abs(simulation.state.q[0])).toBeGreaterThan(0.1)
    expect(simulation.warnings().join()).toContain('missed its constraints')
  })

  it('is refused by name where no pose closes it, until another is written', () => {
    const inertia = { mass: 1, com: [0, 0, 0], tensor: [1, 1, 1, 0, 0, 0] } as const
    const model = buildModel({
      bodies: [
        { name: 'wheel', inertia, joints: [{ name: 'turn', type: 'revolute', axis: [0, 0, 1] }] },
        { name: 'slide', inertia, joints: [{ name: 'push', type: 'prismatic', axis: [1, 0, 0] }] },
      ],
      // a rod of length 1 from the wheel's rim to the slide, which is driven away from the hub
      constraints: [
        { name: 'rod', type: 'distance', a: { body: 'wheel', point: [0.6, 0.8, 0] }, b: { body: 'slide', point: [0, 0, 0] }, distance: 1 },
        { name: 'drive', type: 'motion', joint: 'push', offset: 1.2, speed: 0.1 },
      ],
    })
    const simulation = createSimulation(model, { solver: 'redmax', scheme })
    simulation.reset({ q: Float64Array.of(0, 1.2) })
    expect(simulation.step(5).message).toBe('')
    const { t, q } = simulation.state
    const before = { t, q: q.slice() }
    // the slide would have to be further away than wheel and rod reach
    simulation.state.t = 20
    expect(simulation.step().message).toContain("'rod'")
    simulation.state.t = before.t
    simulation.state.q.set(before.q)
    expect(simulation.step().message).toBe('')
  })
})
