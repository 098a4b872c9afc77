/** Cylindrical: a turn about an axis, then a slide along it. */
import type { JointType } from './joint-type.js'
import { AXIS_SIZE, appendSlide, appendTurn, compileAxis, linearCoordinates, SLIDE } from './sequence.js'

export const cylindrical: JointType = {
  ...linearCoordinates(2),
  name: 'cylindrical',
  nparam: 2 * AXIS_SIZE,
  axes: [[0, 0, 1]],
  compile(param, o, { axis, anchor, frames }) {
    compileAxis(param, o, axis, anchor, frames[0])
    compileAxis(param, o + AXIS_SIZE, axis, anchor, frames[1], SLIDE)
  },
  calc(m, d, j, q) {
    const i = m.jointBody[j]
    const k = m.jointV[j]
    const iq = m.jointQ[j]
    const o = m.jointParam[j]
    appendTurn(m, d, i, k, o, q, iq)
    appendSlide(m, d, i, k + 1, o + AXIS_SIZE, q, iq + 1)
  },
}
