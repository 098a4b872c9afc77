/**
 * Forward dynamics, the articulated-body algorithm: O(n).
 *
 * [RBDA] Table 7.1 in body coordinates (note 00 section 3), gravity as an upward acceleration of the world. The pivot block
 * D = Sᵀ IA S + armature is factored as L Lᵀ, and L is divided out of U and u at once, so that every joint size has the same short form:
 *   W = L⁻¹ (IA S)ᵀ,  w = L⁻¹ (τ − Sᵀ pA)
 *   Ia = IA − Wᵀ W,   pa = pA + Ia c + Wᵀ w,   IA(p) += X⁻ᵀ Ia X⁻¹,   pA(p) += X⁻ᵀ pa
 *   a' = X⁻¹ A(p) + c,  a = L⁻ᵀ (w − W a'),    A(i) = a' + S a
 * Data.U holds W row by row, Data.u holds w, Data.D holds L. A body with one degree of freedom needs no root: there U = IA S,
 * u = τ − Sᵀ pA and D = 1/(Sᵀ IA S + armature). That case is written out over locals, because nearly all time goes there.
 */
import { backSubstitute, cholesky, forwardSubstitute } from '../linalg/cholesky.js'
import { addInertiaToParent, addRigid, mulArticulated, mulRigid, subtractOuter } from '../math/inertia.js'
import { add6, addForceToParent, addScaled6, crossForce, dot6, motionToChild } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

/**
 * Reads the kinematics, f, and tau (nv). Writes IA, pA, U, D, u, A and out (nv): the accelerations.
 * A pivot that is not positive makes NaN of the accelerations it feeds.
 */
export function aba(m: Model, d: Data, tau: Vec, out: Vec): void {
  const { nbody, iv } = m
  d.IA.fill(0)
  d.pA.fill(0)
  for (let i = nbody - 1; i > 0; i--) {
    if (iv[i + 1] - iv[i] === 1) eliminateOne(m, d, i, tau)
    else eliminateSeveral(m, d, i, tau)
  }
  for (let i = 1; i < nbody; i++) {
    if (iv[i + 1] - iv[i] === 1) accelerateOne(m, d, i, out)
    else accelerateSeveral(m, d, i, out)
  }
}

/**
 * Body i with one freedom, leaves to root: adds the body's own inertia and bias force to what its children left in IA and pA,
 * takes the freedom out, and adds the rest to the parent (`addInertiaToParent` and `addForceToParent`, written out).
 */
