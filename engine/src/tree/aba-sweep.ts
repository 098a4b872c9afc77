/**
 * First pass of the articulated-body algorithm (`tree/aba`): poses, axes, velocities and velocity products, along the world's axes.
 *
 *   X_WB = X_WB(p) X_PB,  V ← shifted V(p), c ← 0;   for each column k:  c += V × S_k v_k,  V += S_k v_k
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { sweepFrame, sweepModes } from './aba-modes.js'

/** Reads X_PB, S, v. Writes X_WB, SW, VW, cW: root to leaves, by the loop over columns of `tree/kinematics`. Bodies from … to − 1. */
export function sweep(m: Model, d: Data, v: Vec, from = 1, to = m.nbody): void {
  const { X_PB, X_WB: X, S, SW, VW: V, cW: c } = d
  const { parent, base, iv, ivEnd, together } = m
  const deforms = m.modes.count > 0
  for (let i = from; i < to; i++) {
    if (deforms) sweepFrame(m, d, v, i)
    const b = 6 * i
    const x = 12 * i
    const q = 6 * base[i]
    const y = 12 * parent[i]

    // X_WB = X_WB(p) X_PB, and r, the way from the parent's origin
    const g0 = X_PB[x]
    const g1 = X_PB[x + 1]
    const g2 = X_PB[x + 2]
    const g3 = X_PB[x + 3]
    const g4 = X_PB[x + 4]
    const g5 = X_PB[x + 5]
    const g6 = X_PB[x + 6]
    const g7 = X_PB[x + 7]
    const g8 = X_PB[x + 8]
    const px = X_PB[x + 9]
    const py = X_PB[x + 10]
    const pz = X_PB[x + 11]
    let h0 = X[y]
    let h1 = X[y + 1]
    let h2 = X[y + 2]
    const r0 = h0 * g0 + h1 * g3 + h2 * g6
    const r1 = h0 * g1 + h1 * g4 + h2 * g7
    const r2 = h0 * g2 + h1 * g5 + h2 * g8
    const rx = h0 * px + h1 * py + h2 * pz
    h0 = X[y + 3]
    h1 = X[y + 4]
    h2 = X[y + 5]
    const r3 = h0 * g0 + h1 * g3 + h2 * g6
    const r4 = h0 * g1 + h1 * g4 + h2 * g7
    const r5 = h0 * g2 + h1 * g5 + h2 * g8
    const ry = h0 * px + h1 * py + h2 * pz
    h0 = X[y + 6]
    h1 = X[y + 7]
    h2 = X[y + 8]
    const r6 = h0 * g0 + h1 * g3 + h2 * g6
    const r7 = h0 * g1 + h1 * g4 + h2 * g7
    const r8 = h0 * g2 + h1 * g5 + h2 * g8
    const rz = h0 * px + h1 * py + h2 * pz
    X[x] = r0
    X[x + 1] = r1
    X[x + 2] = r2
    X[x + 3] = r3
    X[x + 4] = r4
    X[x + 5] = r5
    X[x + 6] = r6
    X[x + 7] = r7
    X[x + 8] = r8
    X[x + 9] = rx + X[y + 9]
    X[x + 10] = ry + X[y + 10]
    X[x + 11] = rz + X[y + 11]

    let w0 = V[q]
    let w1 = V[q + 1]
    let w2 = V[q + 2]
    let v0 = V[q + 3] + (w1 * rz - w2 * ry)
    let v1 = V[q + 4] + (w2 * rx - w0 * rz)
    let v2 = V[q + 5] + (w0 * ry - w1 * rx)
    let c0 = 0
    let c1 = 0
    let c2 = 0
    let c3 = 0
    let c4 = 0
    let c5 = 0
    // velocity before the columns at hand
    let wx = w0
    let wy = w1
    let wz = w2
    let vx = v0
    let vy = v1
    let vz = v2
    const end = ivEnd[i]
    for (let k = iv[i]; k < end; k++) {
      if (together[k] === 0) {
        wx = w0
        wy = w1
        wz = w2
        vx = v0
        vy = v1
        vz = v2
      }
      const s = 6 * k
      const rate = v[k]

      // turning part of the axis
      let e = S[s]
      let f = S[s + 1]
      let g = S[s + 2]
      let a0 = r0 * e + r1 * f + r2 * g
      let a1 = r3 * e + r4 * f + r5 * g
      let a2 = r6 * e + r7 * f + r8 * g
      SW[s] = a0
      SW[s + 1] = a1
      SW[s + 2] = a2
      a0 *= rate
      a1 *= rate
      a2 *= rate
      w0 += a0
      w1 += a1
      w2 += a2
      c0 += wy * a2 - wz * a1
      c1 += wz * a0 - wx * a2
      c2 += wx * a1 - wy * a0
      c3 += vy * a2 - vz * a1
      c4 += vz * a0 - vx * a2
      c5 += vx * a1 - vy * a0

      // sliding part, zero where the axis goes through the origin
      e = S[s + 3]
      f = S[s + 4]
      g = S[s + 5]
      if (e === 0 && f === 0 && g === 0) {
        SW[s + 3] = 0
        SW[s + 4] = 0
        SW[s + 5] = 0
        continue
      }
      a0 = r0 * e + r1 * f + r2 * g
      a1 = r3 * e + r4 * f + r5 * g
      a2 = r6 * e + r7 * f + r8 * g
      SW[s + 3] = a0
      SW[s + 4] = a1
      SW[s + 5] = a2
      a0 *= rate
      a1 *= rate
      a2 *= rate
      v0 += a0
      v1 += a1
      v2 += a2
      c3 += wy * a2 - wz * a1
      c4 += wz * a0 - wx * a2
      c5 += wx * a1 - wy * a0
    }
    V[b] = w0
    V[b + 1] = w1
    V[b + 2] = w2
    V[b + 3] = v0
    V[b + 4] = v1
    V[b + 5] = v2
    c[b] = c0
    c[b + 1] = c1
    c[b + 2] = c2
    c[b + 3] = c3
    c[b + 4] = c4
    c[b + 5] = c5
    if (deforms) sweepModes(m, d, v, i)
  }
}
