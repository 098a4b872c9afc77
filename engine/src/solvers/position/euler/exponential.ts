/** Which velocities move along one exponential: those of a ball or a free joint. */
import { jointTypes } from '../../../joints/index.js'
import type { Model } from '../../../model/model.js'

/** Of each velocity the joint, where it moves along an exponential together with its neighbours, else −1: there is no own curvature among them. */
export function exponentialJoints(m: Model): Int32Array {
  const exponential = new Int32Array(m.nv).fill(-1)
  for (let j = 0; j < m.njoint; j++) {
    const { linear, nv } = jointTypes[m.jointType[j]]
    if (!linear) for (let k = 0; k < nv; k++) exponential[m.jointV[j] + k] = j
  }
  return exponential
}
