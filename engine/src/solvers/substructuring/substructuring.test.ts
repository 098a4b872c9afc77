/**
 * Newmark steps of domains in a tree: order, what they keep, and the levels of inertia against an unreduced mesh.
 */
import {
  type BodySpec,
  buildModel,
  createData,
  createSimulation,
  createState,
  difference,
  energy,
  forwardDynamics,
  forwardKinematics,
  type Model,
  momentum,
  type Options,
  reduce,
  type Spec,
  type State,
  substructuring,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { expectNear } from '../../../test/conformance/check.js'
import { anywhere, tree } from '../../../test/conformance/domain-tree.js'
import { beam } from '../../../test/deformable/meshes.js'
import { createFullMesh } from '../../deformable/full-mesh.js'
import { luFactor, luSolve } from '../../linalg/dense/lu.js'
import { completeOptions } from '../options.js'

const free: BodySpec['joints'] = [{ type: 'free' as const }]

function damped(spec: Spec, damping: { mass?: number; stiffness?: number }): Spec {
  return { ...spec, bodies: spec.bodies.map((body) => (body.domain ? { ...body, domain: { ...body.domain, damping } } : body)) }
}

/** The state after time T in n steps. */
function run(model: Model, start: { q: Float64Array; v: Float64Array }, T: number, n: number, options: object): State {
  const simulation = createSimulation(model, { solver: 'substructuring', timestep: T / n, ...options })
  simulation.reset(start)
  for (let k = 0; k < n; k++) expect(simulation.step().status).toBe('ok')
  return simulation.state
}

function distance(model: Model, a: State, b: State): number {
  const x = new Float64Array(model.nv)
  difference(model, x, a.q, b.q)
  return Math.hypot(...x)
}

describe('a step', () => {
  it.each([1, 2, 3])('begins with the accelerations of the forward dynamics, seed %i', (seed) => {
    const model = buildModel(damped(tree(seed, free), { mass: 0.2, stiffness: 0.01 }))
    const { q, v } = anywhere(model, seed)
    const state = { ...createState(model), q, v }
    const data = createData(model)
    forwardDynamics(model, data, state)
    const stepper = substructuring.create(model, completeOptions(substructuring, {}))
    stepper.init(state)
    expectNear(state.s.subarray(0, model.nv), data.a, 1e-12)
  })

  it.each<[string, Options, number, Spec]>([
    ['', {}, 2, tree(1)],
    [' with two iterations', { iterations: 2 }, 2, tree(2, free)],
    [' in free flight', {}, 2, tree(3, free)],
    [' with damping', {}, 2, damped(tree(4), { mass: 0.5, stiffness: 2e-3 })],
    [' with γ of 0.6', { gamma: 0.6, beta: 0.3025 }, 1, tree(5)],
  ])('has its declared order%s', (_, options, order, spec) => {
    expect(substructuring.order(completeOptions(substructuring, options))).toBe(order)
    const model = buildModel(spec)
    const start = anywhere(model, 1)
    const T = 0.1
    const reference = createSimulation(model, { solver: 'ode', method: 'rk4', timestep: T / 2000 })
    reference.reset(start)
    reference.step(2000)
    const error = (n: number): number => distance(model, run(model, start, T, n, options), reference.state)
    const found = Math.log2(error(200) / error(400))
    expect(found).toBeGreaterThan(order - 0.25)
    expect(found).toBeLessThan(order + 0.4)
  })

  it('holds modes that are far faster than it', () => {
    const spec = damped(tree(1), { stiffness: 1e-3 })
    const model = buildModel({
      ...spec,
      bodies: spec.bodies.map((body) => (body.domain ? { ...body, domain: { ...body.domain, frequency: 300 } } : body)),
    })
    const simulation = createSimulation(model, { solver: 'substructuring', timestep: 1 / 60 })
    for (let k = 0; k < 300; k++) expect(simulation.step().status).toBe('ok')
    for (const k of model.modes.iq) expect(Math.abs(simulation.state.q[k])).toBeLessThan(1e-3)
  })

  it.each(['L1', 'L2', 'L3'])('refuses joints between domains with %s, and says what to take', (inertia) => {
    expect(() => createSimulation(buildModel(tree(1)), { solver: 'substructuring', inertia })).toThrow(/joint 'd' moves.*inertia=exact/)
  })

  it.each<[string, RegExp, Partial<Spec>]>([
    ['loops', /loops.*take redmax/, { constraints: [{ type: 'point', a: { body: 'c' }, b: { body: 'd' } }] }],
    [
      'springs across the tree',
      /spring 'spring0' joins two bodies.*redmax/,
      { springs: [{ a: { body: 'c' }, b: { body: 'd' }, stiffness: 1 }] },
    ],
  ])('refuses %s', (_, message, more) => {
    const spec = tree(1)
    // both ends where the other is
    const bodies = spec.bodies.map((body) =>
      body.name === 'c' || body.name === 'd' ? { ...body, joints: [{ type: 'free' as const }], position: [0, 0, 0] as const } : body,
    )
    expect(() =>
      createSimulation(buildModel({ ...spec, bodies: more.constraints ? bodies : spec.bodies, ...more }), { solver: 'substructuring' }),
    ).toThrow(message)
  })
})

describe('what steps keep', () => {
  const measure = (model: Model, state: State) => {
    const data = createData(model)
    forwardKinematics(model, data, state.q, state.v)
    const out = new Float64Array(6)
    momentum(model, data, out)
    const { kinetic, potential } = energy(model, data, state)
    return { momentum: out, energy: kinetic + potential, kinetic }
  }

  /** Largest departures from the start over half a second. */
  function departures(model: Model, n: number, options: object) {
    const simulation = createSimulation(model, { solver: 'substructuring', timestep: 0.5 / n, ...options })
    simulation.reset({ v: anywhere(model, 1).v })
    const before = measure(model, simulation.state)
    let [inEnergy, inMomentum] = [0, 0]
    for (let k = 0; k < n; k++) {
      expect(simulation.step().status).toBe('ok')
      const now = measure(model, simulation.state)
      inEnergy = Math.max(inEnergy, Math.abs(now.energy - before.energy) / before.kinetic)
      inMomentum = Math.max(inMomentum, ...now.momentum.map((x, r) => Math.abs(x - before.momentum[r])))
    }
    return { energy: inEnergy, momentum: inMomentum / Math.hypot(...before.momentum) }
  }

  it('energy, and momentum of a free root, up to the square of the step', () => {
    const model = buildModel(tree(2, free, [0, 0, 0]))
    const [coarse, fine] = [departures(model, 500, {}), departures(model, 1000, {})]
    for (const key of ['energy', 'momentum'] as const) {
      const found = Math.log2(coarse[key] / fine[key])
      expect(found).toBeGreaterThan(1.75)
      expect(found).toBeLessThan(2.4)
    }
    expect(fine.momentum).toBeLessThan(1e-3)
    expect(fine.energy).toBeLessThan(1e-2)
  })

  it.each(['L1', 'L2', 'L3'])('with %s momentum is lost, however small the step', (inertia) => {
    const { bodies, ...rest } = tree(2, free, [0, 0, 0])
    const model = buildModel({ ...rest, bodies: bodies.map((body, k) => (k === 0 ? body : { ...body, joints: [] })) })
    const [exact, level] = [departures(model, 1000, {}), departures(model, 1000, { inertia })]
    expect(level.momentum).toBeGreaterThan(20 * exact.momentum)
  })

  it('does not depend on where the mechanism stands', () => {
    const spec = tree(3, free, [0, 0, 0])
    const elsewhere: Spec = {
      ...spec,
      bodies: spec.bodies.map((body, k) => (k === 0 ? { ...body, position: [3, -2, 1], quaternion: [0.5, -0.1, 0.7, 0.3] } : body)),
    }
    const [a, b] = [spec, elsewhere].map((s) => {
      const model = buildModel(s)
      const state = run(model, { q: model.q0, v: anywhere(model, 3).v }, 0.2, 100, {})
      return Array.from(model.modes.iq, (k) => state.q[k])
    })
    expectNear(a, b, 1e-10)
  })
})

describe('the lowest frequency of three domains in a row, over that of the whole mesh', () => {
  const material = { young: 1e6, poisson: 0.4, density: 1000 }
  const edge = 0.3
  const section = 0.25
  const whole = beam([15, 2, 2], [edge, section, section])
  const near = (x: number) => ({ min: [x - 0.01, -9, -9], max: [x + 0.01, 9, 9] }) as const
  const [lowest] = createFullMesh(whole, { material, fixed: near(0) }).frequencies(1)
  const domain = reduce(beam([5, 2, 2], [edge, section, section]), {
    material,
    fixed: near(0),
    interfaces: { end: near(5 * edge) },
    modes: 20,
  })
  const model = buildModel({
    gravity: [0, 0, 0],
    domains: [{ name: 'third', data: domain }],
    bodies: [0, 1, 2].map(
      (k): BodySpec => ({
        name: `d${k}`,
        domain: { name: 'third' },
        ...(k > 0 ? { parent: `d${k - 1}`, attach: 'end', position: [5 * edge, 0, 0] } : {}),
      }),
    ),
  })

  /** From accelerations at small coordinates: a = −B q, whose smallest eigenvalue is ω² by inverse iteration. */
  function frequency(inertia: string): number {
    const stepper = substructuring.create(model, completeOptions(substructuring, { inertia }))
    const { nv } = model
    const small = 1e-7
    const B = new Float64Array(nv * nv)
    for (let l = 0; l < nv; l++) {
      const [plus, minus] = [small, -small].map((x) => {
        const state = createState(model)
        state.q[l] = x
        stepper.init(state)
        return state.s.slice(0, nv)
      })
      for (let k = 0; k < nv; k++) B[k * nv + l] = -(plus[k] - minus[k]) / (2 * small)
    }
    const rows = new Int32Array(nv)
    luFactor(B, 0, nv, rows)
    const x = new Float64Array(nv).fill(1)
    let value = 0
    for (let k = 0; k < 200; k++) {
      const y = new Float64Array(nv)
      luSolve(B, 0, nv, rows, y, 0, x, 0)
      value = Math.hypot(...x) / Math.hypot(...y)
      x.set(y.map((c) => c / Math.hypot(...y)))
    }
    return Math.sqrt(value) / (2 * Math.PI)
  }

  it.each([
    ['L1', 2.95],
    ['L2', 1.21],
    ['L3', 1.14],
    ['exact', 1.026],
  ])('is with %s %d', (inertia, expected) => {
    const ratio = frequency(inertia) / lowest
    expect(ratio).toBeGreaterThan(0.95 * expected)
    expect(ratio).toBeLessThan(1.05 * expected)
  })
})
