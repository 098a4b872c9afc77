/**
 * Penalty contact of body points with what stands in the world, with friction (Pan and Manocha 2018, equation 9).
 *
 *   depth d = radius − distance of the point;   normal force k d;   friction μ k d · ramp(|v_t|) against the sliding velocity v_t
 * with ramp(s) = s/slip below the slip velocity and 1 above: Coulomb's law made smooth, so that there is no sticking, only creeping.
 * Energy ½ k d². The lagged form of the position-based solver is in `solvers/position`.
 */

import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import { type Model, OBSTACLE_BOX, OBSTACLE_PLANE, type Penalty } from '../model/model.js'
import type { Contact } from '../model/shapes.js'
import { rotate, rotateBack } from '../printed/arrays.js'
import { sumOf } from './energy.js'
import { addPointForce, pointPosition, pointVelocity } from './points.js'

/** What `touch` writes: depth (positive inside), normal in the world, the point in the world. */
export const TOUCH_SIZE = 7
export const DEPTH = 0
export const NORMAL = 1
export const POINT = 4

const local = new Float64Array(3)
const outward = new Float64Array(3)
const at = new Float64Array(TOUCH_SIZE)
const v = new Float64Array(3)
const F = new Float64Array(3)

/** out ← how contact point k meets obstacle o. */
export function touch(out: Vec, c: Penalty, d: Data, k: number, o: number): void {
  pointPosition(out, POINT, d, c.body[k], c.point, 3 * k)
  const X = c.pose
  const x = 12 * o
  for (let r = 0; r < 3; r++) F[r] = out[POINT + r] - X[x + 9 + r]
  rotateBack(local, 0, X, x, F, 0)
  outward[0] = 0
  outward[1] = 0
  outward[2] = 0
  let distance: number
  if (c.kind[o] === OBSTACLE_PLANE) {
    distance = local[2]
    outward[2] = 1
  } else if (c.kind[o] === OBSTACLE_BOX) {
    distance = boxDistance(c.size, 3 * o)
  } else {
    // sphere
    const length = Math.sqrt(local[0] * local[0] + local[1] * local[1] + local[2] * local[2])
    distance = length - c.size[3 * o]
    if (length > 0) for (let r = 0; r < 3; r++) outward[r] = local[r] / length
    else outward[2] = 1
  }
  out[DEPTH] = c.radius[k] - distance
  rotate(out, NORMAL, X, x, outward, 0)
}

/** Signed distance of `local` from a box with half edges at size[s]; writes `outward`. */
function boxDistance(size: Vec, s: number): number {
  let nearest = 0
  let deepest = Number.NEGATIVE_INFINITY
  let squares = 0
  for (let r = 0; r < 3; r++) {
    const over = Math.abs(local[r]) - size[s + r]
    if (over > deepest) {
      deepest = over
      nearest = r
    }
    if (over > 0) squares += over * over
  }
  if (squares === 0) {
    outward[nearest] = local[nearest] < 0 ? -1 : 1
    return deepest
  }
  const distance = Math.sqrt(squares)
  for (let r = 0; r < 3; r++) {
    const over = Math.abs(local[r]) - size[s + r]
    outward[r] = over > 0 ? (Math.sign(local[r]) * over) / distance : 0
  }
  return distance
}

/** Reads touch k, o in `at` and the velocities. F ← the force of the obstacle on the point. */
function push(c: Penalty, d: Data, k: number): void {
  const normal = c.stiffness * at[DEPTH]
  pointVelocity(v, 0, d, c.body[k], c.point, 3 * k)
  const along = v[0] * at[NORMAL] + v[1] * at[NORMAL + 1] + v[2] * at[NORMAL + 2]
  for (let r = 0; r < 3; r++) v[r] -= along * at[NORMAL + r]
  const speed = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  const drag = (c.friction * normal) / Math.max(speed, c.slip)
  for (let r = 0; r < 3; r++) F[r] = normal * at[NORMAL + r] - drag * v[r]
}

/** Reads the kinematics. Every point that is inside an obstacle. Allocates. */
export function listPenaltyContacts({ penalty: c }: Model, d: Data): Contact[] {
  const list: Contact[] = []
  for (let k = 0; k < c.count; k++) {
    for (let o = 0; o < c.obstacles; o++) {
      touch(at, c, d, k, o)
      if (at[DEPTH] <= 0) continue
      push(c, d, k)
      const normal = [at[NORMAL], at[NORMAL + 1], at[NORMAL + 2]] as const
      // on the surface of the body, half-way into the obstacle
      const inward = c.radius[k] - 0.5 * at[DEPTH]
      list.push({
        bodyA: 0,
        bodyB: c.body[k],
        point: [at[POINT] - inward * normal[0], at[POINT + 1] - inward * normal[1], at[POINT + 2] - inward * normal[2]],
        normal,
        gap: -at[DEPTH],
        force: [F[0], F[1], F[2]],
      })
    }
  }
  return list
}

export const contact: Force = {
  name: 'contact',
  apply(m, d, _s, from = 1, to = m.nbody) {
    const c = m.penalty
    for (let k = 0; k < c.count; k++) {
      if (c.body[k] < from || c.body[k] >= to) continue
      for (let o = 0; o < c.obstacles; o++) {
        touch(at, c, d, k, o)
        if (at[DEPTH] <= 0) continue
        push(c, d, k)
        addPointForce(d.f, d, c.body[k], c.point, 3 * k, 1, F, 0)
      }
    }
  },
  addEnergy(m, d, _s, out, o) {
    const c = m.penalty
    let twice = 0
    for (let k = 0; k < c.count; k++) {
      for (let o = 0; o < c.obstacles; o++) {
        touch(at, c, d, k, o)
        if (at[DEPTH] > 0) twice += c.stiffness * at[DEPTH] * at[DEPTH]
      }
    }
    out[o] += 0.5 * twice
  },
  energy: (m, d, s) => sumOf(contact, m, d, s),
}
