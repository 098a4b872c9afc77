/**
 * Forward dynamics, the articulated-body algorithm: O(n).
 *
 * [RBDA] Table 7.1 (note 00 section 3), gravity as an upward acceleration of the world. Departure: within this recursion every
 * quantity is at the body's origin but along the *world's* axes, so that going from body to parent is a mere shift by r = p(i) − p(p):
 * rotating each rigid inertia once costs less than rotating each articulated one.
 *   IA = I + Σ children,  pA = V ×* I V − f + Σ children
 *   D = Sᵀ IA S + armature = L Lᵀ,  W = L⁻¹ (IA S)ᵀ,  w = L⁻¹ (τ − Sᵀ pA)
 *   Ia = IA − Wᵀ W,   pa = pA + Ia c + Wᵀ w,   shifted to the parent:
 *   C' = C,  B' = B + [r] C,  A' = A − B[r] + [r] B'ᵀ;   n' = n + r × f
 *   a' = shifted A(p) + c,  a = L⁻ᵀ (w − W a'),  A(i) = a' + S a
 * Data.U holds W row by row, Data.u holds w, Data.D holds L. A body with one degree of freedom needs no root: there U = IA S,
 * u = τ − Sᵀ pA and D = 1/(Sᵀ IA S + armature). That case is written out over locals, because nearly all time goes there.
 */
import { backSubstitute, cholesky, forwardSubstitute } from '../linalg/cholesky.js'
import { addRigid, mulArticulated, mulRigid, rotateRigid, shiftInertia, subtractOuter } from '../math/inertia.js'
import { add6, addScaled6, crossForce, dot6, rotate6, shiftForce, shiftMotion } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

/**
 * Reads the kinematics, f, and tau (nv). Writes SW, IA, pA, U, D, u, AW and out (nv): the accelerations.
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
 * takes the freedom out, and adds the rest to the parent.
 */
