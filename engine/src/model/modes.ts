/**
 * Modes: velocities by which a body deforms. The one case that is exact in closed form: point masses m at x(η) = x⁰ + Σ_l φ_l η_l in the body
 * frame. What their motion costs follows from sums over the points, so that no point is visited after the build:
 *   a_l = Σ m φ_l,   B_l = Σ m φ_l x⁰ᵀ,   C_lp = Σ m φ_l φ_pᵀ
 * The rest shape is in `Model.inertia`. The body frame does not move with the modes; frames that children hang on may: by a shift Σ s_l η_l and a
 * turn by the rotation vector Σ t_l η_l, both along the axes of the body that deforms.
 *
 * Modes are numbered by body, and within a body in the order of their coordinates and velocities, which follow those of its joints.
 */
import type { Vec } from '../math/types.js'
import type { Model } from './model.js'

export interface Modes {
  readonly count: number
  /** the bodies that deform; their modes are start[n] … start[n + 1]−1 */
  readonly bodies: Int32Array
  readonly start: Int32Array
  /** place of a body in `bodies`, −1 for the rigid ones */
  readonly row: Int32Array
  readonly iq: Int32Array
  readonly iv: Int32Array
  /** a_l, 3 a mode */
  readonly moment: Vec
  /** B_l, 9 a mode, row-major */
  readonly cross: Vec
  /** C_lp, 9 a pair; pairs of bodies[n] begin at block[n], row-major */
  readonly pairs: Vec
  readonly block: Int32Array

  /** moved frames, one for each body that hangs on one */
  readonly frames: number
  readonly frameBody: Int32Array
  /** frames on bodies[n]: frameStart[n] … frameStart[n + 1]−1 */
  readonly frameStart: Int32Array
  /** the moved frame that a body hangs on, −1 for bodies that hang on what is rigid */
  readonly frame: Int32Array
  /** columns of a frame, one for each mode of the body it is on: column[e] … column[e + 1]−1 */
  readonly column: Int32Array
  /** s_l and t_l, 3 a column */
  readonly shift: Vec
  readonly turn: Vec
}

/** End of the velocities that body i owns, those of its modes included. */
export function velocityEnd({ ivEnd, modes }: Model, i: number): number {
  const n = modes.row[i]
  return n < 0 ? ivEnd[i] : modes.iv[modes.start[n + 1] - 1] + 1
}
