/**
 * What needs threads: `redmax` that shares its constraint columns with them, in Node and in pages. By itself, so that only who asks for it loads
 * it, and bundlers do not look for the file of the threads in pages that have none.
 */
import { startColumnThreads } from './parallel/column-threads.js'
import { redmaxWith } from './solvers/redmax/redmax.js'
import type { Solver } from './solvers/solver.js'

/** The solver `redmax`; its option `workers` says how many threads share the columns. */
export const redmaxWithWorkers: Solver = redmaxWith(startColumnThreads)
