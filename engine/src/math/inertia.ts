/**
 * Spatial inertias in body coordinates.
 *
 * Rigid, 10 numbers: m, m c (3), J (6: xx xy xz yy yz zz) about the frame origin.
 * Articulated, 21 numbers: blocks of ( A B ; Bᵀ C ) for [angular; linear]: A (6, symmetric as above), B (9, row-major), C (6).
 * A rigid inertia is A = J, B = m[c], C = m 1   (docs/notation.md section 2).
 */
import type { Vec } from './types.js'

/** out = I V for a rigid inertia: h = (J w + mc × v; m v − mc × w). */
export function mulRigid(out: Vec, o: number, I: Vec, i: number, V: Vec, j: number): void {
  const m = I[i]
  const cx = I[i + 1]
  const cy = I[i + 2]
  const cz = I[i + 3]
  const wx = V[j]
  const wy = V[j + 1]
  const wz = V[j + 2]
  const vx = V[j + 3]
  const vy = V[j + 4]
  const vz = V[j + 5]
  out[o] = I[i + 4] * wx + I[i + 5] * wy + I[i + 6] * wz + cy * vz - cz * vy
  out[o + 1] = I[i + 5] * wx + I[i + 7] * wy + I[i + 8] * wz + cz * vx - cx * vz
  out[o + 2] = I[i + 6] * wx + I[i + 8] * wy + I[i + 9] * wz + cx * vy - cy * vx
  out[o + 3] = m * vx - cy * wz + cz * wy
  out[o + 4] = m * vy - cz * wx + cx * wz
  out[o + 5] = m * vz - cx * wy + cy * wx
}

/** out[o] += Vᵀ I V for a rigid inertia. In place: a number that is handed back over a call is boxed. */
export function addQuadRigid(out: Vec, o: number, I: Vec, i: number, V: Vec, j: number): void {
  const cx = I[i + 1]
  const cy = I[i + 2]
  const cz = I[i + 3]
  const wx = V[j]
  const wy = V[j + 1]
  const wz = V[j + 2]
  const vx = V[j + 3]
  const vy = V[j + 4]
  const vz = V[j + 5]
  const turning = I[i + 4] * wx * wx + I[i + 7] * wy * wy + I[i + 9] * wz * wz
  const crossed = I[i + 5] * wx * wy + I[i + 6] * wx * wz + I[i + 8] * wy * wz
  const mixed = wx * (cy * vz - cz * vy) + wy * (cz * vx - cx * vz) + wz * (cx * vy - cy * vx)
  out[o] += turning + 2 * (crossed + mixed) + I[i] * (vx * vx + vy * vy + vz * vz)
}

/** P += the articulated inertia of one rigid body. */
export function addRigid(P: Vec, o: number, I: Vec, i: number): void {
  const m = I[i]
  const cx = I[i + 1]
  const cy = I[i + 2]
  const cz = I[i + 3]
  P[o] += I[i + 4]
  P[o + 1] += I[i + 5]
  P[o + 2] += I[i + 6]
  P[o + 3] += I[i + 7]
  P[o + 4] += I[i + 8]
  P[o + 5] += I[i + 9]
  P[o + 7] -= cz
  P[o + 8] += cy
  P[o + 9] += cz
  P[o + 11] -= cx
  P[o + 12] -= cy
  P[o + 13] += cx
  P[o + 15] += m
  P[o + 18] += m
  P[o + 20] += m
}

/** out = I V for an articulated inertia. */
export function mulArticulated(out: Vec, o: number, I: Vec, i: number, V: Vec, j: number): void {
  const wx = V[j]
  const wy = V[j + 1]
  const wz = V[j + 2]
  const vx = V[j + 3]
  const vy = V[j + 4]
  const vz = V[j + 5]
  const b0 = I[i + 6]
  const b1 = I[i + 7]
  const b2 = I[i + 8]
  const b3 = I[i + 9]
  const b4 = I[i + 10]
  const b5 = I[i + 11]
  const b6 = I[i + 12]
  const b7 = I[i + 13]
  const b8 = I[i + 14]
  out[o] = I[i] * wx + I[i + 1] * wy + I[i + 2] * wz + b0 * vx + b1 * vy + b2 * vz
  out[o + 1] = I[i + 1] * wx + I[i + 3] * wy + I[i + 4] * wz + b3 * vx + b4 * vy + b5 * vz
  out[o + 2] = I[i + 2] * wx + I[i + 4] * wy + I[i + 5] * wz + b6 * vx + b7 * vy + b8 * vz
  out[o + 3] = b0 * wx + b3 * wy + b6 * wz + I[i + 15] * vx + I[i + 16] * vy + I[i + 17] * vz
  out[o + 4] = b1 * wx + b4 * wy + b7 * wz + I[i + 16] * vx + I[i + 18] * vy + I[i + 19] * vz
  out[o + 5] = b2 * wx + b5 * wy + b8 * wz + I[i + 17] * vx + I[i + 19] * vy + I[i + 20] * vz
}

