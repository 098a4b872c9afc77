/**
 * Forces of a medium on ellipsoids [MuJoCo]: in place of the box of a body's inertia, each of some of its geoms stands for the
 * ellipsoid of its size, with lift, and with the medium that moves along.
 *
 * With velocity (w, u) of the geom's centre against the medium in the geom's axes, half axes a, volume Λ, s_i = a_j a_k:
 *   carried along:  momenta P = ρ M u, L = ρ J w (M, J of potential flow):  force P × w,  torque P × u + L × w
 *   Magnus:         force c_m ρ Λ w × u
 *   Kutta:          force (c_k ρ cos A n × u) × u,  n_i = s_i² u_i,  A = π √(Σ s_i⁴ u_i² / n·u),  cos = n·u / (|u| Σ s_i⁴ u_i²)
 *   viscosity β:    force −3π D β u,  torque −π D³ β w,  D = ⅔ Σ a
 *   density ρ:      force −ρ |u| (c_b A + c_s (A_max − A)) u,  torque −ρ |h| w,  h_i = w_i (c_a I_i + c_s (I_max − I_i))
 *   A_max = π a_1 a_2,  I_max = 8/15 π a_2 a_1⁴ of the axes in falling order,  I_i = 8/15 π a_i max(a_j, a_k)⁴
 * Forces by acceleration of what is carried along are left out, as there.
 */
import { current } from '../kernels/tables.js'
import { given } from '../model/data.js'
import type { Force } from '../model/force.js'
import { fluidIn } from './drag.js'

/** Numbers an ellipsoid: half axes (3), coefficients blunt, slender, angular, Kutta, Magnus (5), M (3), J (3). */
export const ELLIPSOID_SIZE = 14

export const ellipsoidDrag: Force = {
  name: 'ellipsoid drag',
  apply(m, d, _s, from = 1, to = m.nbody) {
    const { wind, ellipsoids } = m.medium
    d.kernels.dragEllipsoids(current(d.tables.ellipsoids, ellipsoids), fluidIn(m, d), given(d, d.wind, wind), d.work, from, to)
  },
}
