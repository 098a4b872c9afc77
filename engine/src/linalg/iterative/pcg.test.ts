import { describe, expect, test } from 'vitest'
import { randomPositive } from '../../../test/linalg/random-positive.js'
import { createRandom } from '../../../test/random.js'
import type { LinearOperator } from './linear-operator.js'
import { createPcg, pcg } from './pcg.js'

const matrix = randomPositive(400, 80, 1)
const N = matrix.n
const random = createRandom(3).unit
const b = Float64Array.from({ length: N }, () => 2 * random() - 1)

const apply = (out: Float64Array, x: Float64Array) => matrix.multiply(out, x)
const identity = (out: Float64Array, r: Float64Array) => out.set(r)

const exact = b.slice()
matrix.solve(exact)

function error(x: Float64Array): number {
  let worst = 0
  for (let i = 0; i < N; i++) worst = Math.max(worst, Math.abs(x[i] - exact[i]))
  return worst
}

describe('preconditioned conjugate gradients', () => {
  test('agrees with the direct solve', () => {
    const x = new Float64Array(N)
    const report = pcg(createPcg(N), { apply, precondition: identity }, b, x, 1e-10, 1000)
    expect(report.status).toBe('converged')
    expect(report.residual).toBeLessThanOrEqual(1e-10)
    expect(error(x)).toBeLessThan(1e-9)
  })

  test('needs exactly one iteration when the preconditioner is the inverse', () => {
    const precondition = (out: Float64Array, r: Float64Array) => {
      out.set(r)
      matrix.solve(out)
    }
    const x = new Float64Array(N)
    expect(pcg(createPcg(N), { apply, precondition }, b, x, 1e-6, 100)).toEqual({
      status: 'converged',
      iterations: 1,
      residual: expect.any(Number),
    })
    expect(error(x)).toBeLessThan(1e-13)
    // the same from a warm start
    x.fill(1)
    expect(pcg(createPcg(N), { apply, precondition }, b, x, 1e-6, 100).iterations).toBe(1)
  })

  test('needs at most 1 + rank(A − P) iterations', () => {
    // P = A + u uᵀ by the Sherman–Morrison formula: rank one away
    const u = Float64Array.from({ length: N }, () => random())
    const Au = u.slice()
    matrix.solve(Au)
    let uAu = 0
    for (let i = 0; i < N; i++) uAu += u[i] * Au[i]
    const precondition = (out: Float64Array, r: Float64Array) => {
      out.set(r)
      matrix.solve(out)
      let t = 0
      for (let i = 0; i < N; i++) t += u[i] * out[i]
      for (let i = 0; i < N; i++) out[i] -= (t / (1 + uAu)) * Au[i]
    }
    expect(pcg(createPcg(N), { apply, precondition }, b, new Float64Array(N), 1e-9, 100).iterations).toBeLessThanOrEqual(2)
  })

  test('a better warm start saves iterations, the solution itself all but one', () => {
    const w = createPcg(N)
    const operator: LinearOperator = { apply, precondition: identity }
    const cold = pcg(w, operator, b, new Float64Array(N), 1e-8, 1000).iterations
    const near = exact.map((v) => v * (1 + 1e-4))
    expect(pcg(w, operator, b, near, 1e-8, 1000).iterations).toBeLessThan(cold - 3)
    expect(pcg(w, operator, b, exact.slice(), 1e-8, 1000).iterations).toBe(1)
  })

  test('improves a start within the tolerance once', () => {
    const x = exact.map((v) => v * (1 + 1e-9))
    const before = error(x)
    expect(pcg(createPcg(N), { apply, precondition: identity }, b, x, 1e-6, 1000)).toMatchObject({ status: 'converged', iterations: 1 })
    expect(error(x)).toBeLessThan(0.9 * before)
  })

  test('does not care about the units of the unknowns when the preconditioner is the diagonal', () => {
    const diagonal = Float64Array.from({ length: N }, (_, i) => matrix.A[i * (N + 1)])
    const scale = Float64Array.from({ length: N }, (_, i) => 2 ** ((i % 7) * 3 - 9))
    const plain: LinearOperator = { apply, precondition: (out, r) => r.forEach((v, i) => (out[i] = v / diagonal[i])) }
    const scaled: LinearOperator = {
      apply: (out, x) => {
        apply(
          out,
          x.map((v, i) => v * scale[i]),
        )
        for (let i = 0; i < N; i++) out[i] *= scale[i]
      },
      precondition: (out, r) => r.forEach((v, i) => (out[i] = v / (diagonal[i] * scale[i] ** 2))),
    }
    const one = pcg(createPcg(N), plain, b, new Float64Array(N), 1e-8, 1000).iterations
    const other = pcg(
      createPcg(N),
      scaled,
      b.map((v, i) => v * scale[i]),
      new Float64Array(N),
      1e-8,
      1000,
    )
    expect(other.iterations).toBe(one)
  })

  test('reports breakdown on an indefinite matrix, a bad preconditioner and on not-a-number; stops at the limit', () => {
    const w = createPcg(N)
    const negative = (out: Float64Array, x: Float64Array) => {
      apply(out, x)
      for (let i = 0; i < N; i += 2) out[i] -= 100 * x[i]
    }
    const nan = (out: Float64Array) => out.fill(Number.NaN)
    const x = new Float64Array(N)
    expect(pcg(w, { apply: negative, precondition: identity }, b, x, 1e-8, 1000).status).toBe('breakdown')
    expect(x.every(Number.isFinite)).toBe(true)
    expect(pcg(w, { apply, precondition: (out, r) => r.forEach((v, i) => (out[i] = -v)) }, b, x.fill(0), 1e-8, 1000).status).toBe(
      'breakdown',
    )
    expect(pcg(w, { apply: nan, precondition: identity }, b, x.fill(0), 1e-8, 1000).status).toBe('breakdown')
    expect(x.every((v) => v === 0)).toBe(true)
    expect(pcg(w, { apply, precondition: identity }, b, x, 1e-12, 3)).toMatchObject({ status: 'max-iterations', iterations: 3 })
  })

  test('answers zero to zero, whatever the warm start', () => {
    const x = new Float64Array(N).fill(5)
    expect(pcg(createPcg(N), { apply, precondition: identity }, new Float64Array(N), x, 1e-8, 10).status).toBe('converged')
    expect(x.every((v) => v === 0)).toBe(true)
  })

  test('gives the same bits for the same input', () => {
    const runs = [0, 1].map(() => {
      const x = new Float64Array(N)
      pcg(createPcg(N), { apply, precondition: identity }, b, x, 1e-8, 1000)
      return x
    })
    expect(runs[0]).toEqual(runs[1])
  })
})
