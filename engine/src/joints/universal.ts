/** Universal: a turn about the first axis, then about the second, which is carried along. Rx(q₁) Ry(q₂) by default. */
import type { JointType } from './joint-type.js'
import { AXIS_SIZE, appendTurn, compileAxis, linearCoordinates } from './sequence.js'

export const universal: JointType = {
  ...linearCoordinates(2),
  name: 'universal',
  nparam: 2 * AXIS_SIZE,
  axes: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  compile(param, o, { axis, axis2, anchor, frames }) {
    compileAxis(param, o, axis, anchor, frames[0])
    compileAxis(param, o + AXIS_SIZE, axis2, anchor, frames[1])
  },
  calc(m, d, j, q) {
    const i = m.jointBody[j]
    const k = m.jointV[j]
    const iq = m.jointQ[j]
    const o = m.jointParam[j]
    appendTurn(m, d, i, k, o, q, iq)
    appendTurn(m, d, i, k + 1, o + AXIS_SIZE, q, iq + 1)
  },
}