function eliminateOne(m: Model, d: Data, i: number, tau: Vec): void {
  const { S, SW, IA, pA, U, D, u, c, V, f, X_WB } = d
  const { inertia } = m
  const k = m.iv[i]
  const s = 6 * k
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

  // I V, and V ×* I V − f, in body axes
  const j = 10 * i
  const mass = inertia[j]
  let x = inertia[j + 1]
  let y = inertia[j + 2]
  let z = inertia[j + 3]
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
  const hx = jxx * wx + jxy * wy + jxz * wz + (y * vz - z * vy)
  const hy = jxy * wx + jyy * wy + jyz * wz + (z * vx - x * vz)
  const hz = jxz * wx + jyz * wy + jzz * wz + (x * vy - y * vx)
  const lx = mass * vx + (z * wy - y * wz)
  const ly = mass * vy + (x * wz - z * wx)
  const lz = mass * vz + (y * wx - x * wy)
  const mx = r0 * x + r1 * y + r2 * z
  const my = r3 * x + r4 * y + r5 * z
  const mz = r6 * x + r7 * y + r8 * z

  // the same along the world's axes, with what the children left
  x = wy * hz - wz * hy + (vy * lz - vz * ly) - f[b]
  y = wz * hx - wx * hz + (vz * lx - vx * lz) - f[b + 1]
  z = wx * hy - wy * hx + (vx * ly - vy * lx) - f[b + 2]
  const p0 = pA[b] + (r0 * x + r1 * y + r2 * z)
  const p1 = pA[b + 1] + (r3 * x + r4 * y + r5 * z)
  const p2 = pA[b + 2] + (r6 * x + r7 * y + r8 * z)
  x = wy * lz - wz * ly - f[b + 3]
  y = wz * lx - wx * lz - f[b + 4]
  z = wx * ly - wy * lx - f[b + 5]
  const p3 = pA[b + 3] + (r0 * x + r1 * y + r2 * z)
  const p4 = pA[b + 4] + (r3 * x + r4 * y + r5 * z)
  const p5 = pA[b + 5] + (r6 * x + r7 * y + r8 * z)

  // IA = I + Σ children
  let t0 = r0 * jxx + r1 * jxy + r2 * jxz
  let t1 = r0 * jxy + r1 * jyy + r2 * jyz
  let t2 = r0 * jxz + r1 * jyz + r2 * jzz
  const a0 = IA[o] + (t0 * r0 + t1 * r1 + t2 * r2)
  const a1 = IA[o + 1] + (t0 * r3 + t1 * r4 + t2 * r5)
  const a2 = IA[o + 2] + (t0 * r6 + t1 * r7 + t2 * r8)
  t0 = r3 * jxx + r4 * jxy + r5 * jxz
  t1 = r3 * jxy + r4 * jyy + r5 * jyz
  t2 = r3 * jxz + r4 * jyz + r5 * jzz
  const a3 = IA[o + 3] + (t0 * r3 + t1 * r4 + t2 * r5)
  const a4 = IA[o + 4] + (t0 * r6 + t1 * r7 + t2 * r8)
  t0 = r6 * jxx + r7 * jxy + r8 * jxz
  t1 = r6 * jxy + r7 * jyy + r8 * jyz
  t2 = r6 * jxz + r7 * jyz + r8 * jzz
  const a5 = IA[o + 5] + (t0 * r6 + t1 * r7 + t2 * r8)
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

  // S along the world's axes; U = IA S, with the short form for an axis through the origin
  x = S[s]
  y = S[s + 1]
  z = S[s + 2]
  const s0 = r0 * x + r1 * y + r2 * z
  const s1 = r3 * x + r4 * y + r5 * z
  const s2 = r6 * x + r7 * y + r8 * z
  let s3 = 0
  let s4 = 0
  let s5 = 0
  let u0 = a0 * s0 + a1 * s1 + a2 * s2
  let u1 = a1 * s0 + a3 * s1 + a4 * s2
  let u2 = a2 * s0 + a4 * s1 + a5 * s2
  let u3 = b0 * s0 + b3 * s1 + b6 * s2
  let u4 = b1 * s0 + b4 * s1 + b7 * s2
  let u5 = b2 * s0 + b5 * s1 + b8 * s2
  x = S[s + 3]
  y = S[s + 4]
  z = S[s + 5]
  if (x !== 0 || y !== 0 || z !== 0) {
    s3 = r0 * x + r1 * y + r2 * z
    s4 = r3 * x + r4 * y + r5 * z
    s5 = r6 * x + r7 * y + r8 * z
    u0 += b0 * s3 + b1 * s4 + b2 * s5
    u1 += b3 * s3 + b4 * s4 + b5 * s5
    u2 += b6 * s3 + b7 * s4 + b8 * s5
    u3 += c0 * s3 + c1 * s4 + c2 * s5
    u4 += c1 * s3 + c3 * s4 + c4 * s5
    u5 += c2 * s3 + c4 * s4 + c5 * s5
  }
  const inverse = 1 / (s0 * u0 + s1 * u1 + s2 * u2 + (s3 * u3 + s4 * u4 + s5 * u5) + m.armature[k])
  const push = tau[k] - (s0 * p0 + s1 * p1 + s2 * p2) - (s3 * p3 + s4 * p4 + s5 * p5)
  SW[s] = s0
  SW[s + 1] = s1
  SW[s + 2] = s2
  SW[s + 3] = s3
  SW[s + 4] = s4
  SW[s + 5] = s5
  U[s] = u0
  U[s + 1] = u1
  U[s + 2] = u2
  U[s + 3] = u3
  U[s + 4] = u4
  U[s + 5] = u5
  D[m.id[i]] = inverse
  u[k] = push
  const p = m.parent[i]
  if (p === 0) return

  // pa = pA + IA c + U D (u − Uᵀ c)
  x = c[b]
  y = c[b + 1]
  z = c[b + 2]
  const e0 = r0 * x + r1 * y + r2 * z
  const e1 = r3 * x + r4 * y + r5 * z
  const e2 = r6 * x + r7 * y + r8 * z
  x = c[b + 3]
  y = c[b + 4]
  z = c[b + 5]
  const e3 = r0 * x + r1 * y + r2 * z
  const e4 = r3 * x + r4 * y + r5 * z
  const e5 = r6 * x + r7 * y + r8 * z
  const t = inverse * (push - (u0 * e0 + u1 * e1 + u2 * e2) - (u3 * e3 + u4 * e4 + u5 * e5))
  const n0 = p0 + (a0 * e0 + a1 * e1 + a2 * e2) + (b0 * e3 + b1 * e4 + b2 * e5) + u0 * t
  const n1 = p1 + (a1 * e0 + a3 * e1 + a4 * e2) + (b3 * e3 + b4 * e4 + b5 * e5) + u1 * t
  const n2 = p2 + (a2 * e0 + a4 * e1 + a5 * e2) + (b6 * e3 + b7 * e4 + b8 * e5) + u2 * t
  const n3 = p3 + (b0 * e0 + b3 * e1 + b6 * e2) + (c0 * e3 + c1 * e4 + c2 * e5) + u3 * t
  const n4 = p4 + (b1 * e0 + b4 * e1 + b7 * e2) + (c1 * e3 + c3 * e4 + c4 * e5) + u4 * t
  const n5 = p5 + (b2 * e0 + b5 * e1 + b8 * e2) + (c2 * e3 + c4 * e4 + c5 * e5) + u5 * t

  // pA(p) += shifted pa
  const Y = 12 * p
  const rx = X_WB[X + 9] - X_WB[Y + 9]
  const ry = X_WB[X + 10] - X_WB[Y + 10]
  const rz = X_WB[X + 11] - X_WB[Y + 11]
  const q = 6 * p
  pA[q] += n0 + (ry * n5 - rz * n4)
  pA[q + 1] += n1 + (rz * n3 - rx * n5)
  pA[q + 2] += n2 + (rx * n4 - ry * n3)
  pA[q + 3] += n3
  pA[q + 4] += n4
  pA[q + 5] += n5

  // Ia = IA − U D Uᵀ: linear block
  const P = 21 * p
  const d0 = u0 * inverse
  const d1 = u1 * inverse
  const d2 = u2 * inverse
  const d3 = u3 * inverse
  const d4 = u4 * inverse
  const C0 = c0 - d3 * u3
  const C1 = c1 - d3 * u4
  const C2 = c2 - d3 * u5
  const C3 = c3 - d4 * u4
  const C4 = c4 - d4 * u5
  const C5 = c5 - inverse * u5 * u5
  IA[P + 15] += C0
  IA[P + 16] += C1
  IA[P + 17] += C2
  IA[P + 18] += C3
  IA[P + 19] += C4
  IA[P + 20] += C5

  // mixed block: B' = B + [r] C
  const B0 = b0 - d0 * u3
  const B1 = b1 - d0 * u4
  const B2 = b2 - d0 * u5
  const B3 = b3 - d1 * u3
  const B4 = b4 - d1 * u4
  const B5 = b5 - d1 * u5
  const B6 = b6 - d2 * u3
  const B7 = b7 - d2 * u4
  const B8 = b8 - d2 * u5
  const E0 = B0 + (ry * C2 - rz * C1)
  const E1 = B1 + (ry * C4 - rz * C3)
  const E2 = B2 + (ry * C5 - rz * C4)
  const E3 = B3 + (rz * C0 - rx * C2)
  const E4 = B4 + (rz * C1 - rx * C4)
  const E5 = B5 + (rz * C2 - rx * C5)
  const E6 = B6 + (rx * C1 - ry * C0)
  const E7 = B7 + (rx * C3 - ry * C1)
  const E8 = B8 + (rx * C4 - ry * C2)
  IA[P + 6] += E0
  IA[P + 7] += E1
  IA[P + 8] += E2
  IA[P + 9] += E3
  IA[P + 10] += E4
  IA[P + 11] += E5
  IA[P + 12] += E6
  IA[P + 13] += E7
  IA[P + 14] += E8

  // angular block: A' = A − B[r] + [r] B'ᵀ
  IA[P] += a0 - d0 * u0 + (ry * (B2 + E2) - rz * (B1 + E1))
  IA[P + 1] += a1 - d0 * u1 + (B0 * rz - B2 * rx) + (ry * E5 - rz * E4)
  IA[P + 2] += a2 - d0 * u2 + (B1 * rx - B0 * ry) + (ry * E8 - rz * E7)
  IA[P + 3] += a3 - d1 * u1 + (rz * (B3 + E3) - rx * (B5 + E5))
  IA[P + 4] += a4 - d1 * u2 + (B4 * rx - B3 * ry) + (rz * E6 - rx * E8)
  IA[P + 5] += a5 - d2 * u2 + (rx * (B7 + E7) - ry * (B6 + E6))
}

