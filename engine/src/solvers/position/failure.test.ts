import { buildModel, createSimulation, createState, type Force, type State } from 'limber'
import { describe, expect, it } from 'vitest'
import { mechanisms } from '../../../test/conformance/mechanisms.js'
import { position } from './position.js'

const orders = ['2', '3', '4', '5', 'radau']
const base = { optimizer: 'newton', tolerance: 1e-9, iterations: 100 }
const bits = ({ t, q, v, s }: State): number[] => [t, ...q, ...v, ...s]

describe.each(orders)('order %s', (order) => {
  const [{ model, v }] = mechanisms()

  it.each([0, -0.1, Number.NaN, Number.POSITIVE_INFINITY])('calls a step of %d bad and leaves the state alone', (h) => {
    const stepper = position.create(model, { ...base, order })
    const state = createState(model)
    state.v.set(v)
    stepper.init(state)
    const before = bits(state)
    expect(stepper.step(state, h).status).toBe('bad-step')
    expect(bits(state)).toEqual(before)
    expect(stepper.step(state, 0.05).status).toBe('ok')
  })

  it('says that it diverged where an energy is NaN, and leaves the state alone', () => {
    const broken: Force = {
      name: 'broken',
      apply(_m, d, { t }) {
        if (t > 0.12) d.qf[0] = Number.NaN
      },
      energy: (_m, _d, { t }) => (t > 0.12 ? Number.NaN : 0),
    }
    const other = buildModel({
      bodies: [{ name: 'a', inertia: { mass: 1, com: [0, 0, -1] }, joints: [{ type: 'revolute', axis: [0, 1, 0], initial: 1 }] }],
    })
    const stepper = position.create(other, { ...base, order }, [broken])
    const state = createState(other)
    stepper.init(state)
    expect(stepper.step(state, 0.05).status).toBe('ok')
    expect(stepper.step(state, 0.05).status).toBe('ok')
    const before = bits(state)
    expect(stepper.step(state, 0.05).status).toBe('diverged')
    expect(bits(state)).toEqual(before)
    expect(stepper.report.rejected).toBe(1)
  })

  it('says that it did not converge when it may not iterate enough, and leaves the state alone', () => {
    const stepper = position.create(model, { ...base, order, tolerance: 1e-13, iterations: 1 })
    const state = createState(model)
    state.v.set([3, -9])
    stepper.init(state)
    const before = bits(state)
    expect(stepper.step(state, 0.2).status).toBe('not-converged')
    expect(bits(state)).toEqual(before)
  })

  it('is retried in parts by a simulation', () => {
    const simulation = createSimulation(model, { solver: position, timestep: 0.2, order, tolerance: 1e-10, iterations: 4 })
    simulation.reset({ v: Float64Array.of(3, -9) })
    simulation.step()
    expect(simulation.report.status).toBe('ok')
    expect(simulation.state.t).toBeCloseTo(0.2, 12)
  })
})
