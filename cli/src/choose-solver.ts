/**
 * `--solver` and `--set`: which solver runs, checked against the engine's own tables.
 */
import { chooseSolver, createSimulation, type Model, type Options, type Simulation, type Solver, type SolverChoice, solvers } from 'limber'
import { sceneParameters } from './commands/scene.js'
import type { ModelFile } from './model-file.js'
import { refuse } from './problem.js'
import { hint } from './suggest.js'
import type { Settings, Value } from './values.js'

export interface SolverOptions {
  readonly solver?: string
  readonly timestep?: number
  readonly set?: Settings
}

/** What `auto` means for this model at this step (default: the model's own), and why. */
export function autoSolver(model: Model, timestep = model.timestep): SolverChoice {
  if (Object.hasOwn(solvers, model.solver)) return { name: model.solver, options: model.solverOptions, why: 'the file suggests it' }
  const choice = chooseSolver(model, timestep)
  const unknown = unknownSolver(model)
  return unknown ? { ...choice, why: `${choice.why}; ${unknown}` } : choice
}

/** Empty, or that the file asks for a solver that is not there. */
export function unknownSolver({ solver }: Model): string {
  return solver === '' || solver === 'auto' || Object.hasOwn(solvers, solver)
    ? ''
    : `the file suggests ${solver}, which this version does not have`
}

/** The name of the solver that would run. */
export const solverName = (model: Model, options: SolverOptions): string =>
  findSolver(model, options.solver ?? 'auto', options.timestep).solver.name

/** A simulation as the options ask for it, with this solver where one is given; refuses unknown names with the nearest known one. */
export function startSimulation({ file, model }: Pick<ModelFile, 'file' | 'model'>, options: SolverOptions, given?: Solver): Simulation {
  const { solver, suggested } = given ? suggestedFor(model, given) : findSolver(model, options.solver ?? 'auto', options.timestep)
  checkSettings(solver, options.set ?? {}, file)
  const refusal = solver.refuses(model)
  if (refusal !== null) refuse(`--solver ${solver.name}`, `cannot run this model: ${refusal}`)
  try {
    return createSimulation(model, {
      ...suggested,
      solver,
      ...(options.timestep === undefined ? {} : { timestep: options.timestep }),
      ...options.set,
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const key = Object.keys({ ...model.solverOptions, ...options.set }).find((name) => error.message.startsWith(`option ${name} `))
    if (key === undefined) return refuse('--set', error.message)
    const given = options.set?.[key]
    return refuse(given === undefined ? `${model.name || 'model'}: solver/options/${key}` : `--set ${key}=${given}`, error.message)
  }
}

interface Found {
  readonly solver: Solver
  /** options that the file or `auto` have for it */
  readonly suggested: Options
}

const suggestedFor = (model: Model, solver: Solver): Found => ({
  solver,
  suggested: solver.name === model.solver ? model.solverOptions : {},
})

function findSolver(model: Model, name: string, timestep?: number): Found {
  const choice = name === 'auto' ? autoSolver(model, timestep) : undefined
  const taken = choice?.name ?? name
  const found = Object.hasOwn(solvers, taken) ? solvers[taken] : undefined
  if (found) return choice ? { solver: found, suggested: choice.options } : suggestedFor(model, found)
  const known = ['auto', ...Object.keys(solvers)]
  return refuse(`--solver ${name}`, `there is no solver of this name${hint(name, known)}`)
}

function checkSettings({ name, options }: Solver, settings: Settings, file: string): void {
  for (const [key, value] of Object.entries(settings)) {
    const info = Object.hasOwn(options, key) ? options[key] : undefined
    if (!info)
      refuse(`--set ${key}`, `the solver ${name} has no such option${elsewhere(key, value, file) || hint(key, Object.keys(options))}`)
    else if (info.choices && !info.choices.includes(String(value))) {
      refuse(`--set ${key}=${value}`, `the solver ${name} does not have this choice${hint(String(value), info.choices)}`)
    }
  }
}

/** Where a key is known that the solver does not know: another solver, or the scene that is run. Empty if nowhere. */
function elsewhere(key: string, value: Value, file: string): string {
  if (sceneParameters(file).includes(key)) {
    return `; it is a parameter of the scene: limber scene ${file} --set ${key}=${value} --out ${file}.json, then limber run ${file}.json`
  }
  // words of other programs for the step
  if (['timestep', 'dt', 'h', 'step'].includes(key)) return `; the step is set by --timestep ${value}`
  const owners = Object.keys(solvers).filter((name) => Object.hasOwn(solvers[name]?.options ?? {}, key))
  return owners.length > 0 ? `; ${owners.join(' and ')} ${owners.length === 1 ? 'has' : 'have'} it: add --solver ${owners[0]}` : ''
}
