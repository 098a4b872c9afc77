/**
 * The input of `elimination`: a tree of bodies, and rows that couple bodies across it.
 *
 *   A = Σ_i J_iᵀ (I_i + h D_i) J_i + diag(armature + h d + h² k) + Σ_r w_r Rᵣᵀ Rᵣ
 *
 * over the joint velocities, with J_i the Jacobian of body i, D_i 21 numbers a body, d and k a number a velocity, Rᵣ the rows, each over a
 * few bodies and joint velocities. With a matrix a body that is not inertia and damping: h = 1, and D_i what is not in `model.inertia`.
 *
 * Mechanisms in a plane: when all joints turn about one axis of the world or slide across it, every body moves by three numbers
 * instead of six, (ω_k, v_u, v_v) with k, u, v the axes of the world in turn, k across the plane. The elimination then works with a
 * quarter of the numbers. The rest of a body's inertia and of a row does not take part.
 */
import type { Vec } from '../math/types.js'
import { createData, type Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import type { StiffTerms } from '../model/stiff-terms.js'
import { updatePoses } from '../tree/kinematics.js'

export interface CoupledTree {
  /** its tree, numbering, inertias and armature; springs tell how many rows a pair of bodies may come to share */
  readonly model: Model
  /** poses of the bodies and axes of the joints */
  readonly data: Pick<Data, 'X_WB' | 'S'>
  /** D, d, k, and the rows; `still` is the axis across the plane that the mechanism stays in, or −1 */
  readonly terms: StiffTerms
  /** weight of each row; of one that holds exactly a scale: 1 over how far a unit force along it moves it, about */
  readonly weight: Vec
  /** step[0]: h */
  readonly step: Vec
  /**
   * Rows from here on hold exactly, by forces that are found with the velocities. Such a row is at rest where its bodies move as one, or has
   * a single body: its forces may then go as soon as joints between its bodies have gone.
   */
  readonly rigid: number
}

/** numbers of a handle in the plane, and in space */
export const PLANE = 3
export const SPACE = 6

/** The axis of the world across which nothing moves, −1 where there is none. Reads poses and axes of joints; any pose tells. */
export function planeOf(m: Model, { X_WB: X, S }: Pick<Data, 'X_WB' | 'S'>): number {
  for (let k = 0; k < 3; k++) {
    let flat = true
    for (let i = 1; i < m.nbody && flat; i++) {
      // more velocities than a body has ways to move need all of their numbers
      flat = m.ivEnd[i] - m.iv[i] <= PLANE
      for (let c = m.iv[i]; c < m.ivEnd[i] && flat; c++) flat = isAcross(X, 12 * i, S, 6 * c, k)
    }
    if (flat) return k
  }
  return -1
}

// of a unit axis, from the rounding of poses
const ROUNDING = 1e-14

/** Turns about axis k, and slides across it, at most. */
function isAcross(X: Vec, x: number, S: Vec, s: number, k: number): boolean {
  for (let r = 0; r < 3; r++) {
    const row = x + 3 * r
    // turning about the axes in the plane, sliding along the one across
    const o = r === k ? s + 3 : s
    const rate = X[row] * S[o] + X[row + 1] * S[o + 1] + X[row + 2] * S[o + 2]
    if (Math.abs(rate) > ROUNDING * (1 + Math.abs(S[o]) + Math.abs(S[o + 1]) + Math.abs(S[o + 2]))) return false
  }
  return true
}

/** Poses at the model's own start, not those of the moment: a run that is restored later must take the same order, to the last bit. */
export function atStart(m: Model): Data {
  const start = createData(m)
  updatePoses(m, start, m.q0)
  return start
}
