/**
 * Spherical: q = unit quaternion of the child in the parent, v = angular velocity in the child's frame, about the anchor c.
 * Q = (R(q), c − R c), S = (1; [c]), constant.
 */
import { expQuat, logQuat, mulQuat, mulQuatInverse, normalizeQuat, quatToMatrix, rotationVectorRate } from '../math/rotation.js'
import type { JointType } from './joint-type.js'
import { beginSequence, moveSequence } from './sequence.js'

const Q = new Float64Array(12)
const turn = new Float64Array(4)

export const spherical: JointType = {
  name: 'spherical',
  nq: 4,
  nv: 3,
  nparam: 3,
  axes: [],
  linear: false,
  together: true,
  absolute: false,

  compile(param, o, { anchor }) {
    for (let k = 0; k < 3; k++) param[o + k] = anchor[k]
  },

  neutral(m, j, q) {
    const iq = m.jointQ[j]
    q[iq] = 1
    q[iq + 1] = 0
    q[iq + 2] = 0
    q[iq + 3] = 0
  },

  calc(m, d, j, q) {
    const i = m.jointBody[j]
    const k = m.jointV[j]
    const o = m.jointParam[j]
    const cx = m.param[o]
    const cy = m.param[o + 1]
    const cz = m.param[o + 2]
    if (k === m.iv[i]) beginSequence(d, i)

    quatToMatrix(Q, 0, q, m.jointQ[j])
    Q[9] = cx - (Q[0] * cx + Q[1] * cy + Q[2] * cz)
    Q[10] = cy - (Q[3] * cx + Q[4] * cy + Q[5] * cz)
    Q[11] = cz - (Q[6] * cx + Q[7] * cy + Q[8] * cz)
    moveSequence(m, d, i, k, Q)

    // S = (e_r; c × e_r)
    const S = d.S
    for (let r = 0; r < 3; r++) {
      const s = 6 * (k + r)
      const x = r === 0 ? 1 : 0
      const y = r === 1 ? 1 : 0
      const z = r === 2 ? 1 : 0
      S[s] = x
      S[s + 1] = y
      S[s + 2] = z
      S[s + 3] = cy * z - cz * y
      S[s + 4] = cz * x - cx * z
      S[s + 5] = cx * y - cy * x
    }
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

  // the gradient of ½|log|² is log itself: the rotation vector is its own eigenvector
  stretch(m, j, out, rest, q) {
    mulQuatInverse(turn, 0, rest, m.jointQ[j], q, m.jointQ[j])
    logQuat(out, m.jointV[j], turn, 0)
  },
}
