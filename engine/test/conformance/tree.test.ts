/**
 * The tree algorithms on random mechanisms of mixed joints, 1 to 1,000 bodies: each against another way to the same numbers.
 */

import type { Data, Model, State, Vec } from 'limber'
import {
  aba,
  centerOfMass,
  crba,
  createData,
  forwardKinematics,
  jacobianProduct,
  jacobianRateProduct,
  jacobianTransposeProduct,
  kineticEnergy,
  momentum,
  rnea,
  totalMass,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { poisonData } from '../../src/model/data.js'
import { mulRigid } from '../../src/printed/arrays.js'
import { solveInertia } from '../../src/tree/solve.js'
import { type Random } from '../random.js'
import { dot, expectNear, moved, multiply, relativeError, twistBetween, unitVector } from './check.js'
import { randomTree, type Shape } from './random-tree.js'

/** what the issue asks for */
const AGREEMENT = 1e-10
/** a solution of M x = b cannot be better than the rounding of b times the condition of M; only long chains come near AGREEMENT */
const PER_CONDITION = 8 * Number.EPSILON
/** central differences: rounding over step, and step squared times curvature */
const STEP = 1e-5
const DIFFERENCES = 1e-8

const shapes: readonly Shape[] = ['chain', 'star', 'random']
const sizes = [1, 2, 5, 20, 100, 1000]
const trees = sizes.flatMap((bodies) => shapes.map((shape, k) => ({ bodies, shape, seed: 10 * bodies + k })))
const small = trees.filter(({ bodies }) => bodies <= 20)
const upTo100 = trees.filter(({ bodies }) => bodies <= 100)

/** Kinematics at the state on Data that held NaN, with random wrenches on the bodies. */
function prepare(model: Model, data: Data, state: State, random?: Random): void {
  poisonData(data, model)
  forwardKinematics(model, data, state.q, state.v)
  for (let k = 0; k < data.f.length; k++) data.f[k] = random ? random.spread(1) : 0
}

/** Column k of M as Jᵀ I J e_k, armature added. */
function massColumn(model: Model, data: Data, k: number): Vec {
  const y = new Float64Array(6 * model.nbody)
  const F = new Float64Array(6 * model.nbody)
  const out = new Float64Array(model.nv).fill(Number.NaN)
  jacobianProduct(model, data, y, unitVector(model.nv, k))
  for (let i = 1; i < model.nbody; i++) mulRigid(F, 6 * i, model.inertia, 10 * i, y, 6 * i)
  jacobianTransposeProduct(model, data, out, F)
  out[k] += model.armature[k]
  return out
}

/** Condition of M in the Euclidean norm by power iteration; U and D as `aba` left them. */
function condition(model: Model, data: Data): number {
  const { nv } = model
  if (nv === 0) return 1
  const M = new Float64Array(nv * nv)
  const D = { ...data, IA: data.IA.slice() }
  crba(model, D, M)
  const grow = (step: (x: Vec) => Vec): number => {
    let x = Float64Array.from({ length: nv }, (_, k) => Math.cos(k))
    let growth = 0
    for (let k = 0; k < 12; k++) {
      const y = step(x)
      const length = Math.sqrt(dot(y, y))
      growth = length / Math.sqrt(dot(x, x))
      x = y.map((value) => value / length)
    }
    return growth
  }
  const inverse = grow((x) => {
    const y = new Float64Array(nv)
    solveInertia(model, data, y, 0, x, 0)
    return y
  })
  return inverse * grow((x) => multiply(M, x))
}

/** To AGREEMENT; of long chains, which no solver can do better, to what rounding alone does. */
function expectSolved(shape: Shape, model: Model, data: Data, found: Vec, x: Vec): void {
  const error = relativeError(found, x)
  if (shape !== 'chain' || error <= AGREEMENT) expect(error).toBeLessThanOrEqual(AGREEMENT)
  else expect(error).toBeLessThanOrEqual(PER_CONDITION * condition(model, data))
}

describe.each(trees)('$shape of $bodies bodies, seed $seed', (options) => {
  it('aba inverts rnea and rnea inverts aba', () => {
    const { model, data, state, random } = randomTree(options)
    const a = random.array(model.nv, 1)
    const tau = new Float64Array(model.nv).fill(Number.NaN)
    const found = new Float64Array(model.nv).fill(Number.NaN)
    prepare(model, data, state, random)
    rnea(model, data, a, tau)
    const f = data.f.slice()
    prepare(model, data, state)
    data.f.set(f)
    aba(model, data, state.v, tau, found)
    expectSolved(options.shape, model, data, found, a)

    prepare(model, data, state)
    data.f.set(f)
    aba(model, data, state.v, state.tau, found)
    prepare(model, data, state)
    data.f.set(f)
    rnea(model, data, found, tau)
    // what cancels in rnea: the weight of the whole
    expectNear(tau, state.tau, AGREEMENT, 9.81 * totalMass(model))
  })

  it('crba is Jᵀ I J, J taken column by column', () => {
    const { model, data, state } = randomTree(options)
    const { nv } = model
    const M = new Float64Array(nv * nv).fill(Number.NaN)
    prepare(model, data, state)
    crba(model, data, M)
    let most = 0
    let size = 0
    // all columns, of the largest a sample
    for (let k = 0; k < nv; k += options.bodies < 1000 ? 1 : 7) {
      const column = massColumn(model, data, k)
      const row = M.subarray(k * nv, (k + 1) * nv)
      for (let l = 0; l < nv; l++) {
        most = Math.max(most, Math.abs(column[l] - row[l]), Math.abs(M[l * nv + k] - row[l]))
        size = Math.max(size, Math.abs(row[l]))
      }
    }
    expect(most / Math.max(size, 1)).toBeLessThanOrEqual(AGREEMENT)
    expect(M.every(Number.isFinite)).toBe(true)
  })

  it('solveInertia inverts crba', () => {
    const { model, data, state, random } = randomTree(options)
    const { nv } = model
    const x = random.array(nv, 1)
    const M = new Float64Array(nv * nv)
    prepare(model, data, state)
    crba(model, data, M)
    const right = multiply(M, x)
    prepare(model, data, state)
    aba(model, data, state.v, state.tau, data.a)
    const out = new Float64Array(nv + 2).fill(Number.NaN)
    solveInertia(model, data, out, 1, right, 0)
    expectSolved(options.shape, model, data, out.subarray(1, nv + 1), x)
    expect(Number.isNaN(out[0]) && Number.isNaN(out[nv + 1])).toBe(true)
    // in place
    solveInertia(model, data, right, 0, right, 0)
    expect(relativeError(right, out.subarray(1, nv + 1))).toBe(0)
  })
})

describe.each(upTo100)('$shape of $bodies bodies, seed $seed', (options) => {
  it('J and its transpose are adjoint: f·(J x) = (Jᵀ f)·x', () => {
    const { model, data, state, random } = randomTree(options)
    prepare(model, data, state)
    const x = random.array(model.nv, 1)
    const f = random.array(6 * model.nbody, 1)
    f.fill(0, 0, 6)
    const y = new Float64Array(6 * model.nbody).fill(Number.NaN, 6)
    const out = new Float64Array(model.nv).fill(Number.NaN)
    jacobianProduct(model, data, y, x)
    const left = dot(f, y)
    jacobianTransposeProduct(model, data, out, f)
    expectNear([left], [dot(out, x)], AGREEMENT, 1)
  })

  it('J v is the velocity of every body, and rnea at rest without gravity is M a', () => {
    const { model, data, state, random } = randomTree({ ...options, spec: { gravity: [0, 0, 0] } })
    prepare(model, data, state)
    const y = new Float64Array(6 * model.nbody).fill(Number.NaN, 6)
    jacobianProduct(model, data, y, state.v)
    expectNear(y.subarray(6), data.V.subarray(6), AGREEMENT, 1)

    state.v.fill(0)
    prepare(model, data, state)
    const M = new Float64Array(model.nv ** 2)
    crba(model, data, M)
    const a = random.array(model.nv, 1)
    const tau = new Float64Array(model.nv).fill(Number.NaN)
    rnea(model, data, a, tau)
    expectNear(tau, multiply(M, a), AGREEMENT, 1)
  })

  it('mass, centre of mass and momentum are the sums over bodies', () => {
    const { spec, model, data, state } = randomTree(options)
    prepare(model, data, state)
    const sum = new Float64Array(6)
    const center = new Float64Array(3)
    let mass = 0
    spec.bodies.forEach((body) => {
      const i = model.bodies.findIndex(({ name }) => name === body.name)
      const { mass: m, com = [0, 0, 0], tensor = [0, 0, 0, 0, 0, 0] } = body.inertia ?? { mass: 0 }
      const X = data.X_WB.subarray(12 * i, 12 * i + 12)
      const V = data.V.subarray(6 * i, 6 * i + 6)
      const turn = (x: readonly number[]): number[] => [0, 3, 6].map((r) => X[r] * x[0] + X[r + 1] * x[1] + X[r + 2] * x[2])
      const cross = (x: readonly number[], y: readonly number[]): number[] => [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
      ]
      const w = [V[0], V[1], V[2]]
      const c = turn(com).map((x, r) => x + X[9 + r])
      const wc = cross(w, com)
      const velocity = turn([V[3] + wc[0], V[4] + wc[1], V[5] + wc[2]])
      const [xx, yy, zz, xy, xz, yz] = tensor
      const spin = turn([xx * w[0] + xy * w[1] + xz * w[2], xy * w[0] + yy * w[1] + yz * w[2], xz * w[0] + yz * w[1] + zz * w[2]])
      const orbit = cross(c, velocity)
      mass += m
      for (let r = 0; r < 3; r++) {
        center[r] += m * c[r]
        sum[r] += spin[r] + m * orbit[r]
        sum[3 + r] += m * velocity[r]
      }
    })
    const out = new Float64Array(6).fill(Number.NaN)
    momentum(model, data, out)
    expectNear(out, sum, AGREEMENT)
    centerOfMass(model, data, out)
    expectNear(
      out.subarray(0, 3),
      center.map((x) => x / mass),
      AGREEMENT,
    )
    expectNear([totalMass(model)], [mass], AGREEMENT)
  })

  it('kinetic energy is ½ vᵀ M v', () => {
    const { model, data, state } = randomTree(options)
    const M = new Float64Array(model.nv ** 2)
    prepare(model, data, state)
    crba(model, data, M)
    expectNear([kineticEnergy(model, data, state.v)], [0.5 * dot(state.v, multiply(M, state.v))], AGREEMENT)
  })
})

describe.each(small)('$shape of $bodies bodies, seed $seed', (options) => {
  it('velocities are the differences of poses', () => {
    const { model, data, state } = randomTree(options)
    const { q, v } = state
    const at = (h: number): Vec => {
      const d = createData(model)
      poisonData(d, model)
      forwardKinematics(model, d, moved(model, q, v, h), v)
      return d.X_WB
    }
    prepare(model, data, state)
    const [later, earlier] = [at(STEP), at(-STEP)]
    for (let i = 1; i < model.nbody; i++) {
      expectNear(data.V.subarray(6 * i, 6 * i + 6), twistBetween(data.X_WB, 12 * i, later, earlier, STEP), DIFFERENCES, 1)
    }
  })

  it('J̇ v is the difference of velocities at constant v', () => {
    const { model, data, state } = randomTree(options)
    const { q, v } = state
    const at = (h: number): Vec => {
      const d = createData(model)
      poisonData(d, model)
      forwardKinematics(model, d, moved(model, q, v, h), v)
      return d.V
    }
    prepare(model, data, state)
    const z = new Float64Array(6 * model.nbody).fill(Number.NaN, 6)
    jacobianRateProduct(model, data, z)
    const [later, earlier] = [at(STEP), at(-STEP)]
    expectNear(z.subarray(6), later.map((x, k) => (x - earlier[k]) / (2 * STEP)).subarray(6), DIFFERENCES, 1)
  })
})
