/**
 * Second pass of the articulated-body algorithm (`tree/aba`): articulated inertias and bias forces, leaves to root.
 *
 *   IA = I + Σ children,  pA = Σ children − f + V ×* I V + IA c;  for each freedom of the body, the last first:
 *   U = IA S,  D = 1/(Sᵀ U + armature),  u = τ − Sᵀ pA,   IA −= U D Uᵀ,  pA += U D u
 *   what is left, shifted to the parent by r:  C' = C,  B' = B + [r] C,  A' = A − B[r] + [r] B'ᵀ;   n' = n + r × f
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { eliminateModes } from './aba-modes.js'

/**
 * Bodies from … to − 1, the last first. Reads X_WB, SW, VW, cW, tau; IA and pA must be as `startBias` leaves them. Writes U, D, u. Bodies
 * whose parents are outside of the range keep what is left, at their origins, in IA and pA: `joinToParents` carries it on.
 */
export function eliminate(m: Model, d: Data, tau: Vec, from = 1, to = m.nbody): void {
  const { SW, IA, pA, U, D, u, cW: c, VW: V, X_WB } = d
  const { parent, base, iv, ivEnd, inertia, armature } = m
  const deforms = m.modes.count > 0
  for (let i = to - 1; i >= from; i--) {
    if (deforms) eliminateModes(m, d, tau, i)
    const o = 21 * i
    const b = 6 * i
    const X = 12 * i
    const r0 = X_WB[X]
    const r1 = X_WB[X + 1]
    const r2 = X_WB[X + 2]
    const r3 = X_WB[X + 3]
    const r4 = X_WB[X + 4]
    const r5 = X_WB[X + 5]
    const r6 = X_WB[X + 6]
    const r7 = X_WB[X + 7]
    const r8 = X_WB[X + 8]

    // I along the world's axes
    const j = 10 * i
    const mass = inertia[j]
    let x = inertia[j + 1]
    let y = inertia[j + 2]
    let z = inertia[j + 3]
    const mx = r0 * x + r1 * y + r2 * z
    const my = r3 * x + r4 * y + r5 * z
    const mz = r6 * x + r7 * y + r8 * z
    x = inertia[j + 4]
    y = inertia[j + 5]
    z = inertia[j + 6]
    const j3 = inertia[j + 7]
    const j4 = inertia[j + 8]
    const j5 = inertia[j + 9]
    let t0 = r0 * x + r1 * y + r2 * z
    let t1 = r0 * y + r1 * j3 + r2 * j4
    let t2 = r0 * z + r1 * j4 + r2 * j5
    const jxx = t0 * r0 + t1 * r1 + t2 * r2
    const jxy = t0 * r3 + t1 * r4 + t2 * r5
    const jxz = t0 * r6 + t1 * r7 + t2 * r8
    t0 = r3 * x + r4 * y + r5 * z
    t1 = r3 * y + r4 * j3 + r5 * j4
    t2 = r3 * z + r4 * j4 + r5 * j5
    const jyy = t0 * r3 + t1 * r4 + t2 * r5
    const jyz = t0 * r6 + t1 * r7 + t2 * r8
    t0 = r6 * x + r7 * y + r8 * z
    t1 = r6 * y + r7 * j3 + r8 * j4
    t2 = r6 * z + r7 * j4 + r8 * j5
    const jzz = t0 * r6 + t1 * r7 + t2 * r8

    // pA = Σ children + V ×* I V
    const wx = V[b]
    const wy = V[b + 1]
    const wz = V[b + 2]
    const vx = V[b + 3]
    const vy = V[b + 4]
    const vz = V[b + 5]
    const hx = jxx * wx + jxy * wy + jxz * wz + (my * vz - mz * vy)
    const hy = jxy * wx + jyy * wy + jyz * wz + (mz * vx - mx * vz)
    const hz = jxz * wx + jyz * wy + jzz * wz + (mx * vy - my * vx)
    const lx = mass * vx + (mz * wy - my * wz)
    const ly = mass * vy + (mx * wz - mz * wx)
    const lz = mass * vz + (my * wx - mx * wy)
    let p0 = pA[b] + (wy * hz - wz * hy) + (vy * lz - vz * ly)
    let p1 = pA[b + 1] + (wz * hx - wx * hz) + (vz * lx - vx * lz)
    let p2 = pA[b + 2] + (wx * hy - wy * hx) + (vx * ly - vy * lx)
    let p3 = pA[b + 3] + (wy * lz - wz * ly)
    let p4 = pA[b + 4] + (wz * lx - wx * lz)
    let p5 = pA[b + 5] + (wx * ly - wy * lx)

    // IA = I + Σ children
    let a0 = IA[o] + jxx
    let a1 = IA[o + 1] + jxy
    let a2 = IA[o + 2] + jxz
    let a3 = IA[o + 3] + jyy
    let a4 = IA[o + 4] + jyz
    let a5 = IA[o + 5] + jzz
    let b0 = IA[o + 6]
    let b1 = IA[o + 7] - mz
    let b2 = IA[o + 8] + my
    let b3 = IA[o + 9] + mz
    let b4 = IA[o + 10]
    let b5 = IA[o + 11] - mx
    let b6 = IA[o + 12] - my
    let b7 = IA[o + 13] + mx
    let b8 = IA[o + 14]
    let c0 = IA[o + 15] + mass
    let c1 = IA[o + 16]
    let c2 = IA[o + 17]
    let c3 = IA[o + 18] + mass
    let c4 = IA[o + 19]
    let c5 = IA[o + 20] + mass

    // pA += IA c
    const e0 = c[b]
    const e1 = c[b + 1]
    const e2 = c[b + 2]
    const e3 = c[b + 3]
    const e4 = c[b + 4]
    const e5 = c[b + 5]
    p0 += a0 * e0 + a1 * e1 + a2 * e2 + (b0 * e3 + b1 * e4 + b2 * e5)
    p1 += a1 * e0 + a3 * e1 + a4 * e2 + (b3 * e3 + b4 * e4 + b5 * e5)
    p2 += a2 * e0 + a4 * e1 + a5 * e2 + (b6 * e3 + b7 * e4 + b8 * e5)
    p3 += b0 * e0 + b3 * e1 + b6 * e2 + (c0 * e3 + c1 * e4 + c2 * e5)
    p4 += b1 * e0 + b4 * e1 + b7 * e2 + (c1 * e3 + c3 * e4 + c4 * e5)
    p5 += b2 * e0 + b5 * e1 + b8 * e2 + (c2 * e3 + c4 * e4 + c5 * e5)

    const first = iv[i]
    for (let k = ivEnd[i] - 1; k >= first; k--) {
      // U = IA S, with the short form for an axis through the origin
      const s = 6 * k
      const s0 = SW[s]
      const s1 = SW[s + 1]
      const s2 = SW[s + 2]
      const s3 = SW[s + 3]
      const s4 = SW[s + 4]
      const s5 = SW[s + 5]
      let u0 = a0 * s0 + a1 * s1 + a2 * s2
      let u1 = a1 * s0 + a3 * s1 + a4 * s2
      let u2 = a2 * s0 + a4 * s1 + a5 * s2
      let u3 = b0 * s0 + b3 * s1 + b6 * s2
      let u4 = b1 * s0 + b4 * s1 + b7 * s2
      let u5 = b2 * s0 + b5 * s1 + b8 * s2
      if (s3 !== 0 || s4 !== 0 || s5 !== 0) {
        u0 += b0 * s3 + b1 * s4 + b2 * s5
        u1 += b3 * s3 + b4 * s4 + b5 * s5
        u2 += b6 * s3 + b7 * s4 + b8 * s5
        u3 += c0 * s3 + c1 * s4 + c2 * s5
        u4 += c1 * s3 + c3 * s4 + c4 * s5
        u5 += c2 * s3 + c4 * s4 + c5 * s5
      }
      const inverse = 1 / (s0 * u0 + s1 * u1 + s2 * u2 + (s3 * u3 + s4 * u4 + s5 * u5) + armature[k])
      const push = tau[k] - (s0 * p0 + s1 * p1 + s2 * p2) - (s3 * p3 + s4 * p4 + s5 * p5)
      U[s] = u0
      U[s + 1] = u1
      U[s + 2] = u2
      U[s + 3] = u3
      U[s + 4] = u4
      U[s + 5] = u5
      D[k] = inverse
      u[k] = push

      // IA −= U D Uᵀ, pA += U D u
      const d0 = u0 * inverse
      const d1 = u1 * inverse
      const d2 = u2 * inverse
      const d3 = u3 * inverse
      const d4 = u4 * inverse
      const d5 = u5 * inverse
      a0 -= d0 * u0
      a1 -= d0 * u1
      a2 -= d0 * u2
      a3 -= d1 * u1
      a4 -= d1 * u2
      a5 -= d2 * u2
      b0 -= d0 * u3
      b1 -= d0 * u4
      b2 -= d0 * u5
      b3 -= d1 * u3
      b4 -= d1 * u4
      b5 -= d1 * u5
      b6 -= d2 * u3
      b7 -= d2 * u4
      b8 -= d2 * u5
      c0 -= d3 * u3
      c1 -= d3 * u4
      c2 -= d3 * u5
      c3 -= d4 * u4
      c4 -= d4 * u5
      c5 -= d5 * u5
      p0 += d0 * push
      p1 += d1 * push
      p2 += d2 * push
      p3 += d3 * push
      p4 += d4 * push
      p5 += d5 * push
    }
    const p = parent[i]
    if (p === 0) continue
    if (p < from) {
      pA[b] = p0
      pA[b + 1] = p1
      pA[b + 2] = p2
      pA[b + 3] = p3
      pA[b + 4] = p4
      pA[b + 5] = p5
      IA[o] = a0
      IA[o + 1] = a1
      IA[o + 2] = a2
      IA[o + 3] = a3
      IA[o + 4] = a4
      IA[o + 5] = a5
      IA[o + 6] = b0
      IA[o + 7] = b1
      IA[o + 8] = b2
      IA[o + 9] = b3
      IA[o + 10] = b4
      IA[o + 11] = b5
      IA[o + 12] = b6
      IA[o + 13] = b7
      IA[o + 14] = b8
      IA[o + 15] = c0
      IA[o + 16] = c1
      IA[o + 17] = c2
      IA[o + 18] = c3
      IA[o + 19] = c4
      IA[o + 20] = c5
      continue
    }

    // pA(p) += shifted pA
    const Y = 12 * p
    const rx = X_WB[X + 9] - X_WB[Y + 9]
    const ry = X_WB[X + 10] - X_WB[Y + 10]
    const rz = X_WB[X + 11] - X_WB[Y + 11]
    const q = 6 * base[i]
    pA[q] += p0 + (ry * p5 - rz * p4)
    pA[q + 1] += p1 + (rz * p3 - rx * p5)
    pA[q + 2] += p2 + (rx * p4 - ry * p3)
    pA[q + 3] += p3
    pA[q + 4] += p4
    pA[q + 5] += p5

    // IA(p) += shifted IA: B' = B + [r] C, A' = A − B[r] + [r] B'ᵀ
    const P = 21 * base[i]
    const E0 = b0 + (ry * c2 - rz * c1)
    const E1 = b1 + (ry * c4 - rz * c3)
    const E2 = b2 + (ry * c5 - rz * c4)
    const E3 = b3 + (rz * c0 - rx * c2)
    const E4 = b4 + (rz * c1 - rx * c4)
    const E5 = b5 + (rz * c2 - rx * c5)
    const E6 = b6 + (rx * c1 - ry * c0)
    const E7 = b7 + (rx * c3 - ry * c1)
    const E8 = b8 + (rx * c4 - ry * c2)
    IA[P] += a0 + (ry * (b2 + E2) - rz * (b1 + E1))
    IA[P + 1] += a1 + (b0 * rz - b2 * rx) + (ry * E5 - rz * E4)
    IA[P + 2] += a2 + (b1 * rx - b0 * ry) + (ry * E8 - rz * E7)
    IA[P + 3] += a3 + (rz * (b3 + E3) - rx * (b5 + E5))
    IA[P + 4] += a4 + (b4 * rx - b3 * ry) + (rz * E6 - rx * E8)
    IA[P + 5] += a5 + (rx * (b7 + E7) - ry * (b6 + E6))
    IA[P + 6] += E0
    IA[P + 7] += E1
    IA[P + 8] += E2
    IA[P + 9] += E3
    IA[P + 10] += E4
    IA[P + 11] += E5
    IA[P + 12] += E6
    IA[P + 13] += E7
    IA[P + 14] += E8
    IA[P + 15] += c0
    IA[P + 16] += c1
    IA[P + 17] += c2
    IA[P + 18] += c3
    IA[P + 19] += c4
    IA[P + 20] += c5
  }
}

