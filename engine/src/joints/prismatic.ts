/** Prismatic: a slide along an axis. S = (0; a). */
import { SLIDE } from '../model/tables.js'
import { compileSlide, linearCoordinates } from './axis.js'
import type { JointType } from './joint-type.js'

export const prismatic: JointType = {
  ...linearCoordinates(1),
  name: 'prismatic',
  steps: [SLIDE],
  axes: [[0, 0, 1]],
  compile(param, o, { axis, anchor, frames }) {
    compileSlide(param, o, axis, anchor, frames[0])
  },
}
