/**
 * Shape of bodies that deform, and the frames that move with it (`model/modes`).
 *
 * Shape, with x the points where they are:
 *   G_l = Σ m φ_l xᵀ = B_l + Σ_p C_lp η_p
 *   momentum of a rate of mode l: P_l = (Σ m x × φ_l; a_l)
 *   change of the rest inertia: first moment Σ a_l η_l, second moment Σ (G_l + B_lᵀ) η_l
 *
 * Frame, in the body that deforms, with θ = Σ t_l η_l and p = p₀ + Σ s_l η_l:
 *   X_PJ = (exp[θ] R₀, p)
 *   ω = θ̇ + b θ × θ̇ + c θ × (θ × θ̇),   b = (1 − cos|θ|)/|θ|²,   c = (|θ| − sin|θ|)/|θ|³
 * Its motion seen at the body's origin is T η̇ with columns T_l = (ω_l; s_l + p × ω_l).
 */

import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { cross } from '../printed/arrays.js'

/** Reads q. Writes G, P, dI of the bodies from … to − 1 that deform; X_PJ, theta, T of those that hang on moved frames. */
export function updateModes(m: Model, d: Data, q: Vec, from: number, to: number): void {
  const { bodies, frames, frameBody } = m.modes
  for (let n = 0; n < bodies.length; n++) if (bodies[n] >= from && bodies[n] < to) updateShape(m, d, q, n)
  for (let e = 0; e < frames; e++) if (frameBody[e] >= from && frameBody[e] < to) moveFrame(m, d, q, e)
}

/** G, P, dI of body bodies[n] at q. */
export function updateShape(m: Model, d: Pick<Data, 'G' | 'P' | 'dI'>, q: Vec, n: number): void {
  const { start, block, iq, moment, cross: B, pairs } = m.modes
  const { G, P, dI } = d
  const first = start[n]
  const r = start[n + 1] - first
  const o = 10 * n
  for (let k = 0; k < 10; k++) dI[o + k] = 0
  for (let l = 0; l < r; l++) {
    const g = 9 * (first + l)
    for (let k = 0; k < 9; k++) {
      G[g + k] = B[g + k]
      for (let p = 0; p < r; p++) G[g + k] += pairs[9 * (block[n] + l * r + p) + k] * q[iq[first + p]]
    }
    const b = 6 * (first + l)
    P[b] = G[g + 7] - G[g + 5]
    P[b + 1] = G[g + 2] - G[g + 6]
    P[b + 2] = G[g + 3] - G[g + 1]
    for (let k = 0; k < 3; k++) P[b + 3 + k] = moment[3 * (first + l) + k]

    // first moment; second moment, xx xy xz yy yz zz
    const eta = q[iq[first + l]]
    for (let k = 0; k < 3; k++) dI[o + 1 + k] += eta * moment[3 * (first + l) + k]
    dI[o + 4] += eta * (G[g] + B[g])
    dI[o + 5] += eta * (G[g + 1] + B[g + 3])
    dI[o + 6] += eta * (G[g + 2] + B[g + 6])
    dI[o + 7] += eta * (G[g + 4] + B[g + 4])
    dI[o + 8] += eta * (G[g + 5] + B[g + 7])
    dI[o + 9] += eta * (G[g + 8] + B[g + 8])
  }
  // J = tr(Σ) 1 − Σ
  const trace = dI[o + 4] + dI[o + 7] + dI[o + 9]
  for (let k = 4; k < 10; k++) dI[o + k] = -dI[o + k]
  dI[o + 4] += trace
  dI[o + 7] += trace
  dI[o + 9] += trace
}

// b, c and their derivatives by |θ| over |θ|
const k4 = new Float64Array(4)
const one = new Float64Array(3)
const two = new Float64Array(3)
const three = new Float64Array(3)

