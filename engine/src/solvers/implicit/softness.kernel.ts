/**
 * Softness of contacts, limits and dry friction as MuJoCo defines it, at depth x below the margin:
 *
 *   impedance   d = low + rise y(|x|/width),   y(x) = x^p/m^(p−1) up to the midpoint m, 1 − (1−x)^p/(1−m)^(p−1) above
 *   compliance  R = (1 − d)/d · w,   reference acceleration −b u − k d x
 */
import type { Int, Shared } from '../../math/values/columns.js'
import type { Ground, Softness } from './tables.js'

/** xᵖ for 0 ≤ x ≤ 1: whole part by products, the rest by a square root for each binary digit, so that all forms give the same bits. */
function raise(g: Ground, x: number, power: number): number {
  if (g.quadratic === 1) return x * x
  let product = 1
  let left = power
  for (let n = 0; n < g.maxPower; n++) {
    const isWhole = left >= 1
    product = isWhole ? product * x : product
    left = isWhole ? left - 1 : left
  }
  let root = x
  for (let n = 0; n < g.powerDigits; n++) {
    root = Math.sqrt(root)
    left = left + left
    const isSet = left >= 1
    product = isSet ? product * root : product
    left = isSet ? left - 1 : left
  }
  return product
}

/** `pull` = k d x, damping b, and q = 1/R. `softness` scales R. */
export function soften(g: Ground, { low, rise, perWidth, middle, perLow, perHigh, power, k, b, w }: Softness, x: number, softness: number) {
  const part = Math.min(1, Math.abs(x) * perWidth)
  const isLow = part <= middle
  const y = raise(g, isLow ? part : 1 - part, power)
  const d = low + rise * (isLow ? y * perLow : 1 - y * perHigh)
  return { pull: k * d * x, b, q: d / ((1 - d) * (w * softness)) }
}

/** Softness of row n that has no depth: dry friction. */
export function softenAtZero(soft: Shared<Softness>, n: Int) {
  const { low, b, w } = soft[n]
  return { b, q: low / ((1 - low) * w) }
}
