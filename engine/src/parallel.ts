/**
 * What joins the processors of one parallel simulation: links in one thread, over shared memory and their threads in pages, and the time that
 * messages take. Threads of Node and MPI are in `limber/node`.
 *
 * By itself, because a bundler makes a file for the threads of whatever imports this.
 */
export { type Crew, type CrewOptions, leadCrew, serveProcessor } from './parallel/crew.js'
export { parallelInOneThread } from './parallel/in-one-thread.js'
export { createInProcessLinks } from './parallel/in-process.js'
export { isLinkError, type Link, type LinkError, linkError } from './parallel/link.js'
export { startProcessors } from './parallel/page-processors.js'
export { startThreads } from './parallel/page-threads.js'
export { parallelOde, undivided } from './parallel/parallel-ode.js'
export { parallelRedmax } from './parallel/parallel-redmax.js'
export type { Node, Unit, Units } from './parallel/passes/units.js'
export { measureRoundTrip, serveRoundTrip } from './parallel/round-trip.js'
export { type Share, shareOut } from './parallel/share.js'
export type { StartThreadsOptions, Threads } from './parallel/start.js'
export type { CrewOnThreadsOptions, StartProcessorsOptions } from './parallel/start-processors.js'
export { createSharedLinks, joinSharedLink, type SharedLink, type SharedLinkOptions, type SharedLinks } from './parallel/threads.js'
