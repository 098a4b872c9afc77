/**
 * The module that the threads of a parallel run load: `startThreads` finds it beside itself. Bundlers that move it take its new address as
 * `thread`.
 */
import { serveProcessor } from './serve.js'
import { threadOf } from './thread.js'

export const runThread = threadOf(serveProcessor)
