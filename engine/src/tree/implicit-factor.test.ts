import { describe, expect, it } from 'vitest'
import { deformingTree } from '../../test/conformance/deforming-tree.js'
import { type RandomTree, randomTree } from '../../test/conformance/random-tree.js'
import { createRandom } from '../../test/random.js'
import { buildModel } from '../build/build-model.js'
import { massMatrix } from '../forces/dynamics.js'
import { createData, poisonData } from '../model/data.js'
import type { Model } from '../model/model.js'
import { createState } from '../model/state.js'
import { createImplicitFactor, factorImplicit, implicitMotions, multiplyInertia, solveImplicit } from './implicit-factor.js'
import { jacobianProduct, jacobianTransposeProduct } from './jacobian.js'
import { forwardKinematics } from './kinematics.js'

/** Symmetric positive 6 × 6 matrices, 21 numbers a body, and the same in full. */
function randomAdditions(nbody: number, random: () => number) {
  const packed = new Float64Array(21 * nbody)
  const full: number[][][] = [[]]
  for (let i = 1; i < nbody; i++) {
    const L = Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => random() - 0.5))
    const B = L.map((row) => L.map((other) => row.reduce((sum, x, k) => sum + x * other[k], 0)))
    full.push(B)
    const upper = (r: number, c: number) => B[r][c]
    const values = [
      upper(0, 0),
      upper(0, 1),
      upper(0, 2),
      upper(1, 1),
      upper(1, 2),
      upper(2, 2),
      ...[0, 1, 2].flatMap((r) => [3, 4, 5].map((c) => B[r][c])),
      upper(3, 3),
      upper(3, 4),
      upper(3, 5),
      upper(4, 4),
      upper(4, 5),
      upper(5, 5),
    ]
    packed.set(values, 21 * i)
  }
  return { packed, full }
}

/** Symmetric positive matrices over the modes of every body that deforms. */
function randomShapeMatrices({ modes }: Model, random: () => number): Float64Array {
  const out = new Float64Array(modes.block[modes.bodies.length])
  modes.bodies.forEach((_, n) => {
    const r = modes.start[n + 1] - modes.start[n]
    const L = Array.from({ length: r }, () => Array.from({ length: r }, () => random() - 0.5))
    L.forEach((row, l) => {
      L.forEach((other, p) => {
        out[modes.block[n] + l * r + p] = row.reduce((sum, x, k) => sum + x * other[k], 0)
      })
    })
  })
  return out
}

const trees: [string, number, () => RandomTree][] = [1, 2, 3, 4, 5, 6].flatMap((seed): [string, number, () => RandomTree][] => [
  ['random tree', seed, () => randomTree({ seed, bodies: 9 })],
  ['tree with bodies that deform', seed, () => deformingTree(seed, 9)],
])