/**
 * What `eliminate` left at the bodies from … to − 1 whose parents are outside of this range, shifted and added to them. The last child
 * comes first, and every sum is formed as above, so that a tree in parts has the bits of a tree in one piece.
 */
export function joinToParents(m: Model, d: Data, from: number, to: number): void {
  const { IA, pA, X_WB } = d
  const { parent, base } = m
  for (let i = to - 1; i >= from; i--) {
    const p = parent[i]
    if (p === 0 || p >= from) continue
    const rx = X_WB[12 * i + 9] - X_WB[12 * p + 9]
    const ry = X_WB[12 * i + 10] - X_WB[12 * p + 10]
    const rz = X_WB[12 * i + 11] - X_WB[12 * p + 11]

    const [p0, p1, p2, p3, p4, p5] = pA.subarray(6 * i, 6 * i + 6)
    const q = 6 * base[i]
    pA[q] += p0 + (ry * p5 - rz * p4)
    pA[q + 1] += p1 + (rz * p3 - rx * p5)
    pA[q + 2] += p2 + (rx * p4 - ry * p3)
    pA[q + 3] += p3
    pA[q + 4] += p4
    pA[q + 5] += p5

    const [a0, a1, a2, a3, a4, a5] = IA.subarray(21 * i, 21 * i + 6)
    const [b0, b1, b2, b3, b4, b5, b6, b7, b8] = IA.subarray(21 * i + 6, 21 * i + 15)
    const [c0, c1, c2, c3, c4, c5] = IA.subarray(21 * i + 15, 21 * i + 21)
    const E0 = b0 + (ry * c2 - rz * c1)
    const E1 = b1 + (ry * c4 - rz * c3)
    const E2 = b2 + (ry * c5 - rz * c4)
    const E3 = b3 + (rz * c0 - rx * c2)
    const E4 = b4 + (rz * c1 - rx * c4)
    const E5 = b5 + (rz * c2 - rx * c5)
    const E6 = b6 + (rx * c1 - ry * c0)
    const E7 = b7 + (rx * c3 - ry * c1)
    const E8 = b8 + (rx * c4 - ry * c2)
    const P = 21 * base[i]
    const A = [
      a0 + (ry * (b2 + E2) - rz * (b1 + E1)),
      a1 + (b0 * rz - b2 * rx) + (ry * E5 - rz * E4),
      a2 + (b1 * rx - b0 * ry) + (ry * E8 - rz * E7),
      a3 + (rz * (b3 + E3) - rx * (b5 + E5)),
      a4 + (b4 * rx - b3 * ry) + (rz * E6 - rx * E8),
      a5 + (rx * (b7 + E7) - ry * (b6 + E6)),
      ...[E0, E1, E2, E3, E4, E5, E6, E7, E8],
      ...[c0, c1, c2, c3, c4, c5],
    ]
    for (let k = 0; k < 21; k++) IA[P + k] += A[k]
  }
}
