/**
 * Solver: a value that makes steppers. Everything the next step needs lives in State; a stepper owns work space only.
 */

import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { Contact } from '../model/shapes.js'
import type { State } from '../model/state.js'

export type OptionValue = string | number | boolean

/** What users may set: the command line and the studio are made from this. */
export interface OptionInfo {
  readonly default: OptionValue
  readonly description: string
  readonly choices?: readonly string[]
  readonly min?: number
  readonly max?: number
}

/** The options of a table as types: one of the choices (or a text that is not known before the program runs), or what the default is. */
export type OptionsOf<T extends Readonly<Record<string, OptionInfo>>> = {
  readonly [K in keyof T]?: T[K] extends { readonly choices: readonly (infer C)[] } ? Choice<C> : Like<T[K]['default']>
}
export type Choice<C> = (C extends `${infer N extends number}` ? C | N : C) | (string & {})
export type Like<D> = D extends number ? number : D extends boolean ? boolean : string

export type Options = Readonly<Record<string, OptionValue>>

/**
 * `ok`, or why there was no step; on anything but `ok` and `event` the state is as it was.
 * `diverged`: a number was not finite; `not-converged`: the step's equations were not solved within the iterations allowed.
 * `event`: the step ended early, at an event that stops it; `bad-event`: an event's function failed.
 * `lost`: another processor that takes part in the simulation is gone.
 */
export type StepStatus = 'ok' | 'diverged' | 'not-converged' | 'bad-step' | 'event' | 'bad-event' | 'lost'

/** How a solver divides the bodies at the moment: an active region, domains, the parts of ranks. The studio colours bodies by it. */
export interface BodyGroups {
  /** as people read it */
  readonly name: string
  /** of each body; −1: in none */
  readonly of: Int32Array
}

/** How closely a solver that does not simulate every joint looks at each tree of a model, a figure of a crowd, say. */
export interface Detail {
  /** of each body: its tree, −1 for the world */
  readonly treeOf: Int32Array
  /** of each tree: a factor of its squared accelerations and velocities, 1 at the start; may be written between any two steps */
  readonly importance: Float64Array
}

/** Totals since `init`, and how the last step went. One object per stepper, rewritten by every step. */
export interface StepReport {
  status: StepStatus
  /** size of the last step */
  h: number
  steps: number
  rejected: number
  /** calls of the forward dynamics */
  evaluations: number
  /** iterations of inner solvers */
  iterations: number
  /** trial steps that a line search gave up; absent: there is no line search */
  backtracks?: number
  /** value at the minimum of the last step, where a step is a minimum */
  energy?: number
  /** joules that contacts, limits and dry friction took out of the mechanism since `init`, stored or lost; absent: not added up */
  taken?: number
  /** steps that were taken with a lower order than asked for; absent: none */
  lowered?: number
  /** steps that did not converge within their work and used the last solution found; absent: none */
  bounded?: number
  /** divisions of the bodies that the solver works with, rewritten in place; absent: it makes none */
  groups?: readonly BodyGroups[]
  /** joint that failed, −1 if none */
  joint: number
  /** what happened, where the stepper knows better than its caller */
  message?: string
}

export interface Stepper {
  /** length of State.s */
  readonly ns: number
  /** true: it chooses its own steps within a step, so that one that failed would fail in smaller parts as well */
  readonly ownSteps?: boolean
  /** set while the caller divides a step that failed: a bound on the work of a step is one on that of all its parts. Absent: not divided */
  isPart?: boolean
  readonly report: Readonly<StepReport>
  /** absent: it simulates every joint */
  readonly detail?: Detail
  /** Prepares state.s, which nothing is known of, and starts the totals of the report; to be called before the first step. */
  init(state: State): void
  /** t, q or v were written between two steps: takes them up as `init` does, and the totals go on. Absent: `init` has to do. */
  enter?(state: State): void
  /** Never throws or allocates; on failure the state is as it was. */
  step(state: State, h: number): Readonly<StepReport>
  /** Brings state.s up to date, where what belongs there is kept elsewhere, by other threads or machines, between steps. Absent: it always is. */
  save?(state: State): void
  /** Contacts of shapes in the last step, which it solved itself; absent: it has none. Allocates: not for use inside a step. */
  contacts?(): Contact[]
  /** What users should know of the run so far, which is at this state or will start there, in sentences: redundant constraints, a start that was moved. Allocates. */
  warnings?(state: State): string[]
  /** Frees what it holds beyond memory that is collected by itself: threads, buffers of a device. No step may follow. Absent: there is nothing. */
  close?(): void
}

/** What a model may hold besides its tree and forces; `ground`: contact of shapes with planes of the world only. */
export type Feature = 'constraints' | 'limits' | 'friction' | 'contact' | 'ground'

/** Explicit steps of a fixed size: up to which product of step and rate they are stable. */
export interface StabilityLimits {
  /** as users name it */
  readonly method: string
  /** of a decay, and of a vibration */
  readonly decay: number
  readonly vibration: number
  /** true: the vibration is one that its damping does not hold: h ω² > δ */
  readonly undamped?: boolean
  /** names of forces that are taken implicitly all the same */
  readonly implicit?: readonly string[]
}

export interface Solver {
  readonly name: string
  readonly description: string
  readonly options: Readonly<Record<string, OptionInfo>>
  /** the features that it simulates, of any model or of this one; absent: none of them */
  readonly holds?: readonly Feature[] | ((model: Model) => readonly Feature[])
  /** what of a model it leaves out or does in another way, in sentences; absent: what `holds` says */
  leavesOut?(model: Model, options: Options): string[]
  /** the order that the convergence test must find */
  order(options: Options): number
  /** null when it can run the model, else why not */
  refuses(model: Model): string | null
  /** of steps of h seconds with these options; absent or undefined: implicit, or of a size that follows a tolerance */
  stability?(options: Options, h: number): StabilityLimits | undefined
  /**
   * Throws RangeError where `create` would refuse these options. A simulation then calls `create` at its first step or question, and not before;
   * absent: at once.
   */
  readonly check?: ((model: Model, options: Options, forces?: readonly Force[]) => void) | undefined
  /** `forces`: the user's own, besides those of the model */
  create(model: Model, options: Options, forces?: readonly Force[]): Stepper
}

export function createReport(): StepReport {
  return { status: 'ok', h: 0, steps: 0, rejected: 0, evaluations: 0, iterations: 0, joint: -1 }
}

export function resetReport(report: StepReport): void {
  report.status = 'ok'
  report.h = 0
  report.steps = 0
  report.rejected = 0
  report.evaluations = 0
  report.iterations = 0
  report.joint = -1
  delete report.bounded
}
