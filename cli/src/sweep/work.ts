/**
 * What is to be done, as those who do it see it: threads of this process, or workers anywhere.
 */
import type { Value } from '../values.js'
import type { Result } from './run-job.js'
import type { SweepTask } from './task.js'

export interface Work {
  readonly id: string
  readonly task: SweepTask
  /** the same as text that travels */
  readonly taskText: string
  /** Numbers of the jobs without a row; each is given once to all who ask the same iterator. */
  missing(): IterableIterator<number>
  isMissing(job: number): boolean
  /** how many are missing */
  left(): number
  valuesOf(job: number): Value[]
  /** Keeps a row; false if the job has one already. */
  done(job: number, result: Result): boolean
  /** ends the work before all is done */
  readonly signal: AbortSignal
}
