/**
 * Sums over the bodies from … to − 1, by default all: mass, centre of mass, momentum; kinetic energy of all.
 */

import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { add6, addForceToParent, addQuadRigid, mulRigid, rotate } from '../printed/arrays.js'
import { addTwiceModeKinetic } from './modes.js'

const h = new Float64Array(6)

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
  for (let r = 0; r < 3; r++) out[r] = 0
  for (let i = from; i < to; i++) {
    const n = modes.row[i]
    mass += inertia[10 * i]
    for (let r = 0; r < 3; r++) h[r] = n < 0 ? inertia[10 * i + 1 + r] : inertia[10 * i + 1 + r] + d.dI[10 * n + 1 + r]
    rotate(h, 0, X, 12 * i, h, 0)
    for (let r = 0; r < 3; r++) out[r] += h[r] + inertia[10 * i] * X[12 * i + 9 + r]
  }
  if (mass === 0) return
  for (let r = 0; r < 3; r++) out[r] /= mass
}

/** Reads X_WB, V, pf. Writes angular momentum about the world origin, then linear momentum, in world axes, to out[0..5]. */
export function momentum(m: Model, d: Data, out: Vec, from = 1, to = m.nbody): void {
  const { inertia, modes } = m
  for (let r = 0; r < 6; r++) out[r] = 0
  for (let i = from; i < to; i++) {
    mulRigid(h, 0, inertia, 10 * i, d.V, 6 * i)
    if (modes.row[i] >= 0) add6(h, 0, d.pf, 6 * modes.row[i])
    addForceToParent(out, 0, d.X_WB, 12 * i, h, 0)
  }
}

/** Reads V. ½ vᵀ M v, armature included, but for that of driven bodies, which stands for no mass. */
export function kineticEnergy(m: Model, d: Data, v: Vec): number {
  const { nbody, nv, inertia, armature, driven, velocityBody } = m
  h[0] = 0
  for (let i = 1; i < nbody; i++) addQuadRigid(h, 0, inertia, 10 * i, d.V, 6 * i)
  for (let k = 0; k < nv; k++) if (driven.length === 0 || !driven.includes(velocityBody[k])) h[0] += armature[k] * v[k] * v[k]
  if (m.modes.count > 0) addTwiceModeKinetic(m, d, d.V, v, h, 0)
  return 0.5 * h[0]
}
