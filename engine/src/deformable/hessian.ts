/**
 * The Hessian of a polynomial energy (`Reduced`) as one matrix: a row for each of its entries k ≤ l, a column for each of the monomials
 * 1, q_i, q_i q_j (i ≤ j), both in the order of nested loops. K(q) is this matrix times the vector of monomials. Rows of
 * zeros make their number one of four.
 */
import type { Vec } from '../math/types.js'
import { pairCount, pairPlace } from './monomials.js'

export function hessianMatrix(r: number, energy2: Vec, energy3: Vec, energy4: Vec): Vec {
  const columns = 1 + r + pairCount(r)
  const out = new Float64Array(4 * Math.ceil(pairCount(r) / 4) * columns)
  const monomial = ([i, j]: readonly number[]): number => (i === undefined ? 0 : j === undefined ? 1 + i : 1 + r + pairPlace(r, i, j))
  let next = 0
  /** c q_i q_j …, whose derivative by two of its factors leaves the product of the others: twice where the two are the same */
  const add = (c: number, factors: readonly number[]): void => {
    for (let a = 0; a < factors.length; a++) {
      for (let b = a + 1; b < factors.length; b++) {
        const rest = factors.filter((_, k) => k !== a && k !== b)
        out[pairPlace(r, factors[a], factors[b]) * columns + monomial(rest)] += factors[a] === factors[b] ? 2 * c : c
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
