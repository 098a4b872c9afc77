/**
 * A simulation with a solver by its name, or with the one that fits the model.
 */
import type { Model } from './model/model.js'
import { checkForces, createSimulationWith, type Simulation, type SimulationOptions } from './simulation.js'
import { namedSolver } from './solvers/choose.js'
import type { GivenOptions } from './solvers/given.js'
import { solvers } from './solvers/index.js'
import type { Solver } from './solvers/solver.js'

/** Options beside solver, timestep and forces are those of the solver; slips in them do not compile where its name is written out. */
export function createSimulation<const S extends string | Solver = 'auto'>(model: Model, options?: GivenOptions<S>): Simulation {
  const { solver: wanted, ...given }: SimulationOptions = options ?? {}
  if (typeof wanted === 'object') return createSimulationWith(model, wanted, given)
  checkForces(given.forces ?? [])
  const { solver, suggested, why } = namedSolver(model, wanted, solvers, given.timestep, given.forces)
  return createSimulationWith(model, solver, { ...suggested, ...given }, why)
}
