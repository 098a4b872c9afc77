/**
 * Singular poses: chains drawn straight between two ends, dead points, toggles. What cannot move is held and named, what can moves, and
 * what is too short is refused with its residual.
 */
import {
  type BodySpec,
  buildModel,
  type ConstraintSpec,
  createSimulation,
  type JointTypeName,
  type Model,
  type Spec,
  type Vec3,
} from 'limber'
import { describe, expect, it } from 'vitest'

const SCHEMES = ['auto', 'newton', 'second-order', 'linear'] as const
const Y: Vec3 = [0, 1, 0]
const L = 0.2
// rad or m after 100 steps: rounding of the forces that hold
const STILL = 1e-10

const rod = (mass: number, length: number): NonNullable<BodySpec['inertia']> => {
  const moment = (mass * length * length) / 12
  return { mass, com: [length / 2, 0, 0], tensor: [moment / 100, moment, moment, 0, 0, 0] }
}
const link = (name: string, parent: string, x: number, joint: JointTypeName): BodySpec => ({
  name,
  parent,
  position: [x, 0, 0],
  inertia: rod(0.1, L),
  joints: [{ name, type: joint, ...(joint === 'revolute' ? { axis: Y } : {}) }],
})
const links = (n: number, joint: JointTypeName = 'revolute', first = joint): BodySpec[] =>
  Array.from({ length: n }, (_, k) => link(`l${k}`, k === 0 ? 'world' : `l${k - 1}`, k === 0 ? 0 : L, k === 0 ? first : joint))
const pin = (name: string, body: string, at: number, point: Vec3 = [L, 0, 0]): ConstraintSpec => ({
  name,
  type: 'point',
  a: { body, point },
  b: { body: 'world', point: [at, 0, 0] },
})

const straight = (n: number, share = 1): Spec => ({ bodies: links(n), constraints: [pin('tip', `l${n - 1}`, (n * L) / share)] })

/** Mechanisms that cannot move at all, and what the warning must say. */
const rigid: readonly (readonly [string, Spec, readonly RegExp[]])[] = [
  ['two hinges', straight(2), [/'tip': 'l0' and 'l1' are stretched/, /row along \(1, 0, 0\) is singular/]],
  ['eight hinges', straight(8), [/'tip': the chain from 'l0' to 'l7' is stretched/, /row along \(1, 0, 0\) is singular/]],
  [
    'eight hinges closed by a hinge',
    {
      bodies: links(8),
      constraints: [
        { name: 'tip', type: 'hinge', a: { body: 'l7', point: [L, 0, 0], axis: Y }, b: { body: 'world', point: [8 * L, 0, 0], axis: Y } },
      ],
    },
    [/'tip': the chain from 'l0' to 'l7' is stretched/],
  ],
  [
    'a free root closed at both ends',
    { bodies: links(6, 'revolute', 'free'), constraints: [pin('root', 'l0', 0, [0, 0, 0]), pin('tip', 'l5', 6 * L)] },
    [/'tip': the chain from 'l0' to 'l5' is stretched/],
  ],
  [
    'two chains in series',
    { bodies: links(8), constraints: [pin('middle', 'l3', 4 * L), pin('end', 'l7', 8 * L)] },
    [/'middle': the chain from 'l0' to 'l3' is stretched/, /'end': the chain from 'l0' to 'l7' is stretched/],
  ],
  [
    'a closed toggle',
    {
      bodies: [
        { ...link('lower', 'world', 0, 'revolute'), quaternion: [Math.SQRT1_2, 0, -Math.SQRT1_2, 0] },
        link('upper', 'lower', L, 'revolute'),
      ],
      constraints: [{ name: 'head', type: 'point', a: { body: 'upper', point: [L, 0, 0] }, b: { body: 'world', point: [0, 0, 2 * L] } }],
    },
    [/'head': 'lower' and 'upper' are stretched/, /row along \(0, 0, 1\) is singular/],
  ],
  ['a chain with less play than a loop is closed to', straight(8, 1 + 1e-9), [/'tip'/, /singular/]],
  [
    'a chain that is bent and as long as the way',
    {
      ...straight(8),
      bodies: links(8).map((body, k) => ({ ...body, joints: [{ name: `l${k}`, type: 'revolute', axis: Y, initial: k % 2 ? -0.3 : 0.2 }] })),
    },
    [/missed its constraints by up to/, /'tip': the chain from 'l0' to 'l7' is stretched/],
  ],
]

