/** Quaternions, matrices, exponentials and logarithms undo one another, near zero and near π as well. */
import { describe, expect, it } from 'vitest'
import {
  axisRotation,
  expQuat,
  logQuat,
  matrixToQuat,
  mulQuat,
  mulQuatInverse,
  normalizeQuat,
  quatToMatrix,
  rotationVectorRate,
  twistTranslation,
  twistTranslationInverse,
} from './rotation.js'

/** a few operations on numbers of order one */
const ROUNDING = 2e-15

const golden = (k: number): number => 2 * ((k * 0.6180339887498949) % 1) - 1
const vector = (k: number): Float64Array => Float64Array.of(golden(3 * k + 1), golden(5 * k + 2), golden(7 * k + 3))
const length = (x: Float64Array): number => Math.hypot(...x)
const sized = (k: number, size: number): Float64Array => {
  const x = vector(k)
  const l = length(x)
  return x.map((c) => (c * size) / l)
}
const distance = (a: Float64Array, b: Float64Array): number => Math.hypot(...a.map((x, k) => x - b[k]))
const random = Array.from({ length: 200 }, (_, k) => k)

function quat(r: Float64Array): Float64Array {
  const q = new Float64Array(4)
  expQuat(q, 0, r, 0, 1)
  return q
}

// 1e-3 and 5e-4 are where the series end
const sizes = [0, 1e-300, 1e-20, 1e-8, 4.999e-4, 5.001e-4, 9.99e-4, 1.001e-3, 0.1, 1, 3, Math.PI - 1e-3, Math.PI - 1e-8, Math.PI - 1e-14]

describe('exponential and logarithm of rotations', () => {
  it.each(sizes)('undo one another for angles of %d', (size) => {
    for (const k of random) {
      const r = sized(k, size)
      const back = new Float64Array(3)
      const q = quat(r)
      expect(Math.abs(length(q) - 1)).toBeLessThan(ROUNDING)
      logQuat(back, 0, q, 0)
      expect(distance(back, r)).toBeLessThanOrEqual(ROUNDING * Math.max(size, 1e-300))
    }
  })

  it('take q and −q for one rotation, and give at most π', () => {
    for (const k of random) {
      const q = quat(sized(k, 6 * Math.abs(golden(k))))
      const a = new Float64Array(3)
      const b = new Float64Array(3)
      logQuat(a, 0, q, 0)
      logQuat(
        b,
        0,
        q.map((x) => -x),
        0,
      )
      expect(distance(a, b)).toBeLessThan(ROUNDING)
      expect(length(a)).toBeLessThanOrEqual(Math.PI + ROUNDING)
    }
  })

  it('scale by the time', () => {
    const a = new Float64Array(4)
    for (const k of random) {
      expQuat(a, 0, vector(k), 0, 0.37)
      expect(distance(a, quat(vector(k).map((x) => 0.37 * x)))).toBeLessThan(ROUNDING)
    }
  })

  it('agree with the matrix of axis and angle', () => {
    const A = new Float64Array(9)
    const B = new Float64Array(9)
    for (const k of random) {
      const axis = sized(k, 1)
      const angle = 3 * golden(11 * k)
      axisRotation(A, 0, axis, 0, Float64Array.of(Math.sin(angle), Math.cos(angle)), 0)
      quatToMatrix(B, 0, quat(axis.map((x) => x * angle)), 0)
      expect(distance(A, B)).toBeLessThan(ROUNDING)
    }
  })
})

