/**
 * How far a loop may be open and count as closed: as far as the numbers of a file can tell.
 *
 * Text holds six to nine digits of a length or a direction. Where a mechanism has more rows than freedoms (planar loops in space, four legs on one
 * trunk) such numbers leave a gap that no pose closes, some 1e-6 of its size for each of the numbers around the loop. That is no
 * contradiction, and a gap of this size is not worth moving for. What can be closed is closed to rounding all the same.
 */
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'

/** of a loop's size: six digits, each of the three numbers of a lever and of an axis off by half of the last one, and some to spare */
const DIGITS = 2e-5
// metres: rows of joints and of turns have no levers
const SMALLEST = 0.01

/** Metres, or radians where rows are turns: of the largest loop, at which a search for a pose that closes all of them may end. */
export function closingTolerance(m: Model): number {
  let most = DIGITS * SMALLEST
  for (let k = 0; k < m.constraints.count; k++) if (m.constraints.active[k] === 1) most = Math.max(most, loopTolerance(m, k))
  return most
}

/** The same of constraint k alone. */
export function loopTolerance(m: Model, k: number): number {
  return DIGITS * Math.max(SMALLEST, loopSize(m, k))
}

/** Levers around the loop of constraint k, as their errors add up: the root of the sum of squares. Where the mechanism stands in the world does not count. */
function loopSize({ parent, X_PJ, constraints: { bodyA, bodyB, pointA, pointB } }: Model, k: number): number {
  let [a, b] = [bodyA[k], bodyB[k]]
  let sum = (a > 0 ? squareOf(pointA, 3 * k) : 0) + (b > 0 ? squareOf(pointB, 3 * k) : 0)
  while (a !== b) {
    // parents have lower numbers
    const i = Math.max(a, b)
    if (parent[i] > 0) sum += squareOf(X_PJ, 12 * i + 9)
    if (a > b) a = parent[a]
    else b = parent[b]
  }
  return Math.sqrt(sum)
}

const squareOf = (x: Vec, o: number): number => x[o] * x[o] + x[o + 1] * x[o + 1] + x[o + 2] * x[o + 2]
