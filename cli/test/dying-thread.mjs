/**
 * A thread for the test of the pool: job 2 ends its thread the first time, job 3 every time. See sweep.test.ts.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

export function run({ job, values }) {
  if (job === 2 && !existsSync(workerData)) {
    writeFileSync(workerData, '')
    process.exit(7)
  }
  if (job === 3) process.exit(8)
  return { ok: true, text: JSON.stringify({ job, values, status: 'ok' }) }
}
