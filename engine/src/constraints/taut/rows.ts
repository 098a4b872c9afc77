/**
 * Rows at poses about a taut one, and products with the curvature H of what they weigh.
 */
import { integrate } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import { updatePoses } from '../../tree/kinematics.js'
import { reduceRows } from '../rows/reduce.js'
import { updateRows } from '../rows/rows.js'
import type { Taut } from './taut.js'

// rad or m: step of first differences
const SLOPE = 1e-4

/** Rows at q ⊕ share z. */
export function placeRows({ m, d, rows, q: trial }: Taut, q: Vec, z: Vec, share: number, t: Vec): void {
  trial.set(q)
  if (share !== 0) integrate(m, trial, z, share)
  updatePoses(m, d, trial)
  updateRows(rows, m, d, trial, t)
}

/** Rows and G at q ⊕ share z. */
export function rowsAt(taut: Taut, q: Vec, z: Vec, share: number, t: Vec): void {
  const { m, d, rows, reduced } = taut
  taut.work += rows.count * m.nv
  placeRows(taut, q, z, share, t)
  reduced.count = 0
  reduceRows(reduced, rows, m, d)
}

export function weigh(w: Vec, x: Vec, o: number): number {
  let sum = 0
  for (let s = 0; s < w.length; s++) sum += w[s] * x[o + s]
  return sum
}

/** slope += factor wᵀG of the rows found last */
function addRow({ echelon: { n, nv }, weighed, w, slope }: Taut, factor: number): void {
  for (let s = 0; s < n; s++) if (w[s] !== 0) for (let k = 0; k < nv; k++) slope[k] += factor * w[s] * weighed.G[s * nv + k]
}

/** slope ← how wᵀG changes along z, whose largest entry is about `most`. */
export function differ(taut: Taut, q: Vec, t: Vec, most: number): void {
  const { m, d, rows, weighed, z, w, slope } = taut
  const step = SLOPE / most
  slope.fill(0)
  for (let side = -1; side <= 1; side += 2) {
    placeRows(taut, q, z, side * step, t)
    weighed.count = 0
    reduceRows(weighed, rows, m, d, w)
    addRow(taut, side / (2 * step))
  }
}

/** slope at the columns ← H x, as differences of wᵀG along the motion x of the columns. */
export function multiplyForm(taut: Taut, x: Vec, q: Vec, t: Vec): void {
  const { echelon, size, columns, z, slope } = taut
  const { n, nv, R, pivot } = echelon
  z.fill(0)
  let most = 0
  for (let i = 0; i < size; i++) z[columns[i]] = x[i]
  for (let s = 0; s < n; s++) if (pivot[s] >= 0) for (let i = 0; i < size; i++) z[pivot[s]] -= R[s * nv + columns[i]] * x[i]
  for (let k = 0; k < nv; k++) most = Math.max(most, Math.abs(z[k]))
  differ(taut, q, t, most > 0 ? most : 1)
  for (let s = 0; s < n; s++) {
    if (pivot[s] >= 0) for (let i = 0; i < size; i++) slope[columns[i]] -= slope[pivot[s]] * R[s * nv + columns[i]]
  }
}

/** A number in −1 … 1 for each k, always the same. */
export function noise(k: number): number {
  return (Math.imul(k + 1, 0x9e3779b1) >>> 8) / 0x800000 - 1
}
