/**
 * Rows of prescribed motion: of a joint, of a point of a body along a direction of the world, of a body's orientation about an axis.
 *
 *   f(t) = offset + speed t + amplitude sin(ω t + phase) + size / (1 + exp(−2 a ((t − start)/duration − ½)))
 * the last one, a logistic rise of steepness a, at rest at its size from start + duration on.
 *   joint   g = q − f,                      target = f′
 *   place   g = n·(x − x₀) − f,             target = f′            x₀ where the point is at the start
 *   turn    exp[g] = (exp[n f] R₀)ᵀ R,      target = A(g)⁻¹ Rᵀ n f′ (`closures`, weld)
 * Where a motion gives its speed only, g = 0: whatever the pose is, it goes on from there.
 */
import { pointPosition } from '../../forces/points.js'
import type { Vec } from '../../math/types.js'
import { MOTION_SIZE } from '../../model/constraints.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { cross, matrixToQuat, mulQuat, rotateBack, sineAndCosine } from '../../printed/arrays.js'
import { directionBlock, turningRows } from './closures.js'
import type { Rows } from './rows.js'

/** f, f′ and f″ */
const f = new Float64Array(3)
const wave = new Float64Array(2)
const e = new Float64Array(1)

/** f ← value and rates of the motion of constraint k at the time t[0]. */
function evaluate(m: Model, k: number, t: Vec): void {
  const { motion } = m.constraints
  const o = MOTION_SIZE * k
  wave[0] = motion[o + 3] * t[0] + motion[o + 4]
  sineAndCosine(wave, 0, wave, 0)
  f[0] = motion[o] + motion[o + 1] * t[0] + motion[o + 2] * wave[0]
  f[1] = motion[o + 1] + motion[o + 2] * motion[o + 3] * wave[1]
  f[2] = -motion[o + 2] * motion[o + 3] * motion[o + 3] * wave[0]
  const duration = motion[o + 7]
  if (duration === 0) return
  const share = (t[0] - motion[o + 6]) / duration
  if (share > ENDED) {
    f[0] += motion[o + 5]
    return
  }
  const rate = 2 * motion[o + 8]
  e[0] = -rate * (share - 0.5)
  exponential()
  const below = 1 + e[0]
  f[0] += motion[o + 5] / below
  f[1] += (motion[o + 5] * (rate / duration) * e[0]) / (below * below)
  f[2] += ((((motion[o + 5] * (rate / duration) * (rate / duration)) / below) * e[0]) / below) * ((e[0] - 1) / below)
}

/** True where the motion is given by its speed alone. */
function free(m: Model, k: number): boolean {
  return m.constraints.motion[MOTION_SIZE * k + 9] === 0
}

// a clock that adds up steps comes to the end a rounding short
const ENDED = 1 - 1e-10

const LN2_HIGH = 6.93147180369123816e-1
const LN2_LOW = 1.9082149292705877e-10
const TERMS = 14
const FARTHEST = 600

/** e[0] ← exp(e[0]), with the same bits everywhere: 2ⁿ times the series of the rest, which is at most ½ ln 2. */
function exponential(): void {
  const x = e[0] > FARTHEST ? FARTHEST : e[0] < -FARTHEST ? -FARTHEST : e[0]
  const n = Math.floor(x / (LN2_HIGH + LN2_LOW) + 0.5)
  const r = x - n * LN2_HIGH - n * LN2_LOW
  let sum = 1
  for (let k = TERMS; k > 0; k--) sum = 1 + (r / k) * sum
  const factor = n < 0 ? 0.5 : 2
  for (let k = n < 0 ? -n : n; k > 0; k--) sum *= factor
  e[0] = sum
}

export function motionRow(rows: Rows, r: number, m: Model, q: Vec, k: number, t: Vec): void {
  evaluate(m, k, t)
  rows.g[r] = free(m, k) ? 0 : q[m.jointQ[m.constraints.target[k]]] - f[0]
  rows.target[r] = f[1]
  rows.coefficient[rows.dofStart[r]] = 1
}

const x = new Float64Array(3)

export function placeRow(rows: Rows, r: number, m: Model, d: Data, k: number, t: Vec): void {
  const c = m.constraints
  const o = 9 * k
  evaluate(m, k, t)
  pointPosition(x, 0, d, c.bodyA[k], c.pointA, 3 * k)
  rows.g[r] = free(m, k) ? 0 : c.axes[o] * x[0] + c.axes[o + 1] * x[1] + c.axes[o + 2] * x[2] - c.distance[k] - f[0]
  rows.target[r] = f[1]
  directionBlock(rows.J, 6 * rows.bodyStart[r], d, c.bodyA[k], x, c.axes, o)
}

const given = new Float64Array(4)
const found = new Float64Array(4)

export function turnRows(rows: Rows, r0: number, m: Model, d: Data, k: number, t: Vec): void {
  const c = m.constraints
  const a = 12 * c.bodyA[k]
  evaluate(m, k, t)
  matrixToQuat(found, 0, d.X_WB, a)
  // exp[n f] R₀
  wave[0] = 0.5 * f[0]
  sineAndCosine(wave, 0, wave, 0)
  given[0] = wave[1]
  for (let s = 0; s < 3; s++) given[1 + s] = c.axes[9 * k + s] * wave[0]
  mulQuat(given, 0, given, 0, c.quaternion, 4 * k)
  turningRows(rows, r0, free(m, k) ? found : given, found)
  rotateBack(x, 0, d.X_WB, a, c.axes, 9 * k)
  for (let s = 0; s < 3; s++) {
    const o = 6 * rows.bodyStart[r0 + s]
    rows.target[r0 + s] = (rows.J[o] * x[0] + rows.J[o + 1] * x[1] + rows.J[o + 2] * x[2]) * f[1]
  }
}

/** out[r] ← −f″: what a joint or a point must keep up with. */
export function motionBias(out: Vec, r: number, m: Model, k: number, t: Vec): void {
  evaluate(m, k, t)
  out[r] = -f[2]
}

/** The same of a body that turns, with J as `turnRows` left it: R J · (w × n f′ − n f″). */
export function turnBias(out: Vec, r0: number, rows: Rows, m: Model, d: Data, k: number, t: Vec): void {
  const c = m.constraints
  const a = c.bodyA[k]
  evaluate(m, k, t)
  cross(x, 0, d.VW, 6 * a, c.axes, 9 * k)
  for (let s = 0; s < 3; s++) x[s] = x[s] * f[1] - c.axes[9 * k + s] * f[2]
  rotateBack(x, 0, d.X_WB, 12 * a, x, 0)
  for (let s = 0; s < 3; s++) {
    const o = 6 * rows.bodyStart[r0 + s]
    out[r0 + s] = rows.J[o] * x[0] + rows.J[o + 1] * x[1] + rows.J[o + 2] * x[2]
  }
}
