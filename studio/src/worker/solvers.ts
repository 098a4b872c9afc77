/**
 * Solvers by name. All but the explicit ones, which most scenes of the gallery begin with, are fetched when a mechanism first asks for them: until
 * then the page knows what they offer, and no more.
 */
import {
  adaptiveInfo,
  createSimulationWith,
  implicitInfo,
  type Model,
  namedSolver,
  ode,
  positionInfo,
  redmaxInfo,
  type Simulation,
  type Solver,
  substructuringInfo,
} from 'limber'
import { solverLoaders } from 'limber/on-demand'

/** All there are, as the page lists them. */
export const described: Readonly<Record<string, Omit<Solver, 'create'>>> = {
  ode,
  redmax: redmaxInfo,
  implicit: implicitInfo,
  position: positionInfo,
  adaptive: adaptiveInfo,
  substructuring: substructuringInfo,
}

/** Those that are here. */
export const ready: Record<string, Solver> = { ode }

/** Fetches the solvers of these names that are not here yet; a name that is none is left to whoever uses it. */
export async function fetchSolvers(names: readonly (string | undefined)[]): Promise<void> {
  for (const name of names) {
    if (name !== undefined && Object.hasOwn(solverLoaders, name) && !Object.hasOwn(ready, name)) ready[name] = await solverLoaders[name]()
  }
}

export interface Wanted {
  readonly solver?: string
  readonly timestep?: number
  readonly [option: string]: unknown
}

/** As `createSimulation`, with the solvers that are here. */
export function simulate(model: Model, { solver: wanted, ...given }: Wanted = {}): Simulation {
  const { solver, suggested, why } = namedSolver(model, wanted, ready, given.timestep)
  return createSimulationWith(model, solver, { ...suggested, ...given }, why)
}
