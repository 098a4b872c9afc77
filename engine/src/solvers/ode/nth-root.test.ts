import { expect, it } from 'vitest'
import { takeRoot } from './nth-root.js'

function nthRoot(x: number, k: number): number {
  const v = Float64Array.of(7, x)
  takeRoot(v, 1, k)
  expect(v[0]).toBe(7)
  return v[1]
}

it('gives the root to the last digits over the whole range of step control', () => {
  for (let k = 1; k <= 14; k++) {
    for (let e = -12; e <= 12; e += 0.37) {
      const x = 10 ** e
      expect(Math.abs(nthRoot(x, k) / x ** (1 / k) - 1)).toBeLessThan(1e-14)
    }
  }
})

it('hands through zero, infinity and what is not a number', () => {
  expect(nthRoot(0, 3)).toBe(0)
  expect(nthRoot(Number.POSITIVE_INFINITY, 3)).toBe(Number.POSITIVE_INFINITY)
  expect(nthRoot(Number.NaN, 3)).toBeNaN()
})
