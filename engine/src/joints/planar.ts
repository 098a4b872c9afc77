/** Planar: slides along two axes fixed to the parent, then a turn about their normal. */
import type { JointType } from './joint-type.js'
import { AXIS_SIZE, appendSlide, appendTurn, compileAxis, linearCoordinates, SLIDE } from './sequence.js'

export const planar: JointType = {
  ...linearCoordinates(3),
  name: 'planar',
  nparam: 3 * AXIS_SIZE,
  axes: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  compile(param, o, { axis: a, axis2: b, anchor, frames }) {
    const normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2])
    compileAxis(param, o, a, anchor, frames[0], SLIDE)
    compileAxis(param, o + AXIS_SIZE, b, anchor, frames[1], SLIDE)
    compileAxis(
      param,
      o + 2 * AXIS_SIZE,
      normal.map((x) => x / length),
      anchor,
      frames[1],
    )
  },
  calc(m, d, j, q) {
    const i = m.jointBody[j]
    const k = m.jointV[j]
    const iq = m.jointQ[j]
    const o = m.jointParam[j]
    appendSlide(m, d, i, k, o, q, iq)
    appendSlide(m, d, i, k + 1, o + AXIS_SIZE, q, iq + 1)
    appendTurn(m, d, i, k + 2, o + 2 * AXIS_SIZE, q, iq + 2)
  },
}
