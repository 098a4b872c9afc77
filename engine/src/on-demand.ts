/**
 * Every solver by its name, each fetched when it is first named: a page begins with the core and loads no family that it does not use.
 *
 * By itself, because a bundler that makes one file of everything would put all families into whatever imports this.
 */
import type { Model } from './model/model.js'
import { checkForces, createSimulationWith, type Simulation, type SimulationOptions } from './simulation.js'
import { namedSolver } from './solvers/choose.js'
import type { GivenOptions } from './solvers/given.js'
import { ode } from './solvers/ode/ode.js'
import type { Solver } from './solvers/solver.js'

/** What fetches the solver of each name. */
export const solverLoaders: Readonly<Record<string, () => Promise<Solver>>> = {
  ode: async () => ode,
  redmax: async () => (await import('./solvers/redmax/redmax.js')).redmax,
  position: async () => (await import('./solvers/position/position.js')).position,
  adaptive: async () => (await import('./solvers/adaptive/adaptive.js')).adaptive,
  substructuring: async () => (await import('./solvers/substructuring/substructuring.js')).substructuring,
}

/** As `createSimulation`, with the solver fetched first. */
export async function loadSimulation<const S extends string | Solver = 'auto'>(
  model: Model,
  options?: GivenOptions<S>,
): Promise<Simulation> {
  const { solver: wanted, ...given }: SimulationOptions = options ?? {}
  if (typeof wanted === 'object') return createSimulationWith(model, wanted, given)
  checkForces(given.forces ?? [])
  const { solver, suggested, why } = namedSolver(model, wanted, solverLoaders, given.timestep, given.forces)
  return createSimulationWith(model, await solver(), { ...suggested, ...given }, why)
}
