import { describe, expect, test } from 'vitest'
import type { Vec } from '../../math/types.js'
import { blockLanczos } from './block-lanczos.js'

/** x ← diag(d) x */
const diagonal =
  (d: readonly number[]) =>
  (x: Vec, count: number): void => {
    for (let i = 0; i < d.length * count; i++) x[i] *= d[i % d.length]
  }

describe('block Lanczos', () => {
  test('finds eigenvalues as often as they occur', () => {
    const d = Array.from({ length: 300 }, (_, i) => 1 / (1 + Math.floor(i / 3)) ** 2)
    const { values, vectors } = blockLanczos({ n: 300, wanted: 10, apply: diagonal(d), tolerance: 1e-12 })
    expect(Array.from(values, (x) => Math.round(1 / Math.sqrt(x)))).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3, 4])
    for (let k = 0; k < 10; k++) {
      for (let i = 0; i < 300; i++) expect(Math.abs(d[i] * vectors[300 * k + i] - values[k] * vectors[300 * k + i])).toBeLessThan(1e-11)
    }
  })

  test('stays orthogonal to what it is told', () => {
    const d = Array.from({ length: 50 }, (_, i) => 50 - i)
    const without = new Float64Array(100)
    without[0] = 1
    without[50 + 2] = 1
    const { values } = blockLanczos({ n: 50, wanted: 3, apply: diagonal(d), without, tolerance: 1e-12 })
    expect(Array.from(values, (x) => x.toFixed(9))).toEqual(['49.000000000', '47.000000000', '46.000000000'])
  })

  test.each([1, 2, 5, 9])('finds all %i that a small operator has', (n) => {
    const d = Array.from({ length: n }, (_, i) => (i % 2) + 1)
    const { values } = blockLanczos({ n, wanted: n, apply: diagonal(d), tolerance: 1e-12 })
    expect(Array.from(values, (x) => x.toFixed(10))).toEqual([...d].sort((a, b) => b - a).map((x) => x.toFixed(10)))
  })
})
