/** Planar: slides along two axes fixed to the parent, then a turn about their normal. */
import { SLIDE, TURN } from '../model/tables.js'
import { AXIS_SIZE, compileSlide, compileTurn, linearCoordinates } from './axis.js'
import type { JointType } from './joint-type.js'

export const planar: JointType = {
  ...linearCoordinates(3),
  name: 'planar',
  steps: [SLIDE, SLIDE, TURN],
  axes: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  compile(param, o, { axis: a, axis2: b, anchor, frames }) {
    const normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2])
    compileSlide(param, o, a, anchor, frames[0])
    compileSlide(param, o + AXIS_SIZE, b, anchor, frames[1])
    compileTurn(
      param,
      o + 2 * AXIS_SIZE,
      normal.map((x) => x / length),
      anchor,
      frames[1],
    )
  },
}
