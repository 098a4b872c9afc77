/** Cylindrical: a turn about an axis, then a slide along it. */
import { SLIDE, TURN } from '../model/tables.js'
import { AXIS_SIZE, compileSlide, compileTurn, linearCoordinates } from './axis.js'
import type { JointType } from './joint-type.js'

export const cylindrical: JointType = {
  ...linearCoordinates(2),
  name: 'cylindrical',
  steps: [TURN, SLIDE],
  axes: [[0, 0, 1]],
  compile(param, o, { axis, anchor, frames }) {
    compileTurn(param, o, axis, anchor, frames[0])
    compileSlide(param, o + AXIS_SIZE, axis, anchor, frames[1])
  },
}
