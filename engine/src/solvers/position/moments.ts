/**
 * Mass moments in homogeneous coordinates (note 50 section 1): Mt = ∫ρ (x;1)(x;1)ᵀ, so that ∫ρ P(a)·P(b) = tr(T_a Mt T_bᵀ) for 3 × 4
 * transforms T. With J the inertia about the body origin, ∫ρ x xᵀ = ½ tr(J) 1 − J.
 */
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'

/** Numbers a body: Σ = ∫ρ x xᵀ (xx xy xz yy yz zz), m c, m. */
export const MOMENTS = 10

export function createMoments(m: Model): Vec {
  const out = new Float64Array(MOMENTS * m.nbody)
  const I = m.inertia
  for (let i = 1; i < m.nbody; i++) {
    const o = 10 * i
    const half = 0.5 * (I[o + 4] + I[o + 7] + I[o + 9])
    out[o] = half - I[o + 4]
    out[o + 1] = -I[o + 5]
    out[o + 2] = -I[o + 6]
    out[o + 3] = half - I[o + 7]
    out[o + 4] = -I[o + 8]
    out[o + 5] = half - I[o + 9]
    out[o + 6] = I[o + 1]
    out[o + 7] = I[o + 2]
    out[o + 8] = I[o + 3]
    out[o + 9] = I[o]
  }
  return out
}
