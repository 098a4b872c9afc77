/**
 * Closed linkages under the solver `ode`: loops stay closed, energy is kept, and `redmax` comes to the same motion as its step shrinks.
 */
import { buildModel, createData, createResidual, createSimulation, energy, forwardKinematics, type Model, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { findScene } from './index.js'

const SECONDS = 10
/** metres or radians */
const CLOSED = 1e-6
/** share of the energy */
const KEPT = 1e-5

function build(name: string): Model {
  const spec: Spec = findScene(name)?.build({}) ?? { bodies: [] }
  // without what takes energy
  const bodies = spec.bodies.map((body) => ({ ...body, joints: (body.joints ?? []).map((joint) => ({ ...joint, damping: 0 })) }))
  return buildModel({ ...spec, bodies })
}

const gear = { solver: 'ode', method: 'gear', rtol: 1e-8, atol: 1e-8 } as const

describe.each(['four-bar', 'slider-crank', 'stewart', 'parallelogram', 'bennett'])('%s', (name) => {
  const model = build(name)
  const data = createData(model)

  it(`stays closed to ${CLOSED} m and keeps its energy to ${KEPT} for ${SECONDS} s, method gear`, () => {
    const simulation = createSimulation(model, { ...gear, timestep: 0.05 })
    const residual = createResidual(model)
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, simulation.state)
      return kinetic + potential
    }
    const start = total()
    let [open, lost] = [0, 0]
    while (simulation.state.t < SECONDS) {
      expect(simulation.step().message).toBe('')
      lost = Math.max(lost, Math.abs(total() - start))
      open = Math.max(open, residual?.(data, simulation.state) ?? Number.NaN)
    }
    expect(open).toBeLessThan(CLOSED)
    expect(lost).toBeLessThan(KEPT * Math.abs(start))
  })

  it('is where redmax comes to as its step shrinks, at second order', () => {
    const at = 0.4
    const points = (options: object): Float64Array => {
      const simulation = createSimulation(model, { ...options })
      simulation.advance(at)
      forwardKinematics(model, data, simulation.state.q, simulation.state.v)
      return data.X_WB.slice()
    }
    const exact = points({ ...gear, rtol: 1e-11, atol: 1e-11, timestep: at })
    const [coarse, fine] = [0.004, 0.002].map((timestep) => {
      const X = points({ solver: 'redmax', scheme: 'second-order', timestep })
      return X.reduce((most, x, k) => Math.max(most, Math.abs(x - (exact[k] ?? Number.NaN))), 0)
    })
    expect(coarse).toBeGreaterThan(0)
    expect(coarse).toBeLessThan(0.01)
    expect((coarse ?? 0) / (fine ?? 0)).toBeGreaterThan(3)
  })
})
