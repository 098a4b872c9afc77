/**
 * What starting threads has in common in Node and in pages.
 */
import type { Link } from './link.js'
import { noteFailure, type SharedLink, SPIN } from './threads.js'

export interface StartThreadsOptions {
  /** all of them; the calling thread is the first */
  readonly processors: number
  /** numbers in an ordinary message; longer ones are sent in parts */
  readonly capacity: number
  /** what every thread is given: structured data */
  readonly task: unknown
  /** looks before a thread that waits sleeps; default 20,000 where every processor has a core, else 0 */
  readonly spin?: number
  /** address of the module that threads load; default `thread-main.js` beside this one */
  readonly thread?: string | URL
}

export interface Threads {
  /** the calling thread's end */
  readonly link: Link
  /** Ends all threads. */
  stop(): void
  /** Why one of them is gone, with its number; undefined while all run. */
  ended(): string | undefined
}

/** Looking pays only where the one that is looked for has another core. */
export function defaultSpin(processors: number, cores: number): number {
  return processors <= cores ? SPIN : 0
}

/** Ends threads so that a later wait for one of them says so. */
export function stopAll(buffer: SharedArrayBuffer, link: SharedLink, terminate: () => void): void {
  for (let rank = 0; rank < link.processors; rank++) if (rank !== link.rank) noteFailure(buffer, rank, 'it was stopped')
  terminate()
}
