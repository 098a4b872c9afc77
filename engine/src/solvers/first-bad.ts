/**
 * Which joint to name where a step ends in numbers that are none.
 */
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'

/** The first joint, or modes of a body, whose coordinates or velocities are not finite, −1 if all are. */
export function firstBad(m: Model, s: State): number {
  for (let j = 0; j < m.joints.length; j++) {
    const joint = m.joints[j]
    for (let k = 0; k < joint.nv; k++) if (!(Math.abs(s.v[joint.iv + k]) < Number.POSITIVE_INFINITY)) return j
    for (let k = 0; k < joint.nq; k++) if (!(Math.abs(s.q[joint.iq + k]) < Number.POSITIVE_INFINITY)) return j
  }
  return -1
}
