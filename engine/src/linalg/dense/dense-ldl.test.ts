import { expect, test } from 'vitest'
import { createRandom } from '../../../test/random.js'
import { createDenseLdl, factorDense, solveDense } from './dense-ldl.js'

/** Symmetric, rows of alternating sign dominate: quasi-definite. */
function matrix(n: number, seed: number): Float64Array {
  const random = createRandom(seed).unit
  const A = new Float64Array(n * n)
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) A[i * n + j] = A[j * n + i] = 2 * random() - 1
  for (let i = 0; i < n; i++) A[i * n + i] = (i % 2 === 0 ? 1 : -1) * (n + random())
  return A
}

test.each([0, 1, 2, 3, 4, 5, 7, 11, 48, 100])('dense LDLᵀ solves %i quasi-definite rows and counts the negative ones', (n) => {
  const A = matrix(n, n + 1)
  const f = createDenseLdl(100)
  f.L.set(A)
  expect(factorDense(f, n)).toBe(-1)
  expect(f.negative).toBe(n >> 1)
  const x = new Float64Array(n).fill(1)
  solveDense(f, x, 0)
  for (let i = 0; i < n; i++) {
    let s = 0
    for (let j = 0; j < n; j++) s += A[i * n + j] * x[j]
    expect(Math.abs(s - 1)).toBeLessThan(1e-13)
  }
})

test('dense LDLᵀ reports the row of a vanishing pivot, or replaces it when asked to', () => {
  const A = Float64Array.of(4, 2, 2, 2, 1, 1, 2, 1, 9)
  const strict = createDenseLdl(3)
  strict.L.set(A)
  expect(factorDense(strict, 3)).toBe(1)
  const lenient = createDenseLdl(3, 1e-9)
  lenient.L.set(A)
  expect(factorDense(lenient, 3)).toBe(-1)
  expect(lenient.regularized).toBe(1)
})
