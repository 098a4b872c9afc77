/**
 * Shape of bodies that deform (`model/modes`), with x the points where they are and s the size of the body against its basis:
 *   G_l = Σ m φ_l xᵀ = s³ (s B_l + Σ_p C_lp η_p)
 *   momentum of a rate of mode l: P_l = (Σ m x × φ_l; s³ a_l)
 *   change of the rest inertia: first moment Σ s³ a_l η_l, second moment Σ (G_l + s⁴ B_lᵀ) η_l
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { moveFrame } from './frames.js'

/** Reads q. Writes G, P, dI of the bodies from … to − 1 that deform; X_PJ, x_F, A, R, W, L, T of the frames that they hang on. */
export function updateModes(m: Model, d: Data, q: Vec, from: number, to: number): void {
  const { bodies, frames, frameBody } = m.modes
  for (let n = 0; n < bodies.length; n++) if (bodies[n] >= from && bodies[n] < to) updateShape(m, d, q, n)
  for (let e = 0; e < frames; e++) if (frameBody[e] >= from && frameBody[e] < to) moveFrame(m, d, q, e)
}

/** G, P, dI of body bodies[n] at q. */
export function updateShape(m: Model, d: Pick<Data, 'G' | 'P' | 'dI'>, q: Vec, n: number): void {
  const { start, iq, basis, scale, bases } = m.modes
  const { moment, cross: B, pairs } = bases
  const { G, P, dI } = d
  const first = start[n]
  const r = start[n + 1] - first
  const q0 = iq[first]
  const from = bases.start[basis[n]]
  const block = bases.block[basis[n]]
  const s = scale[n]
  const s3 = s * s * s
  const s4 = s * s3
  const o = 10 * n
  for (let k = 0; k < 10; k++) dI[o + k] = 0
  for (let l = 0; l < r; l++) {
    const g = 9 * (first + l)
    const c = 9 * (from + l)
    sumPairs(G, g, pairs, 9 * (block + l * r), q, q0, r)
    for (let k = 0; k < 9; k++) G[g + k] = s3 * G[g + k] + s4 * B[c + k]
    const b = 6 * (first + l)
    P[b] = G[g + 7] - G[g + 5]
    P[b + 1] = G[g + 2] - G[g + 6]
    P[b + 2] = G[g + 3] - G[g + 1]
    for (let k = 0; k < 3; k++) P[b + 3 + k] = s3 * moment[3 * (from + l) + k]

    // first moment; second moment, xx xy xz yy yz zz
    const eta = q[q0 + l]
    for (let k = 0; k < 3; k++) dI[o + 1 + k] += eta * P[b + 3 + k]
    dI[o + 4] += eta * (G[g] + s4 * B[c])
    dI[o + 5] += eta * (G[g + 1] + s4 * B[c + 3])
    dI[o + 6] += eta * (G[g + 2] + s4 * B[c + 6])
    dI[o + 7] += eta * (G[g + 4] + s4 * B[c + 4])
    dI[o + 8] += eta * (G[g + 5] + s4 * B[c + 7])
    dI[o + 9] += eta * (G[g + 8] + s4 * B[c + 8])
  }
  // J = tr(Σ) 1 − Σ
  const trace = dI[o + 4] + dI[o + 7] + dI[o + 9]
  for (let k = 4; k < 10; k++) dI[o + k] = -dI[o + k]
  dI[o + 4] += trace
  dI[o + 7] += trace
  dI[o + 9] += trace
}

/** out[o … o + 8] ← Σ_p C[c + 9 p …] x[i + p] */
function sumPairs(out: Vec, o: number, C: Vec, c: number, x: Vec, i: number, r: number): void {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let s4 = 0
  let s5 = 0
  let s6 = 0
  let s7 = 0
  let s8 = 0
  for (let p = 0; p < r; p++) {
    const t = x[i + p]
    const e = c + 9 * p
    s0 += t * C[e]
    s1 += t * C[e + 1]
    s2 += t * C[e + 2]
    s3 += t * C[e + 3]
    s4 += t * C[e + 4]
    s5 += t * C[e + 5]
    s6 += t * C[e + 6]
    s7 += t * C[e + 7]
    s8 += t * C[e + 8]
  }
  out[o] = s0
  out[o + 1] = s1
  out[o + 2] = s2
  out[o + 3] = s3
  out[o + 4] = s4
  out[o + 5] = s5
  out[o + 6] = s6
  out[o + 7] = s7
  out[o + 8] = s8
}
