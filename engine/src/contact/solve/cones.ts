/**
 * Projections of one contact problem: impulses γ of each block at rates w, their derivative, and the cost along a line.
 *
 * With y = γ̂ − R⁻¹ w, y_r = |y_t|, t = y_t / y_r, R = diag(Rn, Rt, …), μ' = μ Rt / Rn, and the cost's metric R:
 *   stick  y_r ≤ μ y_n     γ = y                                            G = R⁻¹
 *   open   y_n ≤ −μ' y_r   γ = 0                                            G = 0
 *   slide  otherwise       γ_n = (y_n + μ' y_r)/(1 + μ μ'),  γ_t = μ γ_n t   G = a (1, μt)(1, μt)ᵀ + c (1 − t tᵀ) on the friction rows,
 *                          a = 1/(Rn (1 + μ μ')),  c = μ γ_n/(Rt y_r)
 * One row: γ = y between lo and hi, G = 1/Rn there.
 * Friction rows are scaled so that one coefficient serves all of them: an ellipse of forces is then a circle.
 */
import type { Int } from '../../math/values/columns.js'
import { CONE, type ConvexProblem, EQUALITY, ROWS } from './problem.js'

const OPEN = 0
const STICK = 1
const SLIDE = 2

/** Reads w, γ̂. Writes γ, G, branch of the blocks of island k. Whether G is another one than before. */
export function project(p: ConvexProblem, k: Int): boolean {
  const { order, blockStart, kind, branch, hat, w, gamma, G, Rn, lo, hi } = p
  let changed = false
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const b = order[o]
    if (kind[b] === CONE) {
      if (projectCone(p, b)) changed = true
      continue
    }
    if (kind[b] === EQUALITY) continue
    const y = hat[ROWS * b] - w[ROWS * b] / Rn[b]
    let now = OPEN
    if (y <= lo[b]) gamma[ROWS * b] = lo[b]
    else if (y >= hi[b]) gamma[ROWS * b] = hi[b]
    else {
      gamma[ROWS * b] = y
      now = STICK
    }
    if (branch[b] === now) continue
    G[ROWS * ROWS * b] = now === STICK ? 1 / Rn[b] : 0
    branch[b] = now
    changed = true
  }
  return changed
}

const y = new Float64Array(ROWS)

function projectCone(p: ConvexProblem, b: Int): boolean {
  const { dim, branch, hat, w, gamma, G, Rn, Rt, mu: coefficient } = p
  const n = dim[b]
  const o = ROWS * b
  const e = ROWS * o
  const qn = 1 / Rn[b]
  const qt = 1 / Rt[b]
  const mu = coefficient[b]
  const yn = hat[o] - qn * w[o]
  let square = 0
  for (let r = 1; r < n; r++) {
    y[r] = hat[o + r] - qt * w[o + r]
    square += y[r] * y[r]
  }
  if (yn > 0 && square <= mu * mu * yn * yn) {
    gamma[o] = yn
    for (let r = 1; r < n; r++) gamma[o + r] = y[r]
    if (branch[b] === STICK) return false
    for (let r = 0; r < n; r++) for (let s = 0; s < n; s++) G[e + ROWS * r + s] = r !== s ? 0 : r === 0 ? qn : qt
    branch[b] = STICK
    return true
  }
  const yr = Math.sqrt(square)
  const ratio = (mu * Rt[b]) / Rn[b]
  if (yn <= -ratio * yr) {
    for (let r = 0; r < n; r++) gamma[o + r] = 0
    if (branch[b] === OPEN) return false
    for (let r = 0; r < n; r++) for (let s = 0; s < n; s++) G[e + ROWS * r + s] = 0
    branch[b] = OPEN
    return true
  }
  const gn = (yn + ratio * yr) / (1 + mu * ratio)
  const a = qn / (1 + mu * ratio)
  const c = (mu * gn * qt) / yr
  gamma[o] = gn
  G[e] = a
  for (let r = 1; r < n; r++) {
    const t = y[r] / yr
    gamma[o + r] = mu * gn * t
    G[e + r] = mu * a * t
    G[e + ROWS * r] = mu * a * t
    for (let s = 1; s <= r; s++) {
      const value = (mu * mu * a - c) * t * (y[s] / yr) + (s === r ? c : 0)
      G[e + ROWS * r + s] = value
      G[e + ROWS * s + r] = value
    }
  }
  branch[b] = SLIDE
  return true
}

/** places in `number`: first and second derivative of the cost along p, and those of its quadratic part at the start of the line */
export const SLOPE = 0
export const CURVATURE = 1
export const LINEAR = 2
export const QUADRATIC = 3

/** number[SLOPE], number[CURVATURE] ← of the cost at x + number[at] p. Reads w, wp, number[LINEAR], number[QUADRATIC]. */
export function costAlong(p: ConvexProblem, k: Int, at: Int): void {
  const { order, blockStart, kind, hat, w, wp, Rn, lo, hi, number } = p
  const a = number[at]
  number[SLOPE] = number[LINEAR] + a * number[QUADRATIC]
  number[CURVATURE] = number[QUADRATIC]
  for (let i = blockStart[k]; i < blockStart[k + 1]; i++) {
    const b = order[i]
    if (kind[b] === CONE) {
      coneAlong(p, b, at)
      continue
    }
    if (kind[b] === EQUALITY) continue
    const o = ROWS * b
    const rate = wp[o]
    const y = hat[o] - (w[o] + a * rate) / Rn[b]
    if (y <= lo[b]) number[SLOPE] -= lo[b] * rate
    else if (y >= hi[b]) number[SLOPE] -= hi[b] * rate
    else {
      number[SLOPE] -= y * rate
      number[CURVATURE] += (rate * rate) / Rn[b]
    }
  }
}

function coneAlong(p: ConvexProblem, b: Int, at: Int): void {
  const { dim, hat, w, wp, Rn, Rt, mu: coefficient, number } = p
  const a = number[at]
  const n = dim[b]
  const o = ROWS * b
  const qn = 1 / Rn[b]
  const qt = 1 / Rt[b]
  const mu = coefficient[b]
  const rate = wp[o]
  const yn = hat[o] - qn * (w[o] + a * rate)
  let square = 0
  let along = 0
  let rates = 0
  for (let r = 1; r < n; r++) {
    const z = hat[o + r] - qt * (w[o + r] + a * wp[o + r])
    square += z * z
    along += z * wp[o + r]
    rates += wp[o + r] * wp[o + r]
  }
  if (yn > 0 && square <= mu * mu * yn * yn) {
    number[SLOPE] -= yn * rate + along
    number[CURVATURE] += qn * rate * rate + qt * rates
    return
  }
  const yr = Math.sqrt(square)
  const ratio = (mu * Rt[b]) / Rn[b]
  if (yn <= -ratio * yr) return
  const gn = (yn + ratio * yr) / (1 + mu * ratio)
  const t = along / yr
  const z = rate + mu * t
  number[SLOPE] -= gn * z
  number[CURVATURE] += (qn / (1 + mu * ratio)) * z * z + ((mu * gn * qt) / yr) * (rates - t * t)
}
