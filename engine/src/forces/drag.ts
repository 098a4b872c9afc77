/**
 * What resists a body's own motion: viscous damping at its centre of mass, and the drag of a medium. `drag.kernel` adds them up.
 *
 * Medium: each body is the box of its principal inertias, edges b = √(6 (I_j + I_k − I_i)/m) [MuJoCo]'s inertia model.
 * With velocity (w, u) of the centre of mass relative to the medium, in principal axes:
 *   viscosity β, mean edge e:  torque −π e³ β w,  force −3π e β u
 *   density ρ:                 torque −ρ b_i (b_j⁴ + b_k⁴)/64 |w_i| w_i,  force −½ ρ b_j b_k |u_i| u_i
 */
import { type Data, given } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'

export const bodyDamping: Force = {
  name: 'body damping',
  apply: (m, d, _s, from = 1, to = m.nbody) => d.kernels.dampBodies(d.tree, d.work, given(d, d.bodyDamping, m.bodyDamping), from, to),
  linearize(m, _d, _s, terms) {
    // Tcᵀ diag(turn, slide) Tc with Tc the shift to the centre of mass
    const D = terms.bodyDamping
    for (let i = 1; i < m.nbody; i++) {
      const turn = m.bodyDamping[2 * i]
      const slide = m.bodyDamping[2 * i + 1]
      if (turn === 0 && slide === 0) continue
      const inverse = m.inertia[10 * i] > 0 ? slide / m.inertia[10 * i] : 0
      const x = m.inertia[10 * i + 1] * inverse
      const y = m.inertia[10 * i + 2] * inverse
      const z = m.inertia[10 * i + 3] * inverse
      const s = slide > 0 ? 1 / slide : 0
      const o = 21 * i
      D[o] += turn + s * (y * y + z * z)
      D[o + 1] -= s * x * y
      D[o + 2] -= s * x * z
      D[o + 3] += turn + s * (x * x + z * z)
      D[o + 4] -= s * y * z
      D[o + 5] += turn + s * (x * x + y * y)
      D[o + 7] -= z
      D[o + 8] += y
      D[o + 9] += z
      D[o + 11] -= x
      D[o + 12] -= y
      D[o + 13] += x
      D[o + 15] += slide
      D[o + 18] += slide
      D[o + 20] += slide
    }
  },
}

/** Numbers a body in Data.resistance, of which the first six are coefficients of turning and sliding along the principal axes. */
export const MEDIUM_SIZE = 12

/** Numbers a body in Medium.boxes: centre of mass (3), principal axes (9), edges (3). */
export const BOX_SIZE = 15

/** Address of density and viscosity. */
export function fluidIn({ medium: { density, viscosity } }: Model, { fluid }: Data): number {
  fluid[0] = density
  fluid[1] = viscosity
  return fluid.byteOffset
}

/** Writes d.resistance: the damping of these bodies by the medium, at their velocities (`MediumDamping` of drag.kernel). Returns the address of the boxes. */
export function mediumDamping(m: Model, d: Data, from = 1, to = m.nbody): number {
  const { boxes, wind } = m.medium
  const at = given(d, d.boxes, boxes)
  d.kernels.measureMedium(at, fluidIn(m, d), given(d, d.wind, wind), d.work, d.resistance.byteOffset, from, to)
  return at
}

export const medium: Force = {
  name: 'medium',
  apply: (m, d, _s, from = 1, to = m.nbody) =>
    d.kernels.dragBoxes(mediumDamping(m, d, from, to), d.resistance.byteOffset, d.work, from, to),
}
