/**
 * Inverse dynamics, the recursive Newton–Euler algorithm.
 *
 * [RBDA] Table 5.1 in body coordinates, gravity as an upward acceleration of the world:
 *   A(i) = X⁻¹ A(p) + S a + c
 *   F(i) = I A(i) + V(i) ×* I V(i) − f(i) + Σ children
 *   τ    = Sᵀ F(i) + armature a
 */
import { add, type Int, type Lanes, scale, sub } from '../math/values/columns.js'
import { crossForce, motionToChild, mulRigid } from '../math/values/spatial.js'
import type { Tree, Work } from '../model/tables.js'

/**
 * First loop. Reads the kinematics, f, and a. Writes A, F that the motion of each body alone takes, and out, what armature takes, of the
 * bodies from … to − 1; A of one on a moved frame holds the acceleration of that frame before. `sumForcesUp` is the second loop.
 * @kernel
 */
export function forceBodies(m: Tree, d: Work, a: Lanes<number>, out: Lanes<number>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) {
    const start = m.moved[i] === 1 ? d.A[i] : motionToChild(d.X_PB[i], d.A[m.parent[i]])
    const I = m.inertia[i]
    const V = d.V[i]
    let A = add(start, d.c[i])
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
      A = add(A, scale(a[k], d.S[k]))
      out[k] = m.armature[k] * a[k]
    }
    d.A[i] = A
    d.F[i] = add(crossForce(V, mulRigid(I, V)), sub(mulRigid(I, A), d.f[i]))
  }
}
