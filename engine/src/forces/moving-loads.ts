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

const point = new Float64Array(3)

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
      addLoad(d, moving.body[leg], moving.wrench, 6 * k, point, 0, moving.follows[k])
    }
  },
}

/** Force and torque on body i at a point of it, given in world axes, or in body axes when `follows` is 1. Adds to d.f. */
export function addLoad(d: Data, i: number, wrench: Vec, w: number, x: Vec, j: number, follows: number): void {
  for (let r = 0; r < 6; r++) d.load[r] = wrench[w + r]
  for (let r = 0; r < 3; r++) d.load[6 + r] = x[j + r]
  d.kernels.pullLoad(d.work, d.load.byteOffset, i, follows)
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
