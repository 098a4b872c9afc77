/** Revolute: a turn about an axis through the anchor. S = (a; c × a). */
import { TURN } from '../model/tables.js'
import { compileTurn, linearCoordinates } from './axis.js'
import type { JointType } from './joint-type.js'

export const revolute: JointType = {
  ...linearCoordinates(1),
  name: 'revolute',
  steps: [TURN],
  axes: [[0, 0, 1]],
  compile(param, o, { axis, anchor, frames }) {
    compileTurn(param, o, axis, anchor, frames[0])
  },
}
