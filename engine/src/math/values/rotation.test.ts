/** Quaternions, matrices, exponentials and logarithms undo one another, near zero and near π as well. */
import { describe, expect, it } from 'vitest'
import { add, negate, scale } from './columns.js'
import {
  expQuat,
  halfTurn,
  inverseTangentTimes,
  logQuat,
  matrixQuat,
  mulQuat,
  mulQuatInverse,
  normalizeQuat,
  type Quat,
  quatRotation,
  tangentCoefficients,
  twistTranslation,
} from './rotation.js'
import { mul, ONE, rotate, skew, tensor, type Vec3 } from './spatial.js'

/** a few operations on numbers of order one */
const ROUNDING = 2e-15

const golden = (k: number): number => 2 * ((k * 0.6180339887498949) % 1) - 1
const vector = (k: number): Vec3 => [golden(3 * k + 1), golden(5 * k + 2), golden(7 * k + 3)]
const length = (x: readonly number[]): number => Math.hypot(...x)
const sized = (k: number, size: number): Vec3 => {
  const [x, y, z] = vector(k)
  const l = length([x, y, z])
  return [(x * size) / l, (y * size) / l, (z * size) / l]
}
type Numbers = readonly (number | Numbers)[]
const distance = (a: Numbers, b: Numbers): number => {
  const [x, y] = [a, b].map((list) => list.flat(2) as number[])
  return Math.hypot(...x.map((value, k) => value - y[k]))
}
const exp = (r: Vec3): Quat => expQuat(r, halfTurn(r))
const rate = (r: Vec3, w: Vec3): Vec3 => inverseTangentTimes(r, tangentCoefficients(r, halfTurn(r)).E, w)
const random = Array.from({ length: 200 }, (_, k) => k)

// 1e-3 and 5e-4 are where the series end
const sizes = [0, 1e-300, 1e-20, 1e-8, 4.999e-4, 5.001e-4, 9.99e-4, 1.001e-3, 0.1, 1, 3, Math.PI - 1e-3, Math.PI - 1e-8, Math.PI - 1e-14]

describe('exponential and logarithm of rotations', () => {
  it.each(sizes)('undo one another for angles of %d', (size) => {
    for (const k of random) {
      const r = sized(k, size)
      const q = exp(r)
      expect(Math.abs(length(q) - 1)).toBeLessThan(ROUNDING)
      expect(distance(logQuat(q), r)).toBeLessThanOrEqual(ROUNDING * Math.max(size, 1e-300))
    }
  })

  it('take q and −q for one rotation, and give at most π', () => {
    for (const k of random) {
      const q = exp(sized(k, 6 * Math.abs(golden(k))))
      const a = logQuat(q)
      expect(distance(a, logQuat(negate(q)))).toBeLessThan(ROUNDING)
      expect(length(a)).toBeLessThanOrEqual(Math.PI + ROUNDING)
    }
  })

  it('agree with the matrix of axis and angle', () => {
    for (const k of random) {
      const axis = sized(k, 1)
      const angle = 3 * golden(11 * k)
      const [s, c] = [Math.sin(angle), Math.cos(angle)]
      const expected = add(scale(c, ONE), scale(s, skew(axis)), scale(1 - c, tensor(axis, axis)))
      expect(distance(quatRotation(exp(scale(angle, axis))), expected)).toBeLessThan(ROUNDING)
    }
  })
})

describe('quaternions and matrices', () => {
  it.each([0, 1e-9, 0.5, 2, Math.PI - 1e-9, Math.PI])('undo one another for angles of %d', (size) => {
    for (const k of [...random, 1000, 1001, 1002]) {
      const r = k < 1000 ? sized(k, size) : scale(size, ONE[k - 1000])
      const q = exp(r)
      const back = matrixQuat(quatRotation(q))
      // at π both signs have w = 0
      expect(Math.min(distance(back, q), distance(negate(back), q))).toBeLessThan(ROUNDING)
      expect(back[0]).toBeGreaterThanOrEqual(0)
    }
  })

  it('a quaternion of any length gives a rotation', () => {
    for (const k of random) {
      const q = exp(vector(k))
      expect(distance(quatRotation(q), quatRotation(scale(3.7, q)))).toBeLessThan(ROUNDING)
    }
  })

  it('multiply alike', () => {
    for (const k of random) {
      const a = exp(vector(k))
      const b = exp(vector(k + 500))
      const q = mulQuat(a, b)
      expect(distance(quatRotation(q), mul(quatRotation(a), quatRotation(b)))).toBeLessThan(ROUNDING)
      expect(distance(mulQuatInverse(a, q), b)).toBeLessThan(ROUNDING)
      // to the bit: what rests has no velocity
      expect(mulQuatInverse(a, a).slice(1).map(Math.abs)).toEqual([0, 0, 0])
      expect(distance(normalizeQuat(scale(5, b)), b)).toBeLessThan(ROUNDING)
    }
  })
})

describe('rates and translations', () => {
  // 0.3 is where the series end
  it.each([1e-9, 1e-3, 0.299999, 0.300001, 1, 3, 5, 6])(
    'the rate of a rotation vector of size %d is that of exp, by differences',
    (size) => {
      const h = 1e-5
      for (const k of random.slice(0, 20)) {
        const r = sized(k, size)
        const w = vector(k + 300)
        const found = rate(r, w)
        // exp(r)⁻¹ exp(r + h ṙ) turns by h w
        const [later, earlier] = [h, -h].map((t) => exp(add(r, scale(t, found))))
        const turned = scale(1 / (2 * h), logQuat(mulQuatInverse(earlier, later)))
        expect(distance(turned, w)).toBeLessThan(1e-9 * (1 + length(found)) ** 3)
      }
    },
  )

  it.each([0, 1e-9, 1e-3, 0.299999, 0.300001, 1, 3, 6])('V(r) and its inverse undo one another, |r| = %d', (size) => {
    for (const k of random) {
      const r = sized(k, size)
      const u = vector(k + 77)
      // V is near singular at 2π
      expect(distance(rate(negate(r), twistTranslation(r, halfTurn(r), u)), u)).toBeLessThan(size < 5 ? 5e-15 : 1e-12)
    }
  })

  it.each([1e-6, 0.299999, 0.300001, 2])('V(r) u is the way of a body that moves on with (r; u), |r| = %d', (size) => {
    const r = sized(5, size)
    const u = vector(9)
    const n = 2000
    // midpoint rule of ∫ exp(t [r]) u dt
    let sum: Vec3 = [0, 0, 0]
    for (let k = 0; k < n; k++) sum = add(sum, scale(1 / n, rotate(quatRotation(exp(scale((k + 0.5) / n, r))), u)))
    expect(distance(twistTranslation(r, halfTurn(r), u), sum)).toBeLessThan(1e-6)
  })

  it.each([0.05, 0.299999, 0.300001, 1, 3, 4])('G is the derivative of E over the angle, at %d', (t) => {
    const h = 1e-4 * t
    const at = (x: number) => tangentCoefficients([x, 0, 0], halfTurn([x, 0, 0]))
    const [before, after] = [t - h, t + h].map((x) => at(x).E)
    const { G } = at(t)
    // the difference of E loses half its digits
    expect(Math.abs((after - before) / (2 * h * t) - G)).toBeLessThan(1e-6 * G)
  })
})
