/** Helical: a turn about an axis that also slides along it, `pitch` metres a radian. S = (a; c × a + pitch a). */
import type { JointType } from './joint-type.js'
import { AXIS_SIZE, appendTurn, compileAxis, linearCoordinates } from './sequence.js'

export const helical: JointType = {
  ...linearCoordinates(1),
  name: 'helical',
  nparam: AXIS_SIZE,
  axes: [[0, 0, 1]],
  compile(param, o, { axis, anchor, pitch, frames }) {
    compileAxis(param, o, axis, anchor, frames[0], pitch)
  },
  calc(m, d, j, q) {
    appendTurn(m, d, m.jointBody[j], m.jointV[j], m.jointParam[j], q, m.jointQ[j])
  },
}
