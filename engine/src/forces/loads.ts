/**
 * Constant forces and torques on bodies, fixed in the world or turning with the body.
 */
import type { Force } from '../model/force.js'
import { addPointForce } from './points.js'

const origin = new Float64Array(3)
const wrench = new Float64Array(6)

export const loads: Force = {
  name: 'loads',
  apply(m, d) {
    const { count, body, point, wrench: given, follows } = m.loads
    for (let k = 0; k < count; k++) {
      const i = body[k]
      const x = 12 * i
      const X = d.X_WB
      for (let r = 0; r < 6; r++) wrench[r] = given[6 * k + r]
      if (follows[k] === 1) {
        // body axes to world axes
        for (let h = 0; h < 6; h += 3) {
          for (let r = 0; r < 3; r++) {
            wrench[h + r] =
              X[x + 3 * r] * given[6 * k + h] + X[x + 3 * r + 1] * given[6 * k + h + 1] + X[x + 3 * r + 2] * given[6 * k + h + 2]
          }
        }
      }
      addPointForce(d.f, d, i, point, 3 * k, 1, wrench, 3)

      // a torque is the same at every point
      for (let c = 0; c < 3; c++) d.f[6 * i + c] += X[x + c] * wrench[0] + X[x + 3 + c] * wrench[1] + X[x + 6 + c] * wrench[2]
    }
  },
  energy(m, d) {
    // a dead force has the potential −F·x; a follower or a torque has none
    const { count, body, point, wrench: given, follows } = m.loads
    let sum = 0
    for (let k = 0; k < count; k++) {
      if (follows[k] === 1) continue
      const x = 12 * body[k]
      for (let r = 0; r < 3; r++) {
        origin[r] = d.X_WB[x + 9 + r]
        for (let c = 0; c < 3; c++) origin[r] += d.X_WB[x + 3 * r + c] * point[3 * k + c]
        sum -= given[6 * k + 3 + r] * origin[r]
      }
    }
    return sum
  },
}
