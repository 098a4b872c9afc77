/**
 * Contacts as points that move with their bodies: what touches in one pose, seen from another one nearby. The normal stays as it was in the
 * world, gap = n · (x_B − x_A).
 */
import type { Vec } from '../../math/types.js'
import type { Contacts } from './contacts.js'

/** Reads contacts from `first` on, found at the poses X (12 a body). Writes the points of both surfaces in their bodies. */
export function markPoints(c: Contacts, X: Vec, first: number): void {
  const { bodyA, bodyB, point, normal, gap, pointA, pointB } = c
  for (let k = first; k < c.count; k++) {
    const half = 0.5 * gap[k]
    for (let r = 0; r < 3; r++) {
      from[r] = point[3 * k + r] - half * normal[3 * k + r] - X[12 * bodyA[k] + 9 + r]
      to[r] = point[3 * k + r] + half * normal[3 * k + r] - X[12 * bodyB[k] + 9 + r]
    }
    for (let r = 0; r < 3; r++) {
      const a = 12 * bodyA[k] + r
      const b = 12 * bodyB[k] + r
      pointA[3 * k + r] = X[a] * from[0] + X[a + 3] * from[1] + X[a + 6] * from[2]
      pointB[3 * k + r] = X[b] * to[0] + X[b + 3] * to[1] + X[b + 6] * to[2]
    }
  }
}

/** Reads the points in their bodies, from contact `first` on, and poses X. Writes point and gap. */
export function movePoints(c: Contacts, X: Vec, first: number): void {
  const { bodyA, bodyB, point, normal, gap, pointA, pointB } = c
  for (let k = first; k < c.count; k++) {
    let distance = 0
    const o = 3 * k
    for (let r = 0; r < 3; r++) {
      const a = 12 * bodyA[k]
      const b = 12 * bodyB[k]
      const i = 3 * r
      const xa = X[a + 9 + r] + X[a + i] * pointA[o] + X[a + i + 1] * pointA[o + 1] + X[a + i + 2] * pointA[o + 2]
      const xb = X[b + 9 + r] + X[b + i] * pointB[o] + X[b + i + 1] * pointB[o + 1] + X[b + i + 2] * pointB[o + 2]
      point[o + r] = 0.5 * (xa + xb)
      distance += normal[o + r] * (xb - xa)
    }
    gap[k] = distance
  }
}

const from = new Float64Array(3)
const to = new Float64Array(3)
