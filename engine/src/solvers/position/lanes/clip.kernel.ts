/**
 * The positive semidefinite part of a symmetric 3 × 3 matrix in lanes: `linalg/dense/clip-symmetric3.kernel`, which has the equations, with results
 * chosen lane by lane. Branches are taken where any lane needs them, and lanes that do not keep what they have.
 */
import { clear, longer, ROUNDS, scaledSquare } from '../../../linalg/dense/clip-symmetric3.kernel.js'
import { add, any, type Int, scale } from '../../../math/values/columns.js'
import { diagonal, dot, full, ONE, type Sym3, type Vec3, ZERO } from '../../../math/values/spatial.js'

/** Products, since drivers of a GPU may take a product for a quotient by a constant. */
const THIRD = 1 / 3
const SIXTH = 1 / 6
/** squared, relative to the diagonal: smaller entries off it count as zero */
const GONE = 1e-28

/** By the closed form; unsure ≠ 0: rounding would decide, and it means nothing. */
type ClosedPart = { readonly M: Sym3; readonly unsure: number }

/** What is a matter of rounding: products of pivots and of rows below `unsure`, changes of a root below `root`, of the size of M. */
export type Rounding = { readonly unsure: number; readonly root: number }

/** M with its negative eigenvalues left out. Branches are those of any lane, results of each lane its own. */
export function clippedPart(M: Sym3, rounding: Rounding): Sym3 {
  const closed = closedPart(M, rounding)
  const isUnsure = closed.unsure !== 0
  let part = closed.M
  if (any(isUnsure)) {
    const turned = turnedPart(M)
    part = isUnsure ? turned : part
  }
  return part
}

function closedPart(M: Sym3, rounding: Rounding): ClosedPart {
  const [xx, xy, xz, yy, yz, zz] = M
  const t = THIRD * (xx + yy + zz)
  const a = xx - t
  const b = yy - t
  const c = zz - t
  const square = SIXTH * (a * a + b * b + c * c + 2 * (xy * xy + xz * xz + yz * yz))
  const s = Math.sqrt(square)
  const least = rounding.unsure * (Math.abs(t) + s)
  const second = yy - (xy * xy) / xx
  const mixed = yz - (xy * xz) / xx
  const third = zz - (xz * xz) / xx - (mixed * mixed) / second
  const negative = (xx < 0 ? 1 : 0) + (second < 0 ? 1 : 0) + (third < 0 ? 1 : 0)
  let unsure = Math.abs(xx) > least && Math.abs(second) > least && Math.abs(third) > least ? 0 : 1
  let share = 0
  let axis = ZERO
  const isMixed = unsure === 0 && negative > 0 && negative < 3
  if (any(isMixed)) {
    // 2 r = det((M − t 1)/s)
    const twice = (a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz)) / (square * s)
    let mu = negative === 1 ? -2 : 2
    let change = isMixed ? 1 : 0
    for (let k: Int = 0; k < ROUNDS && any(Math.abs(change) > rounding.root); k++) {
      const isOpen = Math.abs(change) > rounding.root
      const next = (mu * mu * mu - 3 * mu - twice) / (3 * mu * mu - 3)
      change = isOpen ? next : change
      mu = isOpen ? mu - next : mu
    }
    const value = t + s * mu
    const x0 = xx - value
    const y1 = yy - value
    const z2 = zz - value
    // the longest of three products of two rows
    let longest: Vec3 = [xy * yz - xz * y1, xz * xy - x0 * yz, x0 * y1 - xy * xy]
    longest = longer(longest, [xy * z2 - xz * yz, xz * xz - x0 * z2, x0 * yz - xy * xz])
    longest = longer(longest, [y1 * z2 - yz * yz, yz * xz - xy * z2, xy * yz - y1 * xz])
    const length = dot(longest, longest)
    const part = negative === 2 ? value / length : -(value / length)
    const isFound = Math.abs(change) <= rounding.root && length > rounding.unsure * square * square
    share = isMixed ? part : 0
    axis = isMixed ? longest : ZERO
    unsure = isMixed ? (isFound ? 0 : 1) : unsure
  }
  // one negative value is taken off; one positive value is all there is
  return { M: add(scale(negative < 2 ? 1 : 0, M), scaledSquare(share, axis)), unsure }
}

/** By Jacobi's rotations, whatever the matrix. */
function turnedPart(M: Sym3): Sym3 {
  let now = { A: full(M), V: ONE }
  let open = 1
  for (let k: Int = 0; k < ROUNDS && any(open > 0); k++) {
    const [[xx, xy, xz], [, yy, yz], [, , zz]] = now.A
    const isOpen = !(xy * xy + xz * xz + yz * yz <= GONE * (xx * xx + yy * yy + zz * zz))
    const next = clear(clear(clear(now, 0, 1), 0, 2), 1, 2)
    now = isOpen ? next : now
    open = isOpen ? 1 : 0
  }
  const { A, V } = now
  const along = (e: Int): Sym3 => {
    const square = scaledSquare(A[e][e], [V[0][e], V[1][e], V[2][e]])
    return A[e][e] > 0 ? square : diagonal(0)
  }
  return add(along(0), along(1), along(2))
}
