/**
 * The positive semidefinite part of a symmetric 3 × 3 matrix.
 *
 * The signs of the pivots of an elimination are those of the eigenvalues (Sylvester). Where one of them stands alone, its eigenvalue is the
 * lowest or the highest: with t a third of the trace and s² a sixth of the square of what is left, λ = t + s μ, where μ³ − 3 μ = 2 r is solved by
 * Newton's method from ±2, beyond all roots, so that it never overshoots. The rows of M − λ 1 then span the plane across its vector.
 * Matrices for which that is a matter of rounding are left to Jacobi's rotations.
 */
import { add, type Int, type Lanes, scale, sub } from '../../math/values/columns.js'
import { diagonal, dot, full, type Mat3, ONE, type Sym3, type Vec3, ZERO } from '../../math/values/spatial.js'

// of the size of M: pivots and products of rows below are not gone by
const UNSURE = 1e-9
const ROUNDING = 1e-15
// of the diagonal, squared: what is off it is gone
const GONE = 1e-28
/** rounds of Newton's method, and of rotations */
export const ROUNDS = 12

/** By the closed form; unsure ≠ 0: rounding would decide, and it means nothing. */
type ClosedPart = { readonly M: Sym3; readonly unsure: number }

export const scaledSquare = (t: number, [x, y, z]: Vec3): Sym3 => [t * x * x, t * x * y, t * x * z, t * y * y, t * y * z, t * z * z]

/** M with its negative eigenvalues left out. */
export function positivePart(M: Sym3, rounds: Int): Sym3 {
  const closed = closedPart(M, rounds)
  let part = closed.M
  if (closed.unsure !== 0) part = turnedPart(M, rounds)
  return part
}

function closedPart(M: Sym3, rounds: Int): ClosedPart {
  const [xx, xy, xz, yy, yz, zz] = M
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
  const negative = (xx < 0 ? 1 : 0) + (second < 0 ? 1 : 0) + (third < 0 ? 1 : 0)
  let unsure = Math.abs(xx) > least && Math.abs(second) > least && Math.abs(third) > least ? 0 : 1
  let share = 0
  let axis = ZERO
  if (unsure === 0 && negative > 0 && negative < 3) {
    // 2 r = det((M − t 1)/s)
    const twice = (a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz)) / (square * s)
    let mu = negative === 1 ? -2 : 2
    let change = 1
    for (let k = 0; k < rounds; k++) {
      if (Math.abs(change) > ROUNDING) {
        change = (mu * mu * mu - 3 * mu - twice) / (3 * mu * mu - 3)
        mu = mu - change
      }
    }
    const value = t + s * mu
    const x0 = xx - value
    const y1 = yy - value
    const z2 = zz - value
    // the longest of three products of two rows
    axis = [xy * yz - xz * y1, xz * xy - x0 * yz, x0 * y1 - xy * xy]
    axis = longer(axis, [xy * z2 - xz * yz, xz * xz - x0 * z2, x0 * yz - xy * xz])
    axis = longer(axis, [y1 * z2 - yz * yz, yz * xz - xy * z2, xy * yz - y1 * xz])
    const length = dot(axis, axis)
    share = negative === 2 ? value / length : -(value / length)
    unsure = Math.abs(change) <= ROUNDING && length > UNSURE * square * square ? 0 : 1
  }
  // one negative value is taken off; one positive value is all there is
  return { M: add(scale(negative < 2 ? 1 : 0, M), scaledSquare(share, axis)), unsure }
}

export const longer = (a: Vec3, b: Vec3): Vec3 => (dot(b, b) > dot(a, a) ? b : a)

/** A matrix on its way to a diagonal one, and the rotation that leads there. */
type Turned = { readonly A: Mat3; readonly V: Mat3 }

/** By Jacobi's rotations, whatever the matrix. */
function turnedPart(M: Sym3, rounds: Int): Sym3 {
  let now: Turned = { A: full(M), V: ONE }
  for (let k = 0; k < rounds; k++) {
    const [[xx, xy, xz], [, yy, yz], [, , zz]] = now.A
    if (!(xy * xy + xz * xz + yz * yz <= GONE * (xx * xx + yy * yy + zz * zz))) now = clear(clear(clear(now, 0, 1), 0, 2), 1, 2)
  }
  const { A, V } = now
  const along = (e: Int): Sym3 => (A[e][e] > 0 ? scaledSquare(A[e][e], [V[0][e], V[1][e], V[2][e]]) : diagonal(0))
  return add(along(0), along(1), along(2))
}

/** One rotation in the plane (p, r) that clears A[p][r]. */
export function clear(now: Turned, p: Int, r: Int): Turned {
  const { A, V } = now
  const theta = (A[r][r] - A[p][p]) / (2 * A[p][r])
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  const turn = (x: Vec3): Vec3 => replace(x, p, c * x[p] - s * x[r], r, s * x[p] + c * x[r])
  const B: Mat3 = [turn(A[0]), turn(A[1]), turn(A[2])]
  const next: Mat3 = replace(B, p, sub(scale(c, B[p]), scale(s, B[r])), r, add(scale(s, B[p]), scale(c, B[r])))
  return A[p][r] === 0 ? now : { A: next, V: [turn(V[0]), turn(V[1]), turn(V[2])] }
}

/** x with others at p and r. */
const replace = <T>(x: readonly [T, T, T], p: Int, atP: T, r: Int, atR: T): readonly [T, T, T] => [
  p === 0 ? atP : x[0],
  p === 1 ? atP : r === 1 ? atR : x[1],
  r === 2 ? atR : x[2],
]

/** M becomes its positive part. @kernel */
export function clipSymmetric3(M: Lanes<Sym3>, rounds: Int): void {
  M[0] = positivePart(M[0], rounds)
}
