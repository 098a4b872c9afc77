/**
 * Memory of position trajectories: `Trajectories`, constants and states of a group, and `TrajectoryStep`, the workspace of a thread.
 *
 * The unknown of a step is what the joints do over it, in coordinates of the joints: numbers of turns and slides, a quaternion of a ball, place and
 * quaternion of a free joint, each from where the step began. It is small, so single precision resolves it (`place.kernel`).
 */
import type { MotorLaw } from '../../../forces/actuators.kernel.js'
import type { Law } from '../../../forces/penalty.kernel.js'
import type { Int, Ints, Lanes, Shared, Varied } from '../../../math/values/columns.js'
import type { Articulated, Force, Pose, Sym3, Vec3 } from '../../../math/values/spatial.js'
import type { SinCos } from '../../../math/values/trig.js'
import type { PointGradient } from '../euler/newton-factor.kernel.js'
import type { Rounding } from './clip.kernel.js'

/**
 * Phases of a search: the value at the base is to be had, of the first guess or again with another matrix; a trial; the trajectory has made its
 * steps; its step failed.
 */
export const BASE = 0
export const TRIAL = 1
export const IDLE = 2
export const FAILED = 3

/**
 * Where a search stands: phase; value and slope at the base; length of the direction there, and how far along it the trial is; λ; 1 where the
 * curvature is clipped; 1 where that of the last direction was not; 1 where
 * a matrix of this step was refused; directions tried in this step; steps made in this run.
 */
export type Search = {
  readonly phase: number
  readonly value: number
  readonly slope: number
  readonly length: number
  readonly size: number
  readonly lambda: number
  readonly clips: number
  readonly exact: number
  readonly refused: number
  readonly tries: number
  readonly made: number
}

/** Places of the numbers of a search: they lie in memory in the order of their declaration. */
export const searchPlaces = {
  ...{ phase: 0, value: 1, slope: 2, length: 3, size: 4, lambda: 5, clips: 6, exact: 7, refused: 8, tries: 9, made: 10 },
} as const satisfies Record<keyof Search, number>

/** Totals since the start: evaluations, directions, trials that rose, matrices that were not positive definite. */
export type SearchCounts = {
  readonly evaluations: number
  readonly iterations: number
  readonly halvings: number
  readonly refused: number
}

/** Mass moments: ∫ x xᵀ, ∫ x, ∫ 1 */
export type Moments = { readonly P: Sym3; readonly c: Vec3; readonly m: number }

export interface Trajectories extends MotorLaw {
  readonly nq: Int
  readonly nv: Int
  /** step, 1/h, 1/h² */
  readonly h: Shared<number>
  readonly perStep: Shared<number>
  readonly perSquare: Shared<number>
  /** largest coordinate of the last direction; share of energies that is rounding; shortest share of a direction; directions of a step at most */
  readonly tolerance: Shared<number>
  readonly noise: Shared<number>
  readonly shortest: Shared<number>
  readonly maxTries: Shared<number>
  /** calls of a run at most */
  readonly maxCalls: Int
  /** 1: every matrix has clipped curvature; 1: the matrix is all of the second derivative; 1: terms add to the matrices of bodies */
  readonly clipsAlways: Int
  readonly exact: Int
  readonly hasBlocks: Int
  /** children of each body */
  readonly childStart: Ints
  readonly child: Ints
  /** of each body: 1 where a ball or a free joint is among its joints */
  readonly curvedBody: Ints
  /** of each velocity: the joint, where it moves along an exponential together with its neighbours, else −1 */
  readonly exponential: Ints
  /** coordinates of joints that do not move */
  readonly still: Shared<number>
  /** of the positive part of curvature */
  readonly rounding: Shared<Rounding>
  /** share of the weight that each body feels */
  readonly lift: Shared<number>

