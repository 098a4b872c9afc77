/**
 * Products with the Jacobian J of all body velocities, V = J v, without forming it: O(n) each.
 *
 *   y = J x      forward   y(i) = X⁻¹ y(p) + S x
 *   x = Jᵀ F     backward  x = Sᵀ F(i),  F(p) += X⁻ᵀ F(i)
 *   z = J̇ v      forward   z(i) = X⁻¹ z(p) + c(i)
 * Each over a range of bodies from … to − 1, by default all. `tree/modes` has what bodies that deform add.
 */
import { add6, addDot6, addForceToParent, addScaled6, motionToChild } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { addFrameRate, forceOnFrame, motionOnFrame } from './modes.js'

/** Reads X_PB, S. Writes y (6 a body) = J x; the world's row of y must be zero. */
export function jacobianProduct(m: Model, d: Data, y: Vec, x: Vec, from = 1, to = m.nbody): void {
  const { parent, iv, ivEnd } = m
  const { frame } = m.modes
  const { X_PB, S } = d
  for (let i = from; i < to; i++) {
    if (frame[i] < 0) motionToChild(y, 6 * i, X_PB, 12 * i, y, 6 * parent[i])
    else motionOnFrame(m, d, y, x, i)
    for (let k = iv[i]; k < ivEnd[i]; k++) addScaled6(y, 6 * i, x, k, S, 6 * k)
  }
}

/** Reads X_PB, S. Writes out (nv) = Jᵀ F; overwrites F with the forces accumulated over subtrees. */
export function jacobianTransposeProduct(m: Model, d: Data, out: Vec, F: Vec): void {
  for (let k = 0; k < m.nv; k++) out[k] = 0
  sumForces(m, d, out, F)
}

/** out += Jᵀ F, the last body first. Bodies whose parents are outside of the range keep their sums: `joinForces` carries them on. */
export function sumForces(m: Model, d: Data, out: Vec, F: Vec, from = 1, to = m.nbody): void {
  const { iv, ivEnd, parent } = m
  const { frame } = m.modes
  const { X_PB, S } = d
  for (let i = to - 1; i >= from; i--) {
    for (let k = iv[i]; k < ivEnd[i]; k++) addDot6(out, k, S, 6 * k, F, 6 * i)
    const p = parent[i]
    if (p < from) continue
    if (frame[i] < 0) addForceToParent(F, 6 * p, X_PB, 12 * i, F, 6 * i)
    else forceOnFrame(m, d, F, out, i)
  }
}

/** Adds what `sumForces` left at the bodies from … to − 1 to their parents outside of this range, the last child first. */
export function joinForces(m: Model, d: Data, out: Vec, F: Vec, from: number, to: number): void {
  const { parent, modes } = m
  for (let i = to - 1; i >= from; i--) {
    const p = parent[i]
    if (p === 0 || p >= from) continue
    if (modes.frame[i] < 0) addForceToParent(F, 6 * p, d.X_PB, 12 * i, F, 6 * i)
    else forceOnFrame(m, d, F, out, i)
  }
}

/** Reads X_PB, c. Writes z (6 a body) = J̇ v; the world's row of z must be zero. */
export function jacobianRateProduct(m: Model, d: Data, z: Vec, from = 1, to = m.nbody): void {
  const { parent, modes } = m
  const { X_PB, c } = d
  for (let i = from; i < to; i++) {
    motionToChild(z, 6 * i, X_PB, 12 * i, z, 6 * parent[i])
    if (modes.frame[i] >= 0) addFrameRate(m, d, z, i)
    add6(z, 6 * i, c, 6 * i)
  }
}
