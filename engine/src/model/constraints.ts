/**
 * Constraints: what must hold besides the tree, as flat arrays, for `constraints/`. Made by `buildConstraints`, never changed afterwards.
 */
import type { Vec } from '../math/types.js'

/** Kinds. Entries a kind does not name are not read for it. */
/** x_A = x_B along the world directions in `axes`, one row each */
export const CONSTRAINT_POINT = 0
/** x_A = x_B, and the axis of B at right angles to two directions of A: 5 rows. `axes`: those two in A, then the axis in B */
export const CONSTRAINT_HINGE = 1
/** x_B in the plane through x_A whose normal in A is the first of `axes` */
export const CONSTRAINT_PLANAR = 2
/** frame B stands in frame A at `pointA`, `quaternion`: 6 rows */
export const CONSTRAINT_WELD = 3
/** |x_B − x_A| = `distance` */
export const CONSTRAINT_DISTANCE = 4
/** q(target) = reference + polynomial(q(source) − reference of the source) */
export const CONSTRAINT_COUPLING = 5
/** the same for lengths of tendons */
export const CONSTRAINT_TENDON = 6
/** q(target) = f(t). This kind and those after it depend on time */
export const CONSTRAINT_MOTION = 7
/** `pointA` of body A moves by f(t) along the first of `axes`, in the world, from where its coordinate was `distance` */
export const CONSTRAINT_PLACE = 8
/** body A turns by f(t) about the first of `axes`, in the world, from the orientation `quaternion`: 3 rows */
export const CONSTRAINT_TURN = 9

/** offset, speed, amplitude, ω, phase; size, start, duration (0: none), steepness of a rise; 1 where the position counts, 0 the speed only */
export const MOTION_SIZE = 10

export interface Constraints {
  readonly count: number
  readonly names: readonly string[]
  readonly kind: Int32Array
  /** 1: enforced */
  readonly active: Int32Array
  /** softness as MuJoCo has it, 2 and 5 each; solref 0 0: exact */
  readonly solref: Vec
  readonly solimp: Vec
  /** number of rows */
  readonly rows: Int32Array
  readonly bodyA: Int32Array
  readonly bodyB: Int32Array
  /** in body coordinates, 3 each */
  readonly pointA: Vec
  readonly pointB: Vec
  /** three directions, 9 each */
  readonly axes: Vec
  /** orientation of B in A, 4 each */
  readonly quaternion: Vec
  readonly distance: Vec
  /** number of a joint or tendon; source −1: none */
  readonly target: Int32Array
  readonly source: Int32Array
  /** of target and source, 2 each */
  readonly reference: Vec
  /** of constraint k: polynomial[polynomialStart[k]] … polynomial[polynomialStart[k+1]−1], lowest power first */
  readonly polynomialStart: Int32Array
  readonly polynomial: Vec
  /** `MOTION_SIZE` each */
  readonly motion: Vec
  /** shortest and longest length of each tendon; infinite where there is none */
  readonly tendonLimits: Vec
}
