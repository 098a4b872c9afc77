/**
 * Places of monomials of r variables: those of one degree in the order of nested loops, i, then j from i on, and so forth.
 */

/** Monomials of degree 2, 3 and 4. */
export function pairCount(r: number): number {
  return (r * (r + 1)) / 2
}
export function tripleCount(r: number): number {
  return (r * (r + 1) * (r + 2)) / 6
}
export function quadrupleCount(r: number): number {
  return (r * (r + 1) * (r + 2) * (r + 3)) / 24
}

/** Place of q_i q_j, i ≤ j. */
export function pairPlace(r: number, i: number, j: number): number {
  return pairCount(r) - pairCount(r - i) + j - i
}

/** Place of q_i q_j q_k, i ≤ j ≤ k: those that begin with less than i come before, the rest are pairs of the variables from i on. */
export function triplePlace(r: number, i: number, j: number, k: number): number {
  return tripleCount(r) - tripleCount(r - i) + pairPlace(r - i, j - i, k - i)
}

/** Place of q_i q_j q_k q_l, i ≤ j ≤ k ≤ l. */
export function quadruplePlace(r: number, i: number, j: number, k: number, l: number): number {
  return quadrupleCount(r) - quadrupleCount(r - i) + triplePlace(r - i, j - i, k - i, l - i)
}
