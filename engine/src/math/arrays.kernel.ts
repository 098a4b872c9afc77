/**
 * The laws of `math/values` on numbers in arrays, for hot code outside of kernels: `mulPose(out, o, a, i, b, j)`. Printed to `printed/arrays`, where a
 * column is an array and a place in it; every one may work in place. A factor comes by its place, so that it is never boxed.
 */
import { add, type Lanes, scale, sub } from './values/columns.js'
import { matrixQuat, mulQuat as mulQuatOf, type Quat, quatRotation } from './values/rotation.js'
import {
  type Articulated,
  articulated,
  crossForce as crossForceOf,
  crossMotion as crossMotionOf,
  cross as crossOf,
  type Force,
  forceToParent,
  type Mat3,
  type Motion,
  motionToChild as motionToChildOf,
  mulArticulated as mulArticulatedOf,
  mulPose as mulPoseOf,
  mulRigid as mulRigidOf,
  outer,
  type Pose,
  power,
  type Rigid,
  rotateBack as rotateBackOf,
  rotateForce,
  rotate as rotateOf,
  rotateRigid,
  shiftForce as shiftForceOf,
  shiftMotion as shiftMotionOf,
  transformPoint as transformPointOf,
  turnInertia,
  type Vec3,
} from './values/spatial.js'
import { atan2, type SinCos, sincos } from './values/trig.js'

/** out = a × b @kernel */
export function cross(out: Lanes<Vec3>, a: Lanes<Vec3>, b: Lanes<Vec3>): void {
  out[0] = crossOf(a[0], b[0])
}

/** out = R a @kernel */
export function rotate(out: Lanes<Vec3>, R: Lanes<Mat3>, a: Lanes<Vec3>): void {
  out[0] = rotateOf(R[0], a[0])
}

/** out = Rᵀ a @kernel */
export function rotateBack(out: Lanes<Vec3>, R: Lanes<Mat3>, a: Lanes<Vec3>): void {
  out[0] = rotateBackOf(R[0], a[0])
}

/** Matrix of a quaternion of any length. @kernel */
export function quatToMatrix(out: Lanes<Mat3>, q: Lanes<Quat>): void {
  out[0] = quatRotation(q[0])
}

/** Unit quaternion with w ≥ 0 of a rotation matrix. @kernel */
export function matrixToQuat(out: Lanes<Quat>, R: Lanes<Mat3>): void {
  out[0] = matrixQuat(R[0])
}

/** out = a b @kernel */
export function mulQuat(out: Lanes<Quat>, a: Lanes<Quat>, b: Lanes<Quat>): void {
  out[0] = mulQuatOf(a[0], b[0])
}

/** @kernel */
export function sineAndCosine(out: Lanes<SinCos>, angle: Lanes<number>): void {
  out[0] = sincos(angle[0])
}

/** out = the angle of the point (x, y) @kernel */
export function angleOfPoint(out: Lanes<number>, y: Lanes<number>, x: Lanes<number>): void {
  out[0] = atan2(y[0], x[0])
}

/** out = a b @kernel */
export function mulPose(out: Lanes<Pose>, a: Lanes<Pose>, b: Lanes<Pose>): void {
  out[0] = mulPoseOf(a[0], b[0])
}

/** out = R x + p @kernel */
export function transformPoint(out: Lanes<Vec3>, X: Lanes<Pose>, x: Lanes<Vec3>): void {
  out[0] = transformPointOf(X[0], x[0])
}

/** out = X⁻¹ V: a motion of the parent frame seen in the child frame. @kernel */
export function motionToChild(out: Lanes<Motion>, X: Lanes<Pose>, V: Lanes<Motion>): void {
  out[0] = motionToChildOf(X[0], V[0])
}

/** out += X⁻ᵀ F: adds a force on the child, seen in the parent frame. @kernel */
export function addForceToParent(out: Lanes<Force>, X: Lanes<Pose>, F: Lanes<Force>): void {
  out[0] = add(out[0], forceToParent(X[0], F[0]))
}

