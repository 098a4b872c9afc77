import { describe, expect, it } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import type { BodySpec, Spec } from '../../build/spec.js'
import { createSimulation } from '../../create-simulation.js'
import { difference } from '../../joints/index.js'
import type { Force } from '../../model/force.js'
import { createState } from '../../model/state.js'
import { adaptiveMethods, createIntegrator } from './methods.js'
import { odeProblem } from './problem.js'

const inertia = { mass: 1, com: [0, 0, -0.3], tensor: [0.04, 0.04, 0.01, 0, 0, 0] } as const

/** A free body with a pendulum and a ball joint on it: flat and curved coordinates together. */
const tumbling: Spec = {
  gravity: [0, 0, -9.81],
  bodies: [
    { name: 'base', inertia: { mass: 3, tensor: [0.2, 0.3, 0.4, 0, 0, 0] }, joints: [{ name: 'free', type: 'free' }] },
    {
      name: 'arm',
      parent: 'base',
      position: [0, 0.2, 0],
      inertia,
      joints: [{ name: 'hinge', type: 'revolute', axis: [1, 0, 0], initial: 0.4 }],
    },
    { name: 'ball', parent: 'arm', position: [0, 0, -0.6], inertia, joints: [{ name: 'socket', type: 'spherical' }] },
  ],
}
const model = buildModel(tumbling)
const start = { v: Float64Array.of(2, -3, 4, 0.5, 0, 1, 2, 3, -1, 5) }

function simulate(method: string, tolerance: number, timestep: number, options = {}) {
  const simulation = createSimulation(model, { solver: 'ode', method, rtol: tolerance, atol: tolerance, timestep, ...options })
  simulation.reset(start)
  return simulation
}

function distance(a: Float64Array, b: Float64Array): number {
  const d = new Float64Array(model.nv)
  difference(model, d, a, b)
  return Math.hypot(...d)
}

describe.each(adaptiveMethods)('method %s', (method) => {
  it('gives the same motion in one step of the caller as in many, by dense output', () => {
    const one = simulate(method, 1e-7, 2)
    one.step()
    const many = simulate(method, 1e-7, 0.01)
    many.step(200)
    expect(distance(one.state.q, many.state.q)).toBeLessThan(1e-9)
    // many small frames cost next to nothing: the internal steps are the same
    expect(many.report.steps).toBeLessThan(one.report.steps + 3)
    expect(many.report.evaluations).toBeLessThan(1.02 * one.report.evaluations + 10)
  })

  it('continues from a snapshot with the same bits, also in a fresh simulation', () => {
    const whole = simulate(method, 1e-5, 0.013)
    whole.step(40)
    const bytes = whole.snapshot()
    whole.step(40)
    const fresh = createSimulation(model, { solver: 'ode', method, rtol: 1e-5, atol: 1e-5, timestep: 0.013 })
    fresh.restore(bytes)
    fresh.step(40)
    expect(fresh.state).toEqual(whole.state)
  })

  it('starts afresh when a joint force changes, and only then', () => {
    const simulation = simulate(method, 1e-6, 0.1)
    simulation.step(3)
    expect('starts' in simulation.report && simulation.report.starts).toBe(1)
    simulation.state.tau[6] = 2
    simulation.step(3)
    expect('starts' in simulation.report && simulation.report.starts).toBe(2)
    const reference = simulate('rkf45', 1e-10, 0.1)
    reference.step(3)
    reference.state.tau[6] = 2
    reference.step(3)
    expect(distance(reference.state.q, simulation.state.q)).toBeLessThan(1e-3)
  })

  it('counts evaluations where forces are computed', () => {
    let calls = 0
    const counter: Force = { name: 'counter', apply: () => calls++ }
    const simulation = createSimulation(buildModel(tumbling), { solver: 'ode', method, timestep: 0.5, forces: [counter] })
    calls = 0
    simulation.step()
    expect(simulation.report.evaluations).toBe(calls)
  })

  it.each([0, -0.1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a step of %f and leaves the state alone', (h) => {
    const simulation = simulate(method, 1e-6, 0.1)
    simulation.step()
    const stepper = simulation.solver.create(model, simulation.options)
    const state = createState(model)
    stepper.init(state)
    const before = structuredClone(state)
    expect(stepper.step(state, h).status).toBe('bad-step')
    expect(state).toEqual(before)
  })

  it('stops with a reason, the state untouched, where a force grows without bound', () => {
    const pole: Force = {
      name: 'pole',
      apply: (_m, d, { t }) => {
        d.qf[6] += 1 / (0.3 - t) ** 3
      },
    }
    const simulation = createSimulation(buildModel(tumbling), { solver: 'ode', method, timestep: 0.1, maxsteps: 300, forces: [pole] })
    const report = simulation.step(10)
    expect(report.status).toBe('diverged')
    expect(report.message).toMatch(/t = 0\.|joint 'hinge'/)
    expect(simulation.state.t).toBeLessThan(0.3)
  })

  it('reports a force that is no number at once, with the joint and what to do, and does not try again in parts', () => {
    let calls = 0
    const broken: Force = {
      name: 'broken',
      apply: (_m, d, { t }) => {
        calls++
        if (t > 0.25) d.qf[6] = Number.NaN
      },
    }
    const options = { solver: 'ode', method, timestep: 0.1, rtol: 1e-3, atol: 1e-3, forces: [broken] }
    const simulation = createSimulation(buildModel(tumbling), options)
    expect(simulation.step(2).status).toBe('ok')
    const before = [...simulation.state.q, ...simulation.state.v]
    calls = 0
    const report = simulation.step()
    expect(report.status).toBe('diverged')
    expect(report.joint).toBeGreaterThanOrEqual(0)
    expect(report.message).toMatch(
      /method \w+ found no step near t = 0\.2.* at joint '\w+' of body '\w+'; loosen rtol and atol, or look for a force/,
    )
    expect([...simulation.state.q, ...simulation.state.v]).toEqual(before)
    // steps of half the size and less down to what the clock resolves; 126 trials in parts took thousands
    expect(calls).toBeLessThan(1000)
  })
})

