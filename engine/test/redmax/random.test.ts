/**
 * Random passive mechanisms on the default settings of redmax: every one starts and every step is taken, loops stay closed to 1e-6 m, limits hold to 1e-3,
 * none gains more than 5 % of its energy (or 0.05 J), and a run from a snapshot goes on with the same bits.
 */
import { buildModel, createData, createResidual, createSimulation, energy, forwardKinematics, type Model, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { randomMechanism } from './random-mechanism.js'

const STEPS = 150
// m or rad, as the issue asks
const OPEN = 1e-6
// rad or m: a limit is met by the iterations of a step to 1e-5, and overlaps open by a share a step
const PASSED = 1e-3
// of the energy at the start, or J
const GAIN = 0.05

function run(spec: Spec, velocity: Float64Array, timestep: number): void {
  const model = buildModel(spec)
  const data = createData(model)
  const simulation = createSimulation(model, { solver: 'redmax', timestep })
  simulation.reset({ v: velocity })
  const { state } = simulation
  const residual = createResidual(model)
  const total = (): number => {
    const { kinetic, potential } = energy(model, data, state)
    return kinetic + potential
  }
  const first = total()
  let most = first
  let open = 0
  let passed = 0
  let half: Uint8Array = new Uint8Array(0)
  for (let k = 0; k < STEPS; k++) {
    if (k === STEPS / 2) half = simulation.snapshot()
    expect(simulation.step().message).toBe('')
    most = Math.max(most, total())
    forwardKinematics(model, data, state.q, state.v)
    open = Math.max(open, residual?.(data, state) ?? 0)
    passed = Math.max(passed, beyond(model, state.q))
  }
  expect(Number.isFinite(most)).toBe(true)
  expect(open).toBeLessThan(OPEN)
  expect(passed).toBeLessThan(PASSED)
  expect(most - first).toBeLessThan(GAIN * Math.max(1, Math.abs(first)))

  const again = createSimulation(model, { solver: 'redmax', timestep })
  again.restore(half)
  again.step(STEPS / 2)
  expect(again.state.q).toEqual(state.q)
  expect(again.state.v).toEqual(state.v)
}

/** How far joints of one coordinate are beyond their limits. */
function beyond(model: Model, q: Float64Array): number {
  let most = 0
  for (const { iq, iv, nq, nv } of model.joints) {
    if (nq !== 1 || nv !== 1) continue
    most = Math.max(most, model.limits[2 * iv] - q[iq], q[iq] - model.limits[2 * iv + 1])
  }
  return most
}

describe('random mechanisms hold by default', () => {
  it.each(Array.from({ length: 30 }, (_, k) => k + 1))('in the air, seed %i', (seed) => {
    const { spec, timestep, velocity } = randomMechanism(seed, false)
    run(spec, velocity(buildModel(spec).nv), timestep)
  })

  it.each(Array.from({ length: 20 }, (_, k) => k + 1))('above the ground, seed %i', (seed) => {
    const { spec, timestep, velocity } = randomMechanism(seed, true)
    const start = velocity(buildModel(spec).nv)
    // shapes that overlap as they are drawn are left out, as a user would
    const model = buildModel({ ...spec, constraints: [] })
    const simulation = createSimulation(model, { solver: 'redmax', timestep: 1e-6 })
    simulation.step()
    const overlaps = simulation.contacts().filter(({ gap }) => gap < 0)
    const exclude = overlaps.map(({ bodyA, bodyB }) => [model.bodies[bodyA].name, model.bodies[bodyB].name] as const)
    const apart = { ...spec, exclude: exclude.filter((names) => !names.includes('world')) }
    run(apart, start, timestep)
  })
})
