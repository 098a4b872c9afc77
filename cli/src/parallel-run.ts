/**
 * `--parallel` and `--processors`: one simulation on several threads, or on the processes that mpirun started.
 */
import { availableParallelism } from 'node:os'
import { type Model, measureCosts, type Solver } from 'limber'
import { type Mpi, openMpi, startProcessors } from 'limber/node'
import { type Crew, leadCrew, parallelOde, parallelRedmax, serveProcessor, shareOut, undivided } from 'limber/parallel'
import { count } from './output.js'
import { refuse } from './problem.js'
import type { Settings } from './values.js'

export interface ParallelOptions {
  readonly parallel?: 'none' | Parallel
  readonly processors?: number
}
type Parallel = 'threads' | 'mpi' | 'auto'

/** What takes part in a run besides this process. */
export interface Company {
  /** who runs, and why, as people read it */
  readonly says: string
  /** takes the place of the solver of its name; undefined: this process runs by itself */
  readonly solver?: Solver
  /** options of the solver that go with it */
  readonly set: Settings
  /** After the run, its simulation closed. */
  finish(): void
}

/** what threads gain on trees with fewer bodies is lost while their code is compiled, and whenever one of them is held up */
const FEWEST = 1500
/** `auto` takes several processors where they are expected to gain as much */
const WORTH = 1.25
const clock = (): number => performance.now() / 1000

/**
 * Others to run the model with, as the options ask for. `solver` is the one that would run, with the options that the user has set.
 * A process that mpirun started and that is not the first one serves, and 'served' is the result.
 */
export async function findCompany(
  model: Model,
  solver: string,
  set: Settings,
  parallel: Parallel,
  processors: number | undefined,
): Promise<Company | 'served'> {
  const why = unfit(model, solver, set)
  if (parallel === 'auto') {
    // what runs by itself is not changed: a scheme or method that was not asked for
    const other = why ?? changes(model, solver, set)
    return other === null ? findWhatPays(model, set, processors) : alone(set, other)
  }
  if (why !== null) refuse(`--parallel ${parallel}`, why)
  const team: Team = { model, solver: solver === 'redmax' ? 'redmax' : 'ode', set }
  return parallel === 'threads' ? onThreads(team, processors ?? availableParallelism()) : overMpi(team, processors)
}

interface Team {
  readonly model: Model
  readonly solver: 'ode' | 'redmax'
  readonly set: Settings
}

/** What of the options that would run several processors would change; null: nothing. */
function changes({ solver: suggested, solverOptions }: Model, solver: string, set: Settings): string | null {
  if (solver === 'redmax') return 'several would change the scheme of redmax; --parallel threads does'
  const method = set['method'] ?? (suggested === solver ? solverOptions['method'] : undefined) ?? 'rk4'
  return method === 'gear' ? null : `several need method=gear, and ${method} would run: add --set method=gear, or take --parallel threads`
}

/** What each solver does on several processors: options that it must have. */
const methods: Readonly<Record<string, Settings>> = { ode: { method: 'gear' }, redmax: { scheme: 'linear', linear: 'pcg' } }

/** Why several processors cannot do it; null if they can. */
function unfit(model: Model, solver: string, set: Settings): string | null {
  const needed = methods[solver]
  if (!needed) return `several processors take the solvers ode and redmax; ${solver} would run: add --solver ode`
  for (const [key, value] of Object.entries(needed)) {
    if ((set[key] ?? value) !== value) return `several processors need ${key}=${value}, not ${key}=${set[key]}; leave it out, or run on one`
  }
  return solver === 'ode' ? undivided(model) : null
}

async function findWhatPays(model: Model, set: Settings, processors = availableParallelism()): Promise<Company> {
  if (processors < 2) return alone(set, 'no more are at hand')
  if (model.nbody < FEWEST)
    return alone(set, `${model.nbody - 1} bodies are too few for threads to gain much; --parallel threads takes them all the same`)
  const { processors: used, serial, time } = shareOut(model, processors, measureCosts(model, { clock }))
  if (used === 1 || serial / time < WORTH) return alone(set, 'messages would take as long as what they save')
  return onThreads({ model, solver: 'ode', set }, used)
}

const alone = (set: Settings, why: string): Company => ({ says: `one processor: ${why}`, set, finish: () => undefined })

async function onThreads({ model, solver, set }: Team, processors: number): Promise<Company> {
  const found = await startProcessors(model, { processors, solver, always: true })
  return {
    says: describe(count(processors, 'thread'), solver, set),
    solver: found,
    set: { ...set, ...methods[solver] },
    finish: () => undefined,
  }
}

async function overMpi({ model, solver, set }: Team, processors: number | undefined): Promise<Company | 'served'> {
  let mpi: Mpi
  try {
    mpi = await openMpi({ capacity: 480 })
  } catch (error) {
    return refuse('--parallel mpi', error instanceof Error ? error.message.replace(/^mpi: /, '') : String(error))
  }
  const { link } = mpi
  if (link.rank > 0) {
    serveProcessor(model, link)
    mpi.finish()
    return 'served'
  }
  if (processors !== undefined && processors !== link.processors)
    refuse(`--processors ${processors}`, `mpirun started ${link.processors}: give their number to mpirun -n, or leave it out here`)
  const crew: Crew = leadCrew(model, link, { clock, always: true })
  return {
    says: describe(count(link.processors, 'process', 'processes'), solver, set),
    solver: solver === 'redmax' ? parallelRedmax(crew) : parallelOde(crew),
    set: { ...set, ...methods[solver] },
    finish: () => mpi.finish(),
  }
}

/** Who runs, and which options that were not given go with it. */
function describe(who: string, solver: string, set: Settings): string {
  const added = Object.entries(methods[solver] ?? {}).filter(([key]) => set[key] === undefined)
  return [who, ...added.map(([key, value]) => `${key}=${value}`)].join(', ')
}
