/**
 * Inverse dynamics, the recursive Newton–Euler algorithm.
 *
 * [RBDA] Table 5.1 in body coordinates, gravity as an upward acceleration of the world:
 *   A(i) = X⁻¹ A(p) + S a + c
 *   F(i) = I A(i) + V(i) ×* I V(i) − f(i) + Σ children
 *   τ    = Sᵀ F(i) + armature a
 */
import { mulRigid } from '../math/inertia.js'
import { add6, addScaled6, crossForce, motionToChild } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { sumForces } from './jacobian.js'
import { addFrameRate, addModeForce, motionOnFrame } from './modes.js'

const h = new Float64Array(6)

/** Reads the kinematics, f, and a. Writes A, F and out (nv): the joint forces that produce a. */
export function rnea(m: Model, d: Data, a: Vec, out: Vec): void {
  bodyForces(m, d, a, out)
  sumForces(m, d, out, d.F)
}

/**
 * First loop, over the bodies from … to − 1. Reads the kinematics, f, and a. Writes A, F that the motion of each body alone takes, and out: what
 * armature and modes take. `sumForces` is the second.
 */
export function bodyForces(m: Model, d: Data, a: Vec, out: Vec, from = 1, to = m.nbody): void {
  const { parent, iv, ivEnd, inertia, armature } = m
  const { frame, count } = m.modes
  const { X_PB, S, V, c, A, F, f } = d
  for (let i = from; i < to; i++) {
    const b = 6 * i

    // acceleration
    if (frame[i] < 0) motionToChild(A, b, X_PB, 12 * i, A, 6 * parent[i])
    else {
      motionOnFrame(m, d, A, a, i)
      addFrameRate(m, d, A, i)
    }
    add6(A, b, c, b)
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      addScaled6(A, b, a, k, S, 6 * k)
      out[k] = armature[k] * a[k]
    }

    // force that the motion of this body alone takes
    mulRigid(h, 0, inertia, 10 * i, V, b)
    crossForce(F, b, V, b, h, 0)
    mulRigid(h, 0, inertia, 10 * i, A, b)
    for (let r = 0; r < 6; r++) F[b + r] += h[r] - f[b + r]
    if (count > 0) addModeForce(m, d, a, out, i)
  }
}
