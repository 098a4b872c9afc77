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
  /** entries at the begin of y whose rates cost no evaluation of forces: positions */
  readonly kinematic?: number
  /** out[0 … kinematic − 1] ← their rates */
  kinematicRate?(out: Vec, y: Vec): void
  /** w ← the error that counts as one, for each entry of y; default |y| rtol + atol */
  weights?(w: Vec, y: Vec, rtol: number, atol: number): void
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
 * Local coordinates about a centre that may be moved. A multistep history survives the move: its polynomials are sampled at past
 * times, the samples converted one by one, and the polynomials rebuilt.
 */
export interface Chart {
  /** entries of y that change their meaning when the centre moves */
  readonly components: Int32Array
  /** numbers that describe the centre */
  readonly size: number
  /** Makes this array, of length `size`, the place where the centre is kept. */
  bind(center: Vec): void
  /** whether y is so far out that the centre should be moved */
  leaving(y: Vec): boolean
  /** Prepares the chart about y. */
  begin(y: Vec): void
  /** out, rate ← the components of y and of their rates, in the prepared chart; other entries are left alone. */
  move(out: Vec, rate: Vec, y: Vec): void
  /** The prepared chart becomes the current one. */
  commit(): void
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
