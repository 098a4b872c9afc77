/**
 * One simulation on several threads of Node.
 */
import type { Model } from '../model/model.js'
import type { Solver } from '../solvers/solver.js'
import type { Crew } from './crew.js'
import { startThreads } from './node-threads.js'
import { type CrewOnThreadsOptions, crewOn, type Host, type StartProcessorsOptions, solverOn } from './start-processors.js'

const host: Host = { start: startThreads, clock: () => performance.now() / 1000 }

/** Threads that have the model and have divided it among them: for `parallelOde` and `parallelRedmax` of `limber/parallel`. */
export const crewOnThreads = (model: Model, options: CrewOnThreadsOptions): Promise<Crew> => crewOn(host, model, options)

/** A solver on threads, the calling one among them: `createSimulation(model, { solver: await startProcessors(model, { processors: 4 }) })`. */
export const startProcessors = (model: Model, options: StartProcessorsOptions): Promise<Solver> => solverOn(host, model, options)
