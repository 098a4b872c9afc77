import { describe, expect, it } from 'vitest'
import { ADAMS_ORDER, adamsCoefficients, BDF_ORDER, bdfCoefficients, sampleWeights } from './coefficients.js'

describe('adams coefficients', () => {
  const table = adamsCoefficients()

  it.each([
    [1, [1, 1], 2],
    [2, [1 / 2, 1, 1 / 2], 12],
    [3, [5 / 12, 1, 3 / 4, 1 / 6], 24],
    [4, [3 / 8, 1, 11 / 12, 1 / 3, 1 / 24], 37.8947],
  ])('of order %i are those of the literature', (q, l, error) => {
    expect(table[q].l.length).toBe(q + 1)
    l.forEach((x, i) => expect(table[q].l[i]).toBeCloseTo(x, 14))
    expect(table[q].error).toBeCloseTo(error, 4)
  })

  it('has the leading coefficient and test constant of order five', () => {
    expect(table[5].l[0]).toBeCloseTo(251 / 720, 14)
    expect(table[5].error).toBeCloseTo(53.3333, 4)
  })

  it('gives polynomials of the order without error, 1 to 12', () => {
    // y = tᵠ: the corrected history at t = 1 from the exact one at t = 0 with h = 1 is exact where the formula is of order q
    for (let q = 1; q <= ADAMS_ORDER; q++) {
      const { l } = table[q]
      const z = new Float64Array(q + 1)
      z[q] = 1
      for (let k = 0; k < q; k++) for (let j = q - 1; j >= k; j--) z[j] += z[j + 1]
      const e = q - z[1]
      for (let j = 0; j <= q; j++) expect(z[j] + l[j] * e).toBeCloseTo(binomial(q, j), 9)
    }
  })
})

describe('backward-difference coefficients', () => {
  it('reproduce y from its past values, orders 1 to 5', () => {
    const table = bdfCoefficients()
    expect(Array.from(table[1].l)).toEqual([1, 1])
    expect(Array.from(table[2].l)).toEqual([2 / 3, 1, 1 / 3])
    // l is proportional to the coefficients of (x+1)…(x+q), which vanishes at the past times −1 … −q
    for (let q = 1; q <= BDF_ORDER; q++) {
      for (let k = 1; k <= q; k++) {
        const value = table[q].l.reduceRight((sum, c) => sum * -k + c, 0)
        expect(value).toBeCloseTo(0, 12)
      }
    }
  })
})

describe('sample weights', () => {
  it('recover a polynomial from its samples at 0, −1, −2, …', () => {
    for (let m = 1; m <= 13; m++) {
      const W = sampleWeights(m)
      const p = Float64Array.from({ length: m }, (_, j) => 1 / (j + 1))
      const samples = Float64Array.from({ length: m }, (_, i) => p.reduceRight((sum, c) => sum * -i + c, 0))
      for (let j = 0; j < m; j++) {
        let sum = 0
        let size = 0
        for (let i = 0; i < m; i++) {
          sum += W[j * m + i] * samples[i]
          size += Math.abs(W[j * m + i] * samples[i])
        }
        expect(Math.abs(sum - p[j])).toBeLessThan(1e-15 * m * (1 + size))
      }
    }
  })
})

function binomial(n: number, k: number): number {
  let b = 1
  for (let i = 1; i <= k; i++) b = (b * (n - k + i)) / i
  return b
}
