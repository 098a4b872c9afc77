import { describe, expect, it } from 'vitest'
import { clearEnvelope, createEnvelope, type Envelope, factorEnvelope, layEnvelope, reserveEnvelope, solveEnvelope } from './envelope.js'

const FIRST = [0, 0, 1, 1, 3, 0, 5, 4]

/** A matrix with rows that begin at FIRST, its diagonal `diagonal` more than the sum of what is beside it. */
function fill(e: Envelope, diagonal: number): number[][] {
  const n = FIRST.length
  reserveEnvelope(e, n)
  e.first.set(FIRST)
  layEnvelope(e)
  clearEnvelope(e)
  const A = FIRST.map(() => new Array<number>(n).fill(0))
  for (let i = 0; i < n; i++) for (let j = FIRST[i]; j < i; j++) A[i][j] = A[j][i] = Math.sin(3 * i + j)
  for (let i = 0; i < n; i++) A[i][i] = diagonal + A[i].reduce((sum, x) => sum + Math.abs(x), 0)
  for (let i = 0; i < n; i++) for (let j = FIRST[i]; j <= i; j++) e.L[e.at[i] + j] = A[i][j]
  return A
}

describe('envelope cholesky', () => {
  it('solves as the full matrix does', () => {
    const e = createEnvelope()
    const A = fill(e, 0.1)
    const x = Float64Array.from(FIRST, (_, k) => Math.cos(k))
    const b = Float64Array.from(A, (row) => row.reduce((sum, a, j) => sum + a * x[j], 0))
    expect(factorEnvelope(e)).toBe(true)
    solveEnvelope(e, b)
    for (const [k, value] of b.entries()) expect(value).toBeCloseTo(x[k], 12)
  })

  it('refuses a matrix that is not positive definite', () => {
    const e = createEnvelope()
    fill(e, -30)
    expect(factorEnvelope(e)).toBe(false)
  })
})
