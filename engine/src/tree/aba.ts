/**
 * Forward dynamics, the articulated-body algorithm: O(n).
 *
 * [RBDA] Table 7.1 in body coordinates (note 00 section 3), gravity as an upward acceleration of the world. The pivot block
 * D = Sᵀ IA S + armature is factored as L Lᵀ, and L is divided out of U and u at once, so that every joint size has the same short form:
 *   W = L⁻¹ (IA S)ᵀ,  w = L⁻¹ (τ − Sᵀ pA)
 *   Ia = IA − Wᵀ W,   pa = pA + Ia c + Wᵀ w,   IA(p) += X⁻ᵀ Ia X⁻¹,   pA(p) += X⁻ᵀ pa
 *   a' = X⁻¹ A(p) + c,  a = L⁻ᵀ (w − W a'),    A(i) = a' + S a
 * Data.U holds W row by row, Data.u holds w, Data.D holds L (1/L where a body has one degree of freedom).
 */
import { backSubstitute, cholesky, forwardSubstitute } from '../linalg/cholesky.js'
import { addInertiaToParent, mulArticulated, mulRigid, rigidToArticulated, subtractOuter } from '../math/inertia.js'
import { addForceToParent, addScaled6, crossForce, dot6, motionToChild } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

const h = new Float64Array(6)

/**
 * Reads the kinematics, f, and tau (nv). Writes IA, pA, U, D, u, A and out (nv): the accelerations.
 * A pivot that is not positive makes NaN of the accelerations it feeds.
 */
export function aba(m: Model, d: Data, tau: Vec, out: Vec): void {
  startBodies(m, d)
  eliminate(m, d, tau)
  accelerate(m, d, out)
}

/** IA = I, pA = V ×* I V − f for every body. */
function startBodies(m: Model, d: Data): void {
  const { nbody, inertia } = m
  const { IA, pA, V, f } = d
  for (let i = 1; i < nbody; i++) {
    const b = 6 * i
    rigidToArticulated(IA, 21 * i, inertia, 10 * i)
    mulRigid(h, 0, inertia, 10 * i, V, b)
    crossForce(pA, b, V, b, h, 0)
    pA[b] -= f[b]
    pA[b + 1] -= f[b + 1]
    pA[b + 2] -= f[b + 2]
    pA[b + 3] -= f[b + 3]
    pA[b + 4] -= f[b + 4]
    pA[b + 5] -= f[b + 5]
  }
}

/** Leaves to root: takes the joints' freedoms out of the inertias. */
function eliminate(m: Model, d: Data, tau: Vec): void {
  const { nbody, parent, iv, armature } = m
  const { X_PB, S, IA, pA, U, D, u, c } = d
  for (let i = nbody - 1; i > 0; i--) {
    const b = 6 * i
    const k = iv[i]
    const n = iv[i + 1] - k

    if (n === 1) {
      const r = 6 * k
      mulArticulated(U, r, IA, 21 * i, S, r)
      const L = 1 / Math.sqrt(dot6(S, r, U, r) + armature[k])
      const w = (tau[k] - dot6(S, r, pA, b)) * L
      U[r] *= L
      U[r + 1] *= L
      U[r + 2] *= L
      U[r + 3] *= L
      U[r + 4] *= L
      U[r + 5] *= L
      D[m.id[i]] = L
      u[k] = w
    } else if (n > 1) {
      factorBlock(m, d, i, tau)
    }

    const p = parent[i]
    if (p === 0) continue
    for (let l = k; l < k + n; l++) subtractOuter(IA, 21 * i, U, 6 * l, 1)
    mulArticulated(h, 0, IA, 21 * i, c, b)
    for (let l = k; l < k + n; l++) addScaled6(h, 0, u[l], U, 6 * l)
    h[0] += pA[b]
    h[1] += pA[b + 1]
    h[2] += pA[b + 2]
    h[3] += pA[b + 3]
    h[4] += pA[b + 4]
    h[5] += pA[b + 5]
    addInertiaToParent(IA, 21 * p, X_PB, 12 * i, IA, 21 * i)
    addForceToParent(pA, 6 * p, X_PB, 12 * i, h, 0)
  }
}

/** Several degrees of freedom on body i: Cholesky of the pivot block, W and w by forward substitution. */
function factorBlock(m: Model, d: Data, i: number, tau: Vec): void {
  const { iv, armature } = m
  const { S, IA, pA, U, D, u } = d
  const k = iv[i]
  const n = iv[i + 1] - k
  const o = m.id[i]
  for (let r = 0; r < n; r++) {
    mulArticulated(U, 6 * (k + r), IA, 21 * i, S, 6 * (k + r))
    u[k + r] = tau[k + r] - dot6(S, 6 * (k + r), pA, 6 * i)
    for (let l = 0; l <= r; l++) D[o + r * n + l] = dot6(S, 6 * (k + l), U, 6 * (k + r))
    D[o + r * n + r] += armature[k + r]
  }
  if (!cholesky(D, o, n)) D[o] = Number.NaN
  for (let r = 0; r < 6; r++) forwardSubstitute(D, o, n, U, 6 * k + r, 6)
  forwardSubstitute(D, o, n, u, k, 1)
}

/** Root to leaves: accelerations. */
function accelerate(m: Model, d: Data, out: Vec): void {
  const { nbody, parent, iv } = m
  const { X_PB, S, U, D, u, c, A } = d
  for (let i = 1; i < nbody; i++) {
    const b = 6 * i
    const k = iv[i]
    const n = iv[i + 1] - k
    motionToChild(A, b, X_PB, 12 * i, A, 6 * parent[i])
    addScaled6(A, b, 1, c, b)

    if (n === 1) {
      const a = (u[k] - dot6(U, 6 * k, A, b)) * D[m.id[i]]
      out[k] = a
      addScaled6(A, b, a, S, 6 * k)
    } else if (n > 1) {
      // a = L⁻ᵀ (w − W a')
      const o = m.id[i]
      for (let r = 0; r < n; r++) out[k + r] = u[k + r] - dot6(U, 6 * (k + r), A, b)
      backSubstitute(D, o, n, out, k, 1)
      for (let r = 0; r < n; r++) addScaled6(A, b, out[k + r], S, 6 * (k + r))
    }
  }
}
