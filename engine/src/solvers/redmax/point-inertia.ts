/**
 * Inertia in the space of points: what masses do when the transforms T of bodies (3 × 4, R row by row then p) change.
 *
 * With Mt = ∫ρ (x;1)(x;1)ᵀ the inner product of two changes is ∫ρ P(a)·P(b) = tr(a Mt bᵀ), whatever joints there are (note 50 section 1).
 */
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'

/** Numbers a body: ∫ρ x xᵀ (xx xy xz yy yz zz), m c, m. */
const MOMENTS = 10

/** ∫ρ x xᵀ = ½ tr(J) 1 − J with J the inertia about the body origin. */
export function createMoments(m: Model): Vec {
  const out = new Float64Array(MOMENTS * m.nbody)
  const I = m.inertia
  for (let i = 1; i < m.nbody; i++) {
    const o = 10 * i
    const half = 0.5 * (I[o + 4] + I[o + 7] + I[o + 9])
    out[o] = half - I[o + 4]
    out[o + 1] = -I[o + 5]
    out[o + 2] = -I[o + 6]
    out[o + 3] = half - I[o + 7]
    out[o + 4] = -I[o + 8]
    out[o + 5] = half - I[o + 9]
    for (let r = 0; r < 3; r++) out[o + 6 + r] = I[o + 1 + r]
    out[o + 9] = I[o]
  }
  return out
}

/** one row of a change of a transform: three columns of the rotation, the position */
const row = new Float64Array(4)
/** that row times Mt, for the three rows */
const product = new Float64Array(12)
/** row · product */
const sum = new Float64Array(1)

/** product[4 r …] ← row Mt; sum += row Mt rowᵀ */
function mulMoments(moments: Vec, o: number, r: number): void {
  const a = row[0]
  const b = row[1]
  const c = row[2]
  const w = row[3]
  const e = 4 * r
  const x = a * moments[o] + b * moments[o + 1] + c * moments[o + 2] + w * moments[o + 6]
  const y = a * moments[o + 1] + b * moments[o + 3] + c * moments[o + 4] + w * moments[o + 7]
  const z = a * moments[o + 2] + b * moments[o + 4] + c * moments[o + 5] + w * moments[o + 8]
  const t = a * moments[o + 6] + b * moments[o + 7] + c * moments[o + 8] + w * moments[o + 9]
  product[e] = x
  product[e + 1] = y
  product[e + 2] = z
  product[e + 3] = t
  sum[0] += a * x + b * y + c * z + w * t
}

/** W[x …] ← Rᵀ product */
function turnBack(W: Vec, x: number, X: Vec): void {
  for (let r = 0; r < 3; r++) {
    const a = X[x + r]
    const b = X[x + 3 + r]
    const c = X[x + 6 + r]
    W[x + 3 * r] = a * product[0] + b * product[4] + c * product[8]
    W[x + 3 * r + 1] = a * product[1] + b * product[5] + c * product[9]
    W[x + 3 * r + 2] = a * product[2] + b * product[6] + c * product[10]
    W[x + 9 + r] = a * product[3] + b * product[7] + c * product[11]
  }
}

/**
 * Reads poses X, those at the start X0, those without forces Y. Writes W = Rᵀ ((T − Y)/h² − (0 g)) Mt (12 a body: W3 row by row, w),
 * E[0] = ½|T − T₀|²/h² and E[2] = ½|T − Y|²/h².
 */
export function inertialPass(m: Model, moments: Vec, X: Vec, X0: Vec, Y: Vec, h: number, W: Vec, E: Vec): void {
  const g = m.gravity
  const s = 1 / (h * h)
  let kinetic = 0
  let inertial = 0
  for (let i = 1; i < m.nbody; i++) {
    const o = MOMENTS * i
    const x = 12 * i
    for (let r = 0; r < 3; r++) {
      const e = x + 3 * r
      const t = x + 9 + r
      sum[0] = 0
      row[0] = X[e] - X0[e]
      row[1] = X[e + 1] - X0[e + 1]
      row[2] = X[e + 2] - X0[e + 2]
      row[3] = X[t] - X0[t]
      mulMoments(moments, o, r)
      kinetic += sum[0]
      sum[0] = 0
      row[0] = X[e] - Y[e]
      row[1] = X[e + 1] - Y[e + 1]
      row[2] = X[e + 2] - Y[e + 2]
      row[3] = X[t] - Y[t]
      mulMoments(moments, o, r)
      inertial += sum[0]
      product[4 * r] = s * product[4 * r] - g[r] * moments[o + 6]
      product[4 * r + 1] = s * product[4 * r + 1] - g[r] * moments[o + 7]
      product[4 * r + 2] = s * product[4 * r + 2] - g[r] * moments[o + 8]
      product[4 * r + 3] = s * product[4 * r + 3] - g[r] * moments[o + 9]
    }
    turnBack(W, x, X)
  }
  E[0] = 0.5 * s * kinetic
  E[2] = 0.5 * s * inertial
}

/** Reads rates of transforms (12 a body) at the poses X. Writes W = Rᵀ V Mt; the kinetic energy ½|V|² into out[o]. */
export function ratesPass(m: Model, moments: Vec, X: Vec, rates: Vec, W: Vec, out: Vec, o: number): void {
  let twice = 0
  for (let i = 1; i < m.nbody; i++) {
    const x = 12 * i
    sum[0] = 0
    for (let r = 0; r < 3; r++) {
      const e = x + 3 * r
      row[0] = rates[e]
      row[1] = rates[e + 1]
      row[2] = rates[e + 2]
      row[3] = rates[x + 9 + r]
      mulMoments(moments, MOMENTS * i, r)
    }
    twice += sum[0]
    turnBack(W, x, X)
  }
  out[o] = 0.5 * twice
}

/** F (6 a body) ← (axial(W3); w): the wrench that a gradient of transforms is. */
export function wrenchesOf(nbody: number, W: Vec, F: Vec): void {
  for (let i = 1; i < nbody; i++) {
    const b = 6 * i
    const x = 12 * i
    F[b] = W[x + 7] - W[x + 5]
    F[b + 1] = W[x + 2] - W[x + 6]
    F[b + 2] = W[x + 3] - W[x + 1]
    F[b + 3] = W[x + 9]
    F[b + 4] = W[x + 10]
    F[b + 5] = W[x + 11]
  }
}

/** Reads X_WB, V. Writes out ← T [V]: the rate of every pose (12 a body). */
export function poseRates(m: Model, d: Data, out: Vec): void {
  const { X_WB: X, V } = d
  for (let i = 1; i < m.nbody; i++) {
    const x = 12 * i
    const b = 6 * i
    for (let r = 0; r < 3; r++) {
      const o = x + 3 * r
      const a = X[o]
      const e = X[o + 1]
      const f = X[o + 2]
      out[o] = e * V[b + 2] - f * V[b + 1]
      out[o + 1] = f * V[b] - a * V[b + 2]
      out[o + 2] = a * V[b + 1] - e * V[b]
      out[x + 9 + r] = a * V[b + 3] + e * V[b + 4] + f * V[b + 5]
    }
  }
}
