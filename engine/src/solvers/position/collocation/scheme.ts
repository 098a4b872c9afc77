/**
 * Collocation in the space of points: how first and second derivatives of T at the stages follow from transforms.
 *
 * A step of size h from t = 0 to 1 (in units of h) has stages at c, the last at 1. At each stage
 *   h² T̈ = Σ second · columns,   h Ṫ = Σ first · columns,   columns = (T_−, T₀, h V₀, T of the stages)
 *  - order K ≥ 3 [Pan and Manocha 2018]: the polynomial of degree K through T_− at α_{K−2} − 1, T₀ and the stages α₁ … α_{K−2}, 1, with α the
 *    roots of the shifted Legendre polynomial of degree K − 2
 *  - its start, and any step whose size differs from the last: the same with the velocity V₀ instead of T_−
 *  - Radau IIA with two stages: T̈ = (A²)⁻¹ (T − T₀ − c h V₀)/h², Ṫ = A⁻¹ (T − T₀)/h
 */

import { luFactor, luSolve } from '../../../linalg/dense/lu.js'
import { pow } from '../../../math/own.js'

/** Columns before those of the stages. */
export const EARLIER = 0
export const START = 1
export const RATE = 2
export const STAGES = 3
/** of K = 5 */
export const MOST_STAGES = 4

export interface Scheme {
  readonly stages: number
  readonly c: readonly number[]
  /** a row a stage */
  readonly second: readonly Float64Array[]
  readonly first: readonly Float64Array[]
  /** the stage whose transform is T_− of the next step; −1: no history */
  readonly kept: number
}

/** Roots of the shifted Legendre polynomial of degree K − 2. */
function legendreRoots(K: number): number[] {
  if (K === 3) return [0.5]
  if (K === 4) return [0.5 - Math.sqrt(3) / 6, 0.5 + Math.sqrt(3) / 6]
  return [0.5 - Math.sqrt(15) / 10, 0.5, 0.5 + Math.sqrt(15) / 10]
}

export function collocationScheme(K: number): Scheme {
  const c = [...legendreRoots(K), 1]
  const earlier = c[c.length - 2] - 1
  const columns = [
    { at: earlier, rate: false, column: EARLIER },
    { at: 0, rate: false, column: START },
    ...c.map((at, k) => ({ at, rate: false, column: STAGES + k })),
  ]
  return fit(c, columns, c.length - 2)
}

export function startScheme(K: number): Scheme {
  const c = [...legendreRoots(K), 1]
  const columns = [
    { at: 0, rate: false, column: START },
    { at: 0, rate: true, column: RATE },
    ...c.map((at, k) => ({ at, rate: false, column: STAGES + k })),
  ]
  return fit(c, columns, c.length - 2)
}

export function radauScheme(): Scheme {
  const c = [1 / 3, 1]
  // A⁻¹ for A = ((5/12, −1/12), (3/4, 1/4))
  const B = [
    [1.5, 0.5],
    [-4.5, 2.5],
  ]
  const rows = (M: number[][], rate: boolean): Float64Array[] =>
    M.map((row) => {
      const sum = row[0] + row[1]
      return Float64Array.of(0, -sum, rate ? -(row[0] * c[0] + row[1] * c[1]) : 0, row[0], row[1])
    })
  const B2 = B.map((row) => [row[0] * B[0][0] + row[1] * B[1][0], row[0] * B[0][1] + row[1] * B[1][1]])
  return { stages: 2, c, second: rows(B2, true), first: rows(B, false), kept: -1 }
}

interface Condition {
  readonly at: number
  /** the derivative is given, not the value */
  readonly rate: boolean
  readonly column: number
}

/** Weights of the conditions in the derivatives at c, exact for polynomials of degree conditions − 1. */
function fit(c: readonly number[], conditions: readonly Condition[], kept: number): Scheme {
  const n = conditions.length
  const A = new Float64Array(n * n)
  conditions.forEach(({ at, rate }, k) => {
    for (let p = 0; p < n; p++) A[p * n + k] = rate ? (p === 0 ? 0 : p * pow(at, p - 1)) : pow(at, p)
  })
  const rows = new Int32Array(n)
  luFactor(A, 0, n, rows)
  const weights = (derivative: (p: number) => number): Float64Array => {
    const b = Float64Array.from({ length: n }, (_, p) => derivative(p))
    const x = new Float64Array(n)
    luSolve(A, 0, n, rows, x, 0, b, 0)
    const row = new Float64Array(STAGES + c.length)
    conditions.forEach(({ column }, k) => {
      row[column] = x[k]
    })
    return row
  }
  return {
    stages: c.length,
    c,
    second: c.map((t) => weights((p) => (p < 2 ? 0 : p * (p - 1) * pow(t, p - 2)))),
    first: c.map((t) => weights((p) => (p < 1 ? 0 : p * pow(t, p - 1)))),
    kept,
  }
}