const coordinates = (model: Model, q: Float64Array): number[] =>
  model.joints.filter(({ nq }) => nq === 1).map(({ iq }) => Math.abs(q[iq] ?? Number.NaN))

describe.each(SCHEMES)('a stretched mechanism is held where it is and named, scheme %s', (scheme) => {
  it.each(rigid)('%s', (_title, spec, notes) => {
    const model = buildModel(spec)
    const simulation = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.01 })
    const { status, message } = simulation.step(100)
    expect([status, message]).toEqual(['ok', ''])
    expect(Math.max(...coordinates(model, simulation.state.q))).toBeLessThan(STILL)
    expect(Math.max(...simulation.state.v.map(Math.abs))).toBeLessThan(STILL)
    for (const note of notes) expect(simulation.warnings().join('\n')).toMatch(note)
  })

  it('with velocities that it cannot have, which are taken away', () => {
    const model = buildModel(straight(6))
    const simulation = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.01 })
    simulation.reset({ v: Float64Array.from({ length: model.nv }, (_, k) => (k % 2 ? -3 : 2)) })
    expect(simulation.step(20).status).toBe('ok')
    expect(Math.max(...simulation.state.q.map(Math.abs))).toBeLessThan(STILL)
  })

  it('and balls may turn about the line', () => {
    const model = buildModel({ bodies: links(3, 'spherical'), constraints: [pin('tip', 'l2', 3 * L)], gravity: [0, 0, 0] })
    const simulation = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.01 })
    const v = new Float64Array(model.nv)
    v[0] = 1
    simulation.reset({ v })
    expect(simulation.step(100).status).toBe('ok')
    const q = simulation.state.q
    // half the angle that a rod turns by in a second, a little less where the scheme damps
    expect(Math.asin(Math.abs(q[1] ?? 0))).toBeGreaterThan(0.4)
    expect(Math.asin(Math.abs(q[1] ?? 0))).toBeLessThan(0.5 + 1e-6)
    expect(Math.hypot(q[2] ?? 1, q[3] ?? 1)).toBeLessThan(STILL)
  })

  it('and a chain tied to its own root at its length swings as one rod', () => {
    const tie: ConstraintSpec = {
      name: 'tie',
      type: 'distance',
      a: { body: 'l5', point: [L, 0, 0] },
      b: { body: 'world' },
      distance: 6 * L,
    }
    const chain = createSimulation(buildModel({ bodies: links(6), constraints: [tie] }), { solver: 'redmax', scheme, timestep: 0.002 })
    const one: BodySpec = { name: 'rod', inertia: rod(0.6, 6 * L), joints: [{ type: 'revolute', axis: Y }] }
    const alone = createSimulation(buildModel({ bodies: [one] }), { solver: 'redmax', scheme, timestep: 0.002 })
    expect(chain.step(200).status).toBe('ok')
    alone.step(200)
    expect(alone.state.q[0]).toBeGreaterThan(0.5)
    // schemes of the first order see other tensions
    expect(Math.abs((chain.state.q[0] ?? 0) - (alone.state.q[0] ?? 0))).toBeLessThan(0.01)
    expect(Math.max(...chain.state.q.subarray(1).map(Math.abs))).toBeLessThan(STILL)
  })

  it('goes on with the same bits from a snapshot', () => {
    const model = buildModel(straight(4))
    const first = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.01 })
    // from another pose than the model's own
    first.reset({ q: Float64Array.of(0.3, -0.5, 0.4, -0.1) })
    first.step(7)
    const second = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.01 })
    second.restore(first.snapshot())
    first.step(7)
    second.step(7)
    expect(second.state.q).toEqual(first.state.q)
    expect(second.state.v).toEqual(first.state.v)
  })

  it('a chain that is too short is refused with its residual', () => {
    const simulation = createSimulation(buildModel(straight(8, 0.999)), { solver: 'redmax', scheme, timestep: 0.01 })
    const { status, message } = simulation.step(1)
    expect(status).toBe('not-converged')
    expect(message).toMatch(/constraint 'tip' cannot be met: 0\.00160 m or rad remain/)
    expect(message).toMatch(/check its points and lengths/)
    expect(simulation.state.t).toBe(0)
  })

  it.each([1e-3, 1e-5, 1e-7])('a chain with a share of %d to spare hangs, and is not held', (play) => {
    const model = buildModel(straight(6, 1 + play))
    const simulation = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.01 })
    expect(simulation.step(20).status).toBe('ok')
    expect(Math.max(...simulation.state.q.map(Math.abs))).toBeGreaterThan(0.1 * Math.sqrt(play))
    expect(simulation.warnings().join()).not.toMatch(/singular/)
  })
})

