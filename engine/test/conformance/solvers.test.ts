/**
 * Every method of every solver in the table: its order, its energy, its determinism, and what it does when a step cannot be made.
 */

import type { Model, Options, Simulation, Solver, State } from 'limber'
import { adaptiveMethods, createData, createSimulation, createState, difference, energy, solvers } from 'limber'
import { describe, expect, it } from 'vitest'
import { completeOptions } from '../../src/solvers/options.js'
import { breakingPendulum, mechanisms } from './mechanisms.js'

interface Method {
  readonly title: string
  readonly solver: Solver
  readonly options: Options
  /** the error falls with the step as the order says, or stays within a tolerance; other solvers show theirs in suites of their own */
  readonly accuracy: 'order' | 'tolerance' | 'other'
}

// `auto` divides the longer steps, and so does not show the order of rk4 that it has at the shorter ones
const toTolerance: readonly string[] = [...adaptiveMethods, 'auto']
const methods: Method[] = Object.values(solvers).flatMap((solver): Method[] => {
  const choices = solver.options.method?.choices
  if (!choices) return [{ title: solver.name, solver, options: completeOptions(solver, {}), accuracy: 'other' }]
  return choices.map((method) => ({
    title: `${solver.name} ${method}`,
    solver,
    options: completeOptions(solver, { method }),
    accuracy: toTolerance.includes(method) ? 'tolerance' : 'order',
  }))
})
const fixedMethods = methods.filter(({ accuracy }) => accuracy === 'order')

function started(model: Model, { solver, options }: Method, h: number, v: Float64Array): Simulation {
  const simulation = createSimulation(model, { solver, timestep: h, ...options })
  simulation.reset({ v })
  return simulation
}

function bits({ t, q, v, s }: State): number[] {
  return [t, ...q, ...v, ...s]
}

/** Distance of two states: differences of coordinates along the joints, and of velocities. */
function distance(model: Model, a: State, b: State): number {
  const x = new Float64Array(model.nv)
  difference(model, x, a.q, b.q)
  return Math.hypot(...x, ...a.v.map((value, k) => value - b.v[k]))
}

describe.each(mechanisms())('$name', ({ model, v }) => {
  const T = 0.5
  const reference = createSimulation(model, { solver: 'ode', method: 'rk4', timestep: T / 4096 })
  reference.reset({ v })
  reference.step(4096)

  it.each(fixedMethods)('$title converges with its declared order', (method) => {
    const error = (n: number): number => {
      const simulation = started(model, method, T / n, v)
      simulation.step(n)
      return distance(model, simulation.state, reference.state)
    }
    const n = method.solver.order(method.options) > 2 ? 64 : 512
    const [coarse, fine] = [error(n), error(2 * n)]
    expect(fine).toBeGreaterThan(0)
    const found = Math.log2(coarse / fine)
    const order = method.solver.order(method.options)
    expect(found).toBeGreaterThan(order - 0.25)
    expect(found).toBeLessThan(order + 0.4)
  })

  it.each(methods.filter(({ accuracy }) => accuracy === 'tolerance'))('$title agrees with rk4 at a fine step', (method) => {
    const simulation = started(model, method, T / 8, v)
    simulation.step(8)
    // default tolerances are 1e-6 a step
    expect(distance(model, simulation.state, reference.state)).toBeLessThan(1e-3)
  })

  const able = methods.filter(({ solver }) => solver.refuses(model) === null)

  it.each(able)('$title gives the same bits for the same state, step by step', (method) => {
    const one = started(model, method, 0.01, v)
    const two = started(model, method, 0.01, v)
    for (let k = 0; k < 20; k++) {
      one.step()
      two.step()
      expect(bits(one.state)).toEqual(bits(two.state))
    }
    expect(one.report.status).toBe('ok')
  })

  it.each(able)('$title continues with the same bits from a snapshot in a fresh simulation', (method) => {
    const whole = started(model, method, 0.01, v)
    whole.step(15)
    const bytes = whole.snapshot()
    whole.step(15)
    const fresh = createSimulation(model, { solver: method.solver, timestep: 0.01, ...method.options })
    fresh.restore(bytes)
    fresh.step(15)
    expect(bits(fresh.state)).toEqual(bits(whole.state))
  })
})

