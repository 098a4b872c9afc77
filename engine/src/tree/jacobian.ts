/**
 * Products with the Jacobian J of all body velocities, V = J v, without forming it: O(n) each.
 *
 *   y = J x      forward   y(i) = X⁻¹ y(p) + S x
 *   x = Jᵀ F     backward  x = Sᵀ F(i),  F(p) += X⁻ᵀ F(i)
 *   z = J̇ v      forward   z(i) = X⁻¹ z(p) + c(i)
 */
import { add6, addDot6, addForceToParent, addScaled6, motionToChild } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

/** Reads X_PB, S. Writes y (6 a body) = J x; the world's row of y must be zero. */
export function jacobianProduct(m: Model, d: Data, y: Vec, x: Vec): void {
  const { nbody, parent, iv, ivEnd } = m
  const { X_PB, S } = d
  for (let i = 1; i < nbody; i++) {
    motionToChild(y, 6 * i, X_PB, 12 * i, y, 6 * parent[i])
    for (let k = iv[i]; k < ivEnd[i]; k++) addScaled6(y, 6 * i, x, k, S, 6 * k)
  }
}

/** Reads X_PB, S. Writes out (nv) = Jᵀ F; overwrites F with the forces accumulated over subtrees. */
export function jacobianTransposeProduct(m: Model, d: Data, out: Vec, F: Vec): void {
  const { nbody, parent, iv, ivEnd } = m
  const { X_PB, S } = d
  for (let i = nbody - 1; i > 0; i--) {
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      out[k] = 0
      addDot6(out, k, S, 6 * k, F, 6 * i)
    }
    if (parent[i] > 0) addForceToParent(F, 6 * parent[i], X_PB, 12 * i, F, 6 * i)
  }
}

/** Reads X_PB, c. Writes z (6 a body) = J̇ v; the world's row of z must be zero. */
export function jacobianRateProduct(m: Model, d: Data, z: Vec): void {
  const { nbody, parent } = m
  const { X_PB, c } = d
  for (let i = 1; i < nbody; i++) {
    motionToChild(z, 6 * i, X_PB, 12 * i, z, 6 * parent[i])
    add6(z, 6 * i, c, 6 * i)
  }
}
