/** Forces and torques on bodies, fixed in the world or turning with the body. */
import { add, type Int, type Ints, type Lanes, type Shared } from '../math/values/columns.js'
import { type Force, type Pose, rotateForce, shiftForce, transpose, type Vec3 } from '../math/values/spatial.js'
import type { Work } from '../model/tables.js'

export interface Loads {
  readonly count: Int
  readonly body: Ints
  /** 1 where it turns with the body */
  readonly follows: Ints
  readonly point: Shared<Vec3>
  readonly wrench: Shared<Force>
}

/** A load in the axes of its body, at its point. */
export const loadInBody = (X: Pose, load: Force, follows: Int): Force => (follows === 1 ? load : rotateForce(transpose(X.R), load))

/** Adds those on the bodies from … to − 1 to f. @kernel */
export function pullLoads(t: Loads, d: Work, from: Int, to: Int): void {
  for (let k = 0; k < t.count; k++) {
    const i = t.body[k]
    if (i >= from && i < to) d.f[i] = add(d.f[i], shiftForce(loadInBody(d.X_WB[i], t.wrench[k], t.follows[k]), t.point[k]))
  }
}

/** Adds one on body i. @kernel */
export function pullLoad(d: Work, load: Lanes<{ readonly wrench: Force; readonly point: Vec3 }>, i: Int, follows: Int): void {
  const { wrench, point } = load[0]
  d.f[i] = add(d.f[i], shiftForce(loadInBody(d.X_WB[i], wrench, follows), point))
}
