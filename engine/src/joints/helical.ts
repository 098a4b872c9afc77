/** Helical: a turn about an axis that also slides along it, `pitch` metres a radian. S = (a; c × a + pitch a). */
import { TURN } from '../model/tables.js'
import { compileTurn, linearCoordinates } from './axis.js'
import type { JointType } from './joint-type.js'

export const helical: JointType = {
  ...linearCoordinates(1),
  name: 'helical',
  pitched: true,
  steps: [TURN],
  axes: [[0, 0, 1]],
  compile(param, o, { axis, anchor, pitch, frames }) {
    compileTurn(param, o, axis, anchor, frames[0], pitch)
  },
}
