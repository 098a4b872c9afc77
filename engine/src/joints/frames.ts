/**
 * Frames that move with the modes of a body: those of its interfaces (`Faces` of model/modes), which children hang on.
 *
 * In the body that deforms, with s its size against its basis, A the affine fit of the interface and R its polar rotation (`math/polar`):
 *   x = s x̂ + Σ mean_l η_l,   A = Q + Σ fit_l η_l/s,   X_PJ = (R, x) X_FJ
 * A planar interface says nothing of the direction across it: its normal is that of the plane, A₃ = A₁ × A₂, exact for rigid motion.
 * A rate of mode l turns the frame by ω_l = L Ȧ; seen at the body's origin its motion is T η̇ with columns T_l = (ω_l; mean_l + x × ω_l).
 */
import { polarAcceleration, polarRotation, turnByColumns } from '../math/polar.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { FACE_PLANAR, FACE_POINT } from '../model/modes.js'
import { cross, mulPose } from '../printed/arrays.js'

const X_PF = new Float64Array(12)

/** Reads q. Writes X_PJ of the body on frame e, x_F, A, R, W, L, T of the frame: NaN where the interface is turned inside out. */
export function moveFrame(m: Model, d: Data, q: Vec, e: number): void {
  const { frameBody, column, start, iq, row, scale, face, faces } = m.modes
  const { x_F, A_F, T } = d
  const n = row[m.parent[frameBody[e]]]
  const first = start[n]
  const r = start[n + 1] - first
  const q0 = iq[first]
  const f = face[e]
  const c = faces.column[f]
  const s = scale[n]
  const x = 3 * e
  const a = 9 * e
  for (let k = 0; k < 3; k++) x_F[x + k] = s * faces.center[3 * f + k]
  for (let k = 0; k < 9; k++) A_F[a + k] = faces.axes[9 * f + k]
  addColumns(x_F, x, 1, faces.mean, 3 * c, 3, q, q0, r)
  for (let k = 0; k < 9; k += 3) addColumns(A_F, a + k, 1 / s, faces.fit, 9 * c + k, 9, q, q0, r)
  turnFrame(d, e, faces.kind[f])
  for (let k = 0; k < 9; k++) X_PF[k] = d.R_F[a + k]
  for (let k = 0; k < 3; k++) X_PF[9 + k] = x_F[x + k]
  mulPose(d.X_PJ, 12 * frameBody[e], X_PF, 0, m.modes.X_FJ, 12 * e)
  for (let l = 0; l < r; l++) moveColumn(T, 6 * (column[e] + l), d.L_F, 27 * e, x_F, x, faces.mean, 3 * (c + l), faces.fit, 9 * (c + l), s)
}

/** out[o … o + 2] += share Σ_l C[c + stride l …] x[i + l] */
function addColumns(out: Vec, o: number, share: number, C: Vec, c: number, stride: number, x: Vec, i: number, r: number): void {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  for (let l = 0, e = c; l < r; l++, e += stride) {
    const t = x[i + l]
    s0 += t * C[e]
    s1 += t * C[e + 1]
    s2 += t * C[e + 2]
  }
  out[o] += share * s0
  out[o + 1] += share * s1
  out[o + 2] += share * s2
}

/** R, W and L of frame e from A, whose last column is made here where the interface is planar. */
function turnFrame(d: Data, e: number, kind: number): void {
  const { A_F: A, R_F: R, W_F: W, L_F: L } = d
  const a = 9 * e
  const o = 27 * e
  if (kind === FACE_POINT) {
    for (let k = 0; k < 9; k++) {
      R[a + k] = A[a + k]
      W[a + k] = 0
    }
    for (let k = 0; k < 27; k++) L[o + k] = 0
    return
  }
  if (kind === FACE_PLANAR) {
    A[a + 2] = A[a + 3] * A[a + 7] - A[a + 6] * A[a + 4]
    A[a + 5] = A[a + 6] * A[a + 1] - A[a] * A[a + 7]
    A[a + 8] = A[a] * A[a + 4] - A[a + 3] * A[a + 1]
  }
  polarRotation(R, a, W, a, A, a)
  turnByColumns(L, o, R, a, W, a)
  if (kind !== FACE_PLANAR) return
  // Ȧ₃ = Ȧ₁ × A₂ + A₁ × Ȧ₂, so that L₁ −= L₃ [A₂] and L₂ += L₃ [A₁]
  for (let i = 0; i < 3; i++) {
    const u = L[o + 18 + 3 * i]
    const v = L[o + 19 + 3 * i]
    const w = L[o + 20 + 3 * i]
    L[o + 3 * i] += w * A[a + 4] - v * A[a + 7]
    L[o + 1 + 3 * i] += u * A[a + 7] - w * A[a + 1]
    L[o + 2 + 3 * i] += v * A[a + 1] - u * A[a + 4]
    L[o + 9 + 3 * i] -= w * A[a + 3] - v * A[a + 6]
    L[o + 10 + 3 * i] -= u * A[a + 6] - w * A[a]
    L[o + 11 + 3 * i] -= v * A[a] - u * A[a + 3]
  }
}

