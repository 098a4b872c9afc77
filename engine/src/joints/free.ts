/** Free: q = position, quaternion in the parent frame; v = twist of the body frame in body coordinates, angular then linear. S = 1. */
import { FREE } from '../model/tables.js'
import { curvedCoordinates } from './curved.js'
import type { JointType } from './joint-type.js'

export const free: JointType = {
  ...curvedCoordinates(FREE, true),
  name: 'free',
  absolute: true,
  compile() {},

  neutral(m, j, q) {
    const iq = m.jointQ[j]
    for (let k = 0; k < 7; k++) q[iq + k] = 0
    q[iq + 3] = 1
  },

  // armature A on u is inertia that moves along with the body: it takes the force A u̇ + w × A u and the moment u × A u, and so
  // keeps energy also where A differs from axis to axis
  armatureBias(m, j, qf, v) {
    const k = m.jointV[j]
    const a = m.armature
    const px = a[k + 3] * v[k + 3]
    const py = a[k + 4] * v[k + 4]
    const pz = a[k + 5] * v[k + 5]
    qf[k] -= v[k + 4] * pz - v[k + 5] * py
    qf[k + 1] -= v[k + 5] * px - v[k + 3] * pz
    qf[k + 2] -= v[k + 3] * py - v[k + 4] * px
    qf[k + 3] -= v[k + 1] * pz - v[k + 2] * py
    qf[k + 4] -= v[k + 2] * px - v[k] * pz
    qf[k + 5] -= v[k] * py - v[k + 1] * px
  },
}
