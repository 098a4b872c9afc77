/**
 * Force: anything that pulls. It stands here and not in `forces/` because Data lists the user's own forces.
 */
import type { Vec } from '../math/types.js'
import type { Data } from './data.js'
import type { Model } from './model.js'
import type { State } from './state.js'
import type { StiffTerms } from './stiff-terms.js'

export interface Force {
  readonly name: string
  /** true: reads q and v only and adds to qf only, so that velocities of bodies need not be known */
  readonly jointsOnly?: boolean
  /** true: it has an energy, but also a part that depends on velocities and is not in that energy */
  readonly damped?: boolean
  /** true: its pull comes with the inertia of bodies, as an acceleration of the world, so that `apply` adds nothing */
  readonly inertial?: boolean
  /**
   * Reads the state and the kinematics. Adds body wrenches to d.f (6 a body, body coordinates) and joint forces to d.qf (nv). With a range, only
   * those on the bodies from … to − 1 and on their velocities; the kinematics of bodies beyond it are still read where a force has two ends.
   * Only solvers that cut the tree give one, so that a force of your own may do without.
   */
  apply(m: Model, d: Data, s: State, from?: number, to?: number): void
  /** Adds its stiffness and damping, for implicit solvers; a force without it enters their steps explicitly. */
  linearize?(m: Model, d: Data, s: State, terms: StiffTerms): void
  /**
   * How its wrenches turn with the bodies, for steps that keep that. Adds −F (x;1)ᵀ of every elastic force F at a point x of a body, in body axes:
   * 12 a body, the 3 × 3 part row by row, then −F. `moments`: the 3 × 3 part alone; `unstretched`: all 12, of springs without rest length, whose
   * full stiffness is that of [Baxter] eq. 2.41.
   */
  addArms?(m: Model, d: Data, s: State, W: Vec, part: 'moments' | 'unstretched'): void
  /** rows that `linearize` opens at most, of two entries each; default 64 */
  readonly rows?: number
  /**
   * The same without rows: adds stiffness · S x + damping · D x, with S = −∂F/∂position and D = −∂F/∂velocity, where the motion x is given
   * as twists of the bodies V (6 a body, body coordinates) and velocities v (nv) and the product is wrenches f (6 a body) and joint
   * forces qf (nv). S and D must be symmetric and positive semidefinite. A force gives this or `linearize`, not both for the same part;
   * with it only the iterative solver `linear=pcg` of redmax can run.
   */
  jacobianProduct?(m: Model, d: Data, s: State, x: ForceMotion, stiffness: number, damping: number, out: ForceProduct): void
  /** Potential energy; absent for forces that have none. */
  energy?(m: Model, d: Data, s: State): number
  /** The same, added to out[o]: a number that is handed back by a call is an allocation, and steps that watch energy make none. */
  addEnergy?(m: Model, d: Data, s: State, out: Vec, o: number): void
  /** `apply` and `addEnergy` in one, where that saves time. */
  applyWithEnergy?(m: Model, d: Data, s: State, out: Vec, o: number): void
}

/** A motion: what a force is multiplied with. */
export interface ForceMotion {
  /** 6 a body, body coordinates */
  readonly V: Vec
  readonly v: Vec
}

/** Forces that add up. */
export interface ForceProduct {
  /** 6 a body, body coordinates */
  readonly f: Vec
  readonly qf: Vec
}
