/** Fixed: the body is part of its parent. */
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import type { JointType } from './joint-type.js'
import { beginSequence, linearCoordinates } from './sequence.js'

export const fixed: JointType = {
  ...linearCoordinates(0),
  name: 'fixed',
  nparam: 0,
  axes: [],
  compile() {},
  calc(m: Model, d: Data, j: number) {
    const i = m.jointBody[j]
    if (m.jointV[j] === m.iv[i]) beginSequence(d, i)
  },
}
