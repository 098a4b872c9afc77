/**
 * What kernels see of a model and of its data: a table of columns each. Names are those of `Model`, `Model.steps` and `Data`; rows and
 * records of Data are in `dataLayout`.
 */
import type { Int, Ints, Lanes, Shared, Varied } from '../math/values/columns.js'
import type { Articulated, Force, Mat3, Motion, Pose, Rigid, Vec3 } from '../math/values/spatial.js'
import type { SinCos } from '../math/values/trig.js'

/** Kinds of a step. */
export const TURN = 0
export const SLIDE = 1
export const BALL = 2
export const FREE = 3

/**
 * Constants of a step about or along the unit axis a through the anchor c. F = (R₀, p₀) is the frame in which it stands: the body's pose in
 * its parent for the first step of a body, so that it yields X_PB at once, the identity for later ones, and for all of a body on a moved frame.
 *   K0 = R₀ a aᵀ, K1 = R₀ − K0, K2 = R₀ [a]:  F's rotation times that of the step is K0 + cos K1 + sin K2
 *   base = p₀ + R₀ c, along = R₀ a
 */
export type Axis = {
  readonly K0: Mat3
  readonly K1: Mat3
  readonly K2: Mat3
  readonly base: Vec3
  readonly along: Vec3
  readonly anchor: Vec3
  /** the axis as a motion of the body: (a; c × a + pitch a) of a turn, (0; a) of a slide */
  readonly screw: Motion
  readonly reference: number
  /** metres a radian */
  readonly pitch: number
}

export interface Tree {
  readonly nbody: Int
  readonly nv: Int
  /** of each body: parent, row of what it hangs on, its velocities iv … ivEnd−1, its steps firstStep … stepEnd−1 */
  readonly parent: Ints
  readonly base: Ints
  readonly iv: Ints
  readonly ivEnd: Ints
  /** offset of the body's block of velocities by velocities, for factors that keep one */
  readonly id: Ints
  readonly firstStep: Ints
  readonly stepEnd: Ints
  /** of each body: how many turns move it against its parent, where there is nothing but turns about axes through its origin; else 0 */
  readonly hinge: Ints
  /** of each body: 1 where it hangs on a frame that moves with the modes of its parent */
  readonly moved: Ints
  /** of each step: kind, first coordinate, first velocity */
  readonly stepKind: Ints
  readonly stepQ: Ints
  readonly stepV: Ints
  /** balls and free joints: their steps */
  readonly curved: Ints
  readonly curvedCount: Int
  /** the steps that turn, by body, and how many of them belong to bodies before each of 0 … nbody */
  readonly turns: Ints
  readonly turnStart: Ints
  /** of each velocity: the body it moves; the coordinate whose rate it is, −1 where it is of none; 1 where it acts at once with the one before it */
  readonly velocityBody: Ints
  readonly coordinate: Ints
  readonly together: Ints
  readonly inertia: Varied<Rigid>
  readonly axis: Shared<Axis>
  readonly armature: Varied<number>
}

/** Poses of bodies in their parents and axes: of Data, or of a factor that keeps its own. */
export interface Poses {
  readonly X_PB: Lanes<Pose>
  readonly S: Lanes<Motion>
}

export interface Work {
  readonly f: Lanes<Force>
  readonly sc: Lanes<SinCos>
  readonly X_PJ: Lanes<Pose>
  readonly X_PB: Lanes<Pose>
  readonly X_WB: Lanes<Pose>
  readonly S: Lanes<Motion>
  readonly V: Lanes<Motion>
  readonly c: Lanes<Motion>
  readonly A: Lanes<Motion>
  readonly F: Lanes<Force>
  readonly y: Lanes<Motion>
  readonly SW: Lanes<Motion>
  readonly VW: Lanes<Motion>
  readonly cW: Lanes<Motion>
  readonly AW: Lanes<Motion>
  readonly IA: Lanes<Articulated>
  readonly pA: Lanes<Force>
  readonly U: Lanes<Force>
  readonly D: Lanes<number>
  readonly u: Lanes<number>
}
