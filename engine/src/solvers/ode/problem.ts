/**
 * What an integrator integrates: ẏ = f(t, y), n numbers. Knows neither Model nor State, so that plain equations and mechanisms share
 * the same methods.
 */
import type { Vec } from '../../math/types.js'

export interface OdeProblem {
  readonly n: number
  /** clock[0] is the t of the next call of `rate`: a number handed over in place is not boxed */
  readonly clock: Vec
  /** out ← f(clock[0], y) */
  rate(out: Vec, y: Vec): void
  /** calls of f so far, counted where f is computed */
  evaluations(): number
  /** entries at the begin of y whose rates cost no evaluation of forces: positions. Entry `kinematic` + k is a velocity that moves entry k */
  readonly kinematic?: number
  /** out ← the rates of those of the groups from … to − 1 */
  kinematicRate?(out: Vec, y: Vec, from: number, to: number): void
  /** 1: the error of this entry of y is measured against one, not against its own size; default: none is */
  readonly absolute?: Uint8Array
  /** in which order sums over y are taken; default: one group of all entries */
  readonly groups?: Groups
  /** for problems whose y are local coordinates of a manifold */
  readonly chart?: Chart
  /** an approximate inverse of 1 − g ∂f/∂y, for implicit methods */
  readonly preconditioner?: Preconditioner
}

export interface Preconditioner {
  /** Prepares for 1 − g ∂f/∂y, g = at[0], at the y of the last call of f. False where it cannot. */
  factor(at: Vec): boolean
  /** x ← P⁻¹ x */
  solve(x: Vec): void
}

/**
 * Entries of y by the bodies of a tree, whose sums go from the leaves to the root, later groups before earlier ones: an order that is the same however
 * the tree is cut into parts. Group i has the entries first[i] … end[i] − 1 and, where there are kinematic ones, as many from
 * kinematic + first[i] on; its sum joins that of parent[i]. Group 0 has no entries: its sum is that of all.
 */
export interface Groups {
  readonly count: number
  readonly parent: Int32Array
  readonly first: Int32Array
  readonly end: Int32Array
}

/** How many entries at the begin of y have rates that cost nothing. */
export const kinematicCount = ({ kinematic, kinematicRate }: OdeProblem): number => (kinematicRate ? (kinematic ?? 0) : 0)

export function groupsOf(problem: OdeProblem): Groups {
  const all = problem.n - kinematicCount(problem)
  return problem.groups ?? { count: 2, parent: new Int32Array(2), first: new Int32Array(2), end: Int32Array.of(0, all) }
}

/**
 * Local coordinates about centres that may be moved, one patch a joint. A multistep history survives the move: its polynomials are sampled at
 * past times, the samples converted one by one, and the polynomials rebuilt.
 */
export interface Chart {
  /** how many; in the order of the groups: those of group i are start[i] … start[i + 1] − 1 */
  readonly patches: number
  readonly start: Int32Array
  /** the entries first[p] … end[p] − 1 of y change their meaning when the centre of patch p moves */
  readonly first: Int32Array
  readonly end: Int32Array
  /** numbers that describe all centres */
  readonly size: number
  /** Makes this array, of length `size`, the place where the centres are kept. */
  bind(center: Vec): void
  /** 1 for entries of y that turn: a patch whose entry is as large as FAR is left, and its centre moved */
  readonly turning: Uint8Array
  /** Prepares the patch about y. */
  begin(p: number, y: Vec): void
  /** out, rate ← the entries of y and of their rates, in the prepared patch; other entries are left alone. */
  move(p: number, out: Vec, rate: Vec, y: Vec): void
  /** The prepared patch becomes the current one. */
  commit(p: number): void
}

/** The chart of a ball joint is singular at a length of 2π, and already bent at half of it. */
const FAR = 1.5

/** Whether a patch is left, of those with entries a … b − 1. */
export function isFar({ turning }: Chart, y: Vec, a: number, b: number): boolean {
  for (let k = a; k < b; k++) if (turning[k] === 1 && (y[k] > FAR || y[k] < -FAR)) return true
  return false
}

export interface IntegratorOptions {
  readonly rtol: number
  readonly atol: number
  /** largest step; default none */
  readonly hmax?: number
  /** smallest step; default: what the clock can still resolve */
  readonly hmin?: number
  /** multistep: highest order */
  readonly maxOrder?: number
  /** gear: `staggered` (default), see `singleCorrector`, or `plain`, see `functionalCorrector` */
  readonly corrector?: 'staggered' | 'plain'
}

export type AdvanceStatus = 'ok' | 'step-too-small' | 'not-finite'

/** Totals since creation. */
export interface IntegratorStatistics {
  steps: number
  /** steps that failed the error test, or whose corrector did not converge */
  rejected: number
  /** those of the latter kind */
  unconverged: number
  /** Newton corrections */
  iterations: number
  /** Jacobians, or preconditioners, computed */
  factorizations: number
  /** products with the Jacobian */
  products: number
  /** moves of the chart's centre */
  moves: number
}

/** Entries of every integrator's memory: time that it has reached, size that the next step will try. */
export const TIME = 0
export const STEP = 1

export interface Integrator {
  readonly problem: OdeProblem
  /** all that the next step depends on; copy it out and in to save and resume */
  readonly memory: Vec
  readonly statistics: Readonly<IntegratorStatistics>
  /** time that the integrator has reached, and where its last step began */
  time(): number
  lastTime(): number
  /** size that the next step will try, order of the method now */
  stepSize(): number
  order(): number
  /** Begins at (t, y), forgetting the past. */
  start(t: number, y: Vec): void
  /** One accepted step. On failure the memory is as it was before, but for what helps no one. */
  advance(): AdvanceStatus
  /** After a failure: the entry of y that kept the last step from being good. */
  worst(): number
  /** out ← y(t) for t between lastTime and time */
  dense(out: Vec, t: number): void
  /** The same at t = at[0]. */
  denseAt(out: Vec, at: Vec): void
  /** Where parts of the memory are kept elsewhere, by other processors: brings `memory` up to date. */
  collect?(): void
  /** The same: `memory` was written from outside, and is handed out. */
  spread?(): void
}

export function createStatistics(): IntegratorStatistics {
  return { steps: 0, rejected: 0, unconverged: 0, iterations: 0, factorizations: 0, products: 0, moves: 0 }
}

/** A plain equation ẏ = f(t, y) that counts its evaluations. */
export function odeProblem(n: number, f: (out: Vec, t: number, y: Vec) => void): OdeProblem {
  const clock = new Float64Array(1)
  let count = 0
  return {
    n,
    clock,
    rate(out, y) {
      count++
      f(out, clock[0], y)
    },
    evaluations: () => count,
  }
}
