/**
 * A simulation with a solver by its name, or with the one that fits the model.
 */
import { createQueries } from './handles/queries/queries.js'
import type { Model } from './model/model.js'
import { createSimulationFrom, type Simulation, type SimulationOptions } from './simulation.js'
import { isEnginesChoice, namedSolver } from './solvers/choose.js'
import type { GivenOptions } from './solvers/given.js'
import { solvers } from './solvers/index.js'
import { checkedSetup, checkForces, type SolverSetup } from './solvers/setup.js'
import type { Solver } from './solvers/solver.js'

/** Options beside solver, timestep and forces are those of the solver; slips in them do not compile where its name is written out. */
export function createSimulation<const S extends string | Solver = 'auto'>(model: Model, options?: GivenOptions<S>): Simulation {
  const { solver: wanted, ...given }: SimulationOptions = options ?? {}
  checkForces(given.forces ?? [])
  const { timestep, forces = [], ...own } = given
  const queries = createQueries
  if (typeof wanted === 'object') {
    const setup = checkedSetup(model, wanted, own, forces, () => `${wanted.name}: it was asked for`)
    return createSimulationFrom(model, () => setup, { timestep, forces, now: wanted.check === undefined, queries })
  }
  const setup = (): SolverSetup => {
    const { solver, suggested, why } = namedSolver(model, wanted, solvers, timestep, forces)
    return checkedSetup(model, solver, { ...suggested, ...own }, forces, why)
  }
  // where nothing is asked for, there is nothing to check, and the choice waits until somebody needs it
  if (isEnginesChoice(model, wanted, solvers) && Object.keys(own).length === 0) {
    return createSimulationFrom(model, setup, { timestep, forces, now: false, queries })
  }
  const checked = setup()
  return createSimulationFrom(model, () => checked, { timestep, forces, now: checked.solver.check === undefined, queries })
}
