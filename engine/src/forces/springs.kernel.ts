/** Springs and dampers between points of two bodies; `springs` has the equations. */
import { add, type Int, type Ints, type Lanes, type Shared, scale, sub } from '../math/values/columns.js'
import { dot, type Pose, power, type Vec3 } from '../math/values/spatial.js'
import type { Work } from '../model/tables.js'
import { pointAt, pointWrench } from './points.kernel.js'

export interface Springs {
  readonly count: Int
  readonly bodyA: Ints
  readonly bodyB: Ints
  readonly pointA: Shared<Vec3>
  readonly pointB: Shared<Vec3>
  readonly stiffness: Shared<number>
  readonly damping: Shared<number>
  readonly rest: Shared<number>
}

/** x = x_B − x_A, and its length */
export type Line = { readonly x: Vec3; readonly length: number }

// shorter than any mechanism; below it n = x/l is noise
export const SHORTEST = 1e-12

export function springLine(s: Springs, X: Lanes<Pose>, k: Int): Line {
  const x = sub(pointAt(X[s.bodyB[k]], s.pointB[k]), pointAt(X[s.bodyA[k]], s.pointA[k]))
  return { x, length: Math.sqrt(dot(x, x)) }
}

/** @kernel */
export function measureSprings(s: Springs, X: Lanes<Pose>, lines: Lanes<Line>): void {
  for (let k = 0; k < s.count; k++) lines[k] = springLine(s, X, k)
}

/**
 * Adds the pulls on the bodies from … to − 1 to f; energy[0] = that of their springs. A force of one newton along the line has a wrench on either
 * body that is also what makes the rate of the length of a motion.
 * @kernel
 */
export function pullSprings(s: Springs, d: Work, lines: Lanes<Line>, energy: Lanes<number>, from: Int, to: Int): void {
  measureSprings(s, d.X_WB, lines)
  let twice = 0
  for (let k = 0; k < s.count; k++) {
    const a = s.bodyA[k]
    const b = s.bodyB[k]
    const atA = a >= from && a < to
    const atB = b >= from && b < to
    if (!(atA || atB)) continue
    const { x, length } = lines[k]
    const stretch = length - s.rest[k]
    const elastic = s.stiffness[k] * stretch
    twice = twice + elastic * stretch
    if (length < SHORTEST) continue
    const n = scale(1 / length, x)
    const onA = pointWrench(d.X_WB[a], s.pointA[k], n)
    const onB = pointWrench(d.X_WB[b], s.pointB[k], n)
    const tension = elastic + s.damping[k] * (power(d.V[b], onB) - power(d.V[a], onA))
    if (atA) d.f[a] = add(d.f[a], scale(tension, onA))
    if (atB) d.f[b] = sub(d.f[b], scale(tension, onB))
  }
  energy[0] = 0.5 * twice
}
