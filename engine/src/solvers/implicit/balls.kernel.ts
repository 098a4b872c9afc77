/**
 * Limits of ball joints: the angle θ of the rotation vector r from the pose as drawn, whose rate is w · r/θ, w the velocity of the joint.
 *
 * Rows are on one velocity each. So while a limit may act its ball has velocities along axes of which the first is r/θ: w, accelerations, forces
 * and axes are turned before the rows are set, and accelerations back afterwards. Damping and armature of a ball are the same about all axes.
 */
import { quatAt } from '../../joints/curved.kernel.js'
import { add, any, type Int, type Lanes, scale, sub } from '../../math/values/columns.js'
import { logQuat } from '../../math/values/rotation.js'
import { cross, dot, type Mat3, ONE, rotate, rotateBack, type Vec3 } from '../../math/values/spatial.js'
import type { Work } from '../../model/tables.js'
import type { Ground, GroundStep } from './tables.js'

/** an angle below this has no direction */
const SMALLEST = 1e-9

const at3 = (x: Lanes<number>, k: Int): Vec3 => [x[k], x[k + 1], x[k + 2]]
function set3(x: Lanes<number>, k: Int, value: Vec3): void {
  for (let r = 0; r < 3; r++) x[k + r] = value[r]
}

/** Rows of an orthonormal basis: the unit vector n first. */
function basisOf(n: Vec3): Mat3 {
  const isSteep = Math.abs(n[0]) > 0.5
  const other: Vec3 = [isSteep ? 0 : 1, isSteep ? 1 : 0, 0]
  const t = sub(other, scale(dot(other, n), n))
  const first = scale(1 / Math.sqrt(dot(t, t)), t)
  return [n, first, cross(n, first)]
}

/** Reads q. Writes ballAngle, ballBasis; turns v, a, qf and SW of the balls whose limit may act in any lane. */
export function turnBalls(d: Work, g: Ground, s: GroundStep): void {
  for (let n = 0; n < g.ballCount; n++) {
    const r = logQuat(quatAt(g.q, g.ballQ[n]))
    const angle = Math.sqrt(dot(r, r))
    s.ballAngle[n] = angle
    const isNear = angle > g.ballReach[n] && angle > SMALLEST
    s.ballNear[n] = isNear ? 1 : 0
    if (any(isNear)) {
      const basis = basisOf(scale(1 / (isNear ? angle : 1), isNear ? r : ONE[0]))
      const B: Mat3 = [isNear ? basis[0] : ONE[0], isNear ? basis[1] : ONE[1], isNear ? basis[2] : ONE[2]]
      const k = g.ballV[n]
      s.ballBasis[n] = B
      set3(g.v, k, rotate(B, at3(g.v, k)))
      set3(g.a, k, rotate(B, at3(g.a, k)))
      set3(s.qf, k, rotate(B, at3(s.qf, k)))
      const S0 = d.SW[k]
      const S1 = d.SW[k + 1]
      const S2 = d.SW[k + 2]
      for (let e = 0; e < 3; e++) d.SW[k + e] = add(scale(B[e][0], S0), scale(B[e][1], S1), scale(B[e][2], S2))
    }
  }
}

/** Turns v and a back. */
export function settleBalls(g: Ground, s: GroundStep): void {
  for (let n = 0; n < g.ballCount; n++) {
    if (any(s.ballNear[n] > 0)) {
      const k = g.ballV[n]
      const B = s.ballBasis[n]
      set3(g.v, k, rotateBack(B, at3(g.v, k)))
      set3(g.a, k, rotateBack(B, at3(g.a, k)))
    }
  }
}
