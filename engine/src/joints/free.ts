/**
 * Free: q = position, quaternion in the parent frame; v = twist of the body frame in body coordinates, angular then linear. S = 1.
 *
 * q ⊕ h v is the exponential of rigid motions: R ← R exp(h[w]), p ← p + R V(h w) h u; p + h R u alone would be of
 * first order only. The rate of local coordinates is dexp⁻¹ of SE(3) in closed form [Selig] with ad = ad(xi), t = |angular part|:
 *   ξ̇ = v + ½ ad v + (2/t² + (t + 3 sin t)/(4t (cos t − 1))) ad² v + (1/t⁴ + (t + sin t)/(4t³ (cos t − 1))) ad⁴ v
 */
import {
  expQuat,
  logQuat,
  mulQuat,
  mulQuatInverse,
  normalizeQuat,
  quatToMatrix,
  twistTranslation,
  twistTranslationInverse,
} from '../math/rotation.js'
import { crossMotion } from '../math/spatial.js'
import { sincos } from '../math/trig.js'
import { rotate, rotateBack } from '../math/vec3.js'
import { FREE } from '../model/tables.js'
import type { JointType } from './joint-type.js'

const R = new Float64Array(9)
const turn = new Float64Array(4)
const shift = new Float64Array(3)
const b1 = new Float64Array(6)
const b2 = new Float64Array(6)
const b3 = new Float64Array(6)

// below this angle the closed coefficients cancel; the series' next terms are under 1e-16
const SMALL = 0.25

export const free: JointType = {
  name: 'free',
  nq: 7,
  nv: 6,
  steps: [FREE],
  axes: [],
  linear: false,
  together: true,
  absolute: true,
  compile() {},

  neutral(m, j, q) {
    const iq = m.jointQ[j]
    for (let k = 0; k < 7; k++) q[iq + k] = 0
    q[iq + 3] = 1
  },

  integrate(m, j, q, v, h) {
    const iq = m.jointQ[j]
    const iv = m.jointV[j]
    quatToMatrix(R, 0, q, iq + 3)
    twistTranslation(shift, 0, v, iv, v, iv + 3, h)
    rotate(shift, 0, R, 0, shift, 0)
    for (let k = 0; k < 3; k++) q[iq + k] += shift[k]
    expQuat(turn, 0, v, iv, h)
    mulQuat(q, iq + 3, q, iq + 3, turn, 0)
    normalizeQuat(q, iq + 3)
  },

  difference(m, j, v, a, b) {
    const iq = m.jointQ[j]
    const iv = m.jointV[j]
    for (let k = 0; k < 3; k++) shift[k] = b[iq + k] - a[iq + k]
    quatToMatrix(R, 0, a, iq + 3)
    rotateBack(shift, 0, R, 0, shift, 0)
    mulQuatInverse(turn, 0, a, iq + 3, b, iq + 3)
    logQuat(v, iv, turn, 0)
    twistTranslationInverse(v, iv + 3, v, iv, shift, 0)
  },

  chartRate(m, j, out, xi, v) {
    const iv = m.jointV[j]
    const x = xi[iv]
    const y = xi[iv + 1]
    const z = xi[iv + 2]
    const t2 = x * x + y * y + z * z
    let c2: number
    let c4: number
    if (t2 < SMALL * SMALL) {
      c2 = 1 / 12 - t2 * t2 * (1 / 30240 + t2 * (1 / 604800 + t2 * (1 / 15966720 + t2 * (691 / 326918592000))))
      c4 = -1 / 720 - t2 * (1 / 15120 + t2 * (1 / 403200 + t2 * (1 / 11975040 + t2 * (691 / 261534873600))))
    } else {
      const t = Math.sqrt(t2)
      turn[0] = t
      sincos(turn, 0)
      const s = turn[0]
      const k = turn[1] - 1
      c2 = 2 / t2 + (t + 3 * s) / (4 * t * k)
      c4 = 1 / (t2 * t2) + (t + s) / (4 * t2 * t * k)
    }
    crossMotion(b1, 0, xi, iv, v, iv)
    crossMotion(b2, 0, xi, iv, b1, 0)
    crossMotion(b3, 0, xi, iv, b2, 0)
    crossMotion(b3, 0, xi, iv, b3, 0)
    for (let k = 0; k < 6; k++) out[iv + k] = v[iv + k] + 0.5 * b1[k] + c2 * b2[k] + c4 * b3[k]
  },
}
