/**
 * Spherical: q = unit quaternion of the child in the parent, v = angular velocity in the child's frame, about the anchor c.
 * Q = (R(q), c − R c), S = (1; [c]), constant.
 */
import { BALL } from '../model/tables.js'
import { ANCHOR } from './axis.js'
import { curvedCoordinates } from './curved.js'
import type { JointType } from './joint-type.js'

export const spherical: JointType = {
  ...curvedCoordinates(BALL, false),
  name: 'spherical',
  absolute: false,

  compile(axis, o, { anchor }) {
    for (let k = 0; k < 3; k++) axis[o + ANCHOR + k] = anchor[k]
  },

  neutral(m, j, q) {
    const iq = m.jointQ[j]
    for (let k = 0; k < 4; k++) q[iq + k] = 0
    q[iq] = 1
  },
}