  /** actuators on coordinates: actuator, coordinate, velocity, gear */
  readonly motorCount: Int
  readonly motor: Ints
  readonly motorQ: Ints
  readonly motorV: Ints
  readonly motorGear: Shared<number>
  readonly springCount: Int
  readonly springA: Ints
  readonly springB: Ints
  readonly springPointA: Shared<Vec3>
  readonly springPointB: Shared<Vec3>
  readonly springStiffness: Shared<number>
  readonly springDamping: Shared<number>
  readonly springRest: Shared<number>
  /** forces fixed in the world at points of bodies */
  readonly loadCount: Int
  readonly loadBody: Ints
  readonly loadPoint: Shared<Vec3>
  readonly loadForce: Shared<Vec3>
  /** drag: body, coefficients along its axes, moments; 1 where it acts against the medium, not the world */
  readonly dragCount: Int
  readonly dragBody: Ints
  readonly dragWindy: Ints
  readonly dragAlong: Shared<Vec3>
  readonly dragMoments: Shared<Moments>
  readonly wind: Shared<Vec3>
  /** points of bodies against obstacles of the world (`forces/penalty.kernel`) */
  readonly pointCount: Int
  readonly obstacleCount: Int
  readonly pointBody: Ints
  readonly pointAt: Shared<Vec3>
  readonly pointRadius: Shared<number>
  readonly obstacleKind: Ints
  readonly obstaclePose: Shared<Pose>
  readonly obstacleSize: Shared<Vec3>
  readonly law: Shared<Law>

  readonly gravity: Varied<Vec3>
  readonly damping: Varied<number>
  readonly stiffness: Varied<number>
  readonly rest: Varied<number>

  readonly q: Lanes<number>
  readonly v: Lanes<number>
  readonly tau: Lanes<number>
  readonly control: Lanes<number>
  readonly steps: Lanes<number>
  readonly failed: Lanes<number>
  /** steps to make in this run; 1: q and v are new, and the memory of the step before is void */
  readonly goal: Lanes<number>
  readonly fresh: Lanes<number>
  /** q and v as the last run left them: others were written since */
  readonly qKept: Lanes<number>
  readonly vKept: Lanes<number>
  /** where the step began: poses, sines and cosines of turns; how poses and joints moved over the step before */
  readonly X0: Lanes<Pose>
  readonly sc0: Lanes<SinCos>
  readonly Y: Lanes<Pose>
  readonly last: Lanes<number>
  /** base of the search and its direction */
  readonly from: Lanes<number>
  readonly dq: Lanes<number>
  readonly search: Lanes<Search>
  readonly counts: Lanes<SearchCounts>
}

export interface TrajectoryStep {
  /** how far along the direction each lane tries, and the trial */
  readonly share: Lanes<number>
  readonly z: Lanes<number>
  /** changes since the start of the step, of sines and cosines and of poses */
  readonly dsc: Lanes<SinCos>
  readonly dX: Lanes<Pose>
  /** inertial energy, all other energies, and the sum of the sizes of their terms */
  readonly E: Lanes<{ readonly inertial: number; readonly potential: number; readonly size: number }>
  /** gradients and second derivatives of bodies and of velocities */
  readonly W: Lanes<PointGradient>
  readonly bodies: Lanes<Articulated>
  readonly joint: Lanes<number>
  readonly joints: Lanes<number>
  /** coordinates at the trial, for springs of balls; how far joints are from where a spring pulls them, now and at the start */
  readonly qNow: Lanes<number>
  readonly x: Lanes<number>
  readonly xStart: Lanes<number>
  /** weight of the inertia in the matrix, 1 where curvature is in it, 1 where it is clipped */
  readonly weight: Lanes<{ readonly inertia: number; readonly curved: number; readonly clips: number }>
  readonly total: Lanes<PointGradient>
  readonly K: Lanes<Sym3>
  /** of each body, for its parent: gradient, matrix, right side */
  readonly upGradient: Lanes<Force>
  readonly up: Lanes<Articulated>
  readonly upForce: Lanes<Force>
  readonly L: Lanes<number>
  /** gradient, direction; smallest pivot */
  readonly gradient: Lanes<number>
  readonly direction: Lanes<number>
  readonly least: Lanes<number>
  /** 1 in lanes whose step ends in this call, whose state is new, that go on */
  readonly ended: Lanes<number>
  readonly renewed: Lanes<number>
  readonly live: Lanes<number>
}
