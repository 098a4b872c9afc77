/** Forces and torques on bodies, fixed in the world or turning with the body. */
import { add, type Int, type Lanes } from '../math/values/columns.js'
import { type Force, type Pose, rotateForce, shiftForce, transpose, type Vec3 } from '../math/values/spatial.js'
import type { Work } from '../model/tables.js'

/** A load in the axes of its body, at its point. */
export const loadInBody = (X: Pose, load: Force, follows: Int): Force => (follows === 1 ? load : rotateForce(transpose(X.R), load))

/** Adds one on body i to f. @kernel */
export function pullLoad(d: Work, load: Lanes<{ readonly wrench: Force; readonly point: Vec3 }>, i: Int, follows: Int): void {
  const { wrench, point } = load[0]
  d.f[i] = add(d.f[i], shiftForce(loadInBody(d.X_WB[i], wrench, follows), point))
}
