import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../test/random.js'
import { createConeSolver, solveCone } from './cone-newton.js'
import { createSparseRows, prepareSparse, reserveSparse, type SparseRows, sparseGaussSeidel } from './cone-sparse.js'
import { type Complementarity, createComplementarity, resetRows } from './lcp.js'

/** Contacts of bodies with six velocities each, mass 1: body b with the ground, or with the one before. */
function heap(bodies: number, contacts: number, seed: number): { s: SparseRows; p: Complementarity; nv: number } {
  const random = createRandom(seed)
  const next = (): number => random.spread(0.5)
  const nv = 6 * bodies
  const n = 3 * contacts + 2
  const s = createSparseRows(nv)
  reserveSparse(s, n, 12 * n)
  const p = createComplementarity(n)
  resetRows(p, n)
  let at = 0
  const row = (r: number, touched: readonly number[]): void => {
    for (const b of touched) {
      for (let k = 0; k < 6; k++) {
        s.dof[at] = 6 * b + k
        s.G[at] = next()
        // the inverse mass is diagonal, 1 or 2
        s.Y[at] = s.G[at] * (1 + (b % 2))
        at++
      }
    }
    s.start[r + 1] = at
    p.r[r] = next()
  }
  for (let c = 0; c < contacts; c++) {
    const b = c % bodies
    const touched = c < bodies || bodies === 1 ? [b] : [b, (b + 1 + (c % (bodies - 1))) % bodies]
    for (let e = 0; e < 3; e++) row(3 * c + e, touched)
    p.lo[3 * c] = 0
    for (const e of [1, 2]) {
      p.normal[3 * c + e] = 3 * c
      p.mu[3 * c + e] = 0.6
    }
  }
  // a limit and dry friction
  row(n - 2, [0])
  p.lo[n - 2] = 0
  row(n - 1, [bodies - 1])
  p.lo[n - 1] = -0.1
  p.hi[n - 1] = 0.1
  return { s, p, nv }
}

/** The same rows with D in full. */
function dense({ s, p, nv }: ReturnType<typeof heap>): Complementarity {
  const { n } = p
  const out = createComplementarity(n)
  resetRows(out, n)
  const y = new Float64Array(nv)
  for (let j = 0; j < n; j++) {
    y.fill(0)
    for (let e = s.start[j]; e < s.start[j + 1]; e++) y[s.dof[e]] = s.Y[e]
    for (let i = 0; i < n; i++) for (let e = s.start[i]; e < s.start[i + 1]; e++) out.D[i * n + j] += s.G[e] * y[s.dof[e]]
  }
  for (const name of ['r', 'lo', 'hi', 'mu', 'normal'] as const) out[name].set(p[name].subarray(0, n))
  return out
}

describe('sweeps over sparse rows', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('find the forces of the dense problem, seed %d', (seed) => {
    const problem = heap(5, 8, seed)
    const { s, p } = problem
    const full = dense(problem)
    prepareSparse(s, p)
    const { status, residual } = sparseGaussSeidel(s, p, 1e-11, 20000)
    expect(status).toBe('solved')
    expect(residual).toBeLessThan(1e-11)
    expect(solveCone(createConeSolver(full.n), full, 1e-11).status).toBe('solved')
    // forces may be redundant; the velocities they leave are not
    for (let r = 0; r < p.n; r++) expect(p.w[r]).toBeCloseTo(full.w[r], 7)
  })

  it('leave the velocity that the forces make', () => {
    const { s, p, nv } = heap(6, 12, 3)
    prepareSparse(s, p)
    sparseGaussSeidel(s, p, 1e-9, 500)
    const y = new Float64Array(nv)
    for (let r = 0; r < p.n; r++) for (let e = s.start[r]; e < s.start[r + 1]; e++) y[s.dof[e]] += p.lambda[r] * s.Y[e]
    for (let k = 0; k < nv; k++) expect(s.y[k]).toBeCloseTo(y[k], 10)
  })

  it('are over at once where they start from the solution', () => {
    const { s, p } = heap(6, 12, 4)
    prepareSparse(s, p)
    const cold = sparseGaussSeidel(s, p, 1e-9, 5000).iterations
    const before = p.lambda.slice()
    expect(cold).toBeGreaterThan(5)
    expect(sparseGaussSeidel(s, p, 1e-6, 5000).iterations).toBe(1)
    for (let r = 0; r < p.n; r++) expect(p.lambda[r]).toBeCloseTo(before[r], 8)
  })

  it('keep friction inside its cone and normal forces above zero', () => {
    const { s, p } = heap(8, 20, 5)
    prepareSparse(s, p)
    sparseGaussSeidel(s, p, 1e-9, 50)
    for (let r = 0; r < 60; r += 3) {
      expect(p.lambda[r]).toBeGreaterThanOrEqual(0)
      expect(Math.hypot(p.lambda[r + 1], p.lambda[r + 2])).toBeLessThanOrEqual(0.6 * p.lambda[r] * (1 + 1e-9))
    }
  })
})
