import { describe, expect, it } from 'vitest'
import { backSubstitute, cholesky, choleskySolve, forwardSubstitute } from './cholesky.js'

/** condition numbers of the matrices below stay under a few hundred */
const ROUNDING = 1e-12

let draw = 0
const number = (): number => 2 * ((++draw * 0.6180339887498949) % 1) - 1

/** BᵀB + 1, at offset o of a larger array */
function positive(n: number, o: number): Float64Array {
  const B = Array.from({ length: n }, () => Array.from({ length: n }, number))
  const A = new Float64Array(o + n * n + 3).fill(Number.NaN)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) A[o + i * n + j] = B.reduce((sum, row) => sum + row[i] * row[j], i === j ? 1 : 0)
  }
  return A
}

describe('cholesky', () => {
  it.each([1, 2, 3, 6, 20])('solves A x = b of size %i, with entries apart, and touches nothing else', (n) => {
    const o = 5
    const stride = 3
    const A = positive(n, o)
    const L = A.slice()
    expect(cholesky(L, o, n)).toBe(true)
    const x = Float64Array.from({ length: 2 + n * stride }, number)
    const b = x.slice()
    for (let r = 0; r < n; r++) {
      let sum = 0
      for (let c = 0; c < n; c++) sum += A[o + r * n + c] * x[2 + c * stride]
      b[2 + r * stride] = sum
    }
    choleskySolve(L, o, n, b, 2, stride)
    b.forEach((value, k) => {
      expect(Math.abs(value - x[k])).toBeLessThan(ROUNDING)
    })
    expect(L.subarray(0, o).every(Number.isNaN) && L.subarray(o + n * n).every(Number.isNaN)).toBe(true)
    // the upper triangle is the matrix's own
    for (let r = 0; r < n; r++) for (let c = r + 1; c < n; c++) expect(L[o + r * n + c]).toBe(A[o + r * n + c])
  })

  it('forward and back substitution together are the solution', () => {
    const n = 4
    const L = positive(n, 0)
    cholesky(L, 0, n)
    const b = Float64Array.from({ length: n }, number)
    const x = b.slice()
    const y = b.slice()
    choleskySolve(L, 0, n, x, 0, 1)
    forwardSubstitute(L, 0, n, y, 0, 1)
    backSubstitute(L, 0, n, y, 0, 1)
    expect([...y]).toEqual([...x])
  })

  it('says no to what is not positive definite', () => {
    expect(cholesky(Float64Array.of(1, 2, 2, 1), 0, 2)).toBe(false)
    expect(cholesky(Float64Array.of(0), 0, 1)).toBe(false)
    expect(cholesky(Float64Array.of(-1), 0, 1)).toBe(false)
    expect(cholesky(Float64Array.of(Number.NaN), 0, 1)).toBe(false)
    expect(cholesky(Float64Array.of(1, 1, 1, 1), 0, 2)).toBe(false)
  })
})
