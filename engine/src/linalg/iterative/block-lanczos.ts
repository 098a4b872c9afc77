/**
 * The largest eigenvalues of a symmetric operator by block Lanczos with full orthogonalisation and the Rayleigh–Ritz projection (B. N. Parlett,
 * The Symmetric Eigenvalue Problem, 1980). Blocks, because parts with symmetries have eigenvalues several times over, of which a single vector
 * sees one.
 */
import type { Vec } from '../../math/types.js'
import { symmetricEigen } from '../dense/symmetric-eigen.js'

export interface LanczosProblem {
  readonly n: number
  /** eigenpairs wanted */
  readonly wanted: number
  /** x ← A x for `count` vectors one after another */
  apply(x: Vec, count: number): void
  /** orthonormal vectors that the search stays orthogonal to, one after another */
  readonly without?: Vec
  /** residuals in parts of the eigenvalue */
  readonly tolerance: number
}

export interface Eigenpairs {
  /** descending */
  readonly values: Vec
  /** one after another, of unit length */
  readonly vectors: Vec
}

/** as many equal eigenvalues as are sure to be found */
const BLOCK = 4

export function blockLanczos({ n, wanted, apply, without = new Float64Array(0), tolerance }: LanczosProblem): Eigenpairs {
  const room = n - without.length / n
  const most = Math.min(room, 4 * wanted + 60)
  const block = Math.min(BLOCK, most)
  const V = new Float64Array(n * most)
  const T = new Float64Array(most * most)
  const y = new Float64Array(n)
  const start = startVectors()
  /** what is left of A V_j after orthogonalisation, for the residuals */
  const rest = new Float64Array(n * block)

  // the first block
  let size = 0
  const append = (from: Vec, o: number): void => {
    if (size === most) return
    for (let i = 0; i < n; i++) y[i] = from[o + i]
    let before = norm(y, n)
    for (;;) {
      orthogonalize(y, without, without.length / n, n)
      orthogonalize(y, V, size, n)
      const length = norm(y, n)
      // nothing new in it: begin from elsewhere
      if (!(length > 1e-10 * before)) {
        for (let i = 0; i < n; i++) y[i] = start()
        before = norm(y, n)
        continue
      }
      // what was taken away left its rounding behind: once more
      if (length < 0.7 * before) {
        before = length
        continue
      }
      for (let i = 0; i < n; i++) V[n * size + i] = y[i] / length
      size++
      return
    }
  }
  const seed = Float64Array.from({ length: n * block }, start)
  for (let b = 0; b < block; b++) append(seed, n * b)

  let done = 0
  for (;;) {
    // the next block of columns of T = Vᵀ A V
    const end = size
    for (let i = 0; i < n * (end - done); i++) rest[i] = V[n * done + i]
    apply(rest, end - done)
    for (let j = done; j < end; j++) {
      for (let i = 0; i < n; i++) y[i] = rest[n * (j - done) + i]
      for (let i = 0; i <= j; i++) T[most * i + j] = dot(V, n * i, y, n)
    }
    const last = done
    done = end
    const small = new Float64Array(done * done)
    for (let i = 0; i < done; i++) for (let j = 0; j < done; j++) small[done * i + j] = T[most * Math.min(i, j) + Math.max(i, j)]
    for (let b = 0; b < done - last; b++) {
      for (let i = 0; i < n; i++) y[i] = rest[n * b + i]
      orthogonalize(y, without, without.length / n, n)
      orthogonalize(y, V, done, n)
      for (let i = 0; i < n; i++) rest[n * b + i] = y[i]
    }
    const complete = done === most
    if (complete || (done >= wanted + block && (done - last < block || Math.floor((done - wanted) / block) % 3 === 0))) {
      const { values, vectors } = symmetricEigen(small, done)
      if (complete || converged(values, vectors, done, wanted, rest, done - last, n, tolerance))
        return pairs(values, vectors, done, Math.min(wanted, done), V, n)
    }
    for (let b = 0; b < done - last; b++) append(rest, n * b)
  }
}

/** Residual of a Ritz pair: what the last block leaves over, weighted by its part in the vector. */
function converged(values: Vec, vectors: Vec, m: number, wanted: number, rest: Vec, block: number, n: number, tolerance: number): boolean {
  const r = new Float64Array(n)
  for (let k = m - wanted; k < m; k++) {
    r.fill(0)
    for (let b = 0; b < block; b++) {
      const s = vectors[m * k + m - block + b]
      for (let i = 0; i < n; i++) r[i] += s * rest[n * b + i]
    }
    if (!(norm(r, n) <= tolerance * Math.abs(values[k]))) return false
  }
  return true
}

function pairs(values: Vec, vectors: Vec, m: number, wanted: number, V: Vec, n: number): Eigenpairs {
  const out = new Float64Array(n * wanted)
  const chosen = Float64Array.from({ length: wanted }, (_, k) => values[m - 1 - k])
  for (let k = 0; k < wanted; k++) {
    for (let j = 0; j < m; j++) {
      const s = vectors[m * (m - 1 - k) + j]
      for (let i = 0; i < n; i++) out[n * k + i] += s * V[n * j + i]
    }
  }
  return { values: chosen, vectors: out }
}

/** y ← y − V Vᵀ y for `count` orthonormal vectors. */
function orthogonalize(y: Vec, V: Vec, count: number, n: number): void {
  for (let j = 0; j < count; j++) {
    const s = dot(V, n * j, y, n)
    for (let i = 0; i < n; i++) y[i] -= s * V[n * j + i]
  }
}

function dot(V: Vec, o: number, y: Vec, n: number): number {
  let s = 0
  for (let i = 0; i < n; i++) s += V[o + i] * y[i]
  return s
}

function norm(y: Vec, n: number): number {
  return Math.sqrt(dot(y, 0, y, n))
}

/** The same numbers in (−1, 1) each time, by a linear congruence: without a pattern that a mode could be orthogonal to. */
function startVectors(): () => number {
  let s = 12345
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0
    return s / 2147483648 - 1
  }
}
