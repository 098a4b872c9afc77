/** Runs the allocation probe in processes of their own, one a list of cases, as many at a time as there are cores. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bundle } from '../conformance/bundle.js'
import type { Measured } from './bytes-per-call.js'

/**
 * A young generation so large that no collection falls into a window: what heapUsed shows is all that was allocated. And one thread: a compiler
 * on a second one hands in its code sooner or later, by the load of the machine, and with other types seen so far; two runs would then differ.
 * And a compiler that takes a function up after less work in it, so that warming up takes seconds.
 */
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', '--single-threaded', '--interrupt-budget=20000']

const execute = promisify(execFile)

/** What was measured, list by list; the longest list is to be named first. */
export async function runProbe<Name extends string>(lists: readonly Name[]): Promise<Record<Name, readonly Measured[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'limber-allocation-'))
  try {
    const file = join(folder, 'probe.mjs')
    writeFileSync(file, await bundle({ path: fileURLToPath(new URL('./probe.ts', import.meta.url)) }, 'module'))
    const left = [...lists]
    const results: [Name, readonly Measured[]][] = []
    const work = async (): Promise<void> => {
      for (let list = left.shift(); list !== undefined; list = left.shift()) {
        const { stdout } = await execute(process.execPath, [...FLAGS, file, list])
        results.push([list, JSON.parse(stdout) as Measured[]])
      }
    }
    await Promise.all(Array.from({ length: availableParallelism() }, work))
    return Object.fromEntries(results) as Record<Name, readonly Measured[]>
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
