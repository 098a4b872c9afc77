/**
 * Inertia and weight of a step in the space of points, from how far bodies have moved:
 *
 *   E = ½/h² Σ tr(D Mt Dᵀ) − Σ gᵀ ΔT Mt e₄,   D = ΔT − Y,   (A3 | a) = D Mt/h² − g (Mt e₄)ᵀ,   W = (A3 Rᵀ | a)
 * with Mt the mass moments of a body and Y how it moved over the step before; W is the derivative along the axes of the world at the origin of the
 * body. Energies count from the start of the step.
 */
import { add, type Int, type Lanes, scale, sub, type Varied } from '../../../math/values/columns.js'
import {
  diagonal,
  dot,
  full,
  type Mat3,
  mul,
  type Pose,
  type Rigid,
  rotate,
  type Sym3,
  tensor,
  transpose,
} from '../../../math/values/spatial.js'
import type { Tree, Work } from '../../../model/tables.js'
import type { Trajectories, TrajectoryStep } from './tables.js'

const product = (A: Mat3, B: Mat3): number => dot(A[0], B[0]) + dot(A[1], B[1]) + dot(A[2], B[2])

/** ∫ x xᵀ = ½ tr(J) 1 − J */
const secondMoments = ({ J }: Rigid): Sym3 => sub(diagonal(0.5 * (J[0] + J[3] + J[5])), J)

/** D Mt of body i. */
export function timesMoments(inertia: Varied<Rigid>, i: Int, D: Pose): Pose {
  const I = inertia[i]
  return { R: add(mul(D.R, full(secondMoments(I))), tensor(D.p, I.h)), p: add(rotate(D.R, I.h), scale(I.m, D.p)) }
}

/** Reads X_WB, dX, Y. Writes W, E. @kernel */
export function startEnergy(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  const factor = g.perSquare[0]
  let inertial = 0
  let potential = 0
  let size = 0
  for (let i = 1; i < m.nbody; i++) {
    const { m: mass, h } = m.inertia[i]
    const R = d.X_WB[i].R
    const dX = s.dX[i]
    const D = sub(dX, g.Y[i])
    const M = timesMoments(m.inertia, i, D)
    const weight = scale(g.lift[i], g.gravity[0])
    inertial = inertial + (product(D.R, M.R) + dot(D.p, M.p))
    const fallen = dot(weight, add(rotate(dX.R, h), scale(mass, dX.p)))
    potential = potential - fallen
    size = size + Math.abs(fallen)
    s.W[i] = {
      W3: mul(sub(scale(factor, M.R), tensor(weight, h)), transpose(R)),
      w: sub(scale(factor, M.p), scale(mass, weight)),
    }
  }
  inertial = 0.5 * factor * inertial
  s.E[0] = { inertial, potential, size: size + inertial }
}

/** bodies ← 0, for what terms add. */
export function clearBlocks(m: Tree, bodies: Lanes<{ readonly A: Sym3; readonly B: Mat3; readonly C: Sym3 }>): void {
  const none = diagonal(0)
  for (let i = 1; i < m.nbody; i++) bodies[i] = { A: none, B: full(none), C: none }
}
