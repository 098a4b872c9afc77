/**
 * Force: anything that pulls. It stands here and not in `forces/` because Model lists the forces that act on it.
 */
import type { Data } from './data.js'
import type { Model } from './model.js'
import type { State } from './state.js'
import type { StiffTerms } from './stiff-terms.js'

export interface Force {
  readonly name: string
  /** true: reads q and v only and adds to qf only, so that velocities of bodies need not be known */
  readonly jointsOnly?: boolean
  /** Reads the state and the kinematics. Adds body wrenches to d.f (6 a body, body coordinates) and joint forces to d.qf (nv). */
  apply(m: Model, d: Data, s: State): void
  /** Adds its stiffness and damping, for implicit solvers; a force without it enters their steps explicitly. */
  linearize?(m: Model, d: Data, s: State, terms: StiffTerms): void
  /** Potential energy; absent for forces that have none. */
  energy?(m: Model, d: Data, s: State): number
}
