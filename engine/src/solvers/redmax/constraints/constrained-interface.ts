/**
 * What a step asks of its constraints; made by `createConstrained`.
 */
import type { Vec } from '../../../math/types.js'
import type { Contact } from '../../../model/shapes.js'
import type { Pull } from './explain-stop.js'

export interface Constrained {
  /** rows in use */
  readonly rows: number
  /** whether there are limits or shapes that may push */
  readonly unilateral: boolean
  /** Names of equalities that say nothing new, found in the last step. Allocates. */
  redundant(): string[]
  /** empty, or why the last step could not be constrained */
  readonly trouble: string
  /** Whether the step was given up because it takes too long. */
  weary(): boolean
  /** What pulled hardest in the last solve. Allocates. */
  pulls(): Pull[]
  /**
   * Finds the rows at the kinematics of data and the time of the clock, whose step h is that in which a gap may close. `ahead`: the pose is
   * where h v would lead, and gaps are those before that.
   */
  collect(q: Vec, v: Vec, clock: Vec, ahead?: boolean): void
  /** What `collect` finds are also the contacts on the way from q. */
  mark(q: Vec): void
  /** true where a limit or a contact pushed in the last step */
  readonly pushes: boolean
  /** x ← the constrained velocity; the linear solver must be prepared. */
  apply(x: Vec, clock: Vec): boolean
  /** Whether loops are taut at the start, as `prepareStart` found; out[o] ← 1 where they are, for State.s. */
  settle(held: boolean): void
  saveHeld(out: Vec, o: number): void
  /**
   * A step from the pose q, of rows at the time of the clock; from[o] as `saveHeld` wrote it. `begin` does the same with what `loadForces`
   * took up last.
   */
  hold(from: Vec, o: number, q: Vec, clock: Vec): void
  /** 1: this row is singular in the step, and held otherwise; 0 */
  readonly skip: Int32Array
  /** The start of a step that `update` and `correct` solve: gaps there, at the kinematics of data. */
  begin(q: Vec, v: Vec, clock: Vec): void
  /**
   * All rows anew at the kinematics of data and v, the velocity that led there; forces of the last solve go with them. `settled`: what touches
   * is what touched at the last update, for corners that take turns would not let an iteration end.
   */
  update(q: Vec, v: Vec, clock: Vec, settled: boolean): void
  /** whether a row that pushed was not found again at the last update: other corners touch */
  readonly changed: boolean
  /** whether shapes overlap by more than a little at the kinematics of data, though not among the rows, and not at the start */
  readonly tangled: boolean
  /** whether no limit is passed and nothing overlaps at the last update, but for what was so at the start */
  readonly holds: boolean
  /**
   * x ← the constrained correction of the velocity v: equalities are to close, limits, friction and contacts to hold, in the step of the
   * clock that goes on with v + x.
   */
  correct(x: Vec, v: Vec, clock: Vec): boolean
  /** b += Gᵀ λ, the impulses of the last solve */
  addImpulses(b: Vec): void
  /** numbers that `saveForces` writes and `loadForces` takes */
  readonly memory: number
  /** Whether something is held, as `saveHeld` does, and forces of the equalities, N or N m: written to out[o …], or taken from there as of the last solve. */
  saveForces(out: Vec, o: number): void
  loadForces(from: Vec, o: number, clock: Vec): void
  /** W −= F (x;1)ᵀ: how the equalities pull at points of bodies, in body axes (12 a body: 3 × 3 row by row, force) */
  addPulls(W: Vec): void
  /** out[o] ← work of prescribed motions, limits and contacts that the last solve put in, in a step with velocity v */
  work(out: Vec, o: number, v: Vec, clock: Vec): void
  /** Moves q back onto the equalities; uses data for the poses. `relocated`: further than the last solve says. */
  project(q: Vec, clock: Vec): void
  readonly relocated: boolean
  /** Contacts of the last step, with their forces. Allocates. */
  contacts(): Contact[]
}
