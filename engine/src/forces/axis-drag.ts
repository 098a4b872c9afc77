/**
 * Viscous drag along a body's own axes, spread like its mass: −diag(c) u per share of mass, u the velocity of each point against the
 * medium in body axes. With c equal on all axes it is isotropic; a rod with less along than across can swim.
 *
 *   f = −∫ Γᵀ diag(c) Γ (V − V_wind) dm/m,   Γ = (−[x] 1):  force −diag(c) (v + w × x̄),  moment −∫ x × diag(c) (v + w × x)
 */
import type { Force } from '../model/force.js'

export const axisDrag: Force = {
  name: 'drag along body axes',
  apply(m, d, _s, from = 1, to = m.nbody) {
    const { V, X_WB: X, f } = d
    const wind = m.medium.wind
    for (let i = from; i < to; i++) {
      const a = m.drag[3 * i]
      const b = m.drag[3 * i + 1]
      const c = m.drag[3 * i + 2]
      const mass = m.inertia[10 * i]
      if ((a === 0 && b === 0 && c === 0) || mass === 0) continue
      const o = 10 * i
      const x = 12 * i
      const k = 6 * i
      const s = 1 / mass
      const cx = s * m.inertia[o + 1]
      const cy = s * m.inertia[o + 2]
      const cz = s * m.inertia[o + 3]
      // ∫ x xᵀ dm/m = ½ tr(J) 1 − J, over the mass
      const half = 0.5 * (m.inertia[o + 4] + m.inertia[o + 7] + m.inertia[o + 9])
      const xx = s * (half - m.inertia[o + 4])
      const yy = s * (half - m.inertia[o + 7])
      const zz = s * (half - m.inertia[o + 9])
      const xy = -s * m.inertia[o + 5]
      const xz = -s * m.inertia[o + 6]
      const yz = -s * m.inertia[o + 8]
      const wx = V[k]
      const wy = V[k + 1]
      const wz = V[k + 2]
      const vx = V[k + 3] - (X[x] * wind[0] + X[x + 3] * wind[1] + X[x + 6] * wind[2])
      const vy = V[k + 4] - (X[x + 1] * wind[0] + X[x + 4] * wind[1] + X[x + 7] * wind[2])
      const vz = V[k + 5] - (X[x + 2] * wind[0] + X[x + 5] * wind[1] + X[x + 8] * wind[2])
      f[k + 3] -= a * (vx + wy * cz - wz * cy)
      f[k + 4] -= b * (vy + wz * cx - wx * cz)
      f[k + 5] -= c * (vz + wx * cy - wy * cx)
      // Σ x × diag(c) u with u = v + w × x: moments of x times u
      const yuz = cy * vz + wx * yy - wy * xy
      const zuy = cz * vy + wz * xz - wx * zz
      const zux = cz * vx + wy * zz - wz * yz
      const xuz = cx * vz + wx * xy - wy * xx
      const xuy = cx * vy + wz * xx - wx * xz
      const yux = cy * vx + wy * yz - wz * yy
      f[k] -= c * yuz - b * zuy
      f[k + 1] -= a * zux - c * xuz
      f[k + 2] -= b * xuy - a * yux
    }
  },
}
