/**
 * Every solver by its name, each fetched when it is first named: a page begins with the core and loads no family that it does not use.
 *
 * By itself, because a bundler that makes one file of everything would put all families into whatever imports this.
 */
import type { Model } from './model/model.js'
import { createSimulationFrom, type Simulation, type SimulationOptions } from './simulation.js'
import { namedSolver } from './solvers/choose.js'
import type { GivenOptions } from './solvers/given.js'
import { ode } from './solvers/ode/ode.js'
import { checkedSetup, checkForces } from './solvers/setup.js'
import type { Solver } from './solvers/solver.js'

/** What fetches the solver of each name. */
export const solverLoaders: Readonly<Record<string, () => Promise<Solver>>> = {
  ode: async () => ode,
  redmax: async () => (await import('./solvers/redmax/redmax.js')).redmax,
  implicit: async () => (await import('./solvers/implicit/implicit.js')).implicit,
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
  checkForces(given.forces ?? [])
  const { timestep, forces = [], ...own } = given
  const simulate = async (solver: Solver, settings: Readonly<Record<string, unknown>>, why: () => string): Promise<Simulation> => {
    const setup = checkedSetup(model, solver, settings, forces, why)
    // code of contact is for models with shapes
    const queries = model.geoms.count > 1 ? (await import('./handles/queries/queries.js')).createQueries : undefined
    return createSimulationFrom(model, () => setup, { timestep, forces, now: solver.check === undefined, queries })
  }
  if (typeof wanted === 'object') return simulate(wanted, own, () => `${wanted.name}: it was asked for`)
  const { solver, suggested, why } = namedSolver(model, wanted, solverLoaders, timestep, forces)
  return simulate(await solver(), { ...suggested, ...own }, why)
}
