/**
 * The velocity that a robust step shows: that of the joints, or, where bodies turn so far in a step that it would have more kinetic energy
 * than the rates of the bodies hold, the projection of those on the motions that the joints allow, v = M⁻¹ (Jᵀ P + armature · v₀), P momenta.
 */
import type { Vec } from '../../../math/types.js'
import { factorImplicit, type ImplicitFactor, solveImplicit } from '../../../tree/implicit-factor.js'
import { jacobianTransposeProduct } from '../../../tree/jacobian.js'
import { twiceKinetic } from '../../../tree/momentum.js'
import { momenta } from './free-motion.js'
import type { PointSystem } from './point-system.js'

// a velocity that shows so much more energy is projected
const EXCESS = 1e-3

/** Reads v0, V and poses of the last evaluation, and the rates, whose energy is in energy[0]. Writes v. */
export function showVelocity(p: PointSystem, rates: Vec, energy: Vec, factor: ImplicitFactor, v: Vec): void {
  const { system: s, v0, free } = p
  const { model: m, data: d, F, b } = s
  v.set(v0)
  twiceKinetic(m, d.V, v0, twice, 0)
  if (!(0.5 * twice[0] > (1 + EXCESS) * energy[0])) return
  momenta(free, F, d.X_WB, rates, twice, 0)
  jacobianTransposeProduct(m, d, b, F)
  for (let k = 0; k < m.nv; k++) b[k] += m.armature[k] * v0[k]
  if (factorImplicit(m, d, factor, undefined, undefined)) solveImplicit(m, factor, v, 0, b, 0)
}

const twice = new Float64Array(1)
