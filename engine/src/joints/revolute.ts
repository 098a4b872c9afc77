/** Revolute: a turn about an axis through the anchor. S = (a; c × a). */
import type { JointType } from './joint-type.js'
import { AXIS_SIZE, appendTurn, compileAxis, linearCoordinates } from './sequence.js'

export const revolute: JointType = {
  ...linearCoordinates(1),
  name: 'revolute',
  nparam: AXIS_SIZE,
  axes: [[0, 0, 1]],
  compile(param, o, { axis, anchor, frames }) {
    compileAxis(param, o, axis, anchor, frames[0])
  },
  calc(m, d, j, q) {
    appendTurn(m, d, m.jointBody[j], m.jointV[j], m.jointParam[j], q, m.jointQ[j])
  },
}
