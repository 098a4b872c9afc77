/** The closed form of `clip-symmetric3`, which has the equations. */
import { add, type Int, type Lanes, scale } from '../../math/values/columns.js'
import { dot, type Sym3, type Vec3, ZERO } from '../../math/values/spatial.js'

// of the size of M: pivots and products of rows below are not gone by
const UNSURE = 1e-9
const ROUNDING = 1e-15
/** rounds of Newton's method */
export const ROUNDS = 12

/** The positive part of a matrix; unsure ≠ 0: rounding would decide, and it means nothing. */
export type PositivePart = { readonly M: Sym3; readonly unsure: number }

const scaledSquare = (t: number, [x, y, z]: Vec3): Sym3 => [t * x * x, t * x * y, t * x * z, t * y * y, t * y * z, t * z * z]

export function positivePart(M: Sym3, rounds: Int): PositivePart {
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

const longer = (a: Vec3, b: Vec3): Vec3 => (dot(b, b) > dot(a, a) ? b : a)

/** @kernel */
export function clipClosed(out: Lanes<PositivePart>, M: Lanes<Sym3>, rounds: Int): void {
  out[0] = positivePart(M[0], rounds)
}
