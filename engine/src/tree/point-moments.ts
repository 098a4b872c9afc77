/**
 * The space of points: mass moments and rates of poses, for schemes that step the transforms of bodies.
 *
 * Mass moments in homogeneous coordinates: Mt = ∫ρ (x;1)(x;1)ᵀ, so that ∫ρ P(a)·P(b) = tr(T_a Mt T_bᵀ) for 3 × 4
 * transforms T. With J the inertia about the body origin, ∫ρ x xᵀ = ½ tr(J) 1 − J.
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

/** Numbers a body: Σ = ∫ρ x xᵀ (xx xy xz yy yz zz), m c, m. The world's hold gravity in place of m c. */
export const MOMENTS = 10

export function createMoments(m: Model): Vec {
  const out = new Float64Array(MOMENTS * m.nbody)
  out.set(m.gravity, 6)
  for (let i = 1; i < m.nbody; i++) setMoments(out, i, m.inertia, 10 * i)
  return out
}

/** Moments of body i ← those of the rigid inertia I[o …]. */
export function setMoments(out: Vec, i: number, I: Vec, o: number): void {
  const e = MOMENTS * i
  const half = 0.5 * (I[o + 4] + I[o + 7] + I[o + 9])
  out[e] = half - I[o + 4]
  out[e + 1] = -I[o + 5]
  out[e + 2] = -I[o + 6]
  out[e + 3] = half - I[o + 7]
  out[e + 4] = -I[o + 8]
  out[e + 5] = half - I[o + 9]
  out[e + 6] = I[o + 1]
  out[e + 7] = I[o + 2]
  out[e + 8] = I[o + 3]
  out[e + 9] = I[o]
}

/** Reads X_WB, V. Writes out ← T [V]: the rate of every pose (12 a body). */
export function poseRates(m: Model, d: Data, out: Vec): void {
  const { X_WB: X, V } = d
  for (let i = 1; i < m.nbody; i++) {
    const x = 12 * i
    const b = 6 * i
    for (let r = 0; r < 3; r++) {
      const o = x + 3 * r
      const a = X[o]
      const e = X[o + 1]
      const f = X[o + 2]
      out[o] = e * V[b + 2] - f * V[b + 1]
      out[o + 1] = f * V[b] - a * V[b + 2]
      out[o + 2] = a * V[b + 1] - e * V[b]
      out[x + 9 + r] = a * V[b + 3] + e * V[b + 4] + f * V[b + 5]
    }
  }
}
