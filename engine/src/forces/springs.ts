/**
 * Springs and dampers between points of two bodies, with rest length (note 10 section 4):
 *   x = x_B − x_A, l = |x|, n = x/l, tension t = k (l − L) + d l̇; force t n on A, −t n on B; energy ½ k (l − L)².
 * At zero length the direction is undefined and the pull is zero.
 */
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { addPointForce, pointPosition, pointVelocity } from './points.js'

// shorter than any mechanism; below it n = x/l is noise
const SHORTEST = 1e-12

const a = new Float64Array(3)
const b = new Float64Array(3)
const n = new Float64Array(4)
const LENGTH = 3

/** n ← x_B − x_A of spring k, and its length. */
function stretchVector(m: Model, d: Data, k: number): void {
  const { bodyA, bodyB, pointA, pointB } = m.springs
  pointPosition(a, 0, d, bodyA[k], pointA, 3 * k)
  pointPosition(b, 0, d, bodyB[k], pointB, 3 * k)
  n[0] = b[0] - a[0]
  n[1] = b[1] - a[1]
  n[2] = b[2] - a[2]
  n[LENGTH] = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
}

export const springs: Force = {
  name: 'springs',
  apply(m, d) {
    const { count, bodyA, bodyB, pointA, pointB, stiffness, damping, rest } = m.springs
    for (let k = 0; k < count; k++) {
      stretchVector(m, d, k)
      const length = n[LENGTH]
      if (length < SHORTEST) continue
      const inverse = 1 / length
      n[0] *= inverse
      n[1] *= inverse
      n[2] *= inverse
      pointVelocity(a, 0, d, bodyA[k], pointA, 3 * k)
      pointVelocity(b, 0, d, bodyB[k], pointB, 3 * k)
      const rate = n[0] * (b[0] - a[0]) + n[1] * (b[1] - a[1]) + n[2] * (b[2] - a[2])
      const tension = stiffness[k] * (length - rest[k]) + damping[k] * rate
      for (let r = 0; r < 3; r++) n[r] *= tension
      addPointForce(d.f, d, bodyA[k], pointA, 3 * k, 1, n, 0)
      addPointForce(d.f, d, bodyB[k], pointB, 3 * k, -1, n, 0)
    }
  },
  energy(m, d) {
    const { count, stiffness, rest } = m.springs
    let twice = 0
    for (let k = 0; k < count; k++) {
      stretchVector(m, d, k)
      const e = n[LENGTH] - rest[k]
      twice += stiffness[k] * e * e
    }
    return 0.5 * twice
  },
}