/** out = a × b of motions @kernel */
export function crossMotion(out: Lanes<Motion>, a: Lanes<Motion>, b: Lanes<Motion>): void {
  out[0] = crossMotionOf(a[0], b[0])
}

/** out = a ×* f of a motion and a force @kernel */
export function crossForce(out: Lanes<Force>, a: Lanes<Motion>, f: Lanes<Force>): void {
  out[0] = crossForceOf(a[0], f[0])
}

/** out += a · b @kernel */
export function addDot6(out: Lanes<number>, a: Lanes<Motion>, b: Lanes<Force>): void {
  out[0] = out[0] + power(a[0], b[0])
}

/** out −= a · b @kernel */
export function subtractDot6(out: Lanes<number>, a: Lanes<Motion>, b: Lanes<Force>): void {
  out[0] = out[0] - power(a[0], b[0])
}

/** out += a @kernel */
export function add6(out: Lanes<Force>, a: Lanes<Force>): void {
  out[0] = add(out[0], a[0])
}

/** out += x a @kernel */
export function addScaled6(out: Lanes<Force>, x: Lanes<number>, a: Lanes<Force>): void {
  out[0] = add(out[0], scale(x[0], a[0]))
}

/** out = (R n; R f): a motion or a force along other axes, same origin. @kernel */
export function rotate6(out: Lanes<Force>, R: Lanes<Mat3>, F: Lanes<Force>): void {
  out[0] = rotateForce(R[0], F[0])
}

/** out = V, world axes, of the parent's origin, seen at the child's; X and Y are their poses. @kernel */
export function shiftMotion(out: Lanes<Motion>, X: Lanes<Pose>, Y: Lanes<Pose>, V: Lanes<Motion>): void {
  out[0] = shiftMotionOf(V[0], sub(X[0].p, Y[0].p))
}

/** out += F, world axes, at the child's origin, seen at the parent's; X and Y are their poses. @kernel */
export function shiftForce(out: Lanes<Force>, X: Lanes<Pose>, Y: Lanes<Pose>, F: Lanes<Force>): void {
  out[0] = add(out[0], shiftForceOf(F[0], sub(X[0].p, Y[0].p)))
}

/** out = I V @kernel */
export function mulRigid(out: Lanes<Force>, I: Lanes<Rigid>, V: Lanes<Motion>): void {
  out[0] = mulRigidOf(I[0], V[0])
}

/** out += Vᵀ I V @kernel */
export function addQuadRigid(out: Lanes<number>, I: Lanes<Rigid>, V: Lanes<Motion>): void {
  out[0] = out[0] + power(V[0], mulRigidOf(I[0], V[0]))
}

/** P += the articulated inertia of one rigid body. @kernel */
export function addRigid(P: Lanes<Articulated>, I: Lanes<Rigid>): void {
  P[0] = add(P[0], articulated(I[0]))
}

/** The same of one whose axes are turned by R. @kernel */
export function addTurnedRigid(P: Lanes<Articulated>, R: Lanes<Mat3>, I: Lanes<Rigid>): void {
  P[0] = add(P[0], articulated(rotateRigid(R[0], I[0])))
}

/** P += I, turned by R @kernel */
export function addTurnedArticulated(P: Lanes<Articulated>, R: Lanes<Mat3>, I: Lanes<Articulated>): void {
  P[0] = add(P[0], turnInertia(R[0], I[0]))
}

/** out = I V @kernel */
export function mulArticulated(out: Lanes<Force>, I: Lanes<Articulated>, V: Lanes<Motion>): void {
  out[0] = mulArticulatedOf(I[0], V[0])
}

/** I += x J Jᵀ: a row J that acts on one body with weight x. @kernel */
export function addOuter(I: Lanes<Articulated>, J: Lanes<Force>, x: Lanes<number>): void {
  I[0] = add(I[0], outer(scale(x[0], J[0]), J[0]))
}

/** I −= U Uᵀ: what one eliminated degree of freedom takes away. @kernel */
export function subtractOuter(I: Lanes<Articulated>, U: Lanes<Force>): void {
  I[0] = sub(I[0], outer(U[0], U[0]))
}
