/**
 * What a block adds to the matrix of Newton's method, Jᵀ G J, and how that matrix is kept where it is an envelope.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import { type ConvexProblem, EQUALITY, ROWS, SPENT } from './problem.js'

/** A lower triangle, entry (i, j) at row[i] + j from j = first[i] on. @record */
export interface Envelope {
  readonly first: Int32Array
  readonly row: Int32Array
  readonly value: Vec
}

/** Work space of a factor. @record */
export interface FactorSpace {
  /** one over the diagonal of the factor, by unknowns */
  readonly inverse: Vec
  /** Jᵀ G J of a block, by its columns, the lower triangle; G J of one with many rows */
  readonly JGJ: Vec
  readonly GJ: Vec
}

/** Reads G and J of block b. JGJ ← the lower triangle of Jᵀ G J, `width` numbers a row. False where it adds nothing to H. */
export function blockProduct(p: ConvexProblem, s: FactorSpace, b: Int): boolean {
  const { kind, dim, width, entry, J, G, work } = p
  const g = ROWS * ROWS * b
  if (kind[b] === EQUALITY || G[g] === 0) return false
  const n = width[b]
  const j = entry[b]
  work[SPENT] += 0.5 * n * n * (dim[b] + 2)
  if (dim[b] === 3) threeRows(s.JGJ, J, j, n, G, g)
  else if (dim[b] === 1) oneRow(s.JGJ, J, j, n, G, g)
  else anyRows(s.JGJ, s.GJ, J, j, n, dim[b], G, g)
  return true
}

function oneRow(out: Vec, J: Vec, j: Int, n: Int, G: Vec, g: Int): void {
  for (let e = 0; e < n; e++) {
    const x = G[g] * J[j + e]
    for (let f = 0; f <= e; f++) out[e * n + f] = x * J[j + f]
  }
}

/** Written out: most blocks are contacts with friction along two directions, and most of a solve is spent here. */
function threeRows(out: Vec, J: Vec, j: Int, n: Int, G: Vec, g: Int): void {
  const a = G[g]
  const b = G[g + 1]
  const c = G[g + 2]
  const d = G[g + ROWS + 1]
  const h = G[g + ROWS + 2]
  const i = G[g + 2 * ROWS + 2]
  for (let e = 0; e < n; e++) {
    const x = J[j + e]
    const y = J[j + n + e]
    const z = J[j + 2 * n + e]
    const u = a * x + b * y + c * z
    const v = b * x + d * y + h * z
    const w = c * x + h * y + i * z
    const o = e * n
    for (let f = 0; f <= e; f++) out[o + f] = u * J[j + f] + v * J[j + n + f] + w * J[j + 2 * n + f]
  }
}

function anyRows(out: Vec, GJ: Vec, J: Vec, j: Int, n: Int, d: Int, G: Vec, g: Int): void {
  for (let r = 0; r < d; r++) {
    for (let e = 0; e < n; e++) {
      let sum = 0
      for (let s = 0; s < d; s++) sum += G[g + ROWS * r + s] * J[j + s * n + e]
      GJ[r * n + e] = sum
    }
  }
  for (let e = 0; e < n; e++) {
    for (let f = 0; f <= e; f++) {
      let sum = 0
      for (let r = 0; r < d; r++) sum += J[j + r * n + e] * GJ[r * n + f]
      out[e * n + f] = sum
    }
  }
}
