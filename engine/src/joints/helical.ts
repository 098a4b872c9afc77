/** Helical: a turn about an axis that also slides along it, `pitch` metres a radian. S = (a; c × a + pitch a). */
import type { JointType } from './joint-type.js'
import { AXIS_SIZE, appendTurn, compileAxis, linearCoordinates } from './sequence.js'

export const helical: JointType = {
  ...linearCoordinates(1),
  name: 'helical',
  nparam: AXIS_SIZE + 1,
  axes: [[0, 0, 1]],
  compile(param, o, { axis, anchor, pitch }) {
    compileAxis(param, o, axis, anchor)
    param[o + AXIS_SIZE] = pitch
  },
  calc(m, d, j, q, v) {
    const k = m.jointV[j]
    const o = m.jointParam[j]
    appendTurn(m, d, m.jointBody[j], k, o, q[m.jointQ[j]], v[k], m.param[o + AXIS_SIZE])
  },
}