describe('energy of a conservative mechanism', () => {
  const [{ model, v }] = mechanisms()
  const data = createData(model)
  const total = (state: State): number => {
    const { kinetic, potential } = energy(model, data, state)
    return kinetic + potential
  }
  /** largest and last departure from the energy at the start, over 20 s */
  function departure(name: string, h: number): { most: number; last: number } {
    const method = methods.find(({ options }) => options.method === name) as Method
    const simulation = started(model, method, h, v)
    const start = total(simulation.state)
    let most = 0
    for (let k = 0; k < 200; k++) {
      simulation.advance(0.1)
      most = Math.max(most, Math.abs(total(simulation.state) - start))
    }
    return { most, last: total(simulation.state) - start }
  }

  it('rk4 strays by less than 1e-7 J in 20 s at 1 ms', () => {
    expect(departure('rk4', 1e-3).most).toBeLessThan(1e-7)
  })

  it('semi-implicit strays in proportion to the step, and less than euler, which gains steadily', () => {
    const [coarse, fine] = [departure('semi-implicit', 1e-3), departure('semi-implicit', 2.5e-4)]
    const euler = departure('euler', 1e-3)
    expect(coarse.most / fine.most).toBeGreaterThan(2.5)
    expect(coarse.most).toBeLessThan(0.5)
    expect(euler.last).toBeGreaterThan(3 * coarse.most)
  })
})

describe.each(methods)('$title when a step cannot be made', ({ solver, options, accuracy }) => {
  it.each([0, -0.01, Number.NaN, Number.POSITIVE_INFINITY])('refuses a step of %d and leaves the state alone', (h) => {
    const [{ model, v }] = mechanisms()
    const stepper = solver.create(model, options)
    const state = createState(model)
    state.v.set(v)
    stepper.init(state)
    const before = bits(state)
    expect(stepper.step(state, h).status).toBe('bad-step')
    expect(bits(state)).toEqual(before)
    // and can still step
    expect(stepper.step(state, 0.01).status).toBe('ok')
    expect(state.t).toBeCloseTo(0.01, 15)
  })

  // solvers of other kinds may not take forces as they are
  it.runIf(accuracy !== 'other' || solver.name === 'redmax')(
    'leaves the state alone where a force is NaN, names the joint, and can go on from another state',
    () => {
      const { model, breaks } = breakingPendulum(0.095)
      const stepper = solver.create(model, options, [breaks])
      const state = createState(model)
      stepper.init(state)
      let status = 'ok'
      let before: number[] = []
      for (let k = 0; k < 20 && status === 'ok'; k++) {
        before = bits(state)
        status = stepper.step(state, 0.01).status
      }
      expect(status).toBe('diverged')
      expect(state.t).toBeLessThan(0.1)
      expect(state.t).toBeGreaterThan(0.08)
      expect(bits(state)).toEqual(before)
      expect([...state.q, ...state.v].every(Number.isFinite)).toBe(true)

      const fresh = createState(model)
      stepper.init(fresh)
      expect(stepper.step(fresh, 0.01).status).toBe('ok')
      expect(stepper.report.evaluations).toBeGreaterThan(0)
    },
  )

  it('says from the state alone what comes next: a stepper that stepped elsewhere gives the same bits', () => {
    const [{ model, v }] = mechanisms()
    const one = solver.create(model, options)
    const two = solver.create(model, options)
    const a = createState(model)
    const b = createState(model)
    const other = createState(model)
    a.v.set(v)
    b.v.set(v)
    one.init(a)
    two.init(b)
    two.init(other)
    for (let k = 0; k < 5; k++) {
      one.step(a, 0.01)
      two.step(b, 0.01)
      two.step(other, 0.007)
    }
    expect(bits(b)).toEqual(bits(a))
  })
})
