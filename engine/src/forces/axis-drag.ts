/**
 * Viscous drag along a body's own axes, spread like its mass: −diag(c) u per share of mass, u the velocity of each point against the
 * medium in body axes. With c equal on all axes it is isotropic; a rod with less along than across can swim.
 *
 *   f = −∫ Γᵀ diag(c) Γ (V − V_wind) dm/m,   Γ = (−[x] 1):  force −diag(c) (v + w × x̄),  moment −∫ x × diag(c) (v + w × x)
 */
import { given } from '../model/data.js'
import type { Force } from '../model/force.js'

export const axisDrag: Force = {
  name: 'drag along body axes',
  apply: (m, d, _s, from = 1, to = m.nbody) =>
    d.kernels.dragAlongAxes(d.tree, d.work, given(d, d.drag, m.drag), given(d, d.wind, m.medium.wind), from, to),
}
