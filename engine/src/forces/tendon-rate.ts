/**
 * J̇ v of a tendon: the second derivative of its length while every joint acceleration is zero.
 *
 * On a straight piece with direction n, length l, end velocities u and accelerations b:
 *   l̈ = n·(b_B − b_A) + (|u|² − (n·u)²)/l,  u = u_B − u_A
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { pointPosition, pointVelocity } from './points.js'

const SHORTEST = 1e-12

const p = new Float64Array(6)
const u = new Float64Array(6)
const b = new Float64Array(6)

/** Reads X_WB, V and z = J̇ v (6 a body). Writes out[o]: J̇ v of tendon k. */
export function tendonCurvature(out: Vec, o: number, m: Model, d: Data, z: Vec, k: number): void {
  const { pathStart, pathBody, pathPoint } = m.tendons
  let sum = 0
  let divisor = 1
  for (let i = pathStart[k]; i < pathStart[k + 1] - 1; i++) {
    if (pathBody[i] < 0) {
      divisor = pathPoint[3 * i]
      continue
    }
    if (pathBody[i + 1] < 0 || pathBody[i] === pathBody[i + 1]) continue
    for (let e = 0; e < 2; e++) {
      pointPosition(p, 3 * e, d, pathBody[i + e], pathPoint, 3 * (i + e))
      pointVelocity(u, 3 * e, d, pathBody[i + e], pathPoint, 3 * (i + e))
      pointAcceleration(b, 3 * e, d, z, pathBody[i + e], pathPoint, 3 * (i + e))
    }
    let square = 0
    let speed = 0
    let along = 0
    let pull = 0
    for (let r = 0; r < 3; r++) {
      const x = p[3 + r] - p[r]
      const w = u[3 + r] - u[r]
      square += x * x
      speed += w * w
      along += x * w
      pull += x * (b[3 + r] - b[r])
    }
    const length = Math.sqrt(square)
    if (length < SHORTEST) continue
    along /= length
    sum += (pull / length + (speed - along * along) / length) / divisor
  }
  out[o] = sum
}

/** out = R (a + w × v + ẇ × x + w × (w × x)) with (ẇ; a) = z: acceleration of a point, in the world. */
function pointAcceleration(out: Vec, o: number, d: Data, z: Vec, body: number, x: Vec, j: number): void {
  const { X_WB: X, V } = d
  const c = 6 * body
  const wx = V[c]
  const wy = V[c + 1]
  const wz = V[c + 2]

  // velocity of the point in body axes
  const vx = V[c + 3] + wy * x[j + 2] - wz * x[j + 1]
  const vy = V[c + 4] + wz * x[j] - wx * x[j + 2]
  const vz = V[c + 5] + wx * x[j + 1] - wy * x[j]

  const ax = z[c + 3] + z[c + 1] * x[j + 2] - z[c + 2] * x[j + 1] + wy * vz - wz * vy
  const ay = z[c + 4] + z[c + 2] * x[j] - z[c] * x[j + 2] + wz * vx - wx * vz
  const az = z[c + 5] + z[c] * x[j + 1] - z[c + 1] * x[j] + wx * vy - wy * vx
  const i = 12 * body
  for (let r = 0; r < 3; r++) out[o + r] = X[i + 3 * r] * ax + X[i + 3 * r + 1] * ay + X[i + 3 * r + 2] * az
}
