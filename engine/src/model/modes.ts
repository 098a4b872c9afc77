/**
 * Modes: velocities by which a body deforms. The one case that is exact in closed form: point masses m at x(η) = x⁰ + Σ_l φ_l η_l in the body
 * frame. What their motion costs follows from sums over the points, so that no point is visited after the build:
 *   a_l = Σ m φ_l,   B_l = Σ m φ_l x⁰ᵀ,   C_lp = Σ m φ_l φ_pᵀ
 * The rest shape is in `Model.inertia`. The body frame does not move with the modes; frames that children hang on may (`Faces`).
 *
 * Points, shapes and elastic energy belong to a basis, which bodies share. Each has its size s against that basis: positions and displacements
 * of its points are s times those of the basis, shapes φ(η) stay, so that its sums are s³ a, s⁴ B, s³ C and its energy ν² s³ V(η/s), where
 * the frequencies of the body are ν/s times those of the basis [Barbic].
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
  /** coordinates and velocities, consecutive within a body */
  readonly iq: Int32Array
  readonly iv: Int32Array
  /** matrices of modes by modes of bodies[n], row-major, begin at block[n] */
  readonly block: Int32Array

  /** of bodies[n]: its basis, s, ν², and damping proportional to mass and stiffness: D = alpha M + beta K */
  readonly basis: Int32Array
  readonly scale: Vec
  readonly stiffening: Vec
  readonly alpha: Vec
  readonly beta: Vec
  /** of bodies[n]: drag of the medium along its axes, 3 each, and the phase of gusts there */
  readonly drag: Vec
  readonly phase: Vec
  readonly bases: Bases

  /** moved frames, one for each body that hangs on one */
  readonly frames: number
  readonly frameBody: Int32Array
  /** frames on bodies[n]: frameStart[n] … frameStart[n + 1]−1 */
  readonly frameStart: Int32Array
  /** the moved frame that a body hangs on, −1 for bodies that hang on what is rigid */
  readonly frame: Int32Array
  /** columns of a frame, one for each mode of the body it is on: column[e] … column[e + 1]−1 */
  readonly column: Int32Array
  /** the interface that it follows, and the pose of the joint frame of its body in the frame of that interface, 12 each */
  readonly face: Int32Array
  readonly X_FJ: Vec
  readonly faces: Faces
}

/** What bodies share: sums over points, and the elastic energy. */
export interface Bases {
  readonly count: number
  readonly names: readonly string[]
  /** modes of basis b are start[b] … start[b + 1]−1; its pairs of modes, row-major, begin at block[b] */
  readonly start: Int32Array
  readonly block: Int32Array
  /** a_l, 3 a mode */
  readonly moment: Vec
  /** B_l, 9 a mode, row-major */
  readonly cross: Vec
  /** C_lp, 9 a pair */
  readonly pairs: Vec
  /** tr C_lp, one a pair */
  readonly mass: Vec
  /**
   * The Hessian of the energy as a matrix: a row for each of its entries k ≤ l, a column for each monomial 1, η_i, η_i η_j (i ≤ j). That of
   * basis b begins at hessianStart[b]; none where the next one begins there too.
   */
  readonly hessianStart: Int32Array
  readonly hessian: Vec
  /** points at rest, 3 each, and their displacements by each mode, mode after mode: what drawing and forces on points need */
  readonly points: readonly Vec[]
  readonly shapes: readonly Vec[]
}

/** How the frame of an interface follows its points. */
export const FACE_SOLID = 0
export const FACE_PLANAR = 1
export const FACE_POINT = 2

/**
 * Interfaces: sets of points of a basis with a frame of their own (Q, x̂), x̂ their mean and Q the principal axes of their second moment C, the
 * normal of a planar one last. It follows the affine fit of the points by its polar rotation (`joints/frames`):
 *   x = x̂ + Σ mean_l η_l,   A = Q + Σ fit_l η_l,   fit_l = Σ (φ_l − mean_l)(x⁰ − x̂)ᵀ C⁻¹ Q
 * A planar one leaves the last column of C⁻¹ Q out. The frame of a single point keeps the axes of the body.
 */
export interface Faces {
  readonly count: number
  /** FACE_SOLID, FACE_PLANAR or FACE_POINT */
  readonly kind: Int32Array
  /** its first column, one for each mode of its basis */
  readonly column: Int32Array
  /** x̂, 3 each, and Q, 9 each */
  readonly center: Vec
  readonly axes: Vec
  /** 3 and 9 a column */
  readonly mean: Vec
  readonly fit: Vec
}

/** End of the velocities that body i owns, those of its modes included. */
export function velocityEnd({ ivEnd, modes }: Model, i: number): number {
  const n = modes.row[i]
  return n < 0 ? ivEnd[i] : modes.iv[modes.start[n + 1] - 1] + 1
}

/** Whether body i hangs on a single point of its parent: then it is that point, and has no mass but what it is given. */
export function onVertex({ modes: { frame, face, faces } }: Model, i: number): boolean {
  return frame[i] >= 0 && faces.kind[face[frame[i]]] === FACE_POINT
}