function eliminateOne(m: Model, d: Data, i: number, tau: Vec): void {
  const { S, IA, pA, U, D, u, c, V, f, X_PB } = d
  const { inertia } = m
  const k = m.iv[i]
  const r = 6 * k
  const o = 21 * i
  const b = 6 * i

  // I V and pA = Σ children + V ×* I V − f
  const j = 10 * i
  const mass = inertia[j]
  const mx = inertia[j + 1]
  const my = inertia[j + 2]
  const mz = inertia[j + 3]
  const jxx = inertia[j + 4]
  const jxy = inertia[j + 5]
  const jxz = inertia[j + 6]
  const jyy = inertia[j + 7]
  const jyz = inertia[j + 8]
  const jzz = inertia[j + 9]
  const wx = V[b]
  const wy = V[b + 1]
  const wz = V[b + 2]
  const vx = V[b + 3]
  const vy = V[b + 4]
  const vz = V[b + 5]
  const hx = jxx * wx + jxy * wy + jxz * wz + (my * vz - mz * vy)
  const hy = jxy * wx + jyy * wy + jyz * wz + (mz * vx - mx * vz)
  const hz = jxz * wx + jyz * wy + jzz * wz + (mx * vy - my * vx)
  const lx = mass * vx - my * wz + mz * wy
  const ly = mass * vy - mz * wx + mx * wz
  const lz = mass * vz - mx * wy + my * wx
  const p0 = pA[b] - f[b] + (wy * hz - wz * hy) + (vy * lz - vz * ly)
  const p1 = pA[b + 1] - f[b + 1] + (wz * hx - wx * hz) + (vz * lx - vx * lz)
  const p2 = pA[b + 2] - f[b + 2] + (wx * hy - wy * hx) + (vx * ly - vy * lx)
  const p3 = pA[b + 3] - f[b + 3] + (wy * lz - wz * ly)
  const p4 = pA[b + 4] - f[b + 4] + (wz * lx - wx * lz)
  const p5 = pA[b + 5] - f[b + 5] + (wx * ly - wy * lx)

  // IA = I + Σ children
  const a0 = IA[o] + jxx
  const a1 = IA[o + 1] + jxy
  const a2 = IA[o + 2] + jxz
  const a3 = IA[o + 3] + jyy
  const a4 = IA[o + 4] + jyz
  const a5 = IA[o + 5] + jzz
  const b0 = IA[o + 6]
  const b1 = IA[o + 7] - mz
  const b2 = IA[o + 8] + my
  const b3 = IA[o + 9] + mz
  const b4 = IA[o + 10]
  const b5 = IA[o + 11] - mx
  const b6 = IA[o + 12] - my
  const b7 = IA[o + 13] + mx
  const b8 = IA[o + 14]
  const c0 = IA[o + 15] + mass
  const c1 = IA[o + 16]
  const c2 = IA[o + 17]
  const c3 = IA[o + 18] + mass
  const c4 = IA[o + 19]
  const c5 = IA[o + 20] + mass

  // U = IA S, D = 1/(Sᵀ U + armature), u = τ − Sᵀ pA
  const s0 = S[r]
  const s1 = S[r + 1]
  const s2 = S[r + 2]
  const s3 = S[r + 3]
  const s4 = S[r + 4]
  const s5 = S[r + 5]
  const u0 = a0 * s0 + a1 * s1 + a2 * s2 + (b0 * s3 + b1 * s4 + b2 * s5)
  const u1 = a1 * s0 + a3 * s1 + a4 * s2 + (b3 * s3 + b4 * s4 + b5 * s5)
  const u2 = a2 * s0 + a4 * s1 + a5 * s2 + (b6 * s3 + b7 * s4 + b8 * s5)
  const u3 = b0 * s0 + b3 * s1 + b6 * s2 + (c0 * s3 + c1 * s4 + c2 * s5)
  const u4 = b1 * s0 + b4 * s1 + b7 * s2 + (c1 * s3 + c3 * s4 + c4 * s5)
  const u5 = b2 * s0 + b5 * s1 + b8 * s2 + (c2 * s3 + c4 * s4 + c5 * s5)
  const inverse = 1 / (s0 * u0 + s1 * u1 + s2 * u2 + (s3 * u3 + s4 * u4 + s5 * u5) + m.armature[k])
  const push = tau[k] - (s0 * p0 + s1 * p1 + s2 * p2) - (s3 * p3 + s4 * p4 + s5 * p5)
  U[r] = u0
  U[r + 1] = u1
  U[r + 2] = u2
  U[r + 3] = u3
  U[r + 4] = u4
  U[r + 5] = u5
  D[m.id[i]] = inverse
  u[k] = push
  const p = m.parent[i]
  if (p === 0) return

  // pa = pA + IA c + U D (u − Uᵀ c)
  const x = c[b]
  const y = c[b + 1]
  const z = c[b + 2]
  const e = c[b + 3]
  const g = c[b + 4]
  const h = c[b + 5]
  const t = inverse * (push - (u0 * x + u1 * y + u2 * z) - (u3 * e + u4 * g + u5 * h))
  const n0 = p0 + (a0 * x + a1 * y + a2 * z) + (b0 * e + b1 * g + b2 * h) + u0 * t
  const n1 = p1 + (a1 * x + a3 * y + a4 * z) + (b3 * e + b4 * g + b5 * h) + u1 * t
  const n2 = p2 + (a2 * x + a4 * y + a5 * z) + (b6 * e + b7 * g + b8 * h) + u2 * t
  const n3 = p3 + (b0 * x + b3 * y + b6 * z) + (c0 * e + c1 * g + c2 * h) + u3 * t
  const n4 = p4 + (b1 * x + b4 * y + b7 * z) + (c1 * e + c3 * g + c4 * h) + u4 * t
  const n5 = p5 + (b2 * x + b5 * y + b8 * z) + (c2 * e + c4 * g + c5 * h) + u5 * t

  // pA(p) += X⁻ᵀ pa
  const X = 12 * i
  const r0 = X_PB[X]
  const r1 = X_PB[X + 1]
  const r2 = X_PB[X + 2]
  const r3 = X_PB[X + 3]
  const r4 = X_PB[X + 4]
  const r5 = X_PB[X + 5]
  const r6 = X_PB[X + 6]
  const r7 = X_PB[X + 7]
  const r8 = X_PB[X + 8]
  const px = X_PB[X + 9]
  const py = X_PB[X + 10]
  const pz = X_PB[X + 11]
  const fx = r0 * n3 + r1 * n4 + r2 * n5
  const fy = r3 * n3 + r4 * n4 + r5 * n5
  const fz = r6 * n3 + r7 * n4 + r8 * n5
  const q = 6 * p
  pA[q] += r0 * n0 + r1 * n1 + r2 * n2 + (py * fz - pz * fy)
  pA[q + 1] += r3 * n0 + r4 * n1 + r5 * n2 + (pz * fx - px * fz)
  pA[q + 2] += r6 * n0 + r7 * n1 + r8 * n2 + (px * fy - py * fx)
  pA[q + 3] += fx
  pA[q + 4] += fy
  pA[q + 5] += fz

  // Ia = IA − U D Uᵀ, and its linear block in the parent's axes: R C Rᵀ
  const P = 21 * p
  const d0 = u0 * inverse
  const d1 = u1 * inverse
  const d2 = u2 * inverse
  const d3 = u3 * inverse
  const d4 = u4 * inverse
  const d5 = u5 * inverse
  const k0 = c0 - d3 * u3
  const k1 = c1 - d3 * u4
  const k2 = c2 - d3 * u5
  const k3 = c3 - d4 * u4
  const k4 = c4 - d4 * u5
  const k5 = c5 - d5 * u5
  let t0 = r0 * k0 + r1 * k1 + r2 * k2
  let t1 = r0 * k1 + r1 * k3 + r2 * k4
  let t2 = r0 * k2 + r1 * k4 + r2 * k5
  const C0 = t0 * r0 + t1 * r1 + t2 * r2
  const C1 = t0 * r3 + t1 * r4 + t2 * r5
  const C2 = t0 * r6 + t1 * r7 + t2 * r8
  t0 = r3 * k0 + r4 * k1 + r5 * k2
  t1 = r3 * k1 + r4 * k3 + r5 * k4
  t2 = r3 * k2 + r4 * k4 + r5 * k5
  const C3 = t0 * r3 + t1 * r4 + t2 * r5
  const C4 = t0 * r6 + t1 * r7 + t2 * r8
  t0 = r6 * k0 + r7 * k1 + r8 * k2
  t1 = r6 * k1 + r7 * k3 + r8 * k4
  t2 = r6 * k2 + r7 * k4 + r8 * k5
  const C5 = t0 * r6 + t1 * r7 + t2 * r8
  IA[P + 15] += C0
  IA[P + 16] += C1
  IA[P + 17] += C2
  IA[P + 18] += C3
  IA[P + 19] += C4
  IA[P + 20] += C5

  // mixed block: B' = R B Rᵀ, then B'' = B' + [p] C'
  const l0 = b0 - d0 * u3
  const l1 = b1 - d0 * u4
  const l2 = b2 - d0 * u5
  const l3 = b3 - d1 * u3
  const l4 = b4 - d1 * u4
  const l5 = b5 - d1 * u5
  const l6 = b6 - d2 * u3
  const l7 = b7 - d2 * u4
  const l8 = b8 - d2 * u5
  t0 = r0 * l0 + r1 * l3 + r2 * l6
  t1 = r0 * l1 + r1 * l4 + r2 * l7
  t2 = r0 * l2 + r1 * l5 + r2 * l8
  const B0 = t0 * r0 + t1 * r1 + t2 * r2
  const B1 = t0 * r3 + t1 * r4 + t2 * r5
  const B2 = t0 * r6 + t1 * r7 + t2 * r8
  t0 = r3 * l0 + r4 * l3 + r5 * l6
  t1 = r3 * l1 + r4 * l4 + r5 * l7
  t2 = r3 * l2 + r4 * l5 + r5 * l8
  const B3 = t0 * r0 + t1 * r1 + t2 * r2
  const B4 = t0 * r3 + t1 * r4 + t2 * r5
  const B5 = t0 * r6 + t1 * r7 + t2 * r8
  t0 = r6 * l0 + r7 * l3 + r8 * l6
  t1 = r6 * l1 + r7 * l4 + r8 * l7
  t2 = r6 * l2 + r7 * l5 + r8 * l8
  const B6 = t0 * r0 + t1 * r1 + t2 * r2
  const B7 = t0 * r3 + t1 * r4 + t2 * r5
  const B8 = t0 * r6 + t1 * r7 + t2 * r8
  const E0 = B0 + (py * C2 - pz * C1)
  const E1 = B1 + (py * C4 - pz * C3)
  const E2 = B2 + (py * C5 - pz * C4)
  const E3 = B3 + (pz * C0 - px * C2)
  const E4 = B4 + (pz * C1 - px * C4)
  const E5 = B5 + (pz * C2 - px * C5)
  const E6 = B6 + (px * C1 - py * C0)
  const E7 = B7 + (px * C3 - py * C1)
  const E8 = B8 + (px * C4 - py * C2)
  IA[P + 6] += E0
  IA[P + 7] += E1
  IA[P + 8] += E2
  IA[P + 9] += E3
  IA[P + 10] += E4
  IA[P + 11] += E5
  IA[P + 12] += E6
  IA[P + 13] += E7
  IA[P + 14] += E8

  // angular block: A'' = R A Rᵀ − B'[p] + [p] B''ᵀ
  const m0 = a0 - d0 * u0
  const m1 = a1 - d0 * u1
  const m2 = a2 - d0 * u2
  const m3 = a3 - d1 * u1
  const m4 = a4 - d1 * u2
  const m5 = a5 - d2 * u2
  t0 = r0 * m0 + r1 * m1 + r2 * m2
  t1 = r0 * m1 + r1 * m3 + r2 * m4
  t2 = r0 * m2 + r1 * m4 + r2 * m5
  IA[P] += t0 * r0 + t1 * r1 + t2 * r2 + (py * (B2 + E2) - pz * (B1 + E1))
  IA[P + 1] += t0 * r3 + t1 * r4 + t2 * r5 + (B0 * pz - B2 * px) + (py * E5 - pz * E4)
  IA[P + 2] += t0 * r6 + t1 * r7 + t2 * r8 + (B1 * px - B0 * py) + (py * E8 - pz * E7)
  t0 = r3 * m0 + r4 * m1 + r5 * m2
  t1 = r3 * m1 + r4 * m3 + r5 * m4
  t2 = r3 * m2 + r4 * m4 + r5 * m5
  IA[P + 3] += t0 * r3 + t1 * r4 + t2 * r5 + (pz * (B3 + E3) - px * (B5 + E5))
  IA[P + 4] += t0 * r6 + t1 * r7 + t2 * r8 + (B4 * px - B3 * py) + (pz * E6 - px * E8)
  t0 = r6 * m0 + r7 * m1 + r8 * m2
  t1 = r6 * m1 + r7 * m3 + r8 * m4
  t2 = r6 * m2 + r7 * m4 + r8 * m5
  IA[P + 5] += t0 * r6 + t1 * r7 + t2 * r8 + (px * (B7 + E7) - py * (B6 + E6))
}

