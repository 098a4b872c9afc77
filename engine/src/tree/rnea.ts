/**
 * Inverse dynamics, the recursive Newton–Euler algorithm.
 *
 * [RBDA] Table 5.1 in body coordinates, gravity as an upward acceleration of the world:
 *   A(i) = X⁻¹ A(p) + S a + c
 *   F(i) = I A(i) + V(i) ×* I V(i) − f(i) + Σ children
 *   τ    = Sᵀ F(i) + armature a
 */
import { mulRigid } from '../math/inertia.js'
import { add6, addDot6, addForceToParent, addScaled6, crossForce, motionToChild } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

const h = new Float64Array(6)

/** Reads the kinematics, f, and a. Writes A, F and out (nv): the joint forces that produce a. */
export function rnea(m: Model, d: Data, a: Vec, out: Vec): void {
  const { nbody, parent, iv, ivEnd, inertia, armature } = m
  const { X_PB, S, V, c, A, F, f } = d

  for (let i = 1; i < nbody; i++) {
    const b = 6 * i

    // acceleration
    motionToChild(A, b, X_PB, 12 * i, A, 6 * parent[i])
    add6(A, b, c, b)
    for (let k = iv[i]; k < ivEnd[i]; k++) addScaled6(A, b, a, k, S, 6 * k)

    // force that the motion of this body alone takes
    mulRigid(h, 0, inertia, 10 * i, V, b)
    crossForce(F, b, V, b, h, 0)
    mulRigid(h, 0, inertia, 10 * i, A, b)
    for (let r = 0; r < 6; r++) F[b + r] += h[r] - f[b + r]
  }

  for (let i = nbody - 1; i > 0; i--) {
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      out[k] = armature[k] * a[k]
      addDot6(out, k, S, 6 * k, F, 6 * i)
    }
    const p = parent[i]
    if (p > 0) addForceToParent(F, 6 * p, X_PB, 12 * i, F, 6 * i)
  }
}
