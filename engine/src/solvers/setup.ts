/**
 * The solver of a simulation with its options, checked; and its stepper, which the first step or question creates.
 */
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { completeOptions } from './options.js'
import type { Options, Solver, Stepper, StepReport } from './solver.js'

export interface SolverSetup {
  readonly solver: Solver
  readonly options: Options
  /** Which solver it is and why, in a sentence. */
  why(): string
}

/** Throws RangeError where the solver has no such option, or cannot run the model. */
export function checkedSetup(
  model: Model,
  solver: Solver,
  given: Readonly<Record<string, unknown>>,
  forces: readonly Force[],
  why: () => string,
): SolverSetup {
  const options = completeOptions(solver, given)
  const refusal = solver.refuses(model)
  if (refusal !== null) throw new RangeError(`solver ${solver.name} cannot run model '${model.name}': ${refusal}`)
  solver.check?.(model, options, forces)
  return { solver, options, why }
}

/** Totals of a report. */
export type Totals = Record<'steps' | 'rejected' | 'evaluations' | 'iterations' | 'backtracks' | 'lowered' | 'bounded', number>

/** A stepper, and its own report with a message, so that a step allocates nothing. */
export interface Running {
  readonly stepper: Stepper
  readonly report: StepReport & { message: string }
  /** what users see: the report of the first stepper, for good */
  readonly shown: StepReport & { message: string }
  /** of the steppers before this one */
  readonly totals: Totals
}

export function startSolver({ solver, options }: SolverSetup, model: Model, forces: readonly Force[]): Running {
  const stepper = solver.create(model, options, forces)
  const report = Object.assign(stepper.report, { message: '' })
  const totals = { steps: 0, rejected: 0, evaluations: 0, iterations: 0, backtracks: 0, lowered: 0, bounded: 0 }
  return { stepper, report, shown: report, totals }
}

/** Programs without types may give anything. */
export function checkForces(forces: unknown): void {
  if (!Array.isArray(forces)) throw new RangeError(`forces: expected a list of forces, got ${typeof forces}`)
}
