/**
 * Factor and solve of implicit systems on the tree, O(n): Jᵀ (I + B) J + diag(armature + r), with I the rigid inertias, B a symmetric
 * 6 × 6 matrix a body (forces that act on one body), r a number a velocity (forces in the joints).
 *
 * The elimination of `tree/aba` without velocities and forces:
 *   W = L⁻¹ (IA S)ᵀ with L Lᵀ = Sᵀ IA S + diag,   IA(p) += X⁻ᵀ (IA − Wᵀ W) X⁻¹
 *   backward  w = L⁻¹ (x − Sᵀ p),   p(parent) += X⁻ᵀ (p + Wᵀ w)
 *   forward   y = L⁻ᵀ (w − W a'),   a = a' + S y,   a' = X⁻¹ a(parent)
 * The factor keeps its own copy of poses and axes, so that it stays good while Data moves on.
 */
import { backSubstitute, cholesky, forwardSubstitute } from '../linalg/dense/cholesky.js'
import { addInertiaToParent, addRigid, mulArticulated, mulRigid, subtractOuter } from '../math/inertia.js'
import { addDot6, addForceToParent, addScaled6, motionToChild, subtractDot6 } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

export interface ImplicitFactor {
  readonly X_PB: Vec
  readonly S: Vec
  readonly IA: Vec
  /** W row by row, and L (1/L where a body has one degree of freedom) */
  readonly W: Vec
  readonly L: Vec
  /** scratch: a force and a motion a body */
  readonly p: Vec
  readonly a: Vec
}

export function createImplicitFactor(m: Model): ImplicitFactor {
  const { nbody, nv } = m
  return {
    X_PB: new Float64Array(12 * nbody),
    S: new Float64Array(6 * nv),
    IA: new Float64Array(21 * nbody),
    W: new Float64Array(6 * nv),
    L: new Float64Array(m.id[nbody]),
    p: new Float64Array(6 * nbody),
    a: new Float64Array(6 * nbody),
  }
}

/**
 * Reads the kinematics of d. Writes the factor. `bodies` holds 21 numbers a body (`math/inertia`), `joints` a number a velocity; either
 * may be left out. False where the matrix is not positive definite.
 */
export function factorImplicit(m: Model, d: Data, out: ImplicitFactor, bodies: Vec | undefined, joints: Vec | undefined): boolean {
  const { nbody, parent, iv, ivEnd, inertia, armature, id } = m
  const { X_PB, S, IA, W, L } = out
  X_PB.set(d.X_PB)
  S.set(d.S)
  if (bodies === undefined) IA.fill(0)
  else IA.set(bodies)
  for (let i = 1; i < nbody; i++) addRigid(IA, 21 * i, inertia, 10 * i)

  for (let i = nbody - 1; i > 0; i--) {
    const k = iv[i]
    const n = ivEnd[i] - k
    if (n === 1) {
      const r = 6 * k
      mulArticulated(W, r, IA, 21 * i, S, r)
      const at = id[i]
      L[at] = 0
      addDot6(L, at, S, r, W, r)
      const pivot = L[at] + armature[k] + (joints === undefined ? 0 : joints[k])
      if (!(pivot > 0)) return false
      const x = 1 / Math.sqrt(pivot)
      for (let c = 0; c < 6; c++) W[r + c] *= x
      L[at] = x
    } else if (n > 1) {
      const o = id[i]
      for (let r = 0; r < n; r++) {
        mulArticulated(W, 6 * (k + r), IA, 21 * i, S, 6 * (k + r))
        for (let c = 0; c <= r; c++) {
          L[o + r * n + c] = 0
          addDot6(L, o + r * n + c, S, 6 * (k + c), W, 6 * (k + r))
        }
        L[o + r * n + r] += armature[k + r] + (joints === undefined ? 0 : joints[k + r])
      }
      if (!cholesky(L, o, n)) return false
      for (let c = 0; c < 6; c++) forwardSubstitute(L, o, n, W, 6 * k + c, 6)
    }
    const p = parent[i]
    if (p === 0) continue
    for (let l = k; l < k + n; l++) subtractOuter(IA, 21 * i, W, 6 * l)
    addInertiaToParent(IA, 21 * p, X_PB, 12 * i, IA, 21 * i)
  }
  return true
}

