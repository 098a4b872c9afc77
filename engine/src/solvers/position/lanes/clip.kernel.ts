/**
 * The positive semidefinite part of a symmetric 3 × 3 matrix in lanes, by Jacobi's rotations: rounds end when every lane is diagonal to rounding.
 * Those that are have nothing left to turn.
 */
import { clear, scaledSquare } from '../../../linalg/dense/clip-symmetric3.kernel.js'
import { add, any, type Int } from '../../../math/values/columns.js'
import { diagonal, full, ONE, type Sym3 } from '../../../math/values/spatial.js'

/** of the diagonal, squared: below the rounding of either precision */
const GONE = 1e-28
/** the method converges quadratically: five rounds reach doubles */
const ROUNDS = 6

/** M with its negative eigenvalues left out. */
export function clippedPart(M: Sym3): Sym3 {
  let now = { A: full(M), V: ONE }
  let open = 1
  for (let k: Int = 0; k < ROUNDS && any(open > 0); k++) {
    // a lane that is done stays as it is, so that it does not depend on the others
    const isOpen = open > 0
    const next = clear(clear(clear(now, 0, 1), 0, 2), 1, 2)
    now = isOpen ? next : now
    const [[xx, xy, xz], [, yy, yz], [, , zz]] = now.A
    open = xy * xy + xz * xz + yz * yz > GONE * (xx * xx + yy * yy + zz * zz) ? 1 : 0
  }
  const { A, V } = now
  const along = (e: Int): Sym3 => {
    const square = scaledSquare(A[e][e], [V[0][e], V[1][e], V[2][e]])
    const isPositive = A[e][e] > 0
    return [
      isPositive ? square[0] : 0,
      isPositive ? square[1] : 0,
      isPositive ? square[2] : 0,
      isPositive ? square[3] : 0,
      isPositive ? square[4] : 0,
      isPositive ? square[5] : 0,
    ]
  }
  return add(diagonal(0), along(0), along(1), along(2))
}
