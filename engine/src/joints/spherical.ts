/**
 * Spherical: q = unit quaternion of the child in the parent, v = angular velocity in the child's frame, about the anchor c.
 * Q = (R(q), c − R c), S = (1; [c]), constant.
 */
import { expQuat, logQuat, mulQuat, mulQuatInverse, normalizeQuat, rotationVectorRate } from '../math/rotation.js'
import { BALL } from '../model/tables.js'
import { ANCHOR } from './axis.js'
import type { JointType } from './joint-type.js'

const turn = new Float64Array(4)

export const spherical: JointType = {
  name: 'spherical',
  nq: 4,
  nv: 3,
  steps: [BALL],
  axes: [],
  linear: false,
  together: true,
  absolute: false,

  compile(axis, o, { anchor }) {
    for (let k = 0; k < 3; k++) axis[o + ANCHOR + k] = anchor[k]
  },

  neutral(m, j, q) {
    const iq = m.jointQ[j]
    q[iq] = 1
    q[iq + 1] = 0
    q[iq + 2] = 0
    q[iq + 3] = 0
  },

  integrate(m, j, q, v, h) {
    const iq = m.jointQ[j]
    expQuat(turn, 0, v, m.jointV[j], h)
    mulQuat(q, iq, q, iq, turn, 0)
    normalizeQuat(q, iq)
  },

  difference(m, j, v, a, b) {
    mulQuatInverse(turn, 0, a, m.jointQ[j], b, m.jointQ[j])
    logQuat(v, m.jointV[j], turn, 0)
  },

  chartRate(m, j, out, xi, v) {
    const iv = m.jointV[j]
    rotationVectorRate(out, iv, xi, iv, v, iv)
  },
}
