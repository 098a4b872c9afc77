/**
 * Penalty contact of body points with what stands in the world, with friction (Pan and Manocha 2018, equation 9).
 *
 *   depth d = radius − distance of the point;   normal force k d;   friction μ k d · ramp(|v_t|) against the sliding velocity v_t
 * with ramp(s) = s/slip below the slip velocity and 1 above: Coulomb's law made smooth, so that there is no sticking, only creeping.
 * Energy ½ k d². The lagged form of the position-based solver is in `solvers/position`.
 */

import { current } from '../kernels/tables.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { onVertex } from '../model/modes.js'
import type { Contact } from '../model/shapes.js'
import { addStiffEntry, openStiffRow } from '../model/stiff-terms.js'
import { cross, rotate, rotateBack } from '../printed/arrays.js'
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
  const { body, radius, count, obstacles, names, obstacleNames } = m.penalty
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
      shapeA: obstacleNames[e - k * obstacles],
      shapeB: names[k],
      point: [at[POINT] - inward * normal[0], at[POINT + 1] - inward * normal[1], at[POINT + 2] - inward * normal[2]],
      normal,
      gap: -at[0],
      force: [d.pushes[3 * e], d.pushes[3 * e + 1], d.pushes[3 * e + 2]],
    })
  }
  return list
}

/** normal of a touch, and two directions across it */
const axes = new Float64Array(9)
const speed = new Float64Array(1)
const across = new Float64Array(3)

/** axes[3 … 8] ← two unit vectors across axes[0 … 2] and each other [Duff 2017] */
function perpendicular(axes: Vec): void {
  const x = axes[0]
  const y = axes[1]
  const z = axes[2]
  const sign = z < 0 ? -1 : 1
  const a = -1 / (sign + z)
  const b = x * y * a
  axes[3] = 1 + sign * x * x * a
  axes[4] = sign * b
  axes[5] = -sign * x
  axes[6] = b
  axes[7] = sign + y * y * a
  axes[8] = -y
}

/** speed[0] ← how fast point k slides across axes[0 … 2] */
function slidingSpeed(m: Model, d: Data, k: number): void {
  const i = m.penalty.body[k]
  const { point } = m.penalty
  cross(across, 0, d.V, 6 * i, point, 3 * k)
  for (let a = 0; a < 3; a++) across[a] += d.V[6 * i + 3 + a]
  rotate(across, 0, d.X_WB, 12 * i, across, 0)
  let square = 0
  for (let s = 1; s < 3; s++) {
    const along = across[0] * axes[3 * s] + across[1] * axes[3 * s + 1] + across[2] * axes[3 * s + 2]
    square += along * along
  }
  speed[0] = Math.sqrt(square)
}

export const contact: Force = {
  name: 'contact',
  apply: (m, d, _s, from = 1, to = m.nbody) => push(m, d, from, to),
  /**
   * Points of bodies that deform only (`attach` to a vertex): a row along the normal, and two across it that resist sliding. They have no mass of
   * their own that would carry an explicit step; corners of rigid bodies have.
   */
  linearize(m, d, _s, terms) {
    const { obstacles, body, point, stiffness } = m.penalty
    if (m.modes.count === 0) return
    push(m, d, 0, 0)
    for (let e = 0; e < d.touches.length / TOUCH_SIZE; e++) {
      const k = Math.floor(e / obstacles)
      const depth = d.touches[TOUCH_SIZE * e]
      if (!(depth > 0) || !onVertex(m, body[k])) continue
      for (let a = 0; a < 3; a++) axes[a] = d.touches[TOUCH_SIZE * e + NORMAL + a]
      perpendicular(axes)
      slidingSpeed(m, d, k)
      const grip = (m.penalty.friction * stiffness * depth) / Math.max(speed[0], m.penalty.slip)
      for (let a = 0; a < (grip > 0 ? 3 : 1); a++) {
        const row = openStiffRow(terms)
        const o = addStiffEntry(terms, body[k])
        // direction in body axes, and its moment about the body's origin
        rotateBack(terms.J, o + 3, d.X_WB, 12 * body[k], axes, 3 * a)
        cross(terms.J, o, point, 3 * k, terms.J, o + 3)
        if (a === 0) terms.stiffness[row] = stiffness
        else terms.damping[row] = grip
      }
    }
  },
  addEnergy(m, d, _s, out, o) {
    const { stiffness } = m.penalty
    touch(m, d)
    let twice = 0
    for (let e = 0; e < d.touches.length; e += TOUCH_SIZE) if (d.touches[e] > 0) twice += stiffness * d.touches[e] * d.touches[e]
    out[o] += 0.5 * twice
  },
  energy: (m, d, s) => sumOf(contact, m, d, s),
}
