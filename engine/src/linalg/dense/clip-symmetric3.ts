/**
 * The positive semidefinite part of a symmetric 3 × 3 matrix.
 *
 * The signs of the pivots of an elimination are those of the eigenvalues (Sylvester). Where one of them stands alone, its eigenvalue is the
 * lowest or the highest: with t a third of the trace and s² a sixth of the square of what is left, λ = t + s μ, where μ³ − 3 μ = 2 r is solved by
 * Newton's method from ±2, beyond all roots, so that it never overshoots. The rows of M − λ 1 then span the plane across its vector.
 * Matrices for which that is a matter of rounding are left to Jacobi's rotations.
 */
import type { Vec } from '../../math/types.js'
import { clipClosed } from '../../printed/linalg.js'
import { ROUNDS } from './clip-symmetric3.kernel.js'

const A = new Float64Array(9)
const V = new Float64Array(9)
/** the positive part, and whether rounding would decide */
const found = new Float64Array(7)
const UNSURE = 6
const SWEEPS = 12

/** M[o …] (xx xy xz yy yz zz) ← its part with positive eigenvalues; they are multiplied by 1, the negative ones left out. */
export function clipSymmetric3(M: Vec, o: number): void {
  clipClosed(found, 0, M, o, ROUNDS)
  if (found[UNSURE] !== 0) clipByTurns(M, o)
  else for (let k = 0; k < 6; k++) M[o + k] = found[k]
}

/** The same by Jacobi's rotations, whatever the matrix. */
export function clipByTurns(M: Vec, o: number): void {
  A[0] = M[o]
  A[1] = M[o + 1]
  A[2] = M[o + 2]
  A[3] = M[o + 1]
  A[4] = M[o + 3]
  A[5] = M[o + 4]
  A[6] = M[o + 2]
  A[7] = M[o + 4]
  A[8] = M[o + 5]
  V.fill(0)
  V[0] = 1
  V[4] = 1
  V[8] = 1
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const off = A[1] * A[1] + A[2] * A[2] + A[5] * A[5]
    if (off <= 1e-28 * (A[0] * A[0] + A[4] * A[4] + A[8] * A[8])) break
    turn(0, 1)
    turn(0, 2)
    turn(1, 2)
  }
  for (let k = 0; k < 6; k++) M[o + k] = 0
  for (let e = 0; e < 3; e++) {
    const value = A[4 * e]
    if (!(value > 0)) continue
    const x = V[e]
    const y = V[3 + e]
    const z = V[6 + e]
    M[o] += value * x * x
    M[o + 1] += value * x * y
    M[o + 2] += value * x * z
    M[o + 3] += value * y * y
    M[o + 4] += value * y * z
    M[o + 5] += value * z * z
  }
}

/** One rotation in the plane (p, r) that clears A[p, r]. */
function turn(p: number, r: number): void {
  const apr = A[3 * p + r]
  if (apr === 0) return
  const theta = (A[4 * r] - A[4 * p]) / (2 * apr)
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < 3; k++) {
    const a = A[3 * k + p]
    const b = A[3 * k + r]
    A[3 * k + p] = c * a - s * b
    A[3 * k + r] = s * a + c * b
  }
  for (let k = 0; k < 3; k++) {
    const a = A[3 * p + k]
    const b = A[3 * r + k]
    A[3 * p + k] = c * a - s * b
    A[3 * r + k] = s * a + c * b
    const v = V[3 * k + p]
    const w = V[3 * k + r]
    V[3 * k + p] = c * v - s * w
    V[3 * k + r] = s * v + c * w
  }
}
