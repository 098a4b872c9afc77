/**
 * A simulation with a solver by its name, or with the one that fits the model.
 */
import type { Model } from './model/model.js'
import { checkForces, createSimulationWith, type Simulation, type SimulationOptions } from './simulation.js'
import { namedSolver } from './solvers/choose.js'
import { solvers } from './solvers/index.js'

export function createSimulation(model: Model, { solver: wanted, ...given }: SimulationOptions = {}): Simulation {
  if (typeof wanted === 'object') return createSimulationWith(model, wanted, given)
  checkForces(given.forces ?? [])
  const { solver, suggested } = namedSolver(model, wanted, solvers, given.timestep, given.forces)
  return createSimulationWith(model, solver, { ...suggested, ...given })
}