describe.each(trees)('%s, seed %i', (_, seed, make) => {
  const { model, state, data } = make()
  const { nv, nbody, modes } = model
  const uniform = createRandom(100 + seed).unit
  const { packed, full } = randomAdditions(nbody, uniform)
  const diagonal = Float64Array.from({ length: nv }, () => uniform())
  const shapes = randomShapeMatrices(model, uniform)

  /** Jᵀ (I + B) J + diag, dense, column by column */
  const dense = (withBodies: boolean, withJoints: boolean, withModes: boolean): Float64Array => {
    const M = new Float64Array(nv * nv)
    massMatrix(model, data, state, M)
    const J = Array.from({ length: nv }, (_, k) => {
      const y = new Float64Array(6 * nbody)
      jacobianProduct(
        model,
        data,
        y,
        Float64Array.from({ length: nv }, (__, j) => (j === k ? 1 : 0)),
      )
      return y
    })
    for (let r = 0; r < nv; r++) {
      for (let c = 0; c < nv && withBodies; c++) {
        for (let i = 1; i < nbody; i++) {
          for (let p = 0; p < 6; p++) for (let q = 0; q < 6; q++) M[r * nv + c] += J[r][6 * i + p] * full[i][p][q] * J[c][6 * i + q]
        }
      }
      if (withJoints) M[r * nv + r] += diagonal[r]
    }
    for (let n = 0; n < modes.bodies.length && withModes; n++) {
      const size = modes.start[n + 1] - modes.start[n]
      const at = (l: number): number => modes.iv[modes.start[n] + l]
      for (let l = 0; l < size; l++) for (let p = 0; p < size; p++) M[at(l) * nv + at(p)] += shapes[modes.block[n] + l * size + p]
    }
    return M
  }

  it.each([
    [false, false, false],
    [true, false, false],
    [false, true, false],
    [false, false, true],
    [true, true, true],
  ])('solves what the dense matrix multiplies, bodies %s, joints %s, modes %s', (withBodies, withJoints, withModes) => {
    poisonData(data, model)
    forwardKinematics(model, data, state.q, state.v)
    const A = dense(withBodies, withJoints, withModes)
    const factor = createImplicitFactor(model)
    const [B, r, Z] = [withBodies ? packed : undefined, withJoints ? diagonal : undefined, withModes ? shapes : undefined]
    expect(factorImplicit(model, data, factor, B, r, Z)).toBe(true)
    // the factor must not lean on data
    poisonData(data, model)
    const x = Float64Array.from({ length: nv }, () => uniform() - 0.5)
    const b = x.map((_, r) => x.reduce((sum, xc, c) => sum + A[r * nv + c] * xc, 0))
    const y = new Float64Array(nv + 2)
    solveImplicit(model, factor, y, 2, b, 0)
    const size = Math.max(...x.map(Math.abs))
    for (let k = 0; k < nv; k++) expect(Math.abs(y[2 + k] - x[k])).toBeLessThan(1e-8 * size)
  })

  it('multiplies by the mass matrix without forming it', () => {
    forwardKinematics(model, data, state.q, state.v)
    const M = dense(false, false, false)
    const factor = createImplicitFactor(model)
    factorImplicit(model, data, factor, packed, diagonal, shapes)
    poisonData(data, model)
    const x = Float64Array.from({ length: nv }, () => uniform() - 0.5)
    const y = new Float64Array(nv)
    multiplyInertia(model, factor, y, 0, x, 0)
    const expected = x.map((_, r) => x.reduce((sum, xc, c) => sum + M[r * nv + c] * xc, 0))
    const size = Math.max(...expected.map(Math.abs))
    for (let k = 0; k < nv; k++) expect(Math.abs(y[k] - expected[k])).toBeLessThan(1e-12 * size)
  })

  it('keeps the motions of its pose, and adds wrenches to products', () => {
    forwardKinematics(model, data, state.q, state.v)
    const factor = createImplicitFactor(model)
    factorImplicit(model, data, factor, undefined, undefined)
    const x = Float64Array.from({ length: nv }, () => uniform() - 0.5)
    const wrenches = Float64Array.from({ length: 6 * nbody }, (__, k) => (k < 6 ? 0 : uniform() - 0.5))
    const expected = new Float64Array(6 * nbody)
    const pulled = new Float64Array(nv)
    jacobianProduct(model, data, expected, x)
    jacobianTransposeProduct(model, data, pulled, wrenches.slice())
    poisonData(data, model)
    const y = new Float64Array(6 * nbody)
    implicitMotions(model, factor, y, x)
    for (let k = 0; k < y.length; k++) expect(y[k]).toBeCloseTo(expected[k], 12)
    const [with_, without] = [new Float64Array(nv), new Float64Array(nv)]
    multiplyInertia(model, factor, with_, 0, x, 0, wrenches)
    multiplyInertia(model, factor, without, 0, x, 0)
    for (let k = 0; k < nv; k++) expect(with_[k] - without[k]).toBeCloseTo(pulled[k], 10)
  })
})

it('says so where the matrix is not positive definite', () => {
  const model = buildModel({ bodies: [{ name: 'b', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ type: 'revolute' }] }] })
  const data = createData(model)
  const state = createState(model)
  forwardKinematics(model, data, state.q, state.v)
  expect(factorImplicit(model, data, createImplicitFactor(model), undefined, Float64Array.of(-2))).toBe(false)
})

it('says so where the stiffness of modes is not positive enough', () => {
  const { model, data, state } = deformingTree(1, 4)
  forwardKinematics(model, data, state.q, state.v)
  const shapes = new Float64Array(model.modes.block[model.modes.bodies.length])
  const factor = createImplicitFactor(model)
  expect(factorImplicit(model, data, factor, undefined, undefined, shapes)).toBe(true)
  shapes[model.modes.block[0]] = -100
  expect(factorImplicit(model, data, factor, undefined, undefined, shapes)).toBe(false)
})