const I = new Float64Array(10)
const h = new Float64Array(6)
const e = new Float64Array(6)

/** The same for no or several freedoms: Cholesky of the pivot block, W and w by forward substitution. */
function eliminateSeveral(m: Model, d: Data, i: number, tau: Vec): void {
  const { S, SW, IA, pA, U, D, u, c, V, f, X_WB } = d
  const k = m.iv[i]
  const n = m.iv[i + 1] - k
  const o = m.id[i]
  const b = 6 * i
  const x = 12 * i

  // own inertia and bias force
  rotateRigid(I, 0, X_WB, x, m.inertia, 10 * i)
  addRigid(IA, 21 * i, I, 0)
  mulRigid(h, 0, m.inertia, 10 * i, V, b)
  crossForce(h, 0, V, b, h, 0)
  for (let r = 0; r < 6; r++) h[r] -= f[b + r]
  rotate6(h, 0, X_WB, x, h, 0)
  add6(pA, b, h, 0)

  for (let r = 0; r < n; r++) {
    const s = 6 * (k + r)
    rotate6(SW, s, X_WB, x, S, s)
    mulArticulated(U, s, IA, 21 * i, SW, s)
    u[k + r] = tau[k + r] - dot6(SW, s, pA, b)
    for (let l = 0; l <= r; l++) D[o + r * n + l] = dot6(SW, 6 * (k + l), U, s)
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
  rotate6(e, 0, X_WB, x, c, b)
  mulArticulated(h, 0, IA, 21 * i, e, 0)
  for (let l = k; l < k + n; l++) addScaled6(h, 0, u, l, U, 6 * l)
  add6(h, 0, pA, b)
  shiftForce(pA, 6 * p, X_WB, x, 12 * p, h, 0)
  shiftInertia(IA, 21 * p, X_WB, x, 12 * p, IA, 21 * i)
}

/** Body i with one freedom, root to leaves: a' = shifted A(p) + c, a = D (u − Uᵀ a'), A(i) = a' + S a. */
function accelerateOne(m: Model, d: Data, i: number, out: Vec): void {
  const { X_WB: X, SW, U, c, AW: A } = d
  const k = m.iv[i]
  const s = 6 * k
  const b = 6 * i
  const x = 12 * i
  const p = m.parent[i]
  const q = 6 * p
  const y = 12 * p
  const r0 = X[x]
  const r1 = X[x + 1]
  const r2 = X[x + 2]
  const r3 = X[x + 3]
  const r4 = X[x + 4]
  const r5 = X[x + 5]
  const r6 = X[x + 6]
  const r7 = X[x + 7]
  const r8 = X[x + 8]
  const rx = X[x + 9] - X[y + 9]
  const ry = X[x + 10] - X[y + 10]
  const rz = X[x + 11] - X[y + 11]
  const wx = A[q]
  const wy = A[q + 1]
  const wz = A[q + 2]
  const e0 = c[b]
  const e1 = c[b + 1]
  const e2 = c[b + 2]
  const e3 = c[b + 3]
  const e4 = c[b + 4]
  const e5 = c[b + 5]
  const a0 = wx + (r0 * e0 + r1 * e1 + r2 * e2)
  const a1 = wy + (r3 * e0 + r4 * e1 + r5 * e2)
  const a2 = wz + (r6 * e0 + r7 * e1 + r8 * e2)
  const a3 = A[q + 3] + (wy * rz - wz * ry) + (r0 * e3 + r1 * e4 + r2 * e5)
  const a4 = A[q + 4] + (wz * rx - wx * rz) + (r3 * e3 + r4 * e4 + r5 * e5)
  const a5 = A[q + 5] + (wx * ry - wy * rx) + (r6 * e3 + r7 * e4 + r8 * e5)
  const held = U[s] * a0 + U[s + 1] * a1 + U[s + 2] * a2 + (U[s + 3] * a3 + U[s + 4] * a4 + U[s + 5] * a5)
  const a = (d.u[k] - held) * d.D[m.id[i]]
  out[k] = a
  A[b] = a0 + SW[s] * a
  A[b + 1] = a1 + SW[s + 1] * a
  A[b + 2] = a2 + SW[s + 2] * a
  A[b + 3] = a3 + SW[s + 3] * a
  A[b + 4] = a4 + SW[s + 4] * a
  A[b + 5] = a5 + SW[s + 5] * a
}

/** The same for no or several freedoms: a = L⁻ᵀ (w − W a'). */
function accelerateSeveral(m: Model, d: Data, i: number, out: Vec): void {
  const { X_WB, SW, U, D, u, c, AW } = d
  const b = 6 * i
  const k = m.iv[i]
  const n = m.iv[i + 1] - k
  rotate6(e, 0, X_WB, 12 * i, c, b)
  shiftMotion(AW, b, X_WB, 12 * i, 12 * m.parent[i], AW, 6 * m.parent[i])
  add6(AW, b, e, 0)
  for (let r = 0; r < n; r++) out[k + r] = u[k + r] - dot6(U, 6 * (k + r), AW, b)
  backSubstitute(D, m.id[i], n, out, k, 1)
  for (let l = k; l < k + n; l++) addScaled6(AW, b, out, l, SW, 6 * l)
}
