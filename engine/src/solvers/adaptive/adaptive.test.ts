import { describe, expect, it } from 'vitest'
import { randomTree } from '../../../test/conformance/random-tree.js'
import { buildModel } from '../../build/build-model.js'
import type { Spec } from '../../build/spec.js'
import { createSimulation } from '../../create-simulation.js'
import { energy, forwardDynamics } from '../../forces/dynamics.js'
import { createData } from '../../model/data.js'
import type { Simulation } from '../../simulation.js'
import type { AdaptiveReport } from './stepper.js'

const reportOf = (simulation: Simulation): AdaptiveReport => simulation.report as unknown as AdaptiveReport

const difference = (x: Float64Array, y: Float64Array): number => x.reduce((most, value, k) => Math.max(most, Math.abs(value - y[k])), 0)

function chain(links: number, extra: Partial<Spec> = {}): Spec {
  return {
    gravity: [0, 0, -9.81],
    timestep: 0.005,
    ...extra,
    bodies: Array.from({ length: links }, (_, k) => ({
      name: `link${k + 1}`,
      ...(k > 0 ? { parent: `link${k}` } : {}),
      position: [k > 0 ? 1 : 0, 0, 0],
      inertia: { mass: 1, com: [0.5, 0, 0], tensor: [0.01, 0.09, 0.09, 0, 0, 0] },
      joints: [{ type: 'revolute', axis: [0, 1, 0] }],
    })),
  } as Spec
}

/** √ Σ w q̈² over the joints that the report calls held, by the recursion over all joints. */
function trulyNeglected(simulation: Simulation): number {
  const { model, state } = simulation
  const data = createData(model)
  forwardDynamics(model, data, state, state.tau)
  const of = simulation.report.groups?.[0].of as Int32Array
  let sum = 0
  for (let k = 0; k < model.nv; k++) if (of[model.velocityBody[k]] < 0) sum += data.a[k] ** 2
  return Math.sqrt(sum)
}

describe('adaptive dynamics', () => {
  it('with all joints active is semi-implicit Euler', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { spec, state } = randomTree({ seed, bodies: 4 + 3 * seed, floating: seed % 2 === 0 })
      // springs and dampers are taken implicitly
      const bodies = spec.bodies.map((body) => ({ ...body, joints: body.joints?.map((joint) => ({ ...joint, stiffness: 0, damping: 0 })) }))
      const model = buildModel({ ...spec, bodies } as Spec)
      const timestep = 1e-4
      const one = createSimulation(model, { solver: 'adaptive', timestep })
      const other = createSimulation(model, { solver: 'ode', method: 'semi-implicit', timestep })
      for (const simulation of [one, other]) {
        simulation.reset({ q: state.q, v: state.v })
        simulation.step(20)
      }
      expect(one.report.status).toBe('ok')
      expect(difference(one.state.q, other.state.q)).toBeLessThan(1e-9)
      expect(difference(one.state.v, other.state.v)).toBeLessThan(1e-7 * (1 + Math.max(...other.state.v.map(Math.abs))))
    }
  })

  it('reports what it neglects, at every step', () => {
    for (const options of [{ budget: 3 }, { budget: 8, every: 1 }, { threshold: 5 }, { threshold: 1, every: 2 }, { budget: 5, mode: 'truncated' }]) {
      const model = buildModel(chain(16))
      const simulation = createSimulation(model, { solver: 'adaptive', ...options })
      for (let k = 0; k < 60; k++) {
        simulation.step()
        const expected = trulyNeglected(simulation)
        expect(Math.abs(reportOf(simulation).neglected - expected)).toBeLessThan(1e-8 * (1 + expected))
        if (options.budget) expect(reportOf(simulation).active).toBeLessThanOrEqual(options.budget)
      }
    }
  })

  it('gains no energy where joints come and go', () => {
    const model = buildModel(chain(16, { gravity: [0, 0, 0] }))
    const simulation = createSimulation(model, { solver: 'adaptive', budget: 4, every: 1, timestep: 1e-3 })
    const v = Float64Array.from({ length: model.nv }, (_, k) => Math.sin(k + 1))
    simulation.reset({ v })
    const data = createData(model)
    let last = Number.POSITIVE_INFINITY
    for (let k = 0; k < 200; k++) {
      simulation.step()
      const { kinetic } = energy(model, data, simulation.state)
      expect(kinetic).toBeLessThan(last * (1 + 1e-3))
      last = kinetic
    }
  })
})
