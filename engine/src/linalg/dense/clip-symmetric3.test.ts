import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../test/random.js'
import { clipSymmetric3 } from '../../printed/linalg.js'
import { ROUNDS } from './clip-symmetric3.kernel.js'

/** R diag(values) Rᵀ with R from the unit quaternion along (a b c d), as xx xy xz yy yz zz. */
function symmetric(values: readonly number[], [a, b, c, d]: readonly number[]): Float64Array {
  const n = Math.hypot(a, b, c, d)
  const [w, x, y, z] = [a / n, b / n, c / n, d / n]
  const R = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ]
  const entry = (i: number, j: number): number => values.reduce((sum, value, e) => sum + value * R[i][e] * R[j][e], 0)
  return Float64Array.of(entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2))
}

const { spread } = createRandom(7)
const random = (): number => spread(1)

const cases: readonly [string, readonly number[]][] = [
  ['three positive values', [1, 2, 3]],
  ['three negative values', [-1, -2, -3]],
  ['one negative value', [-1, 2, 3]],
  ['two negative values', [-1, -2, 3]],
  ['a double positive one', [-1, 2, 2]],
  ['a double negative one', [-2, -2, 1]],
  ['a little negative one', [-1e-7, 2, 3]],
  ['two of either sign near zero', [-1e-9, 1e-9, 1]],
  ['rank one', [0, 0, 1]],
  ['rank one, negative', [0, 0, -1]],
  ['rank two', [-1, 0, 1]],
  ['a triple value', [1, 1, 1]],
  ['nothing', [0, 0, 0]],
  ['large numbers', [-1e12, 1e9, 3e12]],
  ['small numbers', [-1e-12, 1e-9, 3e-12]],
]

describe('clipSymmetric3', () => {
  it.each(cases)('keeps what is positive of a matrix with %s', (_, values) => {
    const size = Math.max(...values.map(Math.abs))
    for (let round = 0; round < 200; round++) {
      const turn = round === 0 ? [1, 0, 0, 0] : [random(), random(), random(), random()]
      const M = symmetric(values, turn)
      clipSymmetric3(M, 0, ROUNDS)
      const wanted = symmetric(
        values.map((value) => Math.max(0, value)),
        turn,
      )
      for (let k = 0; k < 6; k++) expect(Math.abs(M[k] - wanted[k])).toBeLessThanOrEqual(3e-8 * size)
    }
  })

  it('of a matrix with well separated values to rounding', () => {
    for (let round = 0; round < 2000; round++) {
      const values = [random() - 1.1, random(), random() + 1.1].map((value) => 10 * value)
      const turn = [random(), random(), random(), random()]
      const M = symmetric(values, turn)
      clipSymmetric3(M, 0, ROUNDS)
      const wanted = symmetric(
        values.map((value) => Math.max(0, value)),
        turn,
      )
      for (let k = 0; k < 6; k++) expect(Math.abs(M[k] - wanted[k])).toBeLessThan(1e-11)
    }
  })
})
