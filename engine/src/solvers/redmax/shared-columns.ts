/**
 * Columns Y = A⁻¹ Gᵀ shared with other threads: whoever is free takes the next one, this thread too.
 *
 * No column is waited for. What another thread has begun and not finished when all are taken is solved here as well, until it comes. Threads that
 * come later than that are not asked for a while. So a machine without an idle core makes a step little slower than one thread alone. Who solved what, and whether threads were asked at all, changes no bit of a column.
 */
import type { Vec } from '../../math/types.js'
import type { ImplicitFactor } from '../../tree/implicit-factor.js'
import { type ColumnTask, columnTask, FAILED } from './column-task.js'
import { ITERATION, RECURSION } from './linear-costs.js'
import { type LinearSolver, patienceOf } from './linear-solvers.js'
import type { System } from './system.js'

/** Threads at work on columns; `parallel/column-threads` makes them. */
export interface ColumnThreads {
  /** threads that are up */
  readonly ready: number
  /** empty, or why there are none */
  readonly trouble: string
  /** Hands over the matrix of the system. */
  write(s: System, factor: ImplicitFactor, iterative: boolean): void
  /** Lets the threads take columns of these right-hand sides, b[first] … b[first + count − 1]. */
  open(b: readonly Vec[], first: number, count: number): void
  /** Takes a column, from 0 to count − 1; −1 where all are taken. */
  take(): number
  /** x ← column k, which another thread took: its iterations, or `FAILED`; `LATE`, and x as it was, where it is not there yet. */
  fetch(x: Vec, k: number): number
  /** whether column k, which another thread took, is there */
  has(k: number): boolean
}

/** Starts so many threads for a task. */
export type StartThreads = (task: ColumnTask, model: System['model'], count: number) => ColumnThreads

/** How a step shares its columns: with how many threads, and what starts them; undefined where nothing can. */
export interface ColumnSharing {
  readonly workers: number
  readonly start: StartThreads | undefined
}

export interface SharedColumns {
  /** of each column of the last `solve`: iterations, or `FAILED` */
  readonly iterations: Int32Array
  /** x ← A⁻¹ b of every column, from zero; false, and nothing done, where this thread had better do it alone. */
  solve(own: LinearSolver, x: readonly Vec[], b: readonly Vec[], count: number): boolean
  /** empty, or why all is done by one thread, for people */
  readonly note: string
}

/** in place of iterations: not there yet */
export const LATE = -2
// columns that are handed over at a time: so many, but of large models only what some megabytes hold
const MOST = 64
const LEAST_ROOM = 4
const NUMBERS = 500_000
// nanoseconds: to wake a thread and to hand a number over; the least that must be gained
const WAKE = 20_000
const HAND = 0.6
const LEAST = 10_000
// columns that must have come for one that came late; how often they may, for their code is compiled as it runs
const HELPFUL = 2
const GRACE = 8
// solves for which threads are left alone then: doubled each time, up to this
const LONGEST_REST = 256

export function createSharedColumns(s: System, { workers, start }: ColumnSharing, tolerance: number): SharedColumns {
  const room = Math.max(LEAST_ROOM, Math.min(MOST, Math.floor(NUMBERS / s.model.nv)))
  const task = columnTask(s, tolerance, patienceOf(s.model), room)
  const numbers = 34 * task.nbody + 15 * task.nv + 6 * task.entries + task.rows
  const refusal = refuse(s, start)
  let threads: ColumnThreads | undefined
  let iterations = new Int32Array(room)
  // of a column, lately; for how many solves no thread is asked, and how many that was last time
  let usual = 3
  let rest = 0
  let last = 0
  let times = 0
  let awaited = 0
  const isThere = (): boolean => threads !== undefined && threads.has(awaited)

  return {
    get iterations() {
      return iterations
    },
    get note() {
      return refusal || (threads?.trouble ?? '')
    },
    solve(own, x, b, count) {
      if (start === undefined || refusal !== '' || count < 2) return false
      if (rest > 0) {
        rest--
        return false
      }
      const { nbody, nv } = task
      const iterative = own.name === 'pcg'
      const { factor } = own
      // expected time of a column, whole nanoseconds
      const column = Math.round(
        iterative ? (usual + 1) * (nbody * ITERATION.body + nv * ITERATION.velocity + s.terms.count * ITERATION.row) : nbody * RECURSION,
      )
      const gain = (column * count * workers) / (workers + 1) - WAKE - HAND * (numbers + 2 * count * nv)
      if (gain < LEAST || factor === undefined) return false
      threads ??= start(task, s.model, workers)
      if (threads.ready === 0) return false
      if (count > iterations.length) iterations = new Int32Array(2 * count)
      threads.write(s, factor, iterative)
      let came = 0
      let late = 0
      for (let first = 0; first < count; first += room) {
        const n = Math.min(room, count - first)
        threads.open(b, first, n)
        for (let k = 0; k < n; k++) iterations[first + k] = LATE
        for (let k = threads.take(); k >= 0; k = threads.take()) iterations[first + k] = solveOwn(own, x[first + k], b[first + k])
        for (let k = 0; k < n; k++) {
          if (iterations[first + k] !== LATE) continue
          iterations[first + k] = threads.fetch(x[first + k], k)
          came++
          if (iterations[first + k] !== LATE) continue
          // this thread has nothing else to do than to solve it too, until it comes
          awaited = k
          own.until = isThere
          const solved = solveOwn(own, x[first + k], b[first + k])
          own.until = undefined
          iterations[first + k] = threads.fetch(x[first + k], k)
          if (iterations[first + k] !== LATE) continue
          came--
          late++
          iterations[first + k] = solved
        }
      }
      // threads that help seldom cost more than they help
      if (came >= HELPFUL * late) last >>= 2
      else if (++times > GRACE) last = Math.min(LONGEST_REST, 2 * last + 1)
      rest = last
      usual = Math.max(1, iterations[0])
      return true
    },
  }
}

function solveOwn(own: LinearSolver, x: Vec, b: Vec): number {
  return own.solve(x, b) ? own.iterations : FAILED
}

/** Why there is one thread only; empty where there may be more. */
function refuse(s: System, start: StartThreads | undefined): string {
  if (start === undefined) return 'give `redmaxWithWorkers` of limber/workers as the solver to have more'
  if (s.free.length > 0) return `force '${s.free[0].name}' gives its Jacobian as a product, which only this thread can make`
  return ''
}
