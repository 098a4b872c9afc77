/**
 * What every motion keeps: power balance, momentum, and the periods that closed forms give.
 */

import type { JointTypeName, Model, Spec, State, Vec } from 'limber'
import {
  buildModel,
  createData,
  createSimulation,
  createState,
  energy,
  forwardDynamics,
  forwardKinematics,
  inverseDynamics,
  massMatrix,
  momentum,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { poisonData } from '../../src/model/data.js'
import { createRandom } from '../random.js'
import { derivative, dot, expectNear, moved } from './check.js'
import { randomState, randomTree, type Shape } from './random-tree.js'

const STEP = 1e-4
/** central differences of energies: rounding over step */
const DIFFERENCES = 1e-8

/** The state a little later along (v, a): q ⊕ (h v + ½h² a), v + h a. */
function carried(model: Model, state: State, a: Vec, h: number): State {
  const xi = state.v.map((x, k) => h * x + 0.5 * h * h * a[k])
  return { ...state, q: moved(model, state.q, xi, 1), v: state.v.map((x, k) => x + h * a[k]) }
}

const trees = [1, 3, 10, 30].flatMap((bodies) =>
  (['chain', 'star', 'random'] as Shape[]).map((shape, k) => ({ bodies, shape, seed: 7 * bodies + k })),
)

describe.each(trees)('$shape of $bodies bodies, seed $seed', (options) => {
  it('gains energy by the power of the joint forces, and by nothing else', () => {
    const { model, data, state } = randomTree(options)
    forwardDynamics(model, data, state, state.tau)
    const a = data.a.slice()
    const total = (h: number): number[] => {
      poisonData(data, model)
      const { kinetic, potential } = energy(model, data, carried(model, state, a, h))
      return [kinetic + potential]
    }
    expectNear(derivative(total, STEP), [dot(state.tau, state.v)], DIFFERENCES, Math.abs(total(0)[0]))
  })

  it('keeps linear and angular momentum where it floats without gravity, whatever the joint forces', () => {
    const { model, data, state } = randomTree({ ...options, floating: true, spec: { gravity: [0, 0, 0] } })
    state.tau.fill(0, 0, 6)
    forwardDynamics(model, data, state, state.tau)
    const a = data.a.slice()
    const at = (h: number): Vec => {
      const later = carried(model, state, a, h)
      poisonData(data, model)
      forwardKinematics(model, data, later.q, later.v)
      const out = new Float64Array(6)
      momentum(model, data, out)
      return out
    }
    // forces between bodies are far larger than the momentum they leave alone
    expectNear(derivative(at, STEP), new Float64Array(6), DIFFERENCES, Math.hypot(...at(0)))
  })
})

describe('a free body with unequal moments', () => {
  const spec: Spec = {
    gravity: [0, 0, 0],
    bodies: [
      { name: 'b', inertia: { mass: 2, com: [0.1, -0.2, 0.05], tensor: [0.1, 0.25, 0.3, 0.02, -0.01, 0.03] }, joints: [{ type: 'free' }] },
    ],
  }

  it('keeps its angular and linear momentum in the world, to fourth order', () => {
    const model = buildModel(spec)
    const drift = (h: number): number => {
      const simulation = createSimulation(model, { solver: 'ode', timestep: h })
      const data = createData(model)
      const now = (): Float64Array => {
        forwardKinematics(model, data, simulation.state.q, simulation.state.v)
        const out = new Float64Array(6)
        momentum(model, data, out)
        return out
      }
      simulation.reset({ v: Float64Array.from([3, 0.5, -2, 0.3, -0.4, 1]) })
      const before = now()
      simulation.advance(2)
      return Math.hypot(...now().map((x, k) => x - before[k]))
    }
    const coarse = drift(0.02)
    expect(coarse).toBeLessThan(1e-4)
    expect(coarse).toBeGreaterThan(1e-12)
    expect(Math.log2(coarse / drift(0.01))).toBeGreaterThan(3.7)
  })
})

/** Arithmetic-geometric mean. */
function agm(a: number, b: number): number {
  let [x, y] = [a, b]
  for (let k = 0; k < 8; k++) [x, y] = [(x + y) / 2, Math.sqrt(x * y)]
  return x
}

describe('pendulums', () => {
  const length = 0.7
  const g = 9.81
  const rod = { mass: 1.3, com: [0, 0, -length / 2], tensor: [(1.3 * length ** 2) / 12, (1.3 * length ** 2) / 12, 0, 0, 0, 0] } as const

  it.each([0.1, 1, 2, 3])('a rod swinging from %d rad has the period of the elliptic integral', (angle) => {
    const model = buildModel({
      gravity: [0, 0, -g],
      bodies: [{ name: 'rod', inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0] }] }],
    })
    // I θ̈ = −m g d sin θ with I = m L²/3, d = L/2
    const omega = Math.sqrt((3 * g) / (2 * length))
    const period = (2 * Math.PI) / omega / agm(1, Math.cos(angle / 2))
    const h = 1e-3
    const simulation = createSimulation(model, { solver: 'ode', timestep: h })
    simulation.reset({ q: Float64Array.of(angle) })
    const { state } = simulation

    // a quarter of the period ends at the bottom; between two steps the cubic with their slopes is as good as the method
    let q0 = angle
    let v0 = 0
    let t0 = 0
    while (state.q[0] > 0) {
      ;[q0, v0, t0] = [state.q[0], state.v[0], state.t]
      simulation.step()
    }
    const [q1, v1] = [state.q[0], state.v[0]]
    let s = q0 / (q0 - q1)
    for (let k = 0; k < 5; k++) {
      const value = (1 + 2 * s) * (1 - s) ** 2 * q0 + s * (1 - s) ** 2 * h * v0 + s * s * (3 - 2 * s) * q1 + s * s * (s - 1) * h * v1
      const slope = 6 * s * (s - 1) * (q0 - q1) + (1 - 4 * s + 3 * s * s) * h * v0 + (3 * s * s - 2 * s) * h * v1
      s -= value / slope
    }
    // fourth order at this step
    expect(Math.abs((4 * (t0 + s * h)) / period - 1)).toBeLessThan(1e-9)
  })

  it('two equal point masses in a row swing at ω² = (2 ± √2) g/L', () => {
    const mass = { mass: 0.4, com: [0, 0, -length] } as const
    const hinge = { type: 'revolute', axis: [0, 1, 0] } as const
    const model = buildModel({
      gravity: [0, 0, -g],
      bodies: [
        { name: 'upper', inertia: mass, joints: [hinge] },
        { name: 'lower', parent: 'upper', position: [0, 0, -length], inertia: mass, joints: [hinge] },
      ],
    })
    const data = createData(model)
    const state = createState(model)
    const M = new Float64Array(4)
    massMatrix(model, data, state, M)
    // K = ∂(holding force)/∂q at the bottom
    const hold = (k: number, h: number): Vec => {
      const at = createState(model)
      at.q[k] = h
      inverseDynamics(model, data, at, new Float64Array(2))
      return data.tau.slice()
    }
    const column = (k: number): number[] => Array.from(hold(k, STEP), (x, r) => (x - hold(k, -STEP)[r]) / (2 * STEP))
    const [c0, c1] = [column(0), column(1)]
    // eigenvalues of M⁻¹ K
    const det = M[0] * M[3] - M[1] * M[2]
    const A = [
      (M[3] * c0[0] - M[1] * c0[1]) / det,
      (M[3] * c1[0] - M[1] * c1[1]) / det,
      (M[0] * c0[1] - M[2] * c0[0]) / det,
      (M[0] * c1[1] - M[2] * c1[0]) / det,
    ]
    const half = (A[0] + A[3]) / 2
    const root = Math.sqrt(half * half - (A[0] * A[3] - A[1] * A[2]))
    const expected = [2 - Math.SQRT2, 2 + Math.SQRT2].map((x) => (x * g) / length)
    expectNear([half - root, half + root], expected, DIFFERENCES)

    // and in the motion: the slow mode from a tiny angle crosses zero after a quarter of its period
    const omega = Math.sqrt(expected[0])
    const simulation = createSimulation(model, { solver: 'ode', timestep: 1e-3 })
    // absolute angles of the mode are in the ratio 1 : √2
    simulation.reset({ q: Float64Array.of(1e-5, 1e-5 * (Math.SQRT2 - 1)) })
    simulation.advance(Math.PI / (2 * omega))
    expect(Math.abs(simulation.state.q[0])).toBeLessThan(1e-13)
    expect(simulation.state.v[0]).toBeCloseTo(-1e-5 * omega, 12)
  })

  it('a physical pendulum on a spherical joint swings like one on a hinge', () => {
    const body = (type: JointTypeName): Model =>
      buildModel({
        gravity: [0, 0, -g],
        bodies: [{ name: 'rod', inertia: { ...rod, tensor: [0.05, 0.05, 0.01, 0, 0, 0] }, joints: [{ type, axis: [0, 1, 0] }] }],
      })
    const [ball, hinge] = [body('spherical'), body('revolute')].map((model) => createSimulation(model, { solver: 'ode', timestep: 1e-3 }))
    const angle = 1.2
    ball.reset({ q: Float64Array.of(Math.cos(angle / 2), 0, Math.sin(angle / 2), 0) })
    hinge.reset({ q: Float64Array.of(angle) })
    ball.advance(1.7)
    hinge.advance(1.7)
    const q = ball.state.q
    expect(2 * Math.atan2(q[2], q[0])).toBeCloseTo(hinge.state.q[0], 12)
    expect(ball.state.v[1]).toBeCloseTo(hinge.state.v[0], 12)
    expect([q[1], q[3]]).toEqual([0, 0])
  })
})

describe('random states', () => {
  it('are the same for the same seed and others for another', () => {
    const { model } = randomTree({ seed: 3, bodies: 8 })
    const state = (seed: number): number[] => Array.from(randomState(model, createRandom(seed)).q)
    expect(state(1)).toEqual(state(1))
    expect(state(1)).not.toEqual(state(2))
  })
})