describe('tolerances and other options', () => {
  it.each([
    [{ rtol: 0 }, 'option rtol of solver ode'],
    [{ rtol: -1e-3 }, 'option rtol of solver ode'],
    [{ rtol: Number.NaN }, 'option rtol of solver ode'],
    [{ rtol: 2 }, 'option rtol of solver ode'],
    [{ atol: 0 }, 'option atol of solver ode'],
    [{ atol: 'small' }, 'option atol of solver ode'],
    [{ maxorder: 13 }, 'option maxorder of solver ode'],
    [{ maxorder: 2.5 }, 'maxorder: expected a whole number'],
    [{ hmin: 1, hmax: 0.5 }, 'hmin: expected'],
    [{ corrector: 'sparse' }, 'option corrector of solver ode'],
  ])('%o is refused by name', (options, message) => {
    expect(() => createSimulation(model, { solver: 'ode' as string, method: 'gear', ...options })).toThrow(message)
  })

  it('are said to be without effect where the step is fixed', () => {
    const warnings = (options: object) =>
      createSimulation(model, { solver: 'ode', ...options })
        .warnings()
        .filter((warning) => !warning.includes('will fall'))
    expect(warnings({ method: 'rk4', rtol: 1e-9, atol: 1e-3 })).toEqual([expect.stringMatching(/^rtol, atol: without effect on rk4/)])
    expect(warnings({ method: 'rk4' })).toEqual([])
    expect(warnings({ method: 'gear', rtol: 1e-9 })).toEqual([])
  })

  it('are checked for plain equations too', () => {
    const p = odeProblem(1, (out, _t, y) => {
      out[0] = -y[0]
    })
    expect(() => createIntegrator(p, 'gear', { rtol: -1, atol: 1 })).toThrow('rtol')
    expect(() => createIntegrator(p, 'bdf', { rtol: 1e-3, atol: 0 })).toThrow('atol')
    expect(() => createIntegrator(p, 'gear', { rtol: 1e-3, atol: 1e-3, hmax: -1 })).toThrow('hmax')
  })

  it('hmax bounds the internal step', () => {
    const simulation = simulate('gear', 1e-3, 1, { hmax: 0.01 })
    simulation.step()
    expect(simulation.report.steps).toBeGreaterThanOrEqual(100)
  })
})

