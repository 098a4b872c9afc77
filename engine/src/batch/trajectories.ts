/**
 * Runs of position trajectories: every trajectory makes n steps, each as fast as its searches converge, and what the searches took.
 *
 * A group is done in one call of a kernel that goes on until its slowest trajectory has made its steps. With a trace, calls go round the groups
 * instead, one evaluation each, and note what every trajectory did: the states are the same.
 */

import { FAILED, IDLE, type Search, searchPlaces } from '../solvers/position/lanes/tables.js'
import type { BatchArray, Layout } from './layout.js'
import type { Pool } from './threads.js'
import { firstOf } from './views.js'

/** Totals of a trajectory since its start. */
export interface SearchTotals {
  /** values of the energy of a step */
  readonly evaluations: number
  /** directions */
  readonly iterations: number
  /** trials whose energy rose */
  readonly halvings: number
  /** matrices that were not positive definite */
  readonly refused: number
}

/** What trajectories do in a call. */
export const callKinds = ['idle', 'direction', 'halved', 'refused', 'step', 'failed'] as const
const RESTS = 0
const TURNED = 1
const HALVED = 2
const REFUSED = 3
const STEPPED = 4
const LOST = 5
export type CallKind = (typeof callKinds)[number]

export interface BatchSearches {
  of(e: number): SearchTotals
  /** calls of the last run: rounds of one evaluation of all trajectories that are not done, as many as the slowest takes */
  readonly calls: number
  /** calls that trajectory e took part in */
  callsOf(e: number): number
  /** of each call of the last run with `trace`: what every trajectory did, as places in `callKinds` */
  readonly trace: readonly Uint8Array[]
}

/** tasks of a program that searches (`position-program`) */
const RUN = 1
export const BEGIN = 3
export const ITERATE = 4
export const FINISH = 5
/** steps of a run at most: a thread that is silent for seconds is taken for lost */
export const MOST_STEPS = 64
/** a group makes all its steps at once, which takes long enough for threads to take one at a time */
const TAKE = 1

/** Trajectories have no accelerations to read. */
export const noAccelerations = (name: string): RangeError =>
  new RangeError(`${name}: trajectories of \`position\` have no accelerations; take differences of velocities`)

export interface TrajectoryRunner {
  readonly searches: BatchSearches
  /** Iterations of the step that e was in. */
  tries(e: number): number
  /** Makes n steps of all. */
  run(pool: Pool, n: number): void
}

export function createRunner(layout: Layout, F: BatchArray, count: number, traced: boolean): TrajectoryRunner {
  const { fields, form, groups } = layout
  const { goal, counts, search, steps, fresh } = fields
  if (!goal || !counts || !search || !fresh) throw new Error('this program has no searches')
  const all = groups * form.lanes
  const before = new Float64Array(count)
  const taken = new Float64Array(count)
  let calls = 0
  let trace: Uint8Array[] = []
  const total = (e: number, k: number): number => F[firstOf(layout, counts, e) + form.lanes * k]
  const searchOf = (e: number, name: keyof Search): number => F[firstOf(layout, search, e) + form.lanes * searchPlaces[name]]
  const phase = (e: number): number => searchOf(e, 'phase')
  const stepsOf = (e: number): number => F[firstOf(layout, steps, e)]

  /** What trajectory e did in a call that changed its totals from `was`. */
  const kindOf = (e: number, was: Float64Array): number => {
    if (total(e, 0) === was[0]) return RESTS
    if (phase(e) === FAILED) return LOST
    if (stepsOf(e) !== was[4]) return STEPPED
    if (total(e, 2) !== was[2]) return HALVED
    return total(e, 3) === was[3] ? TURNED : REFUSED
  }
  const runTraced = (pool: Pool): void => {
    const was = Array.from({ length: count }, () => new Float64Array(5))
    pool.run(BEGIN, 1)
    const isOver = (): boolean => {
      for (let e = 0; e < all; e++) if (phase(e) < IDLE) return false
      return true
    }
    while (!isOver()) {
      for (const [e, row] of was.entries()) {
        for (let k = 0; k < 4; k++) row[k] = total(e, k)
        row[4] = stepsOf(e)
      }
      pool.run(ITERATE, 1)
      trace.push(Uint8Array.from(was, (row, e) => kindOf(e, row)))
    }
    pool.run(FINISH, 1)
  }

  return {
    searches: {
      of: (e) => ({ evaluations: total(e, 0), iterations: total(e, 1), halvings: total(e, 2), refused: total(e, 3) }),
      get calls() {
        return calls
      },
      callsOf: (e) => taken[e],
      get trace() {
        return trace
      },
    },
    tries: (e) => searchOf(e, 'tries'),
    run(pool, n) {
      if (traced) trace = []
      taken.fill(0)
      calls = 0
      for (let left = n; left > 0; left -= MOST_STEPS) {
        const now = Math.min(left, MOST_STEPS)
        for (let e = 0; e < all; e++) F[firstOf(layout, goal, e)] = now
        for (let e = 0; e < count; e++) before[e] = total(e, 0)
        if (traced) runTraced(pool)
        else pool.run(RUN, 1, TAKE)
        let most = 0
        for (let e = 0; e < count; e++) {
          const made = total(e, 0) - before[e]
          taken[e] += made
          most = Math.max(most, made)
        }
        calls += most
      }
    },
  }
}
