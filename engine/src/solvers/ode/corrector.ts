/**
 * The corrector of implicit multistep methods: Newton's method on h f(t, z₀ + l₀ e) = z₁ + e for the correction e.
 *
 * Convergence as in [Odepack]: with d the latest change of e and c = max(0.2 c, |d|/|d_before|), done when |d| min(1, 1.5 c) ≤ limit.
 */
import type { Vec } from '../../math/types.js'
import type { IntegratorStatistics, OdeProblem } from './problem.js'
import { weightedNorm } from './weighted-norm.js'

/** What multistep method and corrector share. */
export interface CorrectorWork {
  readonly problem: OdeProblem
  /** the history, predicted */
  readonly z: Vec
  readonly w: Vec
  /** the correction, and z₀ + l₀ e with its rate */
  readonly e: Vec
  readonly y: Vec
  readonly f: Vec
  readonly statistics: IntegratorStatistics
  /** numbers of the corrector's own that live in the integrator's memory */
  readonly memory: Vec
  /** of the step at hand, see below; the problem's clock is at its end */
  readonly at: Vec
}

// entries of `at`: numbers that are handed over in place, since V8 boxes those that cross a call
/** g = l₀ h */
export const G = 0
export const H = 1
export const L0 = 2
/** change of the correction that counts as converged */
export const LIMIT = 3
/** after a failure: the part of the step to try next */
export const RETRY = 4
/** for norms that the corrector and its linear solver take */
export const SIZE = 5
export const AT = 6

export interface Corrector {
  /** Forgets the past; called at a start. */
  reset(): void
  /** Writes e, y, f. True when it converged; else `RETRY` is set. */
  correct(): boolean
}

/** Length of `memory` that every corrector has; further numbers follow. */
export const CORRECTOR_SCALARS = 4
/** rate of convergence seen last */
export const RATE = 0

const FIRST_RATE = 0.7
const MAX_ITERATIONS = 3
const SHORTEST_RETRY = 0.25

/** Solves (1 − g J) x = x in place, J at the work's y and the clock's time. */
export interface LinearSolver {
  reset(): void
  /** Called with f at the predicted y. False: cannot. */
  prepare(): boolean
  solve(x: Vec): void
  /** After a failure to converge: whether there is something better to try at the same step. */
  improve(): boolean
  /** After success. */
  settle(): void
}

/** Newton's method on the corrector equation, by whatever linear solver. */
export function newtonCorrector(work: CorrectorWork, linear: LinearSolver): Corrector {
  const { problem, z, w, e, y, f, statistics, memory, at } = work
  const n = problem.n
  const d = new Float64Array(n)

  const iterate = (): boolean => {
    const h = at[H]
    const l0 = at[L0]
    let before = 0
    for (let m = 0; m < MAX_ITERATIONS; m++) {
      if (m > 0) problem.rate(f, y)
      for (let i = 0; i < n; i++) d[i] = h * f[i] - (z[n + i] + e[i])
      linear.solve(d)
      statistics.iterations++
      for (let i = 0; i < n; i++) {
        e[i] += d[i]
        y[i] = z[i] + l0 * e[i]
      }
      weightedNorm(at, SIZE, d, 0, w)
      const size = at[SIZE]
      if (m > 0) memory[RATE] = Math.max(0.2 * memory[RATE], size / before)
      if (size * Math.min(1, 1.5 * memory[RATE]) <= at[LIMIT]) return true
      if (!(size < Number.POSITIVE_INFINITY) || (m > 0 && size > 2 * before)) return false
      before = size
    }
    return false
  }

  return {
    reset() {
      memory[RATE] = FIRST_RATE
      linear.reset()
    },
    correct() {
      at[RETRY] = SHORTEST_RETRY
      for (;;) {
        for (let i = 0; i < n; i++) {
          e[i] = 0
          y[i] = z[i]
        }
        problem.rate(f, y)
        if (linear.prepare() && iterate()) {
          linear.settle()
          return true
        }
        memory[RATE] = FIRST_RATE
        if (!linear.improve()) return false
      }
    },
  }
}