/** T[o …] ← (ω; mean + x × ω), ω = L fit/s */
function moveColumn(T: Vec, o: number, L: Vec, l: number, x: Vec, i: number, mean: Vec, c: number, fit: Vec, f: number, s: number): void {
  for (let k = 0; k < 3; k++) {
    const at = l + 3 * k
    const first = L[at] * fit[f] + L[at + 1] * fit[f + 3] + L[at + 2] * fit[f + 6]
    const second = L[at + 9] * fit[f + 1] + L[at + 10] * fit[f + 4] + L[at + 11] * fit[f + 7]
    const third = L[at + 18] * fit[f + 2] + L[at + 19] * fit[f + 5] + L[at + 20] * fit[f + 8]
    T[o + k] = (first + second + third) / s
  }
  T[o + 3] = mean[c] + x[i + 1] * T[o + 2] - x[i + 2] * T[o + 1]
  T[o + 4] = mean[c + 1] + x[i + 2] * T[o] - x[i] * T[o + 2]
  T[o + 5] = mean[c + 2] + x[i] * T[o + 1] - x[i + 1] * T[o]
}

const rate = new Float64Array(9)
const rate2 = new Float64Array(9)
const way = new Float64Array(3)
const omega = new Float64Array(3)
const one = new Float64Array(3)
const two = new Float64Array(3)

/** out[o …] ← Ṫ η̇ of frame e: with α = ω̇ at η̈ = 0, (α; ẋ × ω + x × α). */
export function frameRate(m: Model, d: Data, v: Vec, e: number, out: Vec, o: number): void {
  const { frameBody, column, start, iv, row, scale, face, faces } = m.modes
  const { T } = d
  const n = row[m.parent[frameBody[e]]]
  const f = face[e]
  const c = faces.column[f]
  const r = start[n + 1] - start[n]
  const v0 = iv[start[n]]
  for (let k = 0; k < 6; k++) out[o + k] = 0
  if (faces.kind[f] === FACE_POINT) return
  for (let k = 0; k < 3; k++) {
    way[k] = 0
    omega[k] = 0
  }
  for (let k = 0; k < 9; k++) {
    rate[k] = 0
    rate2[k] = 0
  }
  addColumns(way, 0, 1, faces.mean, 3 * c, 3, v, v0, r)
  addColumns(omega, 0, 1, T, 6 * column[e], 6, v, v0, r)
  for (let k = 0; k < 9; k += 3) addColumns(rate, k, 1 / scale[n], faces.fit, 9 * c + k, 9, v, v0, r)
  if (faces.kind[f] === FACE_PLANAR) planarRates(d.A_F, 9 * e)
  polarAcceleration(out, o, d.A_F, 9 * e, d.R_F, 9 * e, d.W_F, 9 * e, rate, rate2, omega)
  cross(one, 0, way, 0, omega, 0)
  cross(two, 0, d.x_F, 3 * e, out, o)
  for (let k = 0; k < 3; k++) out[o + 3 + k] = one[k] + two[k]
}

/** The last columns of Ȧ and Ä: Ȧ₁ × A₂ + A₁ × Ȧ₂ and 2 Ȧ₁ × Ȧ₂. */
function planarRates(A: Vec, a: number): void {
  for (let k = 0; k < 3; k++) {
    const i = 3 * ((k + 1) % 3)
    const j = 3 * ((k + 2) % 3)
    rate[3 * k + 2] = rate[i] * A[a + j + 1] - rate[j] * A[a + i + 1] + A[a + i] * rate[j + 1] - A[a + j] * rate[i + 1]
    rate2[3 * k + 2] = 2 * (rate[i] * rate[j + 1] - rate[j] * rate[i + 1])
  }
}
