/**
 * `redmax` with threads to share its constraint columns with. By itself, because only who asks for it should load it, and bundlers must
 * find the threads' file.
 */
import { redmaxWith } from '../solvers/redmax/redmax.js'
import type { Solver } from '../solvers/solver.js'
import { startColumnThreads } from './column-threads.js'

/** The solver `redmax`; its option `workers` says how many threads share the columns. */
export const redmaxWithWorkers: Solver = redmaxWith(startColumnThreads)
