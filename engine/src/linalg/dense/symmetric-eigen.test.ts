import { expect, test } from 'vitest'
import { createRandom } from '../../../test/random.js'
import { symmetricEigen } from './symmetric-eigen.js'

/** A = Q diag(values) Qᵀ with Q made of random reflections. */
function withValues(values: readonly number[], seed: number): Float64Array {
  const n = values.length
  const random = createRandom(seed)
  const Q = new Float64Array(n * n)
  for (let i = 0; i < n; i++) Q[n * i + i] = 1
  for (let t = 0; t < n; t++) {
    const v = random.array(n, 1)
    const vv = v.reduce((s, x) => s + x * x, 0)
    for (let i = 0; i < n; i++) {
      let s = 0
      for (let j = 0; j < n; j++) s += Q[n * i + j] * v[j]
      for (let j = 0; j < n; j++) Q[n * i + j] -= (2 * s * v[j]) / vv
    }
  }
  const A = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      for (let k = 0; k < n; k++) A[n * i + j] += Q[n * i + k] * values[k] * Q[n * j + k]
      A[n * j + i] = A[n * i + j]
    }
  return A
}

test.each([
  ['one number', [3]],
  ['two', [-1, 2]],
  ['zeros', [0, 0, 0, 0]],
  ['equal ones', [1, 1, 1, 5, 5, -2, 7]],
  ['many scales', Array.from({ length: 40 }, (_, k) => 2 ** -k)],
  ['a hundred', Array.from({ length: 100 }, (_, k) => Math.sin(3 * k))],
])('%s: the eigenvalues it was made from, and orthonormal vectors that A scales', (_, values) => {
  const n = values.length
  const A = withValues(values, 7)
  const { values: found, vectors } = symmetricEigen(A.slice(), n)
  const size = Math.max(...values.map(Math.abs), 1e-300)
  const sorted = [...values].sort((a, b) => a - b)
  found.forEach((x, k) => {
    expect(Math.abs(x - sorted[k])).toBeLessThan(1e-14 * n * size)
  })
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      let image = 0
      let product = 0
      for (let j = 0; j < n; j++) {
        image += A[n * i + j] * vectors[n * k + j]
        product += vectors[n * i + j] * vectors[n * k + j]
      }
      expect(Math.abs(image - found[k] * vectors[n * k + i])).toBeLessThan(1e-14 * n * size)
      expect(Math.abs(product - (i === k ? 1 : 0))).toBeLessThan(1e-14 * n)
    }
  }
})
