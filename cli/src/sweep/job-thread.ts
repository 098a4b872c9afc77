/**
 * What a thread of the pool runs: jobs of the task it was started with.
 */
import { workerData } from 'node:worker_threads'
import type { Value } from '../values.js'
import { createJobRunner, type Result } from './run-job.js'
import { decode, type SweepTask } from './task.js'

const runJob = createJobRunner(decode(workerData as string) as SweepTask)

export function run({ job, values }: { readonly job: number; readonly values: readonly Value[] }): Result {
  return runJob(job, values)
}
