/**
 * The table of solvers, for the command line and the studio, and the choice that `auto` makes.
 */
import type { Model } from '../model/model.js'
import { ode } from './ode/ode.js'
import { position } from './position/position.js'
import { redmax } from './redmax/redmax.js'
import type { Solver } from './solver.js'

export const solvers: Readonly<Record<string, Solver>> = { ode, redmax, position }

export interface SolverChoice {
  readonly name: string
  readonly why: string
}

/** What `auto` takes for this model, and why. */
export function chooseSolver(_model: Model): SolverChoice {
  return { name: 'ode', why: 'the only solver in this version: explicit, fourth order, cost linear in the number of joints' }
}
