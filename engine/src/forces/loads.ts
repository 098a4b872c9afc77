/**
 * Constant forces and torques on bodies, fixed in the world or turning with the body.
 */

import type { Force } from '../model/force.js'
import { sumOf } from './energy.js'
import { addLoad } from './moving-loads.js'
import { pointPosition } from './points.js'

const x = new Float64Array(3)

export const loads: Force = {
  name: 'loads',
  apply(m, d, _s, from = 1, to = m.nbody) {
    const { count, body, point, wrench, follows } = m.loads
    for (let k = 0; k < count; k++) if (body[k] >= from && body[k] < to) addLoad(d, body[k], wrench, 6 * k, point, 3 * k, follows[k])
  },
  addEnergy(m, d, _s, out, o) {
    // a dead force has the potential −F·x; a follower or a torque has none
    const { count, body, point, wrench, follows } = m.loads
    let sum = 0
    for (let k = 0; k < count; k++) {
      if (follows[k] === 1) continue
      pointPosition(x, 0, d, body[k], point, 3 * k)
      for (let r = 0; r < 3; r++) sum -= wrench[6 * k + 3 + r] * x[r]
    }
    out[o] += sum
  },
  energy: (m, d, s) => sumOf(loads, m, d, s),
}
