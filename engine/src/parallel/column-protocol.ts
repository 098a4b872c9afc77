/**
 * What `column-threads` and a thread of `column-worker` agree on: the order, and the places of an Int32Array that both look at. Apart from
 * the former, because bundlers make a worker of what names its file, and would have to make it of the worker again.
 */
import type { ColumnTask } from '../solvers/redmax/column-task.js'

/** What a thread is sent first, and all that it is ever sent. */
export interface ColumnOrder {
  readonly task: ColumnTask
  readonly memory: SharedArrayBuffer
  /** Int32Array: ticket, stop, threads that are up, then for every thread and column its mark and its iterations */
  readonly control: SharedArrayBuffer
  /** columns of this thread */
  readonly answers: SharedArrayBuffer
  readonly thread: number
}

/** places in `control` */
export const TICKET = 0
export const STOP = 1
export const READY = 2
export const MARKS = 3
/** bits of the ticket that count columns; the others are the turn, of which there are so many before they start again */
export const BITS = 10
export const LEFT = 2 ** BITS - 1
export const TURNS = 2 ** 20

/** Where the mark of a thread for a column is; its iterations are next to it. */
export function markOf({ columns }: ColumnTask, thread: number, k: number): number {
  return MARKS + 2 * (thread * columns + k)
}

/** Node's threads, where this is Node. */
export function nodeThreads() {
  return typeof process === 'object' ? process.getBuiltinModule?.('node:worker_threads') : undefined
}
