/**
 * Explicit solvers: a force that is too fast for the step is named before the first step, and a run whose energy grows without bound fails.
 */
import {
  buildModel,
  createData,
  createSimulation,
  createState,
  energy,
  type Force,
  type Model,
  type Simulation,
  type Spec,
  solvers,
} from 'limber'
import { describe, expect, it } from 'vitest'

const rod = { mass: 1, com: [0, 0, -0.5], tensor: [0.1, 0.1, 0.01, 0, 0, 0] } as const
const pendulum = (damping: number, more: Partial<Spec> = {}): Model =>
  buildModel({
    bodies: [{ name: 'rod', inertia: rod, joints: [{ name: 'hinge', type: 'revolute', axis: [0, 1, 0], initial: 1, damping }] }],
    ...more,
  })
const mass = { mass: 1, tensor: [1, 1, 1, 0, 0, 0] } as const
const coupled = buildModel({
  gravity: [0, 0, 0],
  bodies: [
    { name: 'a', inertia: mass, joints: [{ name: 'slide a', type: 'prismatic' }] },
    { name: 'b', inertia: mass, joints: [{ name: 'slide b', type: 'prismatic', initial: 1.1 }] },
  ],
  springs: [
    { name: 'soft', a: { body: 'world' }, b: { body: 'a' }, stiffness: 1 },
    { name: 'stiff', a: { body: 'a' }, b: { body: 'b' }, stiffness: 5e5, rest: 1 },
  ],
})
const fixed = ['rk4', 'semi-implicit', 'euler'] as const

function expectFinite({ model, state, forces }: Simulation): void {
  const { kinetic, potential } = energy(model, createData(model, { forces }), state)
  expect([...state.q, ...state.v, kinetic, potential].every(Number.isFinite)).toBe(true)
}

describe('before the first step', () => {
  it('warnings name joint, rate, largest stable step and remedy', () => {
    // 20 N m s / 0.35 kg m²
    expect(createSimulation(pendulum(20), { solver: 'ode', timestep: 0.1 }).warnings()).toEqual([
      "joint dampers at joint 'hinge' decay at 57.1/s, too fast for rk4 in steps of 0.1 s; take steps of at most 0.048 s, or solver redmax",
    ])
  })

  it.each(fixed)('%s: the step that they name is stable, and one a little longer is not', (method) => {
    const simulation = createSimulation(pendulum(20), { solver: 'ode', method, timestep: 0.1 })
    const most = Number(/at most ([\d.e-]+) s/.exec(simulation.warnings()[0])?.[1])
    simulation.timestep = most
    expect(simulation.warnings()).toEqual([])
    expect(simulation.advance(3).status).toBe('ok')
    simulation.reset()
    simulation.timestep = 1.05 * most
    expect(simulation.warnings().length).toBe(1)
    expect(simulation.advance(30).status).toBe('diverged')
  })

  it('a spring between bodies is named', () => {
    const simulation = createSimulation(coupled, { solver: 'ode', method: 'semi-implicit', timestep: 0.01 })
    expect(simulation.warnings()[0]).toMatch(
      /^springs such as 'stiff' at joint 'slide [ab]' vibrate at 1000 rad\/s, too fast for semi-implicit in steps of 0.01 s; take steps of at most 0.0019 s/,
    )
    expect(simulation.step(100)).toMatchObject({ status: 'diverged', message: expect.stringContaining("springs such as 'stiff'") })
  })

  it('implicit solvers, and those that follow a tolerance, have no such warning', () => {
    for (const options of [
      { solver: 'auto' },
      { solver: 'redmax' },
      { solver: 'position' },
      { solver: 'adaptive' },
      { solver: 'ode', method: 'gear' },
    ])
      expect(createSimulation(pendulum(20), { ...options, timestep: 0.1 }).warnings()).toEqual([])
  })
})

