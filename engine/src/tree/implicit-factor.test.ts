import { describe, expect, it } from 'vitest'
import { randomTree } from '../../test/conformance/random-tree.js'
import { createRandom } from '../../test/random.js'
import { buildModel } from '../build/build-model.js'
import { massMatrix } from '../forces/dynamics.js'
import { createData, poisonData } from '../model/data.js'
import { createState } from '../model/state.js'
import { createImplicitFactor, factorImplicit, multiplyInertia, solveImplicit } from './implicit-factor.js'
import { jacobianProduct } from './jacobian.js'
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

describe.each([1, 2, 3, 4, 5])('random tree, seed %i', (seed) => {
  const { model, state, data } = randomTree({ seed, bodies: 9 })
  const { nv, nbody } = model
  const uniform = createRandom(100 + seed).unit
  const { packed, full } = randomAdditions(nbody, uniform)
  const diagonal = Float64Array.from({ length: nv }, () => uniform())

  /** Jᵀ (I + B) J + diag, dense, column by column */
  const dense = (withBodies: boolean, withJoints: boolean): Float64Array => {
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
    return M
  }

  it.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('solves what the dense matrix multiplies, bodies %s, joints %s', (withBodies, withJoints) => {
    poisonData(data, model)
    forwardKinematics(model, data, state.q, state.v)
    const A = dense(withBodies, withJoints)
    const factor = createImplicitFactor(model)
    expect(factorImplicit(model, data, factor, withBodies ? packed : undefined, withJoints ? diagonal : undefined)).toBe(true)
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
    const M = dense(false, false)
    const factor = createImplicitFactor(model)
    factorImplicit(model, data, factor, packed, diagonal)
    const x = Float64Array.from({ length: nv }, () => uniform() - 0.5)
    const y = new Float64Array(nv)
    multiplyInertia(model, factor, y, 0, x, 0)
    const expected = x.map((_, r) => x.reduce((sum, xc, c) => sum + M[r * nv + c] * xc, 0))
    const size = Math.max(...expected.map(Math.abs))
    for (let k = 0; k < nv; k++) expect(Math.abs(y[k] - expected[k])).toBeLessThan(1e-12 * size)
  })
})

it('says so where the matrix is not positive definite', () => {
  const model = buildModel({ bodies: [{ name: 'b', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ type: 'revolute' }] }] })
  const data = createData(model)
  const state = createState(model)
  forwardKinematics(model, data, state.q, state.v)
  expect(factorImplicit(model, data, createImplicitFactor(model), undefined, Float64Array.of(-2))).toBe(false)
})
