/**
 * Threads that run jobs. A thread that dies takes its job with it: the job is given to another, and becomes a failed row when that happens again and again.
 */
import { fileURLToPath } from 'node:url'
import type { Value } from '../values.js'
import { failedResult, type Result } from './run-job.js'
import type { SweepTask } from './task.js'
import type { Work } from './work.js'

export interface Pool {
  /** Rejects only after `close`. */
  run(job: number, values: readonly Value[]): Promise<Result>
  /** Ends the threads; jobs that run are given up. */
  close(): Promise<void>
}

/** how often a job may end its thread */
const attempts = 3

/** `script` is another file for the threads, for tests. */
export async function createPool(
  task: SweepTask,
  taskText: string,
  threads: number,
  script = fileURLToPath(new URL('./job-thread.js', import.meta.url)),
): Promise<Pool> {
  const { Piscina } = await import('piscina')
  const pool = new Piscina<{ job: number; values: readonly Value[] }, Result>({
    filename: script,
    name: 'run',
    workerData: taskText,
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
  })
  // a thread that dies between jobs is replaced with the next job
  pool.on('error', () => {})
  let closed = false
  return {
    async run(job, values) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await pool.run({ job, values })
        } catch (error) {
          if (closed) throw error
          if (attempt < attempts) continue
          const own = Object.fromEntries(task.keys.map((key, k) => [key, values[k] as Value]))
          return failedResult(job, own, `the thread that ran it ended ${attempts} times: ${(error as Error).message}`)
        }
      }
    },
    async close() {
      closed = true
      await pool.destroy()
    },
  }
}

/** Runs what is missing on threads of this process. */
export async function runOnThreads(work: Work, threads: number): Promise<void> {
  const { task, taskText, missing, valuesOf, done, signal } = work
  const pool = await createPool(task, taskText, threads)
  const stop = (): void => void pool.close()
  signal.addEventListener('abort', stop)
  const jobs = missing()
  // each thread has its next job as soon as it has none
  const serve = async (): Promise<void> => {
    for (const job of jobs) {
      if (signal.aborted) return
      done(job, await pool.run(job, valuesOf(job)))
    }
  }
  try {
    await Promise.all(Array.from({ length: threads }, serve))
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', stop)
    await pool.close()
  }
}
