/**
 * L D Lᵀ of a dense block without exchanges, and what counts as a bad pivot in it.
 *
 * A pivot is a difference of terms; `magnitude` carries the sum of their sizes from earlier blocks. A pivot that is a tiny share of
 * its terms is rounding, whatever the units of its row.
 */
import type { Vec } from '../../math/types.js'
import { eliminateRow, eliminateRows, TILE } from './panel-kernels.js'

export interface PivotRule {
  /** inverse pivots */
  readonly dinv: Vec
  /** sizes of the terms taken off each diagonal entry so far */
  readonly magnitude: Vec
  /** expected sign of each pivot, 0 for either */
  readonly sign: Int8Array
  /** a pivot smaller than this share of its terms counts as zero */
  readonly pivotTolerance: number
  /** a bad pivot becomes its expected sign times this share of its terms; 0: stop there instead */
  readonly regularization: number
  /** what the last factorisation met: negative pivots, replaced pivots */
  negative: number
  regularized: number
}

/**
 * Factorises the k × k head of the row-major panel at P[o], whose pivots are d, d + 1 … of the rule. Writes L over it, W = L D to the
 * head of W. Returns −1, or d + the index of a bad pivot.
 */
export function eliminatePivots(P: Vec, o: number, k: number, W: Vec, d: number, rule: PivotRule): number {
  const { dinv, magnitude, sign } = rule
  for (let i = 0; i < k; i++) {
    // columns before this group of three: all three rows at once; the rest of the group row by row
    const group = i - (i % TILE)
    const whole = group + TILE <= k
    if (i === group && whole) eliminateRows(P, o, k, i, i, W, dinv, d)
    eliminateRow(P, o, k, i, whole ? group : 0, i, W, dinv, d)

    const diagonal = P[o + i * k + i]
    let taken = 0
    let terms = magnitude[d + i] + Math.abs(diagonal)
    for (let p = 0; p < i; p++) {
      const t = W[i * k + p] * P[o + i * k + p]
      taken += t
      terms += Math.abs(t)
    }
    let pivot = diagonal - taken
    const expected = sign[d + i]
    if (!(Math.abs(pivot) > rule.pivotTolerance * terms) || pivot * expected < 0) {
      if (rule.regularization === 0 || !Number.isFinite(pivot)) return d + i
      const size = rule.regularization * (terms > 0 ? terms : 1)
      pivot = expected < 0 || (expected === 0 && pivot < 0) ? -size : size
      rule.regularized++
    }
    if (pivot < 0) rule.negative++
    dinv[d + i] = 1 / pivot
  }
  return -1
}
