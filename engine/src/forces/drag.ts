/**
 * What resists a body's own motion: viscous damping at its centre of mass, and the drag of a medium.
 *
 * Medium: each body is the box of its principal inertias, edges b = √(6 (I_j + I_k − I_i)/m) [MuJoCo]'s inertia model.
 * With velocity (w, u) of the centre of mass relative to the medium, in principal axes:
 *   viscosity β, mean edge e:  torque −π e³ β w,  force −3π e β u
 *   density ρ:                 torque −ρ b_i (b_j⁴ + b_k⁴)/64 |w_i| w_i,  force −½ ρ b_j b_k |u_i| u_i
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'

const damping = new Float64Array(12)
const torque = new Float64Array(3)
const force = new Float64Array(3)

export const bodyDamping: Force = {
  name: 'body damping',
  apply(m, d, _s, from = 1, to = m.nbody) {
    const { V, f } = d
    for (let i = from; i < to; i++) {
      const turn = m.bodyDamping[2 * i]
      const slide = m.bodyDamping[2 * i + 1]
      if (turn === 0 && slide === 0) continue
      const b = 6 * i
      const o = 10 * i
      const inverse = m.inertia[o] > 0 ? 1 / m.inertia[o] : 0
      const cx = m.inertia[o + 1] * inverse
      const cy = m.inertia[o + 2] * inverse
      const cz = m.inertia[o + 3] * inverse
      const fx = -slide * (V[b + 3] + V[b + 1] * cz - V[b + 2] * cy)
      const fy = -slide * (V[b + 4] + V[b + 2] * cx - V[b] * cz)
      const fz = -slide * (V[b + 5] + V[b] * cy - V[b + 1] * cx)
      f[b] += cy * fz - cz * fy - turn * V[b]
      f[b + 1] += cz * fx - cx * fz - turn * V[b + 1]
      f[b + 2] += cx * fy - cy * fx - turn * V[b + 2]
      f[b + 3] += fx
      f[b + 4] += fy
      f[b + 5] += fz
    }
  },
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

/** Numbers a body in Medium.boxes: centre of mass (3), principal axes (9), edges (3). */
export const BOX_SIZE = 15

/** What `mediumDamping` writes: coefficients of turning and sliding along the principal axes, then the velocities they belong to. */
export const MEDIUM_SIZE = 12
const TURN = 0
const SLIDE = 3
const W = 6
const U = 9

/** out ← the damping of body i by the medium, at its velocity; false where the body has no box. */
export function mediumDamping(out: Vec, m: Model, d: Data, i: number): boolean {
  const { density, viscosity, wind, boxes } = m.medium
  const { V, X_WB } = d
  const o = BOX_SIZE * i
  const b0 = boxes[o + 12]
  const b1 = boxes[o + 13]
  const b2 = boxes[o + 14]
  if (b0 + b1 + b2 === 0) return false
  const b = 6 * i
  const x = 12 * i
  const cx = boxes[o]
  const cy = boxes[o + 1]
  const cz = boxes[o + 2]

  // velocity of the centre of mass against the medium, in body axes
  const ux = V[b + 3] + V[b + 1] * cz - V[b + 2] * cy - (X_WB[x] * wind[0] + X_WB[x + 3] * wind[1] + X_WB[x + 6] * wind[2])
  const uy = V[b + 4] + V[b + 2] * cx - V[b] * cz - (X_WB[x + 1] * wind[0] + X_WB[x + 4] * wind[1] + X_WB[x + 7] * wind[2])
  const uz = V[b + 5] + V[b] * cy - V[b + 1] * cx - (X_WB[x + 2] * wind[0] + X_WB[x + 5] * wind[1] + X_WB[x + 8] * wind[2])

  // in principal axes
  for (let r = 0; r < 3; r++) {
    const e = o + 3 + r
    out[W + r] = boxes[e] * V[b] + boxes[e + 3] * V[b + 1] + boxes[e + 6] * V[b + 2]
    out[U + r] = boxes[e] * ux + boxes[e + 3] * uy + boxes[e + 6] * uz
  }

  const edge = (b0 + b1 + b2) / 3
  const turn = Math.PI * edge * edge * edge * viscosity
  const slide = 3 * Math.PI * edge * viscosity
  out[TURN] = turn + (density * b0 * (b1 * b1 * b1 * b1 + b2 * b2 * b2 * b2) * Math.abs(out[W])) / 64
  out[TURN + 1] = turn + (density * b1 * (b0 * b0 * b0 * b0 + b2 * b2 * b2 * b2) * Math.abs(out[W + 1])) / 64
  out[TURN + 2] = turn + (density * b2 * (b0 * b0 * b0 * b0 + b1 * b1 * b1 * b1) * Math.abs(out[W + 2])) / 64
  out[SLIDE] = slide + 0.5 * density * b1 * b2 * Math.abs(out[U])
  out[SLIDE + 1] = slide + 0.5 * density * b0 * b2 * Math.abs(out[U + 1])
  out[SLIDE + 2] = slide + 0.5 * density * b0 * b1 * Math.abs(out[U + 2])
  return true
}

export const medium: Force = {
  name: 'medium',
  apply(m, d, _s, from = 1, to = m.nbody) {
    const { boxes } = m.medium
    const { f } = d
    for (let i = from; i < to; i++) {
      if (!mediumDamping(damping, m, d, i)) continue
      for (let r = 0; r < 3; r++) {
        torque[r] = -damping[W + r] * damping[TURN + r]
        force[r] = -damping[U + r] * damping[SLIDE + r]
      }

      // back to body axes, force moved to the body origin
      const b = 6 * i
      const o = BOX_SIZE * i
      const r = o + 3
      const fx = boxes[r] * force[0] + boxes[r + 1] * force[1] + boxes[r + 2] * force[2]
      const fy = boxes[r + 3] * force[0] + boxes[r + 4] * force[1] + boxes[r + 5] * force[2]
      const fz = boxes[r + 6] * force[0] + boxes[r + 7] * force[1] + boxes[r + 8] * force[2]
      f[b] += boxes[r] * torque[0] + boxes[r + 1] * torque[1] + boxes[r + 2] * torque[2] + boxes[o + 1] * fz - boxes[o + 2] * fy
      f[b + 1] += boxes[r + 3] * torque[0] + boxes[r + 4] * torque[1] + boxes[r + 5] * torque[2] + boxes[o + 2] * fx - boxes[o] * fz
      f[b + 2] += boxes[r + 6] * torque[0] + boxes[r + 7] * torque[1] + boxes[r + 8] * torque[2] + boxes[o] * fy - boxes[o + 1] * fx
      f[b + 3] += fx
      f[b + 4] += fy
      f[b + 5] += fz
    }
  },
}
