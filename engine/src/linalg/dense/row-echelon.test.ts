import { describe, expect, it } from 'vitest'
import { createEchelon, nullVector, reduceToEchelon } from './row-echelon.js'

const LEAST = Float64Array.of(1e-9)

describe('row echelon form', () => {
  // third row = first + 2 second, fourth zero
  const rows = [
    [1, 2, 0, -1, 3],
    [0, 1, 4, 2, -2],
    [1, 4, 8, 3, -1],
    [0, 0, 0, 0, 0],
  ]
  const A = Float64Array.from(rows.flat())
  const e = createEchelon(4, 5)
  reduceToEchelon(e, A, new Float64Array(4).fill(1), LEAST)

  it('finds the rank, and W takes the rows to it', () => {
    expect(e.rank).toBe(2)
    for (let r = 0; r < 4; r++) {
      for (let k = 0; k < 5; k++) {
        const sum = rows.reduce((total, row, s) => total + (e.W[4 * r + s] ?? 0) * (row[k] ?? 0), 0)
        expect(sum).toBeCloseTo(e.R[5 * r + k] ?? Number.NaN, 12)
      }
    }
  })

  it('tells how a dependent row follows from the others', () => {
    const dependent = [...e.pivot.keys()].filter((r) => (e.pivot[r] ?? 0) < 0)
    expect(dependent).toHaveLength(2)
    for (const r of dependent) {
      expect(e.W[4 * r + r]).toBe(1)
      for (let k = 0; k < 5; k++) expect(Math.abs(e.R[5 * r + k] ?? 1)).toBeLessThan(1e-12)
    }
  })

  it('gives vectors that all rows send to zero, one for each free column', () => {
    const z = new Float64Array(5)
    const free = [...e.owner.keys()].filter((k) => (e.owner[k] ?? 0) < 0)
    expect(free).toHaveLength(3)
    for (const c of free) {
      nullVector(e, z, c)
      expect(z[c]).toBe(1)
      for (const row of rows) expect(row.reduce((sum, x, k) => sum + x * (z[k] ?? 0), 0)).toBeCloseTo(0, 12)
    }
  })

  it('takes rows by their scale: what is small against it is nothing', () => {
    const small = createEchelon(2, 2)
    reduceToEchelon(small, Float64Array.of(1, 0, 0, 1e-6), Float64Array.of(1, 1), Float64Array.of(1e-3))
    expect(small.rank).toBe(1)
    reduceToEchelon(small, Float64Array.of(1, 0, 0, 1e-6), Float64Array.of(1, 1e-6), Float64Array.of(1e-3))
    expect(small.rank).toBe(2)
  })
})