/** out[o …] ← the inverse times x[i0 …]; out and x may be the same. */
export function solveImplicit(m: Model, factor: ImplicitFactor, out: Vec, o: number, x: Vec, i0: number): void {
  const { nbody, parent, iv, ivEnd, id } = m
  const { X_PB, S, W, L, p, a } = factor
  for (let k = 0; k < 6 * nbody; k++) p[k] = 0

  for (let i = nbody - 1; i > 0; i--) {
    const k = iv[i]
    const n = ivEnd[i] - k
    const b = 6 * i
    for (let r = 0; r < n; r++) {
      out[o + k + r] = x[i0 + k + r]
      subtractDot6(out, o + k + r, S, 6 * (k + r), p, b)
    }
    if (n === 1) out[o + k] *= L[id[i]]
    else if (n > 1) forwardSubstitute(L, id[i], n, out, o + k, 1)
    if (parent[i] === 0) continue
    for (let r = 0; r < n; r++) addScaled6(p, b, out, o + k + r, W, 6 * (k + r))
    addForceToParent(p, 6 * parent[i], X_PB, 12 * i, p, b)
  }

  for (let i = 1; i < nbody; i++) {
    const k = iv[i]
    const n = ivEnd[i] - k
    const b = 6 * i
    motionToChild(a, b, X_PB, 12 * i, a, 6 * parent[i])
    for (let r = 0; r < n; r++) subtractDot6(out, o + k + r, W, 6 * (k + r), a, b)
    if (n === 1) out[o + k] *= L[id[i]]
    else if (n > 1) backSubstitute(L, id[i], n, out, o + k, 1)
    for (let r = 0; r < n; r++) addScaled6(a, b, out, o + k + r, S, 6 * (k + r))
  }
}

const h = new Float64Array(6)

/** y (6 a body) ← J x[i0 …] at the factor's pose. */
export function implicitMotions(m: Model, factor: ImplicitFactor, y: Vec, x: Vec, i0: number): void {
  const { nbody, parent, iv, ivEnd } = m
  const { X_PB, S } = factor
  for (let i = 1; i < nbody; i++) {
    motionToChild(y, 6 * i, X_PB, 12 * i, y, 6 * parent[i])
    for (let k = iv[i]; k < ivEnd[i]; k++) addScaled6(y, 6 * i, x, i0 + k, S, 6 * k)
  }
}

/**
 * out[o …] ← M x[i0 …] with the rigid inertias and armatures at the factor's pose, without B and r, plus Jᵀ of `wrenches` (6 a body)
 * where there are some; out and x may be the same.
 */
export function multiplyInertia(m: Model, factor: ImplicitFactor, out: Vec, o: number, x: Vec, i0: number, wrenches?: Vec): void {
  const { nbody, parent, iv, ivEnd, inertia, armature } = m
  const { X_PB, S, p, a } = factor
  implicitMotions(m, factor, a, x, i0)
  for (let i = 1; i < nbody; i++) {
    const b = 6 * i
    mulRigid(h, 0, inertia, 10 * i, a, b)
    for (let r = 0; r < 6; r++) p[b + r] = wrenches === undefined ? h[r] : h[r] + wrenches[b + r]
  }
  for (let i = nbody - 1; i > 0; i--) {
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      out[o + k] = armature[k] * x[i0 + k]
      addDot6(out, o + k, S, 6 * k, p, 6 * i)
    }
    if (parent[i] > 0) addForceToParent(p, 6 * parent[i], X_PB, 12 * i, p, 6 * i)
  }
}
