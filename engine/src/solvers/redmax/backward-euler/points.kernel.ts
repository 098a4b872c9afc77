/**
 * Forces and curvature in the space of points; `point-system` says what they are. W = (W3 | w) is the gradient of a body's transform in body
 * axes, 12 numbers as those of a pose.
 */
import { positivePart } from '../../../linalg/dense/clip-symmetric3.kernel.js'
import { add, type Int, type Lanes, sub } from '../../../math/values/columns.js'
import { type Force, type Pose, rotate, type Sym3, tensor } from '../../../math/values/spatial.js'
import type { Poses, Tree } from '../../../model/tables.js'

/** Takes the forces f from the gradient: w −= f's pull, F = (axial(W3); w) − f. @kernel */
export function pullWrenches(nbody: Int, f: Lanes<Force>, W: Lanes<Pose>, F: Lanes<Force>): void {
  for (let i = 1; i < nbody; i++) {
    const { R, p } = W[i]
    const w = sub(p, f[i].f)
    F[i] = { n: sub([R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]], f[i].n), f: w }
    W[i] = { R, p: w }
  }
}

/** W becomes Wt = W3 + Σ_children (R wt) pᵀ; K = sym(Wt) − tr(Wt) 1. @kernel */
export function turningStiffness(m: Tree, d: Poses, W: Lanes<Pose>, K: Lanes<Sym3>): void {
  for (let i = m.nbody - 1; i > 0; i--) {
    const { R: T, p: w } = W[i]
    const p = m.parent[i]
    if (p > 0) {
      const X = d.X_PB[i]
      const f = rotate(X.R, w)
      W[p] = add(W[p], { R: tensor(f, X.p), p: f })
    }
    const [xy, xz, yz] = [0.5 * (T[0][1] + T[1][0]), 0.5 * (T[0][2] + T[2][0]), 0.5 * (T[1][2] + T[2][1])]
    K[i] = [-T[1][1] - T[2][2], xy, xz, -T[0][0] - T[2][2], yz, -T[0][0] - T[1][1]]
  }
}

/** Adds h times the positive part of K of each body to its damping (21 numbers a body), of which turning is the first part. @kernel */
export function addPositive(nbody: Int, K: Lanes<Sym3>, damping: Lanes<number>, step: Lanes<number>, rounds: Int): void {
  const h = step[0]
  for (let i = 1; i < nbody; i++) {
    const [xx, xy, xz, yy, yz, zz] = K[i]
    let part = K[i]
    if (xy === 0 && yz === 0) {
      // the middle axis stands apart, as in a plane: of two eigenvalues mean ± radius both are positive, one, or none
      const mean = 0.5 * (xx + zz)
      const half = 0.5 * (xx - zz)
      const radius = Math.sqrt(half * half + xz * xz)
      const least = mean >= radius ? 0 : mean - radius
      const some = mean + radius > 0 ? (mean + radius) / (2 * radius) : 0
      const share = mean >= radius ? 1 : some
      part = [share * (xx - least), 0, share * xz, yy < 0 ? 0 : yy, 0, share * (zz - least)]
    } else part = positivePart(part, rounds)
    for (let k = 0; k < 6; k++) damping[21 * i + k] = damping[21 * i + k] + h * part[k]
  }
}

/** Both: W becomes Wt, and what turning costs by it is added to the damping. @kernel */
export function addTurning(
  m: Tree,
  d: Poses,
  W: Lanes<Pose>,
  K: Lanes<Sym3>,
  damping: Lanes<number>,
  step: Lanes<number>,
  rounds: Int,
): void {
  turningStiffness(m, d, W, K)
  addPositive(m.nbody, K, damping, step, rounds)
}
