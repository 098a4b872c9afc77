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
  const { model, state, forces } = simulation
  const data = createData(model, { forces })
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
    for (const options of [
      { budget: 3 },
      { budget: 8, every: 1 },
      { threshold: 5 },
      { threshold: 1, every: 2 },
      { budget: 5, mode: 'truncated' },
    ]) {
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

  it('reports it where forces act inside what is held', () => {
    const spec = chain(16)
    const model = buildModel({
      ...spec,
      bodies: spec.bodies.map((body, k) => ({
        ...body,
        joints: [{ ...body.joints?.[0], name: `j${k + 1}`, stiffness: 20, damping: 1 }],
      })) as Spec['bodies'],
      springs: [{ a: { body: 'world', point: [5, 0, 3] }, b: { body: 'link6', point: [0.5, 0, 0] }, stiffness: 50, damping: 1 }],
      loads: [{ body: 'link11', force: [0, 0, 30], point: [0.3, 0, 0] }],
      actuators: [{ joint: 'j14', gain: [40, 0, 0], bias: [0, -40, -2] }],
    } as unknown as Spec)
    const wind = { name: 'wind', apply: (_m: unknown, d: { f: Float64Array }) => void (d.f[6 * 9 + 5] += 4) }
    for (const forces of [[], [wind]]) {
      for (const options of [{ budget: 4 }, { budget: 7, every: 1 }, { threshold: 10 }, { budget: 6, mode: 'truncated' }]) {
        const simulation = createSimulation(model, { solver: 'adaptive', forces: forces as never, ...options })
        for (let k = 0; k < 40; k++) {
          simulation.state.control[0] = k < 20 ? 0.3 : -0.2
          if (k === 10) simulation.state.tau[9] = 3
          simulation.step()
          const expected = trulyNeglected(simulation)
          expect(Math.abs(reportOf(simulation).neglected - expected)).toBeLessThan(1e-8 * (1 + expected))
        }
      }
    }
  })

  it('rests on the ground, active and held bodies alike', () => {
    const spec = chain(8)
    const model = buildModel({
      ...spec,
      bodies: spec.bodies.map((body, k) => ({
        ...body,
        position: k === 0 ? [0, 0, 0.6] : body.position,
        joints: k === 0 ? [{ type: 'free' }] : [{ ...body.joints?.[0], damping: 0.1, limits: [-0.2, 0.2] }],
        geoms: [{ shape: 'capsule', radius: 0.1, length: 0.8, position: [0.5, 0, 0], quaternion: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] }],
      })) as Spec['bodies'],
      world: { geoms: [{ shape: 'plane' }] },
    } as unknown as Spec)
    for (const options of [{}, { budget: 3 }, { threshold: 1 }]) {
      const simulation = createSimulation(model, { solver: 'adaptive', ...options })
      simulation.advance(3)
      expect(simulation.report.status).toBe('ok')
      expect(simulation.state.q[2]).toBeGreaterThan(0.095)
      expect(simulation.state.q[2]).toBeLessThan(0.11)
      expect(Math.max(...simulation.state.v.map(Math.abs))).toBeLessThan(0.05)
    }
  })

  it('stops joints at their limits', () => {
    const model = buildModel({
      ...chain(1),
      bodies: [{ ...chain(1).bodies[0], joints: [{ type: 'revolute', axis: [0, 1, 0], limits: [-1, 0.5] }] }],
    } as Spec)
    const simulation = createSimulation(model, { solver: 'adaptive' })
    simulation.advance(2)
    expect(simulation.state.q[0]).toBeCloseTo(0.5, 2)
    expect(Math.abs(simulation.state.v[0])).toBeLessThan(0.01)
  })

  it('moves the same whether its report is read or not, and from a snapshot', () => {
    const spec = chain(8)
    const bodies = spec.bodies.map((body) => ({ ...body, joints: [{ ...body.joints?.[0], limits: [-0.3, 0.2] }] }))
    const model = buildModel({ ...spec, bodies } as unknown as Spec)
    for (const options of [{ budget: 3 }, { threshold: 2 }, { budget: 4, mode: 'truncated' }, {}]) {
      const [plain, read, again] = [1, 2, 3].map(() => createSimulation(model, { solver: 'adaptive', ...options }))
      for (let k = 0; k < 60; k++) {
        plain.step()
        read.step()
        expect(reportOf(read).neglected).toBeGreaterThanOrEqual(0)
        again.restore(plain.snapshot())
        expect(again.state.q).toEqual(plain.state.q)
        again.step()
        expect(read.state.q).toEqual(plain.state.q)
        expect(read.state.v).toEqual(plain.state.v)
        const next = createSimulation(model, { solver: 'adaptive', ...options })
        next.restore(plain.snapshot())
        next.step()
        expect(next.state.q).toEqual(again.state.q)
      }
    }
  })

  it('says what is wrong with its options', () => {
    const model = buildModel(chain(3))
    expect(() => createSimulation(model, { solver: 'adaptive', threshold: -1 })).toThrow(/threshold/)
    expect(() => createSimulation(model, { solver: 'adaptive', budget: 1.5 })).toThrow(/budget: expected a whole number/)
  })

  it('gains no energy where importance sends joints to rest and back ten thousand times', () => {
    const pair = chain(12, { gravity: [0, 0, 0] }).bodies
    // two chains, of which now one matters and now the other
    const other = pair.map((body) => ({ ...body, name: `${body.name}b`, ...(body.parent ? { parent: `${body.parent}b` } : {}) }))
    const model = buildModel({ ...chain(12, { gravity: [0, 0, 0] }), bodies: [...pair, ...other] } as Spec)
    const data = createData(model)
    let seed = 1
    const random = (): number => {
      seed = (seed * 48271) % 2147483647
      return seed / 2147483647
    }
    let changes = 0
    let worst = 0
    const kinetic = (simulation: Simulation): number => energy(model, data, simulation.state).kinetic
    for (let run = 0; changes < 10000; run++) {
      const simulation = createSimulation(model, { solver: 'adaptive', budget: 6, every: 1, timestep: 1e-6 })
      simulation.reset({ v: Float64Array.from({ length: model.nv }, () => random() - 0.5) })
      let before = kinetic(simulation)
      let of = new Int32Array(model.nbody)
      for (let k = 0; k < 300 && changes < 10000; k++) {
        const importance = simulation.detail?.importance as Float64Array
        for (let tree = 0; tree < importance.length; tree++) importance[tree] = 10 ** (12 * random() - 6)
        simulation.step()
        const now = simulation.report.groups?.[0].of as Int32Array
        for (let i = 1; i < model.nbody; i++) if (now[i] !== of[i]) changes++
        of = now.slice()
        const after = kinetic(simulation)
        worst = Math.max(worst, after / before - 1)
        before = after
        // a push, so that there is something to lose
        for (let i = 0; i < model.nv; i++) simulation.state.v[i] += 0.2 * (random() - 0.5)
        before = kinetic(simulation)
      }
    }
    expect(worst).toBeLessThan(1e-5)
  }, 60_000)

  it('comes to the motion of all joints as the threshold goes to zero', () => {
    const model = buildModel(chain(16))
    const run = (options: object): Float64Array => {
      const simulation = createSimulation(model, { timestep: 0.005, ...options } as never)
      simulation.advance(0.5)
      return simulation.state.q.slice()
    }
    const full = run({ solver: 'ode', method: 'semi-implicit' })
    const errors = [30, 3, 0.3, 0.03, 1e-6].map((threshold) => difference(run({ solver: 'adaptive', threshold, every: 1 }), full))
    expect(errors[4]).toBeLessThan(1e-6)
    expect(errors[3]).toBeLessThan(0.02)
    expect(errors[3]).toBeLessThan(errors[0])
  })

  it('touches a number of nodes that goes with the joints that move, not with those there are', () => {
    for (const links of [1000, 4000, 20000]) {
      const model = buildModel(chain(links))
      const simulation = createSimulation(model, { solver: 'adaptive', budget: 20, timestep: 1e-3 })
      for (let k = 0; k < 18; k++) {
        expect(simulation.step().status).toBe('ok')
        expect(reportOf(simulation).touched).toBeLessThanOrEqual(4 * 20 + 2 * Math.ceil(Math.log2(links)) + 10)
      }
    }
  }, 60_000)

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