const w = new Float64Array(6)

/** The same for no or several freedoms: Cholesky of the pivot block, W and w by forward substitution. */
function eliminateSeveral(m: Model, d: Data, i: number, tau: Vec): void {
  const { S, IA, pA, U, D, u, c, V, f } = d
  const k = m.iv[i]
  const n = m.iv[i + 1] - k
  const o = m.id[i]
  const b = 6 * i
  addRigid(IA, 21 * i, m.inertia, 10 * i)
  mulRigid(w, 0, m.inertia, 10 * i, V, b)
  crossForce(w, 0, V, b, w, 0)
  for (let r = 0; r < 6; r++) pA[b + r] += w[r] - f[b + r]

  for (let r = 0; r < n; r++) {
    mulArticulated(U, 6 * (k + r), IA, 21 * i, S, 6 * (k + r))
    u[k + r] = tau[k + r] - dot6(S, 6 * (k + r), pA, b)
    for (let l = 0; l <= r; l++) D[o + r * n + l] = dot6(S, 6 * (k + l), U, 6 * (k + r))
    D[o + r * n + r] += m.armature[k + r]
  }
  if (n > 0) {
    if (!cholesky(D, o, n)) D[o] = Number.NaN
    for (let r = 0; r < 6; r++) forwardSubstitute(D, o, n, U, 6 * k + r, 6)
    forwardSubstitute(D, o, n, u, k, 1)
  }
  const p = m.parent[i]
  if (p === 0) return

  for (let l = k; l < k + n; l++) subtractOuter(IA, 21 * i, U, 6 * l)
  mulArticulated(w, 0, IA, 21 * i, c, b)
  for (let l = k; l < k + n; l++) addScaled6(w, 0, u, l, U, 6 * l)
  add6(w, 0, pA, b)
  addForceToParent(pA, 6 * p, d.X_PB, 12 * i, w, 0)
  addInertiaToParent(IA, 21 * p, d.X_PB, 12 * i, IA, 21 * i)
}

