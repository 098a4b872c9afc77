/** Universal: a turn about the first axis, then about the second, which is carried along. Rx(q₁) Ry(q₂) by default. */
import { TURN } from '../model/tables.js'
import { AXIS_SIZE, compileTurn, linearCoordinates } from './axis.js'
import type { JointType } from './joint-type.js'

export const universal: JointType = {
  ...linearCoordinates(2),
  name: 'universal',
  steps: [TURN, TURN],
  axes: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  compile(param, o, { axis, axis2, anchor, frames }) {
    compileTurn(param, o, axis, anchor, frames[0])
    compileTurn(param, o + AXIS_SIZE, axis2, anchor, frames[1])
  },
}
