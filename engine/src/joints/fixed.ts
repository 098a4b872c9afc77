/** Fixed: the body is part of its parent. */

import { linearCoordinates } from './axis.js'
import type { JointType } from './joint-type.js'

export const fixed: JointType = {
  ...linearCoordinates(0),
  name: 'fixed',
  steps: [],
  axes: [],
  compile() {},
}
