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
}
