/**
 * Options of a simulation as types, so that a slip in one does not compile: those of the solver that is named, or of any where `auto` chooses.
 */
import type { Force } from '../model/force.js'
import type { AdaptiveGiven } from './adaptive/info.js'
import type { ImplicitGiven } from './implicit/info.js'
import type { OdeGiven } from './ode/ode.js'
import type { PositionGiven } from './position/info.js'
import type { RedmaxGiven } from './redmax/info.js'
import type { Solver } from './solver.js'
import type { SubstructuringGiven } from './substructuring/info.js'

/** Options of each solver. */
export interface SolverOptions {
  readonly ode: OdeGiven
  readonly redmax: RedmaxGiven
  readonly implicit: ImplicitGiven
  readonly position: PositionGiven
  readonly adaptive: AdaptiveGiven
  readonly substructuring: SubstructuringGiven
}

export type SolverName = keyof SolverOptions

type KeysOf<T> = T extends unknown ? keyof T : never
type ValueOf<T, K extends PropertyKey> = T extends unknown ? (K extends keyof T ? T[K] : never) : never
export type AnyOptions = { readonly [K in KeysOf<SolverOptions[SolverName]>]?: ValueOf<SolverOptions[SolverName], K> }

/** For a name that is not known before the program runs, and for solvers of your own. */
export interface SomeOptions {
  readonly [option: string]: unknown
}

export type OptionsFor<S> = S extends SolverName
  ? SolverOptions[S]
  : S extends 'auto'
    ? AnyOptions
    : S extends Solver
      ? SomeOptions
      : string extends S
        ? SomeOptions
        : { readonly solver: SolverName | 'auto' | Solver }

/** What `createSimulation` takes where the solver is S. */
export type GivenOptions<S extends string | Solver> = {
  /** a name from `solvers`, `auto` (the default: what the model suggests, else the engine's choice), or a Solver */
  readonly solver?: S | SolverName | 'auto'
  /** seconds; default: the model's */
  readonly timestep?: number
  /** forces of your own, which act after those of the model; a snapshot fits where forces of the same names are given in the same order */
  readonly forces?: readonly Force[]
} & OptionsFor<S>