/** Body i with one freedom, root to leaves: a' = X⁻¹ A(p) + c, a = D (u − Uᵀ a'), A(i) = a' + S a. */
function accelerateOne(m: Model, d: Data, i: number, out: Vec): void {
  const { X_PB: X, S, U, c, A } = d
  const k = m.iv[i]
  const r = 6 * k
  const b = 6 * i
  const x = 12 * i
  const q = 6 * m.parent[i]
  const wx = A[q]
  const wy = A[q + 1]
  const wz = A[q + 2]
  const px = X[x + 9]
  const py = X[x + 10]
  const pz = X[x + 11]
  const vx = A[q + 3] + (wy * pz - wz * py)
  const vy = A[q + 4] + (wz * px - wx * pz)
  const vz = A[q + 5] + (wx * py - wy * px)
  const r0 = X[x]
  const r1 = X[x + 1]
  const r2 = X[x + 2]
  const r3 = X[x + 3]
  const r4 = X[x + 4]
  const r5 = X[x + 5]
  const r6 = X[x + 6]
  const r7 = X[x + 7]
  const r8 = X[x + 8]
  const a0 = r0 * wx + r3 * wy + r6 * wz + c[b]
  const a1 = r1 * wx + r4 * wy + r7 * wz + c[b + 1]
  const a2 = r2 * wx + r5 * wy + r8 * wz + c[b + 2]
  const a3 = r0 * vx + r3 * vy + r6 * vz + c[b + 3]
  const a4 = r1 * vx + r4 * vy + r7 * vz + c[b + 4]
  const a5 = r2 * vx + r5 * vy + r8 * vz + c[b + 5]
  const held = U[r] * a0 + U[r + 1] * a1 + U[r + 2] * a2 + (U[r + 3] * a3 + U[r + 4] * a4 + U[r + 5] * a5)
  const a = (d.u[k] - held) * d.D[m.id[i]]
  out[k] = a
  A[b] = a0 + S[r] * a
  A[b + 1] = a1 + S[r + 1] * a
  A[b + 2] = a2 + S[r + 2] * a
  A[b + 3] = a3 + S[r + 3] * a
  A[b + 4] = a4 + S[r + 4] * a
  A[b + 5] = a5 + S[r + 5] * a
}

/** The same for no or several freedoms: a = L⁻ᵀ (w − W a'). */
function accelerateSeveral(m: Model, d: Data, i: number, out: Vec): void {
  const { X_PB, S, U, D, u, c, A } = d
  const b = 6 * i
  const k = m.iv[i]
  const n = m.iv[i + 1] - k
  motionToChild(A, b, X_PB, 12 * i, A, 6 * m.parent[i])
  add6(A, b, c, b)
  for (let r = 0; r < n; r++) out[k + r] = u[k + r] - dot6(U, 6 * (k + r), A, b)
  backSubstitute(D, m.id[i], n, out, k, 1)
  for (let l = k; l < k + n; l++) addScaled6(A, b, out, l, S, 6 * l)
}
