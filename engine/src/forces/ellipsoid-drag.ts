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
import type { Force } from '../model/force.js'

/** Numbers an ellipsoid: half axes (3), coefficients blunt, slender, angular, Kutta, Magnus (5), M (3), J (3). */
export const ELLIPSOID_SIZE = 14

/** keeps 0/0 away at rest, and nothing else: MuJoCo bounds these sums no more, and those of an insect's wing are below 1e-15 */
const LEAST = 1e-200

const w = new Float64Array(3)
const u = new Float64Array(3)
const torque = new Float64Array(3)
const force = new Float64Array(3)
const n = new Float64Array(3)
const c = new Float64Array(3)
/** density and viscosity: numbers handed over a call would cost an allocation */
const thick = new Float64Array(2)

export const ellipsoidDrag: Force = {
  name: 'ellipsoid drag',
  apply(m, d, _s, from = 1, to = m.nbody) {
    const { density, viscosity, wind, ellipsoids } = m.medium
    const { V, X_WB, f } = d
    thick[0] = density
    thick[1] = viscosity
    for (let e = 0; e < ellipsoids.count; e++) {
      const i = ellipsoids.body[e]
      if (i < from || i >= to) continue
      const b = 6 * i
      const x = 12 * i
      const { X, numbers } = ellipsoids
      const p = 12 * e
      const px = X[p + 9]
      const py = X[p + 10]
      const pz = X[p + 11]
      const ux = V[b + 3] + V[b + 1] * pz - V[b + 2] * py - (X_WB[x] * wind[0] + X_WB[x + 3] * wind[1] + X_WB[x + 6] * wind[2])
      const uy = V[b + 4] + V[b + 2] * px - V[b] * pz - (X_WB[x + 1] * wind[0] + X_WB[x + 4] * wind[1] + X_WB[x + 7] * wind[2])
      const uz = V[b + 5] + V[b] * py - V[b + 1] * px - (X_WB[x + 2] * wind[0] + X_WB[x + 5] * wind[1] + X_WB[x + 8] * wind[2])
      for (let r = 0; r < 3; r++) {
        w[r] = X[p + r] * V[b] + X[p + 3 + r] * V[b + 1] + X[p + 6 + r] * V[b + 2]
        u[r] = X[p + r] * ux + X[p + 3 + r] * uy + X[p + 6 + r] * uz
      }
      push(numbers, ELLIPSOID_SIZE * e)

      // back to body axes, force moved to the body origin
      const fx = X[p] * force[0] + X[p + 1] * force[1] + X[p + 2] * force[2]
      const fy = X[p + 3] * force[0] + X[p + 4] * force[1] + X[p + 5] * force[2]
      const fz = X[p + 6] * force[0] + X[p + 7] * force[1] + X[p + 8] * force[2]
      f[b] += X[p] * torque[0] + X[p + 1] * torque[1] + X[p + 2] * torque[2] + py * fz - pz * fy
      f[b + 1] += X[p + 3] * torque[0] + X[p + 4] * torque[1] + X[p + 5] * torque[2] + pz * fx - px * fz
      f[b + 2] += X[p + 6] * torque[0] + X[p + 7] * torque[1] + X[p + 8] * torque[2] + px * fy - py * fx
      f[b + 3] += fx
      f[b + 4] += fy
      f[b + 5] += fz
    }
  },
}

/** Reads w, u, thick. Writes force and torque on the ellipsoid at o, in its axes. */
function push(g: Float64Array, o: number): void {
  const density = thick[0]
  const viscosity = thick[1]
  const a0 = g[o]
  const a1 = g[o + 1]
  const a2 = g[o + 2]
  const blunt = g[o + 3]
  const slender = g[o + 4]
  const angular = g[o + 5]
  const kutta = g[o + 6]
  const magnus = g[o + 7]
  const most = Math.max(a0, a1, a2)
  const middle = a0 + a1 + a2 - most - Math.min(a0, a1, a2)

  // cross-section along the velocity, and its normal
  let num = 0
  let denom = 0
  for (let r = 0; r < 3; r++) {
    const s = g[o + ((r + 1) % 3)] * g[o + ((r + 2) % 3)]
    n[r] = s * s * u[r]
    num += n[r] * u[r]
    denom += n[r] * n[r]
  }
  const speed = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
  const area = Math.PI * Math.sqrt(denom / Math.max(LEAST, num))
  const lift = (kutta * density * num * area) / Math.max(LEAST, speed * denom)
  for (let r = 0; r < 3; r++) {
    const j = (r + 1) % 3
    const k = (r + 2) % 3
    c[r] = lift * (n[j] * u[k] - n[k] * u[j])
  }

  // drag, linear and quadratic
  const D = (2 / 3) * (a0 + a1 + a2)
  const largest = (8 / 15) * Math.PI * middle * most * most * most * most
  let square = 0
  for (let r = 0; r < 3; r++) {
    const wide = Math.max(g[o + ((r + 1) % 3)], g[o + ((r + 2) % 3)])
    const own = (8 / 15) * Math.PI * g[o + r] * wide * wide * wide * wide
    const h = w[r] * (angular * own + slender * (largest - own))
    square += h * h
  }
  const slide = 3 * Math.PI * D * viscosity + density * speed * (blunt * area + slender * (Math.PI * most * middle - area))
  const turn = Math.PI * D * D * D * viscosity + density * Math.sqrt(square)

  const volume = (4 / 3) * Math.PI * a0 * a1 * a2
  for (let r = 0; r < 3; r++) {
    const j = (r + 1) % 3
    const k = (r + 2) % 3
    const Mj = density * g[o + 8 + j] * u[j]
    const Mk = density * g[o + 8 + k] * u[k]
    force[r] = Mj * w[k] - Mk * w[j] + magnus * density * volume * (w[j] * u[k] - w[k] * u[j]) + (c[j] * u[k] - c[k] * u[j]) - slide * u[r]
    torque[r] = Mj * u[k] - Mk * u[j] + density * (g[o + 11 + j] * w[j] * w[k] - g[o + 11 + k] * w[k] * w[j]) - turn * w[r]
  }
}
