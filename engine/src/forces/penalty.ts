/**
 * Penalty contact of body points with what stands in the world, with friction (Pan and Manocha 2018, equation 9).
 *
 *   depth d = radius − distance of the point;   normal force k d;   friction μ k d · ramp(|v_t|) against the sliding velocity v_t
 * with ramp(s) = s/slip below the slip velocity and 1 above: Coulomb's law made smooth, so that there is no sticking, only creeping.
 * Energy ½ k d². The lagged form of the position-based solver is in `solvers/position`.
 */

import { current } from '../kernels/tables.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { Contact } from '../model/shapes.js'
import { sumOf } from './energy.js'

/** Numbers of a touch: depth (positive inside), normal in the world, the point in the world. */
export const TOUCH_SIZE = 7
const NORMAL = 1
const POINT = 4

/** Reads the kinematics. Writes d.touches: how every point meets every obstacle. */
function touch(m: Model, d: Data): number {
  const table = current(d.tables.penalty, m.penalty)
  d.kernels.touchPoints(table, d.X_WB.byteOffset, d.touches.byteOffset)
  return table
}

/** The same, and d.pushes: the force of each obstacle on each point inside of it. Adds those on the bodies from … to − 1 to d.f. */
function push(m: Model, d: Data, from: number, to: number): void {
  const { touches, pushes, law } = d
  law[0] = m.penalty.stiffness
  law[1] = m.penalty.friction
  law[2] = m.penalty.slip
  d.kernels.pushPoints(touch(m, d), law.byteOffset, d.work, touches.byteOffset, pushes.byteOffset, from, to)
}

/** Reads the kinematics. Every point that is inside an obstacle. Allocates. */
export function listPenaltyContacts(m: Model, d: Data): Contact[] {
  const { body, radius, count, obstacles } = m.penalty
  const list: Contact[] = []
  push(m, d, 0, 0)
  for (let e = 0; e < count * obstacles; e++) {
    const at = d.touches.subarray(TOUCH_SIZE * e, TOUCH_SIZE * (e + 1))
    if (at[0] <= 0) continue
    const k = Math.floor(e / obstacles)
    const normal = [at[NORMAL], at[NORMAL + 1], at[NORMAL + 2]] as const
    // on the surface of the body, half-way into the obstacle
    const inward = radius[k] - 0.5 * at[0]
    list.push({
      bodyA: 0,
      bodyB: body[k],
      point: [at[POINT] - inward * normal[0], at[POINT + 1] - inward * normal[1], at[POINT + 2] - inward * normal[2]],
      normal,
      gap: -at[0],
      force: [d.pushes[3 * e], d.pushes[3 * e + 1], d.pushes[3 * e + 2]],
    })
  }
  return list
}

export const contact: Force = {
  name: 'contact',
  apply: (m, d, _s, from = 1, to = m.nbody) => push(m, d, from, to),
  addEnergy(m, d, _s, out, o) {
    const { stiffness } = m.penalty
    touch(m, d)
    let twice = 0
    for (let e = 0; e < d.touches.length; e += TOUCH_SIZE) if (d.touches[e] > 0) twice += stiffness * d.touches[e] * d.touches[e]
    out[o] += 0.5 * twice
  },
  energy: (m, d, s) => sumOf(contact, m, d, s),
}
