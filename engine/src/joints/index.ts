/**
 * The table of joint types. A new joint is one file and one line here; the conformance suite picks it up.
 */
import type { Vec } from '../math/types.js'
import { type Data, given } from '../model/data.js'
import type { Model } from '../model/model.js'
import { cylindrical } from './cylindrical.js'
import { fixed } from './fixed.js'
import { free } from './free.js'
import { helical } from './helical.js'
import type { JointType } from './joint-type.js'
import { updateModes } from './modes.js'
import { planar } from './planar.js'
import { prismatic } from './prismatic.js'
import { revolute } from './revolute.js'
import { spherical } from './spherical.js'
import { universal } from './universal.js'

export const jointTypes: readonly JointType[] = [fixed, revolute, prismatic, helical, cylindrical, universal, planar, spherical, free]

/** For the model: the coordinate whose rate each of nv velocities is, −1 where it is of none. */
export function findCoordinates(m: Pick<Model, 'jointType' | 'jointQ' | 'jointV' | 'modes'>, nv: number): Int32Array {
  const coordinate = new Int32Array(nv).fill(-1)
  for (const [j, type] of m.jointType.entries()) {
    if (!jointTypes[type].linear) continue
    for (let k = 0; k < jointTypes[type].nv; k++) coordinate[m.jointV[j] + k] = m.jointQ[j] + k
  }
  for (let l = 0; l < m.modes.count; l++) coordinate[m.modes.iv[l]] = m.modes.iq[l]
  return coordinate
}

/** Reads q. Writes X_PB of the bodies from … to − 1, and S of those with more than one degree of freedom. */
export function updateJoints(m: Model, d: Data, q: Vec, from = 1, to = m.nbody): void {
  if (m.modes.count > 0) updateModes(m, d, q, from, to)
  d.kernels.placeJoints(d.tree, d.work, given(d, d.q, q), from, to)
}

/** q ← q ⊕ h v for every joint and mode. */
export function integrate(m: Model, q: Vec, v: Vec, h: number): void {
  const { count, iq, iv } = m.modes
  for (let j = 0; j < m.njoint; j++) jointTypes[m.jointType[j]].integrate(m, j, q, v, h)
  for (let l = 0; l < count; l++) q[iq[l]] += h * v[iv[l]]
}

/** The same for the joints of the bodies from … to − 1, without modes. */
export function integrateBodies(m: Model, q: Vec, v: Vec, h: number, from: number, to: number): void {
  for (let i = from; i < to; i++) for (let j = m.ij[i]; j < m.ijEnd[i]; j++) jointTypes[m.jointType[j]].integrate(m, j, q, v, h)
}

/** v ← b ⊖ a for every joint and mode, so that a ⊕ v = b. */
export function difference(m: Model, v: Vec, a: Vec, b: Vec): void {
  const { count, iq, iv } = m.modes
  for (let j = 0; j < m.njoint; j++) jointTypes[m.jointType[j]].difference(m, j, v, a, b)
  for (let l = 0; l < count; l++) v[iv[l]] = b[iq[l]] - a[iq[l]]
}

/** out ← rate of the local coordinates xi of q₀ ⊕ xi at velocity v, for every joint and mode. */
export function chartRate(m: Model, out: Vec, xi: Vec, v: Vec): void {
  const { count, iv } = m.modes
  for (let j = 0; j < m.njoint; j++) jointTypes[m.jointType[j]].chartRate(m, j, out, xi, v)
  for (let l = 0; l < count; l++) out[iv[l]] = v[iv[l]]
}

/** Coordinates at which every body stands as drawn, in its rest shape. */
export function neutral(m: Model, q: Vec): void {
  const { count, iq } = m.modes
  for (let j = 0; j < m.njoint; j++) jointTypes[m.jointType[j]].neutral(m, j, q)
  for (let l = 0; l < count; l++) q[iq[l]] = 0
}
