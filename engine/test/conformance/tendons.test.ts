/**
 * Tendons: their length, their slack, and their inertia in mass matrix, bias and energy.
 */

import type { Model, Spec, TendonSpec, Vec } from 'limber'
import { buildModel, createData, createState, energy, forwardDynamics, forwardKinematics, inverseDynamics, massMatrix } from 'limber'
import { describe, expect, it } from 'vitest'
import { tendonLength, tendonRate } from '../../src/forces/tendons.js'
import { poisonData } from '../../src/model/data.js'
import { createRandom } from '../random.js'
import { derivative, dot, expectNear, moved, multiply, unitVector } from './check.js'
import { randomSpec, randomState } from './random-tree.js'

const STEP = 1e-4
/** five-point differences of lengths and energies */
const DIFFERENCES = 1e-9
const AGREEMENT = 1e-10
const ROUNDING = 1e-13
const SEEDS = [1, 2, 3, 4, 5]

/** A random tree under tendons with armature: over points, over a pulley, fixed, and one without armature between. */
function armed(seed: number): Model {
  const random = createRandom(seed)
  const plain = randomSpec({ seed, bodies: 7 }, random)
  const hinge: Spec['bodies'][number] = {
    name: 'hinge',
    parent: 'b3',
    inertia: { mass: 1, com: [0.2, 0, 0], tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
    joints: [
      { name: 'h', type: 'revolute' as const, axis: random.axis() },
      { name: 's', type: 'prismatic' as const, axis: random.axis() },
    ],
  }
  const tendons: TendonSpec[] = [
    {
      path: [
        { body: 'world', point: [0, 0, 2] },
        { body: 'b1', point: random.vec3(0.5) },
        { body: 'b5', point: random.vec3(0.5) },
      ],
      armature: 0.8,
      stiffness: 3,
    },
    { path: [{ body: 'b2' }, { body: 'b3', point: random.vec3(0.3) }], stiffness: 5, rest: 0.1 },
    {
      path: [
        { body: 'b0', point: random.vec3(0.5) },
        { body: 'b4' },
        { pulley: 3 },
        { body: 'b6' },
        { body: 'hinge', point: random.vec3(0.5) },
      ],
      armature: 0.5,
    },
    {
      joints: [
        { joint: 'h', coefficient: 1.5 },
        { joint: 's', coefficient: -0.7 },
      ],
      armature: 0.3,
      stiffness: 2,
    },
  ]
  return buildModel({ ...plain, bodies: [...plain.bodies, hinge], tendons })
}

describe.each(SEEDS)('tendons with armature, seed %i', (seed) => {
  it('inverse dynamics inverts forward dynamics, and forward inverse', () => {
    const model = armed(seed)
    const data = createData(model)
    const random = createRandom(seed)
    const state = randomState(model, random)
    poisonData(data, model)
    forwardDynamics(model, data, state, state.tau)
    const a = data.a.slice()
    poisonData(data, model)
    inverseDynamics(model, data, state, a)
    expectNear(data.tau, state.tau, AGREEMENT, 100)
    const wanted = random.array(model.nv, 1)
    poisonData(data, model)
    inverseDynamics(model, data, state, wanted)
    const tau = data.tau.slice()
    poisonData(data, model)
    forwardDynamics(model, data, state, tau)
    expectNear(data.a, wanted, AGREEMENT, 1)
  })

  it('the mass matrix is what inverse dynamics adds for an acceleration, and carries the kinetic energy', () => {
    const model = armed(seed)
    const data = createData(model)
    const state = randomState(model, createRandom(seed))
    const { nv } = model
    const M = new Float64Array(nv * nv).fill(Number.NaN)
    poisonData(data, model)
    massMatrix(model, data, state, M)
    const force = (a: Vec): Vec => {
      poisonData(data, model)
      inverseDynamics(model, data, state, a)
      return data.tau.slice()
    }
    const bias = force(new Float64Array(nv))
    for (let k = 0; k < nv; k++) {
      expectNear(
        M.subarray(k * nv, (k + 1) * nv),
        force(unitVector(nv, k)).map((x, l) => x - bias[l]),
        AGREEMENT,
        Math.hypot(...bias),
      )
    }
    poisonData(data, model)
    expectNear([energy(model, data, state).kinetic], [0.5 * dot(state.v, multiply(M, state.v))], AGREEMENT)
  })

  it('gain energy by the power of joint forces: their bias is right', () => {
    const model = armed(seed)
    const data = createData(model)
    const state = randomState(model, createRandom(seed))
    poisonData(data, model)
    forwardDynamics(model, data, state, state.tau)
    const a = data.a.slice()
    const total = (h: number): number[] => {
      const xi = state.v.map((x, k) => h * x + 0.5 * h * h * a[k])
      poisonData(data, model)
      const e = energy(model, data, { ...state, q: moved(model, state.q, xi, 1), v: state.v.map((x, k) => x + h * a[k]) })
      return [e.kinetic + e.potential]
    }
    expectNear(derivative(total, STEP), [dot(state.tau, state.v)], 10 * DIFFERENCES, Math.abs(total(0)[0]))
  })

  it('change length at the rate they say', () => {
    const model = armed(seed)
    const data = createData(model)
    const { q, v } = randomState(model, createRandom(seed))
    const lengths = (h: number): number[] => {
      const at = moved(model, q, v, h)
      poisonData(data, model)
      forwardKinematics(model, data, at, v)
      const out = new Float64Array(4)
      for (let k = 0; k < 4; k++) tendonLength(out, k, model, data, at, k)
      return Array.from(out)
    }
    const found = derivative(lengths, STEP)
    lengths(0)
    const rates = new Float64Array(4)
    for (let k = 0; k < 4; k++) tendonRate(rates, k, model, data, v, k)
    expectNear(rates, found, DIFFERENCES)
  })
})

/** Two weights on slides beside each other, z up; a tendon from the ceiling to each. */
function weights(tendon: TendonSpec, gravity = 0): Model {
  const body = (name: string, x: number) => ({
    name,
    position: [x, 0, 0] as const,
    inertia: { mass: 1 },
    joints: [{ name, type: 'prismatic' as const }],
  })
  return buildModel({ gravity: [0, 0, -gravity], bodies: [body('a', 0), body('b', 1)], tendons: [tendon] })
}

describe('tendon', () => {
  const acceleration = (model: Model, q: readonly number[], v: readonly number[] = [0, 0]): number[] => {
    const data = createData(model)
    poisonData(data, model)
    const state = createState(model)
    state.q.set(q)
    state.v.set(v)
    forwardDynamics(model, data, state)
    return Array.from(data.a)
  }
  const path = [
    { body: 'world', point: [0, 0, 1] },
    { body: 'a' },
    { pulley: 2 },
    { body: 'world', point: [1, 0, 1] },
    { body: 'b' },
  ] as const

  it('over a pulley counts the branch beyond it by the divisor', () => {
    // length = (1 − a) + (1 − b)/2
    const model = weights({ path, stiffness: 10, rest: 0.5 })
    const length = 1 - 0.1 + (1 - 0.2) / 2
    expectNear(acceleration(model, [0.1, 0.2]), [10 * (length - 0.5), (10 * (length - 0.5)) / 2], ROUNDING)
  })

  it('is slack inside its range and a spring outside, on both sides', () => {
    const model = weights({ path: path.slice(0, 2), stiffness: 10, rest: [0.8, 1.2] })
    expect(acceleration(model, [0, 0])).toEqual([0, 0])
    expect(acceleration(model, [0.19, 0])).toEqual([0, 0])
    expectNear(acceleration(model, [0.5, 0]), [10 * (0.5 - 0.8), 0], ROUNDING, 1)
    expectNear(acceleration(model, [-0.5, 0]), [10 * (1.5 - 1.2), 0], ROUNDING, 1)
  })

  it('damps also where its spring is slack', () => {
    const model = weights({ path: path.slice(0, 2), stiffness: 10, damping: 2, rest: [0.8, 1.2] })
    expectNear(acceleration(model, [0, 0], [0.3, 0]), [-0.6, 0], ROUNDING)
  })

  it('of joints is their weighted sum', () => {
    const joints = [
      { joint: 'a', coefficient: 2 },
      { joint: 'b', coefficient: -3 },
    ]
    const model = weights({ joints, stiffness: 10, damping: 1, rest: 0.1 })
    const pull = -10 * (2 * 0.5 - 3 * 0.2 - 0.1) - (2 * 0.7 - 3 * 0.4)
    expectNear(acceleration(model, [0.5, 0.2], [0.7, 0.4]), [2 * pull, -3 * pull], ROUNDING)
  })

  it('whose rest is left out is slack with every joint at rest', () => {
    const model = weights({ path, stiffness: 10 })
    expectNear([model.tendons.restLow[0], model.tendons.restHigh[0]], [1.5, 1.5], ROUNDING)
    expectNear(acceleration(model, [0, 0]), [0, 0], ROUNDING, 1)
  })

  it('armature on one weight makes it heavier', () => {
    const model = weights({ path: path.slice(0, 2), armature: 3 }, 10)
    expectNear(acceleration(model, [0, 0]), [-10 / 4, -10], ROUNDING)
  })
})