function moveFrame(m: Model, d: Data, q: Vec, e: number): void {
  const { frameBody, column, shift, turn, start, iq, row } = m.modes
  const { X_PJ: X, theta, T } = d
  const i = frameBody[e]
  const first = start[row[m.parent[i]]]
  const x = 12 * i
  const t = 3 * e
  for (let r = 0; r < 3; r++) {
    theta[t + r] = 0
    X[x + 9 + r] = m.X_PJ[x + 9 + r]
  }
  for (let l = column[e]; l < column[e + 1]; l++) {
    const eta = q[iq[first + l - column[e]]]
    for (let r = 0; r < 3; r++) {
      theta[t + r] += eta * turn[3 * l + r]
      X[x + 9 + r] += eta * shift[3 * l + r]
    }
  }
  turnCoefficients(theta, t)
  const b = k4[0]
  const c = k4[1]

  // columns of R₀ turned: y + s θ × y + b θ × (θ × y), s = 1 − c |θ|²
  const s = 1 - c * (theta[t] * theta[t] + theta[t + 1] * theta[t + 1] + theta[t + 2] * theta[t + 2])
  for (let k = 0; k < 3; k++) {
    for (let r = 0; r < 3; r++) one[r] = m.X_PJ[x + 3 * r + k]
    cross(two, 0, theta, t, one, 0)
    cross(three, 0, theta, t, two, 0)
    for (let r = 0; r < 3; r++) X[x + 3 * r + k] = one[r] + s * two[r] + b * three[r]
  }
  for (let l = column[e]; l < column[e + 1]; l++) {
    cross(two, 0, theta, t, turn, 3 * l)
    cross(three, 0, theta, t, two, 0)
    for (let r = 0; r < 3; r++) T[6 * l + r] = turn[3 * l + r] + b * two[r] + c * three[r]
    cross(one, 0, X, x + 9, T, 6 * l)
    for (let r = 0; r < 3; r++) T[6 * l + 3 + r] = shift[3 * l + r] + one[r]
  }
}

const rate = new Float64Array(3)
const way = new Float64Array(3)
const omega = new Float64Array(3)

/**
 * out[o …] ← Ṫ η̇ of frame e. With θ̈ = 0:
 *   α = ḃ θ × θ̇ + ċ θ × (θ × θ̇) + c θ̇ × (θ × θ̇),   Ṫ η̇ = (α; ṗ × ω + p × α)
 */
export function frameRate(m: Model, d: Data, v: Vec, e: number, out: Vec, o: number): void {
  const { frameBody, column, shift, turn, start, iv, row } = m.modes
  const { X_PJ: X, theta, T } = d
  const i = frameBody[e]
  const first = start[row[m.parent[i]]]
  const t = 3 * e
  for (let r = 0; r < 3; r++) {
    rate[r] = 0
    way[r] = 0
    omega[r] = 0
  }
  for (let c = column[e]; c < column[e + 1]; c++) {
    const speed = v[iv[first + c - column[e]]]
    for (let r = 0; r < 3; r++) {
      rate[r] += speed * turn[3 * c + r]
      way[r] += speed * shift[3 * c + r]
      omega[r] += speed * T[6 * c + r]
    }
  }
  turnCoefficients(theta, t)
  const along = theta[t] * rate[0] + theta[t + 1] * rate[1] + theta[t + 2] * rate[2]
  cross(one, 0, theta, t, rate, 0)
  cross(two, 0, theta, t, one, 0)
  cross(three, 0, rate, 0, one, 0)
  for (let r = 0; r < 3; r++) out[o + r] = along * (k4[2] * one[r] + k4[3] * two[r]) + k4[1] * three[r]
  cross(one, 0, way, 0, omega, 0)
  cross(two, 0, X, 12 * i + 9, out, o)
  for (let r = 0; r < 3; r++) out[o + 3 + r] = one[r] + two[r]
}

/** k4 ← b, c, b′/t, c′/t at t = |θ|: power series, good to rounding for a turn or two. */
function turnCoefficients(theta: Vec, o: number): void {
  const t2 = theta[o] * theta[o] + theta[o + 1] * theta[o + 1] + theta[o + 2] * theta[o + 2]
  let even = 1 / 2
  let odd = 1 / 6
  k4[0] = even
  k4[1] = odd
  k4[2] = 0
  k4[3] = 0
  for (let n = 1; n < 40; n++) {
    // terms over t²
    even /= -(2 * n + 1) * (2 * n + 2)
    odd /= -(2 * n + 2) * (2 * n + 3)
    k4[2] += 2 * n * even
    k4[3] += 2 * n * odd
    even *= t2
    odd *= t2
    k4[0] += even
    k4[1] += odd
    if (even === 0 || Math.abs(even) < 1e-19) return
  }
}
