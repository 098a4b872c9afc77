import { expect, it } from 'vitest'
import { createRandom } from '../../test/random.js'
import { acos, asin, atan, atan2, cos, exp, hypot, log, norm, pow, sin, tan } from './own.js'

/** last digits by which they may differ from those of the machine */
const ULPS = 4
const near = (a: number, b: number, ulps = ULPS): boolean =>
  Object.is(a, b) || a === b || Math.abs(a - b) <= ulps * Math.max(2 ** -1074, Math.abs(b) * 2 ** -52)

it('are those of Math but for the last digits', () => {
  const random = createRandom(1)
  for (let k = 0; k < 20_000; k++) {
    const x = random.spread(700)
    const y = random.spread(10)
    const small = random.spread(1) * exp(random.spread(600))
    expect(near(exp(x), Math.exp(x)), `exp ${x}`).toBe(true)
    expect(near(log(Math.abs(small)), Math.log(Math.abs(small))), `log ${small}`).toBe(true)
    expect(Math.abs(sin(x) - Math.sin(x)), `sin ${x}`).toBeLessThan(1e-15)
    expect(Math.abs(cos(x) - Math.cos(x)), `cos ${x}`).toBeLessThan(1e-15)
    expect(Math.abs(atan2(y, x) - Math.atan2(y, x)), `atan2 ${y} ${x}`).toBeLessThan(1e-15)
    const part = x / 700
    for (const [own, of] of [
      [asin, Math.asin],
      [acos, Math.acos],
      [atan, Math.atan],
    ] as const)
      expect(Math.abs(own(part) - of(part)), `${of.name} ${part}`).toBeLessThan(1e-15)
    expect(Math.abs(tan(y) / Math.tan(y) - 1), `tan ${y}`).toBeLessThan(1e-14)
    expect(near(hypot(x, y, x * y), Math.hypot(x, y, x * y)), `hypot ${x} ${y}`).toBe(true)
    expect(Math.abs(pow(Math.abs(x), y) / Math.abs(x) ** y - 1), `pow ${x} ${y}`).toBeLessThan(1e-13)
  }
})

it('hold at the ends of the range', () => {
  expect([exp(0), exp(710), exp(-746), exp(Number.NaN)]).toEqual([1, Number.POSITIVE_INFINITY, 0, Number.NaN])
  expect([log(0), log(-1), log(1), log(Number.POSITIVE_INFINITY)]).toEqual([
    Number.NEGATIVE_INFINITY,
    Number.NaN,
    0,
    Number.POSITIVE_INFINITY,
  ])
  expect(near(log(5e-324), Math.log(5e-324))).toBe(true)
  expect(near(exp(-745), Math.exp(-745))).toBe(true)
  expect(near(hypot(3e200, 4e200), 5e200)).toBe(true)
  expect(near(hypot(3e-200, 4e-200), 5e-200)).toBe(true)
  expect([norm([]), hypot(0, 0), norm([Number.NaN, 1]), hypot(Number.NaN, Number.NEGATIVE_INFINITY)]).toEqual([
    0,
    0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])
  expect([pow(2, 10), pow(2, -2), pow(0, 0.5), pow(-3, 3)]).toEqual([1024, 0.25, 0, -27])
})
