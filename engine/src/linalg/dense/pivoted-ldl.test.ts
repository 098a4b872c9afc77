import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.js'
import { contradiction, createPivotedLdl, factorPivoted, solvePivoted } from './pivoted-ldl.js'

/** Gram matrix of the rows of G. */
function gram(G: number[][]): Float64Array {
  const n = G.length
  return Float64Array.from({ length: n * n }, (_, k) => G[Math.floor(k / n)].reduce((s, v, j) => s + v * G[k % n][j], 0))
}

function randomRows(count: number, width: number, seed: number): number[][] {
  const random = createRandom(seed).unit
  return Array.from({ length: count }, () => Array.from({ length: width }, () => 2 * random() - 1))
}

describe('pivoted LDLᵀ of constraint matrices', () => {
  test.each([1, 2, 3])('solves a full-rank system (seed %i)', (seed) => {
    const n = 20
    const A = gram(randomRows(n, 30, seed))
    const f = createPivotedLdl(n)
    expect(factorPivoted(f, A, 0, n)).toBe(n)
    const b = Float64Array.from(randomRows(1, n, seed + 9)[0])
    const x = new Float64Array(n)
    solvePivoted(f, x, 0, b, 0)
    for (let i = 0; i < n; i++) {
      let s = 0
      for (let j = 0; j < n; j++) s += A[i * n + j] * x[j]
      expect(Math.abs(s - b[i])).toBeLessThan(1e-10)
    }
  })

  test('names zero rows and the later ones of dependent rows', () => {
    const G = randomRows(8, 12, 4)
    G[3] = G[3].map(() => 0)
    G[5] = G[1].map((v) => -2 * v)
    G[7] = G[0].map((v, j) => v + G[2][j] - 3 * G[4][j])
    const f = createPivotedLdl(8)
    expect(factorPivoted(f, gram(G), 0, 8)).toBe(5)
    expect([...f.order.slice(5, 8)]).toEqual([3, 5, 7])
  })

  test('finds the same rows whatever the units of each row', () => {
    const G = randomRows(8, 12, 5)
    G[6] = G[1].map((v, j) => v + G[2][j])
    const scale = [1, 1e6, 1e-5, 1, 1e3, 1e-6, 1, 1]
    const scaled = G.map((row, i) => row.map((v) => v * scale[i]))
    const f = createPivotedLdl(8)
    factorPivoted(f, gram(G), 0, 8)
    expect([...f.order.slice(f.rank)]).toEqual([6])
    expect(factorPivoted(f, gram(scaled), 0, 8)).toBe(7)
  })

  test('a consistent redundant row is satisfied although it was left out; a contradictory one is named', () => {
    const G = randomRows(6, 9, 6)
    G[4] = G[0].map((v, j) => 2 * v - G[2][j])
    const A = gram(G)
    const b = Float64Array.of(1, -2, 3, 4, 2 * 1 - 3, 5)
    const f = createPivotedLdl(10)
    factorPivoted(f, A, 0, 6)
    const x = new Float64Array(6)
    solvePivoted(f, x, 0, b, 0)
    expect(x[4]).toBe(0)
    const size = new Float64Array(1)
    contradiction(f, A, 0, x, 0, b, 0, size)
    expect(size[0]).toBeLessThan(1e-12)
    b[4] = 7
    expect(contradiction(f, A, 0, x, 0, b, 0, size)).toBe(4)
    expect(size[0]).toBeGreaterThan(0.01)
  })

  test('a matrix of zeros has rank 0 and the solution 0', () => {
    const f = createPivotedLdl(3)
    expect(factorPivoted(f, new Float64Array(9), 0, 3)).toBe(0)
    const x = new Float64Array(3).fill(1)
    solvePivoted(f, x, 0, Float64Array.of(1, 2, 3), 0)
    expect([...x]).toEqual([0, 0, 0])
    expect([...f.order]).toEqual([0, 1, 2])
  })

  test('nearly dependent rows within the tolerance count as dependent, outside it as independent', () => {
    const G = randomRows(2, 6, 7)
    const nudge = (size: number) => [G[0], G[0].map((v, j) => v + size * G[1][j])]
    const f = createPivotedLdl(2)
    expect(factorPivoted(f, gram(nudge(1e-8)), 0, 2)).toBe(1)
    expect(factorPivoted(f, gram(nudge(1e-3)), 0, 2)).toBe(2)
  })
})