describe.each(SCHEMES)('at a dead point a mechanism moves on, scheme %s', (scheme) => {
  const crank = (angle: number, bend: number, slide: number): Spec => ({
    bodies: [
      { name: 'crank', inertia: rod(1, 0.2), joints: [{ name: 'crank', type: 'revolute', axis: Y, initial: angle }] },
      { name: 'rod', parent: 'crank', position: [0.2, 0, 0], inertia: rod(1, 0.5), joints: [{ type: 'revolute', axis: Y, initial: bend }] },
      {
        name: 'slider',
        position: [0.7, 0, 0],
        inertia: { mass: 1, tensor: [0.01, 0.01, 0.01, 0, 0, 0] },
        joints: [{ type: 'prismatic', axis: [1, 0, 0], initial: slide }],
      },
    ],
    constraints: [{ name: 'pin', type: 'point', a: { body: 'rod', point: [0.5, 0, 0] }, b: { body: 'slider' } }],
  })

  it.each([
    ['slider-crank, stretched', crank(0, 0, 0)],
    ['slider-crank, folded', crank(Math.PI, -Math.PI, -0.4)],
    [
      'parallelogram, flat',
      {
        bodies: [
          { name: 'a', inertia: rod(1, 0.4), joints: [{ type: 'revolute', axis: Y }] },
          { name: 'coupler', parent: 'a', position: [0.4, 0, 0], inertia: rod(1, 1), joints: [{ type: 'revolute', axis: Y }] },
          { name: 'b', position: [1, 0, 0], inertia: rod(1, 0.4), joints: [{ type: 'revolute', axis: Y }] },
        ],
        constraints: [{ name: 'pin', type: 'point', a: { body: 'coupler', point: [1, 0, 0] }, b: { body: 'b', point: [0.4, 0, 0] } }],
      } satisfies Spec,
    ],
  ])('%s', (_title, spec) => {
    const simulation = createSimulation(buildModel(spec), { solver: 'redmax', scheme, timestep: 0.01 })
    const start = simulation.state.q[0] ?? 0
    expect(simulation.step(40).status).toBe('ok')
    expect(Math.abs((simulation.state.q[0] ?? 0) - start)).toBeGreaterThan(0.3)
    expect(simulation.warnings().join()).not.toMatch(/singular/)
  })

  it('a toggle under its ram stands, and gives way when pushed', () => {
    const leg = (name: string, parent: string, more: Partial<BodySpec>): BodySpec => ({
      ...link(name, parent, L, 'revolute'),
      ...more,
    })
    const spec: Spec = {
      bodies: [
        leg('lower', 'world', { position: [0, 0, 0], quaternion: [Math.SQRT1_2, 0, -Math.SQRT1_2, 0] }),
        leg('upper', 'lower', {}),
        {
          name: 'ram',
          position: [0, 0, 2 * L],
          inertia: { mass: 10, tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
          joints: [{ type: 'prismatic', axis: [0, 0, 1] }],
        },
      ],
      constraints: [{ name: 'head', type: 'point', a: { body: 'upper', point: [L, 0, 0] }, b: { body: 'ram' } }],
    }
    const simulation = createSimulation(buildModel(spec), { solver: 'redmax', scheme, timestep: 0.005 })
    expect(simulation.step(20).status).toBe('ok')
    expect(Math.max(...simulation.state.q.map(Math.abs))).toBeLessThan(STILL)
    simulation.reset({ v: Float64Array.of(0.5, -1, 0) })
    expect(simulation.step(40).status).toBe('ok')
    expect(simulation.state.q[2]).toBeLessThan(-0.01)
  })
})
