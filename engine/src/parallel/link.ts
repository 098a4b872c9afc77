/**
 * What joins the processors of a parallel run, whatever carries the messages: queues of one thread, shared memory, MPI.
 */
import type { Vec } from '../math/types.js'

/** One processor's end of what joins it with the others. Messages between two processors arrive in the order in which they were sent. */
export interface Link {
  /** its number, 0 … processors − 1 */
  readonly rank: number
  readonly processors: number
  /** Sends x[o] … x[o + n − 1] to another processor. x may be written again when it returns. */
  send(to: number, x: Vec, o: number, n: number): void
  /** Whether `receive` may be called: links that wait always say yes, those of one thread only when the message is there. */
  arrived(from: number): boolean
  /** Takes the next message of that processor, of exactly n numbers, to x[o] …. Waits for it. Throws LinkError where that processor is gone. */
  receive(from: number, x: Vec, o: number, n: number): void
  /** Tells the others that this one ends without having finished, so that none waits for it for ever. */
  fail?(why: string): void
}

/** A processor that was waited for is gone; `rank` is its number. */
export interface LinkError extends Error {
  readonly name: 'LinkError'
  readonly rank: number
}

export function linkError(rank: number, why: string): LinkError {
  const error = new Error(`processor ${rank} is gone: ${why}; this run cannot go on: begin again, or resume from a checkpoint`)
  return Object.assign(error, { name: 'LinkError', rank } as const)
}

export function isLinkError(error: unknown): error is LinkError {
  return error instanceof Error && error.name === 'LinkError'
}

/** Both ends did not mean the same message. */
export function wrongLength(from: number, sent: number, expected: number): Error {
  return new Error(`processor ${from} sent ${sent} numbers where ${expected} were expected; the programs of the two do not fit`)
}

/** Throws where a link cannot be made like this. */
export function checkLinks(processors: number, capacity: number): void {
  if (!(Number.isInteger(processors) && processors >= 1))
    throw new RangeError(`processors: expected a whole number from 1, got ${processors}`)
  if (!(Number.isInteger(capacity) && capacity >= 1))
    throw new RangeError(`capacity: expected a whole number of numbers from 1, got ${capacity}`)
}
