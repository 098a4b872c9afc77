import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.js'
import { luFactor, luSolve } from '../dense/lu.js'
import { createGmres, gmres } from './gmres.js'
import type { LinearOperator } from './linear-operator.js'

function system(n: number, seed: number, skew: number) {
  const random = createRandom(seed).unit
  const A = Float64Array.from({ length: n * n }, () => random() - 0.5)
  for (let i = 0; i < n; i++) A[i * n + i] += skew
  const b = Float64Array.from({ length: n }, () => random() - 0.5)
  const apply = (out: Float64Array, x: Float64Array) => {
    for (let i = 0; i < n; i++) {
      let s = 0
      for (let j = 0; j < n; j++) s += A[i * n + j] * x[j]
      out[i] = s
    }
  }
  const F = A.slice()
  const rows = new Int32Array(n)
  luFactor(F, 0, n, rows)
  const exact = new Float64Array(n)
  luSolve(F, 0, n, rows, exact, 0, b, 0)
  const invert = (out: Float64Array, r: Float64Array) => luSolve(F, 0, n, rows, out, 0, r, 0)
  return { A, b, apply, exact, invert }
}

const copy = (out: Float64Array, r: Float64Array) => out.set(r)
const error = (x: Float64Array, y: Float64Array) => Math.max(...x.map((v, i) => Math.abs(v - y[i])))

describe('restarted GMRES', () => {
  test.each([1, 2, 3])('agrees with LU on unsymmetric systems within n iterations (seed %i)', (seed) => {
    const n = 40
    const { b, apply, exact } = system(n, seed, 1)
    const x = new Float64Array(n)
    const report = gmres(createGmres(n, n), { apply, precondition: copy }, b, x, 1e-10, n)
    expect(report.status).toBe('converged')
    expect(error(x, exact)).toBeLessThan(1e-6)
  })

  test('restarts still converge on a well-conditioned system, and the report is the true residual', () => {
    const n = 60
    const { b, apply, exact } = system(n, 4, 8)
    const x = new Float64Array(n)
    const report = gmres(createGmres(n, 6), { apply, precondition: copy }, b, x, 1e-11, 500)
    expect(report.status).toBe('converged')
    expect(report.iterations).toBeGreaterThan(6)
    expect(error(x, exact)).toBeLessThan(1e-10)
    const r = new Float64Array(n)
    apply(r, x)
    const norm = (v: Float64Array) => Math.sqrt(v.reduce((s, a) => s + a * a, 0))
    expect(norm(r.map((v, i) => v - b[i])) / norm(b)).toBeLessThan(1.1e-11)
  })

  test('needs one iteration when the preconditioner is the inverse', () => {
    const { b, apply, invert, exact } = system(30, 5, 1)
    const x = new Float64Array(30)
    expect(gmres(createGmres(30, 5), { apply, precondition: invert }, b, x, 1e-8, 50).iterations).toBe(1)
    expect(error(x, exact)).toBeLessThan(1e-10)
  })

  test('a warm start at the solution needs no iteration', () => {
    const { b, apply, exact } = system(30, 6, 2)
    expect(gmres(createGmres(30, 5), { apply, precondition: copy }, b, exact.slice(), 1e-8, 50).iterations).toBe(0)
  })

  test('weights choose the norm of the test: components without weight may stay wrong', () => {
    const n = 30
    const { b, apply, exact } = system(n, 7, 3)
    const weights = Float64Array.from({ length: n }, (_, i) => (i < 15 ? 1 : 1e-6))
    const x = new Float64Array(n)
    const weighted = gmres(createGmres(n, n), { apply, precondition: copy }, b, x, 1e-10, n, weights)
    expect(weighted.status).toBe('converged')
    const r = new Float64Array(n)
    apply(r, x)
    for (let i = 0; i < 15; i++) expect(Math.abs(r[i] - b[i])).toBeLessThan(1e-9)
    expect(error(x, exact)).toBeLessThan(1e-2)
  })

  test('reports a singular matrix as breakdown or stagnation, and never loops', () => {
    const singular: LinearOperator = {
      apply: (out, x) => {
        out.set(x)
        out[0] = 0
      },
      precondition: copy,
    }
    const x = new Float64Array(5)
    const report = gmres(createGmres(5, 3), singular, Float64Array.of(1, 1, 1, 1, 1), x, 1e-8, 40)
    expect(['breakdown', 'max-iterations']).toContain(report.status)
    expect(x.every(Number.isFinite)).toBe(true)
    const nan: LinearOperator = { apply: (out) => out.fill(Number.NaN), precondition: copy }
    expect(gmres(createGmres(5, 3), nan, Float64Array.of(1, 1, 1, 1, 1), x, 1e-8, 40).status).toBe('breakdown')
  })
})

describe('dense LU', () => {
  test('solves a system that needs row exchanges', () => {
    const A = Float64Array.of(0, 2, 1, 1, 0, 0, 3, 0, 1)
    const rows = new Int32Array(3)
    expect(luFactor(A, 0, 3, rows)).toBe(-1)
    const x = new Float64Array(3)
    luSolve(A, 0, 3, rows, x, 0, Float64Array.of(5, 1, 6), 0)
    expect(x[0]).toBeCloseTo(1, 14)
    expect(x[1]).toBeCloseTo(1, 14)
    expect(x[2]).toBeCloseTo(3, 14)
  })

  test('names the column of a singular matrix in which it fails', () => {
    expect(luFactor(Float64Array.of(1, 2, 3, 2, 4, 6, 0, 1, 1), 0, 3, new Int32Array(3))).toBe(2)
    expect(luFactor(new Float64Array(4), 0, 2, new Int32Array(2))).toBe(0)
  })
})
