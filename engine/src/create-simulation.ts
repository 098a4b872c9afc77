/**
 * A simulation with a solver by its name, or with the one that fits the model.
 */
import type { Model } from './model/model.js'
import { createSimulationWith, type Simulation } from './simulation.js'
import { chooseSolver, solvers } from './solvers/index.js'
import type { Options, Solver } from './solvers/solver.js'

export interface SimulationOptions {
  /** a name from `solvers`, `auto` (the default: what the model suggests, else the engine's choice), or a Solver */
  readonly solver?: string | Solver
  /** seconds; default: the model's */
  readonly timestep?: number
  /** further keys are options of the solver */
  readonly [option: string]: unknown
}

export function createSimulation(model: Model, { solver: wanted, ...given }: SimulationOptions = {}): Simulation {
  const { solver, suggested } = findSolver(model, wanted)
  return createSimulationWith(model, solver, { ...suggested, ...given })
}

function findSolver(model: Model, wanted: string | Solver | undefined): { solver: Solver; suggested: Options } {
  if (typeof wanted === 'object') return { solver: wanted, suggested: {} }
  let name = wanted ?? 'auto'
  let suggested: Options = {}
  if (name === 'auto') {
    name = Object.hasOwn(solvers, model.solver) ? model.solver : chooseSolver(model).name
  }
  if (name === model.solver) suggested = model.solverOptions
  const solver = Object.hasOwn(solvers, name) ? solvers[name] : undefined
  if (!solver) throw new RangeError(`solver: expected one of auto, ${Object.keys(solvers).join(', ')}, got '${name}'`)
  return { solver, suggested }
}