describe('a run whose energy grows without bound', () => {
  it.each(fixed.flatMap((method) => [20, 100, 1e3, 1e6].map((damping) => [method, damping] as const)))(
    '%s with a damping of %d: fails, names joint and remedy, and keeps the last good state',
    (method, damping) => {
      const simulation = createSimulation(pendulum(damping), { solver: 'ode', method, timestep: 0.1 })
      const report = simulation.advance(1)
      expect(report.status).toBe('diverged')
      expect(report.message).toContain("joint 'hinge' of body 'rod'")
      expect(report.message).toMatch(/take steps of at most [\d.e-]+ s, or solver redmax|take a smaller timestep/)
      expectFinite(simulation)
      expect(Math.abs(simulation.state.v[0])).toBeLessThan(10)
      // it goes on from there in steps that are stable
      simulation.timestep = 0.1 / damping
      expect(simulation.step(100).status).toBe('ok')
    },
  )

  it('a mode that grows slowly is found: semi-implicit at h ω = 2.01, euler at h ω = 0.1', () => {
    const swing = (frequency: number) =>
      buildModel({
        gravity: [0, 0, 0],
        bodies: [{ name: 'a', inertia: { mass: 1 }, joints: [{ type: 'prismatic', stiffness: frequency ** 2, initial: 0.1 }] }],
      })
    for (const [method, rate] of [
      ['semi-implicit', 201],
      ['euler', 10],
    ] as const) {
      const simulation = createSimulation(swing(rate), { solver: 'ode', method, timestep: 0.01 })
      expect(simulation.step(5000).status, method).toBe('diverged')
      expectFinite(simulation)
    }
  })

  it('a force of your own that says nothing of its stiffness is found too', () => {
    const brake: Force = { name: 'brake', apply: (_m, d, s) => void (d.qf[0] -= 20 * s.v[0]) }
    const simulation = createSimulation(pendulum(0), { solver: 'ode', timestep: 0.1, forces: [brake] })
    expect(simulation.warnings()).toEqual([])
    const { status, message } = simulation.advance(1)
    expect(status).toBe('diverged')
    expect(message).toContain('take smaller steps than 0.1 s, or solver redmax')
    expectFinite(simulation)
  })

  it('springs between bodies under adaptive, which takes only joints implicitly', () => {
    const simulation = createSimulation(coupled, { solver: 'adaptive', timestep: 0.01 })
    expect(simulation.warnings()[0]).toContain("springs such as 'stiff' at joint 'slide")
    expect(simulation.advance(2).status).toBe('diverged')
    expectFinite(simulation)
  })
})

describe('a run that may grow', () => {
  /** Runs beside a stepper that nobody watches: same bits to the end. */
  function expectLet(
    model: Model,
    h: number,
    n: number,
    method: string,
    start: Partial<Record<'v' | 'tau', number[]>> = {},
    forces: Force[] = [],
  ): number {
    const simulation = createSimulation(model, { solver: 'ode', method, timestep: h, forces })
    simulation.state.v.set(start.v ?? [])
    simulation.state.tau.set(start.tau ?? [])
    const stepper = solvers.ode.create(model, simulation.options, forces)
    const state = createState(model)
    state.v.set(start.v ?? [])
    state.tau.set(start.tau ?? [])
    stepper.init(state)
    let peak = 0
    for (let k = 0; k < n; k++) {
      stepper.step(state, h)
      peak = state.v.reduce((most, x) => Math.max(most, Math.abs(x)), peak)
    }
    expect(simulation.step(n).status).toBe('ok')
    expect([...simulation.state.q, ...simulation.state.v]).toEqual([...state.q, ...state.v])
    return peak
  }
  const ball = buildModel({
    gravity: [0, 0, -1e6],
    bodies: [{ name: 'ball', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ type: 'free' }] }],
  })
  const double = buildModel({
    bodies: [
      { name: 'a', inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0], initial: 3 }] },
      { name: 'b', parent: 'a', position: [0, 0, -1], inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0], initial: 0.1 }] },
    ],
  })

  it.each(fixed)('%s: a fall in strong gravity, a motor that spins up a rotor, a kick', (method) => {
    expect(expectLet(ball, 0.01, 2000, method)).toBeGreaterThan(1e7)
    expect(expectLet(pendulum(0, { gravity: [0, 0, 0] }), 0.01, 5000, method, { tau: [1e4] })).toBeGreaterThan(1e6)
    expectLet(ball, 0.01, 50, method, { v: [0, 0, 0, 1e12, 0, 0] })
  })

  it.each(['rk4', 'semi-implicit'] as const)('%s: chaos, growth from rounding at an unstable equilibrium, resonance', (method) => {
    expectLet(double, 0.01, 3000, method)
    const upright = pendulum(0, {
      bodies: [{ name: 'rod', inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0], initial: Math.PI }] }],
    })
    expect(expectLet(upright, 0.02, 2000, method)).toBeGreaterThan(1)
    const shake: Force = { name: 'shake', apply: (_m, d, s) => void (d.qf[0] += 1e-6 * Math.sin(5.18 * s.t)) }
    expectLet(
      pendulum(0, { bodies: [{ name: 'rod', inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0] }] }] }),
      0.02,
      3000,
      method,
      {},
      [shake],
    )
  })

  it('a force that puts energy in without bound, as fast as the step can follow', () => {
    const pump: Force = { name: 'pump', apply: (_m, d, s) => void (d.qf[0] += 2 * s.v[0]) }
    const slide = buildModel({ gravity: [0, 0, 0], bodies: [{ name: 'a', inertia: { mass: 1 }, joints: [{ type: 'prismatic' }] }] })
    const simulation = createSimulation(slide, { solver: 'ode', timestep: 0.01, forces: [pump] })
    simulation.state.v[0] = 1e-12
    expect(simulation.advance(30).status).toBe('ok')
    expect(simulation.state.v[0] / (1e-12 * Math.exp(60))).toBeCloseTo(1, 6)
  })

  it('states that are written between steps', () => {
    const simulation = createSimulation(double, { solver: 'ode', timestep: 0.01 })
    for (let k = 0; k < 30; k++) {
      simulation.state.v[0] = 10 ** (k / 30)
      expect(simulation.step().status).toBe('ok')
    }
  })
})
