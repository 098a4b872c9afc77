/** Revolute: a turn about an axis through the anchor. S = (a; c × a). */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import type { JointType } from './joint-type.js'
import { AXIS_SIZE, appendTurn, compileAxis, linearCoordinates } from './sequence.js'

export function calcRevolute(m: Model, d: Data, j: number, q: Vec): void {
  appendTurn(m, d, m.jointBody[j], m.jointV[j], m.jointParam[j], q, m.jointQ[j])
}

export const revolute: JointType = {
  ...linearCoordinates(1),
  name: 'revolute',
  nparam: AXIS_SIZE,
  axes: [[0, 0, 1]],
  compile(param, o, { axis, anchor, frames }) {
    compileAxis(param, o, axis, anchor, frames[0])
  },
  calc: calcRevolute,
}