/** I += x[k] J Jᵀ: a row J (6) that acts on one body with weight x[k]. */
export function addOuter(I: Vec, o: number, J: Vec, e: number, x: Vec, k: number): void {
  const w = x[k]
  const j0 = J[e]
  const j1 = J[e + 1]
  const j2 = J[e + 2]
  const j3 = J[e + 3]
  const j4 = J[e + 4]
  const j5 = J[e + 5]
  const w0 = w * j0
  const w1 = w * j1
  const w2 = w * j2
  const w3 = w * j3
  const w4 = w * j4
  const w5 = w * j5
  I[o] += w0 * j0
  I[o + 1] += w0 * j1
  I[o + 2] += w0 * j2
  I[o + 3] += w1 * j1
  I[o + 4] += w1 * j2
  I[o + 5] += w2 * j2
  I[o + 6] += w0 * j3
  I[o + 7] += w0 * j4
  I[o + 8] += w0 * j5
  I[o + 9] += w1 * j3
  I[o + 10] += w1 * j4
  I[o + 11] += w1 * j5
  I[o + 12] += w2 * j3
  I[o + 13] += w2 * j4
  I[o + 14] += w2 * j5
  I[o + 15] += w3 * j3
  I[o + 16] += w3 * j4
  I[o + 17] += w3 * j5
  I[o + 18] += w4 * j4
  I[o + 19] += w4 * j5
  I[o + 20] += w5 * j5
}

/** I −= U Uᵀ: what one eliminated degree of freedom takes away. */
export function subtractOuter(I: Vec, i: number, U: Vec, k: number): void {
  const a = U[k]
  const b = U[k + 1]
  const c = U[k + 2]
  const d = U[k + 3]
  const e = U[k + 4]
  const f = U[k + 5]
  I[i] -= a * a
  I[i + 1] -= a * b
  I[i + 2] -= a * c
  I[i + 3] -= b * b
  I[i + 4] -= b * c
  I[i + 5] -= c * c
  I[i + 6] -= a * d
  I[i + 7] -= a * e
  I[i + 8] -= a * f
  I[i + 9] -= b * d
  I[i + 10] -= b * e
  I[i + 11] -= b * f
  I[i + 12] -= c * d
  I[i + 13] -= c * e
  I[i + 14] -= c * f
  I[i + 15] -= d * d
  I[i + 16] -= d * e
  I[i + 17] -= d * f
  I[i + 18] -= e * e
  I[i + 19] -= e * f
  I[i + 20] -= f * f
}

/**
 * P += X⁻ᵀ I X⁻¹: adds a child's inertia to its parent's, X = X_PB with R, p.
 *   A' = R A Rᵀ, B' = R B Rᵀ, C' = R C Rᵀ;  B'' = B' + [p] C';  A'' = A' − B'[p] + [p] B''ᵀ
 */
