/**
 * Loops, couplings and motions under the methods of `ode`: every method holds them, from a start that lies on them or is refused.
 */
import { describe, expect, it } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import type { Spec } from '../../build/spec.js'
import { createResidual } from '../../constraints/rows/residual.js'
import { createSimulation } from '../../create-simulation.js'
import { createData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { forwardKinematics } from '../../tree/kinematics.js'

const bar = (length: number) => ({ mass: 1, com: [length / 2, 0, 0] as const, tensor: [0.01, 0.1, 0.1, 0, 0, 0] as const })
const link = (name: string, parent: string, at: number, length: number, initial: number) => ({
  name,
  parent,
  position: [at, 0, 0] as const,
  inertia: bar(length),
  joints: [{ name, type: 'revolute' as const, axis: [0, 1, 0] as const, initial }],
})
/** Crank, coupler and rocker over a base of 2 m, closed to a few hundredths. */
const fourBar: Spec = {
  bodies: [link('crank', 'world', 0, 1, -1), link('coupler', 'crank', 1, 2, 0.75), link('rocker', 'coupler', 2, 1.5, 1.72)],
  constraints: [{ name: 'loop', type: 'point', a: { body: 'rocker', point: [1.5, 0, 0] }, b: { body: 'world', point: [2, 0, 0] } }],
}

function gapAt(model: Model, state: State): number {
  const data = createData(model)
  forwardKinematics(model, data, state.q, state.v)
  return createResidual(model)?.(data, state) ?? Number.NaN
}

const methods: [string, number, number][] = [
  ['rk4', 0.005, 1e-5],
  ['semi-implicit', 0.001, 1e-2],
  ['euler', 0.001, 1e-2],
  ['iec', 0.02, 1e-4],
  ['rk3', 0.02, 1e-4],
  ['rkg', 0.02, 1e-4],
  ['rkf45', 0.02, 1e-4],
  ['gear', 0.02, 1e-4],
  ['bdf', 0.02, 1e-4],
]

describe('a four-bar that starts a little open', () => {
  const model = buildModel(fourBar)

  it.each(methods)('stays closed under %s', (method, timestep, most) => {
    const simulation = createSimulation(model, { solver: 'ode', method, timestep })
    simulation.step()
    expect(simulation.warnings().join()).toMatch(
      /the starting pose missed its constraints by up to 0\.\d+ m or rad and was moved onto them/,
    )
    expect(simulation.warnings().join()).not.toMatch(/left out/)
    let worst = 0
    while (simulation.state.t < 2) {
      expect(simulation.step().message).toBe('')
      worst = Math.max(worst, gapAt(model, simulation.state))
    }
    expect(worst).toBeLessThan(most)
  })

  it.each(['rk4', 'gear'])('goes on with the same bits from a snapshot, %s', (method) => {
    const options = { solver: 'ode', method, timestep: 0.01 }
    const [first, second] = [createSimulation(model, options), createSimulation(model, options)]
    first.step(30)
    second.restore(first.snapshot())
    first.step(30)
    second.step(30)
    expect(second.state.q).toEqual(first.state.q)
    expect(second.state.v).toEqual(first.state.v)
  })

  it.each(['rk4', 'gear'])('takes up a pose that was written between two steps, %s', (method) => {
    const simulation = createSimulation(model, { solver: 'ode', method, timestep: 0.01 })
    simulation.step(10)
    simulation.state.q[0] += 0.1
    expect(gapAt(model, simulation.state)).toBeGreaterThan(0.01)
    simulation.step()
    expect(gapAt(model, simulation.state)).toBeLessThan(1e-5)
  })
})

it('a start that cannot be closed is refused by name, and left as it is', () => {
  const apart: Spec = {
    ...fourBar,
    constraints: [{ name: 'far', type: 'point', a: { body: 'rocker', point: [1.5, 0, 0] }, b: { body: 'world', point: [9, 0, 0] } }],
  }
  for (const method of ['rk4', 'gear']) {
    const simulation = createSimulation(buildModel(apart), { solver: 'ode', method, timestep: 0.01 })
    const before = simulation.state.q.slice()
    const report = simulation.step()
    expect(report.status).not.toBe('ok')
    expect(report.message).toMatch(/constraint 'far' cannot be met/)
    expect(simulation.state.q).toEqual(before)
    expect(simulation.state.t).toBe(0)
  }
})

it('a prescribed motion is followed to the tolerance', () => {
  const driven: Spec = {
    ...fourBar,
    constraints: [...(fourBar.constraints ?? []), { name: 'motor', type: 'motion', joint: 'crank', offset: -1, speed: 2 }],
  }
  const model = buildModel(driven)
  const simulation = createSimulation(model, { solver: 'ode', method: 'gear', rtol: 1e-9, atol: 1e-9, timestep: 0.1 })
  for (let k = 0; k < 20; k++) {
    simulation.step()
    expect(Math.abs(simulation.state.q[0] - (-1 + 2 * simulation.state.t))).toBeLessThan(1e-7)
    expect(gapAt(model, simulation.state)).toBeLessThan(1e-7)
  }
})

it('without stabilization a loop that was opened stays open; with more of it, it closes faster', () => {
  const gaps = [0, 5, 40].map((stabilization) => {
    const model = buildModel(fourBar)
    const simulation = createSimulation(model, { solver: 'ode', method: 'semi-implicit', timestep: 0.005, stabilization })
    let worst = 0
    while (simulation.state.t < 2) {
      simulation.step()
      worst = Math.max(worst, gapAt(model, simulation.state))
    }
    return worst
  })
  expect(gaps[1]).toBeLessThan(0.5 * gaps[0])
  expect(gaps[2]).toBeLessThan(0.5 * gaps[1])
})

it('what it cannot hold is still left out, and said', () => {
  const tied: Spec = {
    ...fourBar,
    tendons: [
      { name: 't', joints: [{ joint: 'crank', coefficient: 1 }] },
      { name: 'u', joints: [{ joint: 'rocker', coefficient: 1 }] },
    ],
    constraints: [{ name: 'tie', type: 'tendon-coupling', tendon: 't', of: 'u', polynomial: [0, 1] }],
  } as Spec
  expect(createSimulation(buildModel(tied), { solver: 'ode' }).warnings().join()).toMatch(/1 constraint: left out by ode; take redmax/)
})
