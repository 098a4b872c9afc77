/**
 * The positive semidefinite part of a symmetric 3 × 3 matrix.
 *
 * The signs of the pivots of an elimination are those of the eigenvalues (Sylvester). Where one of them stands alone, its eigenvalue is the
 * lowest or the highest: with t a third of the trace and s² a sixth of the square of what is left, λ = t + s μ, where μ³ − 3 μ = 2 r is solved by
 * Newton's method from ±2, beyond all roots, so that it never overshoots. The rows of M − λ 1 then span the plane across its vector.
 * Matrices for which that is a matter of rounding are left to Jacobi's rotations.
 */
import type { Vec } from '../../math/types.js'

const A = new Float64Array(9)
const V = new Float64Array(9)
const SWEEPS = 12
// of the size of M: pivots and products of rows below are not gone by
const UNSURE = 1e-9
const ROUNDS = 12
const ROUNDING = 1e-15

/** M[o …] (xx xy xz yy yz zz) ← its part with positive eigenvalues; they are multiplied by 1, the negative ones left out. */
export function clipSymmetric3(M: Vec, o: number): void {
  const xx = M[o]
  const xy = M[o + 1]
  const xz = M[o + 2]
  const yy = M[o + 3]
  const yz = M[o + 4]
  const zz = M[o + 5]
  const t = (xx + yy + zz) / 3
  const a = xx - t
  const b = yy - t
  const c = zz - t
  const square = (a * a + b * b + c * c + 2 * (xy * xy + xz * xz + yz * yz)) / 6
  const s = Math.sqrt(square)
  const least = UNSURE * (Math.abs(t) + s)
  const second = yy - (xy * xy) / xx
  const mixed = yz - (xy * xz) / xx
  const third = zz - (xz * xz) / xx - (mixed * mixed) / second
  if (!(Math.abs(xx) > least && Math.abs(second) > least && Math.abs(third) > least)) return clipByTurns(M, o)
  const negative = (xx < 0 ? 1 : 0) + (second < 0 ? 1 : 0) + (third < 0 ? 1 : 0)
  if (negative === 0) return
  if (negative === 3) {
    for (let k = 0; k < 6; k++) M[o + k] = 0
    return
  }
  // 2 r = det((M − t 1)/s)
  const twice = (a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz)) / (square * s)
  let mu = negative === 1 ? -2 : 2
  let known = false
  for (let k = 0; k < ROUNDS && !known; k++) {
    const change = (mu * mu * mu - 3 * mu - twice) / (3 * mu * mu - 3)
    mu -= change
    known = Math.abs(change) <= ROUNDING
  }
  const value = t + s * mu
  const x0 = xx - value
  const y1 = yy - value
  const z2 = zz - value
  // the longest of three products of two rows
  let x = xy * yz - xz * y1
  let y = xz * xy - x0 * yz
  let z = x0 * y1 - xy * xy
  let length = x * x + y * y + z * z
  const u = xy * z2 - xz * yz
  const v = xz * xz - x0 * z2
  const w = x0 * yz - xy * xz
  const other = u * u + v * v + w * w
  if (other > length) {
    x = u
    y = v
    z = w
    length = other
  }
  const p = y1 * z2 - yz * yz
  const q = yz * xz - xy * z2
  const r = xy * yz - y1 * xz
  const last = p * p + q * q + r * r
  if (last > length) {
    x = p
    y = q
    z = r
    length = last
  }
  if (!(known && length > UNSURE * square * square)) return clipByTurns(M, o)
  const share = value / length
  if (negative === 2) for (let k = 0; k < 6; k++) M[o + k] = 0
  const sign = negative === 2 ? share : -share
  M[o] += sign * x * x
  M[o + 1] += sign * x * y
  M[o + 2] += sign * x * z
  M[o + 3] += sign * y * y
  M[o + 4] += sign * y * z
  M[o + 5] += sign * z * z
}

/** The same by Jacobi's rotations, whatever the matrix. */
function clipByTurns(M: Vec, o: number): void {
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