export function addInertiaToParent(P: Vec, o: number, X: Vec, x: number, I: Vec, i: number): void {
  const r0 = X[x]
  const r1 = X[x + 1]
  const r2 = X[x + 2]
  const r3 = X[x + 3]
  const r4 = X[x + 4]
  const r5 = X[x + 5]
  const r6 = X[x + 6]
  const r7 = X[x + 7]
  const r8 = X[x + 8]
  const px = X[x + 9]
  const py = X[x + 10]
  const pz = X[x + 11]

  // C' = R C Rᵀ
  let s0 = I[i + 15]
  let s1 = I[i + 16]
  let s2 = I[i + 17]
  let s3 = I[i + 18]
  let s4 = I[i + 19]
  let s5 = I[i + 20]
  let t0 = r0 * s0 + r1 * s1 + r2 * s2
  let t1 = r0 * s1 + r1 * s3 + r2 * s4
  let t2 = r0 * s2 + r1 * s4 + r2 * s5
  const c0 = t0 * r0 + t1 * r1 + t2 * r2
  const c1 = t0 * r3 + t1 * r4 + t2 * r5
  const c2 = t0 * r6 + t1 * r7 + t2 * r8
  t0 = r3 * s0 + r4 * s1 + r5 * s2
  t1 = r3 * s1 + r4 * s3 + r5 * s4
  t2 = r3 * s2 + r4 * s4 + r5 * s5
  const c3 = t0 * r3 + t1 * r4 + t2 * r5
  const c4 = t0 * r6 + t1 * r7 + t2 * r8
  t0 = r6 * s0 + r7 * s1 + r8 * s2
  t1 = r6 * s1 + r7 * s3 + r8 * s4
  t2 = r6 * s2 + r7 * s4 + r8 * s5
  const c5 = t0 * r6 + t1 * r7 + t2 * r8
  P[o + 15] += c0
  P[o + 16] += c1
  P[o + 17] += c2
  P[o + 18] += c3
  P[o + 19] += c4
  P[o + 20] += c5

  // B' = R B Rᵀ
  s0 = I[i + 6]
  s1 = I[i + 7]
  s2 = I[i + 8]
  s3 = I[i + 9]
  s4 = I[i + 10]
  s5 = I[i + 11]
  const s6 = I[i + 12]
  const s7 = I[i + 13]
  const s8 = I[i + 14]
  t0 = r0 * s0 + r1 * s3 + r2 * s6
  t1 = r0 * s1 + r1 * s4 + r2 * s7
  t2 = r0 * s2 + r1 * s5 + r2 * s8
  const b0 = t0 * r0 + t1 * r1 + t2 * r2
  const b1 = t0 * r3 + t1 * r4 + t2 * r5
  const b2 = t0 * r6 + t1 * r7 + t2 * r8
  t0 = r3 * s0 + r4 * s3 + r5 * s6
  t1 = r3 * s1 + r4 * s4 + r5 * s7
  t2 = r3 * s2 + r4 * s5 + r5 * s8
  const b3 = t0 * r0 + t1 * r1 + t2 * r2
  const b4 = t0 * r3 + t1 * r4 + t2 * r5
  const b5 = t0 * r6 + t1 * r7 + t2 * r8
  t0 = r6 * s0 + r7 * s3 + r8 * s6
  t1 = r6 * s1 + r7 * s4 + r8 * s7
  t2 = r6 * s2 + r7 * s5 + r8 * s8
  const b6 = t0 * r0 + t1 * r1 + t2 * r2
  const b7 = t0 * r3 + t1 * r4 + t2 * r5
  const b8 = t0 * r6 + t1 * r7 + t2 * r8

  // B'' = B' + [p] C'
  const d0 = b0 + py * c2 - pz * c1
  const d1 = b1 + py * c4 - pz * c3
  const d2 = b2 + py * c5 - pz * c4
  const d3 = b3 + pz * c0 - px * c2
  const d4 = b4 + pz * c1 - px * c4
  const d5 = b5 + pz * c2 - px * c5
  const d6 = b6 + px * c1 - py * c0
  const d7 = b7 + px * c3 - py * c1
  const d8 = b8 + px * c4 - py * c2
  P[o + 6] += d0
  P[o + 7] += d1
  P[o + 8] += d2
  P[o + 9] += d3
  P[o + 10] += d4
  P[o + 11] += d5
  P[o + 12] += d6
  P[o + 13] += d7
  P[o + 14] += d8

  // A'' = R A Rᵀ − B'[p] + [p] B''ᵀ
  s0 = I[i]
  s1 = I[i + 1]
  s2 = I[i + 2]
  s3 = I[i + 3]
  s4 = I[i + 4]
  s5 = I[i + 5]
  t0 = r0 * s0 + r1 * s1 + r2 * s2
  t1 = r0 * s1 + r1 * s3 + r2 * s4
  t2 = r0 * s2 + r1 * s4 + r2 * s5
  P[o] += t0 * r0 + t1 * r1 + t2 * r2 - b1 * pz + b2 * py + py * d2 - pz * d1
  P[o + 1] += t0 * r3 + t1 * r4 + t2 * r5 + b0 * pz - b2 * px + py * d5 - pz * d4
  P[o + 2] += t0 * r6 + t1 * r7 + t2 * r8 - b0 * py + b1 * px + py * d8 - pz * d7
  t0 = r3 * s0 + r4 * s1 + r5 * s2
  t1 = r3 * s1 + r4 * s3 + r5 * s4
  t2 = r3 * s2 + r4 * s4 + r5 * s5
  P[o + 3] += t0 * r3 + t1 * r4 + t2 * r5 + b3 * pz - b5 * px + pz * d3 - px * d5
  P[o + 4] += t0 * r6 + t1 * r7 + t2 * r8 - b3 * py + b4 * px + pz * d6 - px * d8
  t0 = r6 * s0 + r7 * s1 + r8 * s2
  t1 = r6 * s1 + r7 * s3 + r8 * s4
  t2 = r6 * s2 + r7 * s4 + r8 * s5
  P[o + 5] += t0 * r6 + t1 * r7 + t2 * r8 - b6 * py + b7 * px + px * d7 - py * d6
}
