/** Points fixed to bodies, as values: where they are, how they move, and forces on them. */
import { add } from '../math/values/columns.js'
import { type Force, type Motion, type Pose, rotate, rotateBack, shiftForce, shiftMotion, type Vec3, ZERO } from '../math/values/spatial.js'

/** The point x of a body, in the world. */
export const pointAt = (X: Pose, x: Vec3): Vec3 => add(rotate(X.R, x), X.p)
/** Its velocity in the world, where the body moves with V. */
export const pointVelocity = (X: Pose, V: Motion, x: Vec3): Vec3 => rotate(X.R, shiftMotion(V, x).v)
/** The wrench on the body of a force F of the world at x. */
export const pointWrench = (X: Pose, x: Vec3, F: Vec3): Force => shiftForce({ n: ZERO, f: rotateBack(X.R, F) }, x)
