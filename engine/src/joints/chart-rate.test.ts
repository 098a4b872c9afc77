/**
 * The chart rate of quaternion joints against its series with Bernoulli numbers, dexp⁻¹ = Σ B_k/k! (−ad)^k: good to rounding inside
 * the circle of convergence, where differences would see the last digits no more.
 */
import { describe, expect, it } from 'vitest'
import { buildModel } from '../build/build-model.js'
import { motionFrom } from '../math/values/arrays.js'
import { add, scale } from '../math/values/columns.js'
import { crossMotion } from '../math/values/spatial.js'
import { chartRate, jointTypes } from './index.js'

/** B_2k/(2k)! for k = 1 … 12: 1/12, −1/720, …; they fall by (2π)² each */
const SERIES = [
  1 / 12,
  -1 / 720,
  1 / 30240,
  -1 / 1209600,
  1 / 47900160,
  -691 / 1307674368000,
  1 / 74724249600,
  -3617 / 10670622842880000,
  43867 / 5109094217170944000,
  -174611 / 802857662698291200000,
  77683 / 14101100039391805440000,
  -236364091 / 1693824136731743669452800000,
]

/** the closed forms lose a digit just above the place where they begin */
const ROUNDING = 2e-14

/** ξ̇ = v + ½ ξ × v + Σ B_2k/(2k)! ξ × … × v */
function series(xi: Float64Array, v: Float64Array): number[] {
  let term = motionFrom(v)
  let sum = term
  for (let k = 1; k <= 2 * SERIES.length; k++) {
    term = crossMotion(motionFrom(xi), term)
    sum = add(sum, scale(k === 1 ? 0.5 : k % 2 === 0 ? SERIES[k / 2 - 1] : 0, term))
  }
  return [...sum.w, ...sum.v]
}

const curved = jointTypes.filter((type) => !type.linear)
const inertia = { mass: 1, tensor: [1, 1, 1, 0, 0, 0] } as const

describe.each(curved)('chart rate of a $name joint', (type) => {
  // beside the places where series and closed forms meet
  it.each([1e-12, 1e-3, 0.1, 0.2, 0.2499, 0.2501, 0.2999, 0.3001, 0.5, 1])('is the series for a rotation of %d', (size) => {
    const model = buildModel({ bodies: [{ name: 'a', inertia, joints: [{ type: type.name }] }] })
    for (let k = 1; k < 40; k++) {
      const draw = (n: number): number => Math.sin(12.9898 * (k + 40 * n))
      const axis = [draw(1), draw(2), draw(3)]
      const length = Math.hypot(...axis)
      const xi = Float64Array.of(...axis.map((x) => (x * size) / length), draw(4), draw(5), draw(6))
      const v = Float64Array.of(draw(7), draw(8), draw(9), draw(10), draw(11), draw(12))
      // a joint without slides lives in the turning half
      if (type.nv === 3) for (const x of [xi, v]) x.fill(0, 3)
      const out = new Float64Array(type.nv).fill(Number.NaN)
      chartRate(model, out, xi.subarray(0, type.nv), v.subarray(0, type.nv))
      const expected = series(xi, v)
      out.forEach((x, r) => {
        expect(Math.abs(x - expected[r])).toBeLessThan(ROUNDING)
      })
    }
  })
})
