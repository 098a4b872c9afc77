/**
 * One simulation on several threads, of Node or of a page: `createSimulation(model, { solver: await startProcessors(model, { processors: 4 }) })`.
 */
import type { Model } from '../model/model.js'
import type { Solver } from '../solvers/solver.js'
import { type Crew, type CrewOptions, leadCrew } from './crew.js'
import { parallelOde } from './parallel-ode.js'
import { parallelRedmax } from './parallel-redmax.js'
import { loadForces, type ProcessorTask } from './serve.js'
import type { StartThreadsOptions, Threads } from './start.js'

/** numbers of an ordinary message */
const CAPACITY = 1024

export interface CrewOnThreadsOptions
  extends Omit<CrewOptions, 'clock' | 'close' | 'forces'>,
    Pick<StartThreadsOptions, 'processors' | 'spin' | 'thread'> {
  /**
   * address of a module whose `forces`, a list or a function of the model that makes one, act on the bodies of each thread; functions cannot be handed
   * to one
   */
  readonly forces?: string
}

export interface StartProcessorsOptions extends CrewOnThreadsOptions {
  /** `ode` (the default) with Gear's method, or `redmax` with scheme=linear and linear=pcg */
  readonly solver?: 'ode' | 'redmax'
}

/** How threads are started here, and what time it is, in seconds. */
export interface Host {
  readonly start: (options: StartThreadsOptions) => Promise<Threads>
  readonly clock: () => number
}

/** Threads that have the model and have divided it among them. */
export async function crewOn(
  { start, clock }: Host,
  model: Model,
  { processors, spin, thread, forces, ...options }: CrewOnThreadsOptions,
): Promise<Crew> {
  const task: ProcessorTask = { model, ...(forces === undefined ? {} : { forces }) }
  const own = forces === undefined ? [] : await loadForces(forces, model)
  const threads = await start({
    ...{ processors, capacity: CAPACITY, task },
    ...(spin === undefined ? {} : { spin }),
    ...(thread === undefined ? {} : { thread }),
  })
  try {
    return leadCrew(model, threads.link, { ...options, forces: own, clock, close: () => threads.stop() })
  } catch (error) {
    threads.stop()
    throw error
  }
}

/** The solver on threads, the calling one among them. `close` of its simulation ends them. */
export async function solverOn(host: Host, model: Model, { solver = 'ode', ...options }: StartProcessorsOptions): Promise<Solver> {
  const crew = await crewOn(host, model, options)
  return solver === 'redmax' ? parallelRedmax(crew) : parallelOde(crew)
}