describe('quaternions and matrices', () => {
  it.each([0, 1e-9, 0.5, 2, Math.PI - 1e-9, Math.PI])('undo one another for angles of %d', (size) => {
    const R = new Float64Array(9)
    const back = new Float64Array(4)
    for (const k of [...random, 1000, 1001, 1002]) {
      const r = k < 1000 ? sized(k, size) : Float64Array.of(0, 0, 0).fill(size, k - 1000, k - 999)
      const q = quat(r)
      quatToMatrix(R, 0, q, 0)
      matrixToQuat(back, 0, R, 0)
      // at π both signs have w = 0
      const error = Math.min(
        distance(back, q),
        distance(
          back.map((x) => -x),
          q,
        ),
      )
      expect(error).toBeLessThan(ROUNDING)
      expect(back[0]).toBeGreaterThanOrEqual(0)
    }
  })

  it('a quaternion of any length gives a rotation', () => {
    const R = new Float64Array(9)
    const S = new Float64Array(9)
    for (const k of random) {
      const q = quat(vector(k))
      quatToMatrix(R, 0, q, 0)
      quatToMatrix(
        S,
        0,
        q.map((x) => 3.7 * x),
        0,
      )
      expect(distance(R, S)).toBeLessThan(ROUNDING)
    }
  })

  it('multiply alike', () => {
    const [A, B, C] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)]
    const q = new Float64Array(4)
    for (const k of random) {
      const a = quat(vector(k))
      const b = quat(vector(k + 500))
      mulQuat(q, 0, a, 0, b, 0)
      quatToMatrix(A, 0, a, 0)
      quatToMatrix(B, 0, b, 0)
      quatToMatrix(C, 0, q, 0)
      const product = Float64Array.from({ length: 9 }, (_, e) => {
        const [i, j] = [Math.floor(e / 3), e % 3]
        return A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j]
      })
      expect(distance(C, product)).toBeLessThan(ROUNDING)
      mulQuatInverse(q, 0, a, 0, q, 0)
      expect(distance(q, b)).toBeLessThan(ROUNDING)
      const scaled = b.map((x) => 5 * x)
      normalizeQuat(scaled, 0)
      expect(distance(scaled, b)).toBeLessThan(ROUNDING)
    }
  })
})

describe('rates and translations', () => {
  // 0.3 is where the series end
  it.each([1e-9, 1e-3, 0.299999, 0.300001, 1, 3, 5, 6])(
    'the rate of a rotation vector of size %d is that of exp, by differences',
    (size) => {
      const h = 1e-5
      const rate = new Float64Array(3)
      for (const k of random.slice(0, 20)) {
        const r = sized(k, size)
        const w = vector(k + 300)
        rotationVectorRate(rate, 0, r, 0, w, 0)
        const at = (t: number): Float64Array => quat(r.map((x, c) => x + t * rate[c]))
        // exp(r)⁻¹ exp(r + h ṙ) turns by h w
        const [later, earlier] = [at(h), at(-h)]
        const turn = new Float64Array(4)
        const found = new Float64Array(3)
        mulQuatInverse(turn, 0, earlier, 0, later, 0)
        logQuat(found, 0, turn, 0)
        expect(
          distance(
            found.map((x) => x / (2 * h)),
            w,
          ),
        ).toBeLessThan(1e-9 * (1 + length(rate)) ** 3)
      }
    },
  )

  it.each([0, 1e-9, 1e-3, 0.299999, 0.300001, 1, 3, 6])('V(r) and its inverse undo one another, |r| = %d', (size) => {
    const p = new Float64Array(3)
    const back = new Float64Array(3)
    for (const k of random) {
      const r = sized(k, size)
      const u = vector(k + 77)
      twistTranslation(p, 0, r, 0, u, 0, 1)
      twistTranslationInverse(back, 0, r, 0, p, 0)
      // V is near singular at 2π
      expect(distance(back, u)).toBeLessThan(size < 5 ? 5e-15 : 1e-12)
    }
  })

  it.each([1e-6, 0.299999, 0.300001, 2])('V(r) u is the way of a body that moves on with (r; u), |r| = %d', (size) => {
    const p = new Float64Array(3)
    const step = new Float64Array(3)
    const R = new Float64Array(9)
    const r = sized(5, size)
    const u = vector(9)
    const n = 2000
    // midpoint rule of ∫ exp(t [r]) u dt
    const sum = new Float64Array(3)
    for (let k = 0; k < n; k++) {
      quatToMatrix(R, 0, quat(r.map((x) => (x * (k + 0.5)) / n)), 0)
      for (let i = 0; i < 3; i++) sum[i] += (R[3 * i] * u[0] + R[3 * i + 1] * u[1] + R[3 * i + 2] * u[2]) / n
    }
    twistTranslation(p, 0, r, 0, u, 0, 1)
    expect(distance(p, sum)).toBeLessThan(1e-6)
    // the time scales both
    twistTranslation(
      step,
      0,
      r.map((x) => 4 * x),
      0,
      u.map((x) => 4 * x),
      0,
      0.25,
    )
    expect(distance(step, p)).toBeLessThan(ROUNDING)
  })
})
