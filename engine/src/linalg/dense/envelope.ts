/**
 * Cholesky factor of a symmetric positive definite matrix whose rows begin late: entry (i, j) of the lower triangle, j ≥ first[i], is at
 * L[at[i] + j]. The factor has no entries outside of this envelope (A. George, J. W. H. Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981).
 */
import type { Vec } from '../../math/types.js'

export interface Envelope {
  /** rows in use */
  n: number
  first: Int32Array
  at: Int32Array
  L: Vec
  /** 1 over the diagonal of the factor */
  inverse: Vec
}

export function createEnvelope(): Envelope {
  return { n: 0, first: new Int32Array(0), at: new Int32Array(0), L: new Float64Array(0), inverse: new Float64Array(0) }
}

/** Makes room for n rows, whose `first` the caller writes next. Allocates where that is more than ever before. */
export function reserveEnvelope(e: Envelope, n: number): void {
  e.n = n
  if (n <= e.first.length) return
  e.first = new Int32Array(2 * n)
  e.at = new Int32Array(2 * n)
  e.inverse = new Float64Array(2 * n)
}

/** Reads `first`. Writes `at`, and makes room for the entries. */
export function layEnvelope(e: Envelope): void {
  const { n, first, at } = e
  let size = 0
  for (let i = 0; i < n; i++) {
    at[i] = size - first[i]
    size += i + 1 - first[i]
  }
  if (size > e.L.length) e.L = new Float64Array(2 * size)
}

/** All entries ← 0. */
export function clearEnvelope({ n, at, L }: Envelope): void {
  if (n > 0) L.fill(0, 0, at[n - 1] + n)
}

/** L ← the factor of what it holds. False where that is not positive definite. */
export function factorEnvelope({ n, first, at, L, inverse }: Envelope): boolean {
  for (let i = 0; i < n; i++) {
    const from = first[i]
    const a = at[i]
    let d = L[a + i]
    for (let j = from; j < i; j++) {
      const b = at[j]
      let s = L[a + j]
      for (let k = from > first[j] ? from : first[j]; k < j; k++) s -= L[a + k] * L[b + k]
      s *= inverse[j]
      L[a + j] = s
      d -= s * s
    }
    if (!(d > 0)) return false
    inverse[i] = 1 / Math.sqrt(d)
  }
  return true
}

/** x ← (L Lᵀ)⁻¹ x */
export function solveEnvelope({ n, first, at, L, inverse }: Envelope, x: Vec): void {
  for (let i = 0; i < n; i++) {
    const a = at[i]
    let s = x[i]
    for (let j = first[i]; j < i; j++) s -= L[a + j] * x[j]
    x[i] = s * inverse[i]
  }
  for (let i = n - 1; i >= 0; i--) {
    const a = at[i]
    const s = x[i] * inverse[i]
    x[i] = s
    for (let j = first[i]; j < i; j++) x[j] -= L[a + j] * s
  }
}
