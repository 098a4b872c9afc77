/** Prismatic: a slide along an axis. S = (0; a). */
import type { JointType } from './joint-type.js'
import { AXIS_SIZE, appendSlide, compileAxis, linearCoordinates, SLIDE } from './sequence.js'

export const prismatic: JointType = {
  ...linearCoordinates(1),
  name: 'prismatic',
  nparam: AXIS_SIZE,
  axes: [[0, 0, 1]],
  compile(param, o, { axis, anchor, frames }) {
    compileAxis(param, o, axis, anchor, frames[0], SLIDE)
  },
  calc(m, d, j, q) {
    appendSlide(m, d, m.jointBody[j], m.jointV[j], m.jointParam[j], q, m.jointQ[j])
  },
}
