/**
 * How far two orientations are apart, exp[r] = Q = (R_B R(turn) R(b))ᵀ R_A R(a), and its rate. Q turns with R(a)ᵀ w_A − Qᵀ w_B in its own frame, so
 * that ṙ = A(r)⁻¹ (R(a)ᵀ w_A − Qᵀ w_B).
 */
import { add, type Int, type Lanes, negate, scale } from '../../math/values/columns.js'
import { logarithm, matrixQuat, mulQuat, type Quat, quatRotation } from '../../math/values/rotation.js'
import { type Mat3, mul, ONE, type Pose, skew, transpose, type Vec3 } from '../../math/values/spatial.js'
import { type SinCos, sincos } from '../../math/values/trig.js'

export type Orientations = { readonly turn: Quat; readonly a: Quat; readonly b: Quat }
/** r, and what w_A and w_B are to be multiplied by for ṙ */
export type OrientationRows = { readonly r: Vec3; readonly A: Mat3; readonly B: Mat3 }

/** @kernel */
export function orientationRows(X: Lanes<Pose>, A: Int, B: Int, given: Lanes<Orientations>, out: Lanes<OrientationRows>): void {
  const { turn, a, b } = given[0]
  const Ra = quatRotation(a)
  const Rb = mul(X[B].R, quatRotation(mulQuat(turn, b)))
  const Q = mul(transpose(Rb), mul(X[A].R, Ra))
  const { r, E } = logarithm(matrixQuat(Q))
  const K = skew(r)
  const inverse = add(ONE, scale(0.5, K), scale(E, mul(K, K)))
  out[0] = { r, A: mul(inverse, transpose(Ra)), B: negate(mul(inverse, transpose(Q))) }
}

/** @kernel */
export function sineAndCosine(angle: Lanes<number>, out: Lanes<SinCos>): void {
  out[0] = sincos(angle[0])
}
