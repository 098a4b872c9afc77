/**
 * Sums over the bodies from … to − 1, by default all: mass, centre of mass, momentum; kinetic energy of all.
 */

import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { add6, addQuadRigid, mulRigid } from '../printed/arrays.js'
import { addTwiceModeKinetic } from './modes.js'

/** Mass of all bodies, the fixed ones included. */
export function totalMass(m: Model, from = 1, to = m.nbody): number {
  let mass = 0
  for (let i = from; i < to; i++) mass += m.inertia[10 * i]
  return mass
}

/** Reads X_WB, dI. Writes the centre of mass of all bodies, in the world, to out[0..2]; zero if there is no mass. */
export function centerOfMass(m: Model, d: Data, out: Vec, from = 1, to = m.nbody): void {
  const { inertia, modes } = m
  const X = d.X_WB
  let mass = 0
  out[0] = 0
  out[1] = 0
  out[2] = 0
  for (let i = from; i < to; i++) {
    const o = 10 * i
    const x = 12 * i
    const n = modes.row[i]
    mass += inertia[o]
    for (let r = 0; r < 3; r++) {
      out[r] += inertia[o] * X[x + 9 + r]
      for (let k = 0; k < 3; k++) out[r] += X[x + 3 * r + k] * (n < 0 ? inertia[o + 1 + k] : inertia[o + 1 + k] + d.dI[10 * n + 1 + k])
    }
  }
  if (mass === 0) return
  for (let r = 0; r < 3; r++) out[r] /= mass
}

const h = new Float64Array(6)

/** Reads X_WB, V, pf. Writes angular momentum about the world origin, then linear momentum, in world axes, to out[0..5]. */
export function momentum(m: Model, d: Data, out: Vec, from = 1, to = m.nbody): void {
  const { inertia, modes } = m
  const { X_WB: X, V } = d
  for (let r = 0; r < 6; r++) out[r] = 0
  for (let i = from; i < to; i++) {
    const x = 12 * i
    mulRigid(h, 0, inertia, 10 * i, V, 6 * i)
    if (modes.row[i] >= 0) add6(h, 0, d.pf, 6 * modes.row[i])
    const lx = X[x] * h[3] + X[x + 1] * h[4] + X[x + 2] * h[5]
    const ly = X[x + 3] * h[3] + X[x + 4] * h[4] + X[x + 5] * h[5]
    const lz = X[x + 6] * h[3] + X[x + 7] * h[4] + X[x + 8] * h[5]
    const px = X[x + 9]
    const py = X[x + 10]
    const pz = X[x + 11]
    out[0] += X[x] * h[0] + X[x + 1] * h[1] + X[x + 2] * h[2] + py * lz - pz * ly
    out[1] += X[x + 3] * h[0] + X[x + 4] * h[1] + X[x + 5] * h[2] + pz * lx - px * lz
    out[2] += X[x + 6] * h[0] + X[x + 7] * h[1] + X[x + 8] * h[2] + px * ly - py * lx
    out[3] += lx
    out[4] += ly
    out[5] += lz
  }
}

/** Reads V. ½ vᵀ M v, armature included. */
export function kineticEnergy(m: Model, d: Data, v: Vec): number {
  twiceKinetic(m, d.V, v, h, 0)
  if (m.modes.count > 0) addTwiceModeKinetic(m, d, d.V, v, h, 0)
  return 0.5 * h[0]
}

/** out[o] ← twice the kinetic energy of rigid bodies with motions V (6 a body) with velocities v of the joints, whose armatures count. */
export function twiceKinetic(m: Model, V: Vec, v: Vec, out: Vec, o: number): void {
  const { nbody, nv, inertia, armature } = m
  out[o] = 0
  for (let i = 1; i < nbody; i++) addQuadRigid(out, o, inertia, 10 * i, V, 6 * i)
  for (let k = 0; k < nv; k++) out[o] += armature[k] * v[k] * v[k]
}
