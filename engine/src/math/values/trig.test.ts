/** Sine, cosine and arc tangent against those of the platform, which are right to one unit in the last place. */
import { describe, expect, it } from 'vitest'
import { atan2, sincos } from './trig.js'

const pair = new Float64Array(2)
const ints = new BigInt64Array(pair.buffer)

/** Distance of two doubles in units in the last place. */
function ulps(a: number, b: number): number {
  if (a === b) return 0
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.POSITIVE_INFINITY
  pair[0] = a
  pair[1] = b
  // as integers ordered like the doubles
  const order = (x: bigint): bigint => (x < 0n ? -(x & 0x7fffffffffffffffn) : x)
  const d = order(ints[0]) - order(ints[1])
  return Number(d < 0n ? -d : d)
}

function sinCos(x: number): [number, number] {
  const { s, c } = sincos(x)
  return [s, c]
}

/** A low-discrepancy walk through [0, 1): no seed, no gaps. */
const golden = (k: number): number => (k * 0.6180339887498949) % 1

/** ours and the platform's err by less than one each */
const ONE_EACH = 1
/** near the y axis and beyond it one more rounding comes in: π/2 − a, π − a */
const TWO = 2

describe('sincos', () => {
  it.each([1e-300, 1e-8, 1e-3, 0.5, 1, 10, 100, 1e4, 1e6])('is within one unit in the last place for angles up to %d', (size) => {
    let most = 0
    for (let k = 1; k <= 4000; k++) {
      const x = size * (2 * golden(k) - 1)
      const [s, c] = sinCos(x)
      most = Math.max(most, ulps(s, Math.sin(x)), ulps(c, Math.cos(x)))
    }
    expect(most).toBeLessThanOrEqual(ONE_EACH)
  })

  it('is as good beside the multiples of π/4, where digits cancel', () => {
    let most = 0
    for (let k = -2000; k <= 2000; k++) {
      for (const x of [(k * Math.PI) / 4, (k * Math.PI) / 4 + 1e-9, 100 * k * Math.PI]) {
        const [s, c] = sinCos(x)
        most = Math.max(most, ulps(s, Math.sin(x)), ulps(c, Math.cos(x)))
      }
    }
    expect(most).toBeLessThanOrEqual(ONE_EACH)
  })

  it.each([1.1e6, 1e7, 1e9, 1e12, 1e15, 1e18])('errs by less than the angle’s own rounding for angles up to %d', (size) => {
    let most = 0
    let circle = 0
    for (let k = 1; k <= 2000; k++) {
      const x = size * (2 * golden(k) - 1)
      const [s, c] = sinCos(x)
      const rounding = 2 ** (Math.floor(Math.log2(Math.abs(x))) - 52)
      most = Math.max(most, (Math.hypot(s - Math.sin(x), c - Math.cos(x)) - 4e-16) / rounding)
      circle = Math.max(circle, Math.abs(s * s + c * c - 1))
    }
    expect(most).toBeLessThan(0.5)
    expect(circle).toBeLessThan(1e-15)
  })

  it('gives NaN for what is no angle', () => {
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300]) {
      expect(sinCos(x)).toEqual([Number.NaN, Number.NaN])
    }
  })

  it('keeps the sign of zero', () => {
    expect(Object.is(sinCos(0)[0], 0)).toBe(true)
    expect(sinCos(-0)).toEqual([-0, 1])
  })
})

describe('atan2', () => {
  it('is within two units in the last place in every direction and at every size', () => {
    let most = 0
    for (let k = 1; k <= 20000; k++) {
      const direction = 2 * Math.PI * golden(k)
      const size = 10 ** (600 * golden(7 * k) - 300)
      const [y, x] = [size * Math.sin(direction), size * Math.cos(direction)]
      most = Math.max(most, ulps(atan2(y, x), Math.atan2(y, x)))
    }
    expect(most).toBeLessThanOrEqual(TWO)
  })

  it('is as good near the axes and diagonals', () => {
    let most = 0
    for (const e of [0, 1e-320, 1e-200, 1e-17, 1e-9, 1e-3]) {
      for (const [y, x] of [
        [e, 1],
        [1, e],
        [1 + e, 1],
        [1, 1 + e],
        [0.4375, 1 + e],
        [0.6875, 1 + e],
      ]) {
        for (const [a, b] of [
          [y, x],
          [-y, x],
          [y, -x],
          [-y, -x],
        ]) {
          if (a === 0 && b < 0) continue
          most = Math.max(most, ulps(atan2(a, b), Math.atan2(a, b)))
        }
      }
    }
    expect(most).toBeLessThanOrEqual(TWO)
  })

  it('is π on the negative axis and 0 at the origin', () => {
    expect(atan2(0, -1)).toBe(Math.PI)
    expect(atan2(0, 0)).toBe(0)
    expect(atan2(1, 0)).toBe(Math.PI / 2)
    expect(atan2(-1, 0)).toBe(-Math.PI / 2)
  })

  it('undoes sincos', () => {
    let most = 0
    for (let k = 1; k <= 2000; k++) {
      const x = Math.PI * (2 * golden(k) - 1)
      const [s, c] = sinCos(x)
      most = Math.max(most, Math.abs(atan2(s, c) - x))
    }
    expect(most).toBeLessThanOrEqual(4.5e-16)
  })
})
