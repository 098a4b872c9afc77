import { describe, expect, it } from 'vitest'
import { luFactor, luSolve } from '../../../linalg/dense/lu.js'
import { collocationScheme, EARLIER, RATE, radauScheme, type Scheme, STAGES, START } from './scheme.js'

/** Amplification of one step on x″ = −ω² x, z = ω h: the largest eigenvalue of the map of what the step carries on. */
function amplification(scheme: Scheme, z: number): number {
  const s = scheme.stages
  const A = new Float64Array(s * s)
  for (let i = 0; i < s; i++) for (let j = 0; j < s; j++) A[i * s + j] = scheme.second[i][STAGES + j] + (i === j ? z * z : 0)
  const rows = new Int32Array(s)
  luFactor(A, 0, s, rows)
  const map = (a: number, b: number): [number, number] => {
    // carried: (x_−, x₀) with history, (x₀, h v₀) without
    const known = scheme.kept >= 0 ? [a, b, 0] : [0, a, b]
    const right = Float64Array.from(scheme.second, (row) => -(row[EARLIER] * known[0] + row[START] * known[1] + row[RATE] * known[2]))
    const x = new Float64Array(s)
    luSolve(A, 0, s, rows, x, 0, right, 0)
    if (scheme.kept >= 0) return [x[scheme.kept], x[s - 1]]
    const row = scheme.first[s - 1]
    let rate = row[START] * known[1] + row[RATE] * known[2]
    for (let j = 0; j < s; j++) rate += row[STAGES + j] * x[j]
    return [x[s - 1], rate]
  }
  const [[p, q], [r, t]] = [map(1, 0), map(0, 1)]
  const half = (p + t) / 2
  const root = half * half - (p * t - q * r)
  return root < 0 ? Math.sqrt(p * t - q * r) : Math.max(Math.abs(half + Math.sqrt(root)), Math.abs(half - Math.sqrt(root)))
}

const sweep = (scheme: Scheme): { at: number; most: number } => {
  let most = 0
  let at = 0
  for (let z = 0.01; z < 30; z += 0.01) {
    const g = amplification(scheme, z)
    if (g > most) {
      most = g
      at = z
    }
  }
  return { at, most }
}

describe('the printed weights of K = 3', () => {
  it('are those of the scheme', () => {
    const { second } = collocationScheme(3)
    const expected = [
      [0, 4, 0, -8, 4],
      [-4, 16, 0, -20, 8],
    ]
    expected.forEach((row, i) => {
      row.forEach((x, j) => {
        expect(second[i][j]).toBeCloseTo(x, 12)
      })
    })
  })
})

describe('amplification on a linear oscillator', () => {
  it('is (1 + z²)^(−1/2) for K = 2', () => {
    // implicit Euler: T̈ = (T₁ − T₀ − h V₀)/h²
    const euler = { stages: 1, c: [1], second: [Float64Array.of(0, -1, -1, 1)], first: [Float64Array.of(0, -1, 0, 1)], kept: -1 }
    for (const z of [0.1, 1, 3, 10]) expect(amplification(euler, z)).toBeCloseTo(1 / Math.sqrt(1 + z * z), 12)
  })

  it('stays below 1 for K = 3 and has the printed values', () => {
    expect(sweep(collocationScheme(3)).most).toBeLessThan(1)
    expect(amplification(collocationScheme(3), 0.5)).toBeCloseTo(0.998, 3)
    expect(amplification(collocationScheme(3), 1)).toBeCloseTo(0.97, 2)
    expect(amplification(collocationScheme(3), 2)).toBeCloseTo(0.71, 2)
  })

  it('exceeds 1 for K = 4, most at z = 3', () => {
    const { at, most } = sweep(collocationScheme(4))
    expect(most).toBeCloseTo(1.28, 2)
    expect(at).toBeCloseTo(3, 0)
    expect(amplification(collocationScheme(4), 0.5) - 1).toBeGreaterThan(5e-5)
    expect(amplification(collocationScheme(4), 2) - 1).toBeCloseTo(0.016, 3)
    expect(amplification(collocationScheme(4), 7)).toBeLessThan(1)
  })

  it('exceeds 1 for K = 5, most at z = 5.9', () => {
    const { at, most } = sweep(collocationScheme(5))
    expect(most).toBeCloseTo(2.32, 2)
    expect(at).toBeCloseTo(5.9, 1)
    // the edge is near 0.53; by less than 1e-6 it is already beyond 1 at 0.5
    expect(amplification(collocationScheme(5), 0.5) - 1).toBeLessThan(1e-6)
    expect(amplification(collocationScheme(5), 0.6) - 1).toBeGreaterThan(1e-6)
    expect(amplification(collocationScheme(5), 13)).toBeLessThan(1)
  })

  it('falls to nothing for Radau', () => {
    expect(sweep(radauScheme()).most).toBeLessThan(1)
    expect(amplification(radauScheme(), 1e4)).toBeLessThan(1e-3)
  })
})
