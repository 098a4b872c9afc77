/**
 * Loads that travel over bodies at constant speed, such as a car on a bridge: at time t the load acts at
 *   x(t) = from + (to − from) (t − t₀)/(t₁ − t₀)
 * of the leg with t₀ ≤ t < t₁, fixed in the body's frame meanwhile. Before the first leg and after the last there is no load.
 * It depends on time and so has no energy.
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { MovingLoads } from '../model/moving-loads.js'
import { addPointForce } from './points.js'

const point = new Float64Array(3)
const wrench = new Float64Array(6)

export const movingLoads: Force = {
  name: 'moving loads',
  apply(m, d, s, from = 1, to = m.nbody) {
    const { moving } = m.loads
    for (let k = 0; k < moving.count; k++) {
      const leg = currentLeg(moving, k, s.t)
      if (leg < 0 || moving.body[leg] < from || moving.body[leg] >= to) continue
      const t0 = moving.time[2 * leg]
      const part = (s.t - t0) / (moving.time[2 * leg + 1] - t0)
      for (let r = 0; r < 3; r++) point[r] = moving.from[3 * leg + r] + part * (moving.to[3 * leg + r] - moving.from[3 * leg + r])
      addLoad(d, moving.body[leg], point, 0, moving.wrench, 6 * k, moving.follows[k])
    }
  },
}

/** Force and torque on a body at a point of it, given in world axes, or in body axes when `follows` is 1. Adds to d.f. */
export function addLoad(d: Data, i: number, x: Vec, j: number, given: Vec, g: number, follows: number): void {
  const X = d.X_WB
  const o = 12 * i
  for (let r = 0; r < 6; r++) wrench[r] = given[g + r]
  if (follows === 1) {
    // body axes to world axes
    for (let h = 0; h < 6; h += 3) {
      for (let r = 0; r < 3; r++) {
        wrench[h + r] = X[o + 3 * r] * given[g + h] + X[o + 3 * r + 1] * given[g + h + 1] + X[o + 3 * r + 2] * given[g + h + 2]
      }
    }
  }
  addPointForce(d.f, d, i, x, j, 1, wrench, 3)

  // a torque is the same at every point
  for (let c = 0; c < 3; c++) d.f[6 * i + c] += X[o + c] * wrench[0] + X[o + 3 + c] * wrench[1] + X[o + 6 + c] * wrench[2]
}

/** The leg that load k is on at time t, −1 before and after the journey. */
function currentLeg({ leg, time }: MovingLoads, k: number, t: number): number {
  let low = leg[k]
  let high = leg[k + 1] - 1
  if (high < low || !(t >= time[2 * low]) || t > time[2 * high + 1]) return -1
  // last leg that has begun
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (time[2 * middle] <= t) low = middle
    else high = middle - 1
  }
  return low
}
