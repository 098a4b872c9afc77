/** Values for kernels have the bits of the functions on arrays: at small and large angles, on both sides of every limit between a series and a closed form. */
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../test/random.js'
import * as arrays from '../rotation.js'
import * as arrayTrig from '../trig.js'
import type { Vec } from '../types.js'
import { expQuat, logQuat, mulQuatInverse, normalizeQuat, type Quat, rotationVectorRate, twistTranslation } from './rotation.js'
import type { Vec3 } from './spatial.js'
import { atan2 } from './trig.js'

const random = createRandom(1)
const sizes = [0, 1e-9, 1e-4, 0.99e-3, 1.01e-3, 0.2, 0.299, 0.301, 1, 3, 3.141592653589793, 10, 1e3]

/** vectors of every size, some along an axis */
const vectors: readonly Vec3[] = sizes.flatMap((size) => [
  [size, 0, 0] as const,
  ...Array.from({ length: 20 }, () => random.axis().map((x) => size * x) as unknown as Vec3),
])
const quats: readonly Quat[] = vectors.map((r) => normalizeQuat(expQuat(r)))

const of = (n: number, write: (out: Vec) => void): number[] => {
  const out = new Float64Array(n)
  write(out)
  return [...out]
}

describe('values', () => {
  it('atan2 is that of math/trig in all quadrants, on the axes and at the origin', () => {
    const list = [0, 1, -1, 0.3, -0.3, 0.44, 0.69, 1e-8, -1e8, ...random.array(100, 3)]
    const wrong: (readonly number[])[] = []
    for (const y of list) {
      for (const x of list) {
        const [expected] = of(2, (out) => {
          out.set([y, x])
          arrayTrig.atan2(out, 0)
        })
        if (atan2(y, x) !== expected) wrong.push([y, x])
      }
    }
    expect(wrong).toEqual([])
  })

  it('expQuat, logQuat and mulQuatInverse are those of math/rotation', () => {
    for (const r of vectors) expect([...expQuat(r)]).toEqual(of(4, (out) => arrays.expQuat(out, 0, Float64Array.from(r), 0, 1)))
    for (const [k, a] of quats.entries()) {
      const b = quats[(7 * k + 3) % quats.length]
      expect([...logQuat(a)]).toEqual(of(3, (out) => arrays.logQuat(out, 0, Float64Array.from(a), 0)))
      expect([...mulQuatInverse(a, b)]).toEqual(
        of(4, (out) => arrays.mulQuatInverse(out, 0, Float64Array.from(a), 0, Float64Array.from(b), 0)),
      )
    }
  })

  it('twistTranslation and rotationVectorRate are those of math/rotation, for steps long and short', () => {
    for (const [k, w] of vectors.entries()) {
      const u = vectors[(11 * k + 5) % vectors.length]
      const [W, U] = [Float64Array.from(w), Float64Array.from(u)]
      for (const h of [1, 0.37, 1e-3])
        expect([...twistTranslation(w, u, h)]).toEqual(of(3, (out) => arrays.twistTranslation(out, 0, W, 0, U, 0, h)))
      expect([...rotationVectorRate(w, u)]).toEqual(of(3, (out) => arrays.rotationVectorRate(out, 0, W, 0, U, 0)))
    }
  })
})
