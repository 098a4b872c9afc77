/**
 * The Hessian of a polynomial energy (`Reduced`) as one matrix: a row for each of its entries k ≤ l, a column for each of the monomials
 * 1, q_i, q_i q_j (i ≤ j), both in the order of nested loops. K(q) is this matrix times the vector of monomials.
 */
import type { Vec } from '../math/types.js'

/** Entries of the upper triangle of an r × r matrix. */
export const pairCount = (r: number): number => (r * (r + 1)) / 2

/** Monomials of degree 0, 1 and 2 in r variables. */
export const monomialCount = (r: number): number => 1 + r + pairCount(r)

/** Coefficients of degree 2, 3 and 4 in r variables. */
export const coefficientCounts = (r: number): readonly [number, number, number] => [
  pairCount(r),
  (pairCount(r) * (r + 2)) / 3,
  (pairCount(r) * (r + 2) * (r + 3)) / 12,
]

export function hessianMatrix(r: number, energy2: Vec, energy3: Vec, energy4: Vec): Vec {
  const columns = monomialCount(r)
  const out = new Float64Array(pairCount(r) * columns)
  const pair = (k: number, l: number): number => k * r - (k * (k - 1)) / 2 + l - k
  const monomial = ([i, j]: readonly number[]): number => (i === undefined ? 0 : j === undefined ? 1 + i : 1 + r + pair(i, j))
  let next = 0
  /** c q_i q_j …, whose derivative by two of its factors leaves the product of the others: twice where the two are the same */
  const add = (c: number, factors: readonly number[]): void => {
    for (let a = 0; a < factors.length; a++) {
      for (let b = a + 1; b < factors.length; b++) {
        const rest = factors.filter((_, k) => k !== a && k !== b)
        out[pair(factors[a], factors[b]) * columns + monomial(rest)] += factors[a] === factors[b] ? 2 * c : c
      }
    }
  }
  const each = (energy: Vec, degree: number, factors: readonly number[]): void => {
    if (factors.length === degree) add(energy[next++], factors)
    else for (let k = factors.at(-1) ?? 0; k < r; k++) each(energy, degree, [...factors, k])
  }
  for (const [degree, energy] of [
    [2, energy2],
    [3, energy3],
    [4, energy4],
  ] as const) {
    next = 0
    each(energy, degree, [])
  }
  return out
}