/** A chain with stiff, damped joints. */
function stiffChain(links: number, joint: 'revolute' | 'spherical'): Spec {
  const body = (k: number): BodySpec => ({
    name: `b${k}`,
    parent: k === 0 ? 'world' : `b${k - 1}`,
    position: [0, 0, k === 0 ? 0 : -0.6],
    inertia,
    joints: [
      joint === 'revolute'
        ? { name: `j${k}`, type: joint, axis: [0, 1, 0], damping: 10, stiffness: 20, initial: k === 0 ? 0.8 : 0 }
        : {
            name: `j${k}`,
            type: joint,
            damping: 10,
            stiffness: 20,
            initial: k === 0 ? [Math.cos(0.4), 0, Math.sin(0.4), 0] : [1, 0, 0, 0],
          },
    ],
  })
  return { bodies: Array.from({ length: links }, (_, k) => body(k)) }
}

describe('backward differences on stiff joints', () => {
  const counts = (links: number, joint: 'revolute' | 'spherical' = 'revolute') => {
    const options = { solver: 'ode', method: 'bdf', rtol: 1e-3, atol: 1e-3, timestep: 0.04 }
    const simulation = createSimulation(buildModel(stiffChain(links, joint)), options)
    expect(simulation.advance(1).status).toBe('ok')
    return simulation.report.evaluations
  }

  it('take no more evaluations for long chains than for short ones, without a matrix', () => {
    const few = counts(4)
    expect(few).toBeLessThan(60)
    expect(counts(64)).toBeLessThan(2 * few)
    expect(counts(256)).toBeLessThan(2 * few)
  })

  it('work on spherical joints as well', () => {
    expect(counts(16, 'spherical')).toBeLessThan(120)
  })

  it('know stiff springs between bodies', () => {
    const spec: Spec = {
      ...stiffChain(4, 'revolute'),
      springs: [{ a: { body: 'world', point: [0.3, 0, -1] }, b: { body: 'b2', point: [0.1, 0, -0.2] }, stiffness: 1e4, damping: 1e3 }],
    }
    const run = (method: string, tolerance: number) => {
      const options = { solver: 'ode', method, rtol: tolerance, atol: tolerance, timestep: 0.5 }
      const simulation = createSimulation(buildModel(spec), options)
      expect(simulation.step().status).toBe('ok')
      return simulation
    }
    const stiff = run('bdf', 1e-4)
    const explicit = run('gear', 1e-4)
    expect(stiff.report.evaluations).toBeLessThan(explicit.report.evaluations / 4)
    const reference = run('bdf', 1e-9)
    expect(Math.hypot(...stiff.state.q.map((x, k) => x - reference.state.q[k]))).toBeLessThan(1e-3)
    expect(Math.hypot(...explicit.state.q.map((x, k) => x - reference.state.q[k]))).toBeLessThan(1e-3)
  })

  it('agree with the closed motion of one overdamped joint', () => {
    // I q̈ = −k q̇ without gravity: q = v₀ I/k (1 − exp(−k t/I))
    const k = 50
    const I = 0.5
    const single = buildModel({
      gravity: [0, 0, 0],
      bodies: [
        { name: 'b', inertia: { mass: 1, tensor: [I, I, I, 0, 0, 0] }, joints: [{ type: 'revolute', axis: [0, 1, 0], damping: k }] },
      ],
    })
    const simulation = createSimulation(single, { solver: 'ode', method: 'bdf', rtol: 1e-8, atol: 1e-10, timestep: 0.1 })
    simulation.reset({ v: Float64Array.of(3) })
    simulation.step(5)
    expect(simulation.state.q[0]).toBeCloseTo(((3 * I) / k) * (1 - Math.exp((-k * 0.5) / I)), 7)
  })
})
