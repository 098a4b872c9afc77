/**
 * Inertia in the space of points; `tree/point-inertia` says what for.
 */
import { add, type Int, type Lanes, scale, sub } from '../math/values/columns.js'
import {
  dot,
  full,
  type Mat3,
  mul,
  type Pose,
  rotate,
  rotateBack,
  type Sym3,
  tensor,
  transpose,
  type Vec3,
} from '../math/values/spatial.js'

/** Mt of a body: ∫ρ x xᵀ, mass times centre, mass. */
export type PointMoments = { readonly S: Sym3; readonly c: Vec3; readonly m: number }

const dotMat = (A: Mat3, B: Mat3): number => dot(A[0], B[0]) + dot(A[1], B[1]) + dot(A[2], B[2])

/**
 * W = Rᵀ (s (A − Y) − lift (0 g)) Mt, and E = (½ s tr((A − Y) Mt (A − Y)ᵀ), −lift gᵀ T Mt e₄) over all bodies. The world's moments hold g in
 * place of mass times centre. @kernel
 */
export function pointInertia(
  nbody: Int,
  moments: Lanes<PointMoments>,
  lift: Lanes<number>,
  X: Lanes<Pose>,
  A: Lanes<Pose>,
  Y: Lanes<Pose>,
  s: Lanes<number>,
  W: Lanes<Pose>,
  E: Lanes<number>,
): void {
  const factor = s[0]
  const gravity = moments[0].c
  let inertial = 0
  let potential = 0
  for (let i = 1; i < nbody; i++) {
    const { S, c, m } = moments[i]
    const T = X[i]
    const D = sub(A[i], Y[i])
    const g = scale(lift[i], gravity)
    // D Mt
    const M = add(mul(D.R, full(S)), tensor(D.p, c))
    const p = add(rotate(D.R, c), scale(m, D.p))
    inertial = inertial + (dotMat(D.R, M) + dot(D.p, p))
    potential = potential - dot(g, add(rotate(T.R, c), scale(m, T.p)))
    W[i] = {
      R: mul(transpose(T.R), sub(scale(factor, M), tensor(g, c))),
      p: rotateBack(T.R, sub(scale(factor, p), scale(m, g))),
    }
  }
  E[0] = 0.5 * factor * inertial
  E[1] = potential
}
