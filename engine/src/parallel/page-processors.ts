/**
 * One simulation on several threads of a page, where its headers allow shared memory. The thread that leads should be a worker: it waits for the others.
 */
import type { Model } from '../model/model.js'
import type { Solver } from '../solvers/solver.js'
import { startThreads } from './page-threads.js'
import { type StartProcessorsOptions, solverOn } from './start-processors.js'

/** A solver on threads, the calling one among them: `createSimulation(model, { solver: await startProcessors(model, { processors: 4 }) })`. */
export const startProcessors = (model: Model, options: StartProcessorsOptions): Promise<Solver> =>
  solverOn({ start: startThreads, clock: () => performance.now() / 1000 }, model, options)
