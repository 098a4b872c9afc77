/**
 * Forces of the user's own in implicit steps: with rows, or with a Jacobian product alone, they do what the built-in spring does.
 */
import { buildModel, createData, createSimulation, createState, type Force, forwardKinematics, type Model, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { ownSpring } from './own-spring.js'

const k = 4e4
const damping = 30
const rest = 1.9
const ball = (name: string, x: number) => ({
  name,
  position: [x, 0, 2] as const,
  joints: [{ type: 'free' as const }],
  inertia: { mass: 1, com: [0.05, 0, 0] as const, tensor: [0.02, 0.03, 0.04, 0, 0, 0] as const },
})
/** Two balls, one of them on an arm, tied between their origins. */
const bodies: Spec['bodies'] = [
  {
    name: 'arm',
    joints: [{ type: 'revolute' as const, axis: [0, 1, 0] }],
    inertia: { mass: 1, com: [0.5, 0, 0], tensor: [0.01, 0.1, 0.1, 0, 0, 0] },
  },
  {
    name: 'hand',
    parent: 'arm',
    position: [1, 0, 0],
    joints: [{ type: 'spherical' as const }],
    inertia: { mass: 1, com: [0.1, 0, 0], tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
  },
  ball('ball', 1.3),
]
const A = 2
const B = 3

const { spring, rows, product } = ownSpring({ A, B, k, damping, rest })
const plain = buildModel({ bodies })
const builtIn = buildModel({ bodies, springs: [{ a: { body: 'hand' }, b: { body: 'ball' }, stiffness: k, damping, rest }] })
const run = (model: Model, scheme: string, linear: string, forces: readonly Force[] = []): number[] => {
  const sim = createSimulation(model, { solver: 'redmax', scheme, linear, timestep: 0.01, tolerance: 1e-12, forces })
  sim.step(40)
  expect(sim.report.message).toBe('')
  return Array.from(sim.state.q)
}

describe('a stiff spring of the user', () => {
  it.each(['linear', 'second-order', 'newton'])('moves as the built-in one, by rows and by product, scheme %s', (scheme) => {
    const wanted = run(builtIn, scheme, 'pcg')
    for (const [force, linear] of [
      [rows, 'pcg'],
      [rows, 'direct'],
      [product, 'pcg'],
      [product, 'auto'],
    ] as const) {
      run(plain, scheme, linear, [force]).forEach((x, i) => {
        expect(Math.abs(x - wanted[i]), `${force === rows ? 'rows' : 'product'} ${linear} ${i}`).toBeLessThan(1e-7)
      })
    }
  })

  it('is too stiff for the step without its Jacobian', () => {
    const sim = createSimulation(plain, { solver: 'redmax', scheme: 'linear', timestep: 0.02, forces: [spring] })
    sim.step(100)
    const { q } = sim.state
    expect(sim.report.status !== 'ok' || Math.hypot(q[5], q[6], q[7]) > 100).toBe(true)
  })

  it('has the product that finite differences of its force give', () => {
    const model = plain
    const data = createData(model)
    const state = createState(model)
    const force = (xi: ArrayLike<number>, v: ArrayLike<number>): Float64Array => {
      // translations of the free ball, where the force does not turn with its body
      const q = state.q.slice()
      for (let r = 0; r < 3; r++) q[5 + r] += xi[r]
      const all = new Float64Array(model.nv)
      for (let r = 0; r < 3; r++) all[7 + r] = v[r]
      forwardKinematics(model, data, q, all)
      data.f.fill(0)
      spring.apply(model, data, state)
      return data.f.slice(6 * B + 3, 6 * B + 6)
    }
    const h = 1e-6
    for (let c = 0; c < 3; c++) {
      const unit = [0, 1, 2].map((r) => (r === c ? 1 : 0))
      for (const [stiffness, loss] of [
        [1, 0],
        [0, 1],
      ] as const) {
        const at = (s: number): Float64Array => {
          const x = unit.map((value) => s * value)
          return stiffness === 1 ? force(x, [0, 0, 0]) : force([0, 0, 0], x)
        }
        const ahead = at(h)
        const behind = at(-h)
        forwardKinematics(model, data, state.q, new Float64Array(model.nv))
        const V = new Float64Array(6 * model.nbody)
        V.set(unit, 6 * B + 3)
        const f = new Float64Array(6 * model.nbody)
        product.jacobianProduct?.(model, data, state, { V, v: new Float64Array(model.nv) }, stiffness, loss, {
          f,
          qf: new Float64Array(model.nv),
        })
        for (let r = 0; r < 3; r++) expect(f[6 * B + 3 + r]).toBeCloseTo((behind[r] - ahead[r]) / (2 * h), 2)
      }
    }
  })
})

describe('forces that cannot be', () => {
  it.each(['direct', 'recursive'])('a product alone leaves nothing for linear=%s to factor', (linear) => {
    expect(() => createSimulation(plain, { solver: 'redmax', linear, forces: [product] })).toThrow(
      /force 'own spring' gives its Jacobian as a product only; use linear=pcg/,
    )
  })

  it('more rows than announced are refused by name of the remedy', () => {
    const run = (): unknown => createSimulation(plain, { solver: 'redmax', scheme: 'linear', forces: [{ ...rows, rows: 2 }] }).step()
    expect(run).toThrow(/there is room for 2; say in `rows`/)
  })

  it.each([
    ['redmax', { scheme: 'linear' }],
    ['redmax', { scheme: 'second-order' }],
    ['redmax', { scheme: 'newton' }],
    ['redmax', {}],
    ['ode', {}],
    ['position', {}],
  ])('that are not a number stop %s %o with their name and leave the state as it was', (solver, options) => {
    const broken: Force = {
      name: 'broken',
      apply(_m, d, s) {
        if (s.t >= 0.05) d.f[6 * B + 3] = Number.NaN
      },
    }
    const sim = createSimulation(plain, { solver, timestep: 0.01, forces: [broken], ...options })
    sim.step(10)
    expect(sim.report.status).not.toBe('ok')
    expect(sim.report.message).toMatch(/force 'broken' is not a number at t = 0\.0[45]/)
    expect(sim.state.t).toBeLessThan(0.06)
    expect([...sim.state.q, ...sim.state.v].every(Number.isFinite)).toBe(true)
    const before = Array.from(sim.state.q)
    sim.step()
    expect(Array.from(sim.state.q)).toEqual(before)
  })
})
