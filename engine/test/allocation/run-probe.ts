/** Runs a program that measures allocation in a process of its own, and takes what it prints. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../conformance/bundle.js'

/**
 * A young generation so large that no collection falls into a window: what heapUsed shows is all that was allocated. And one thread: a compiler
 * on a second one hands in its code sooner or later, by the load of the machine, and with other types seen so far; two runs would then differ.
 * And a compiler that takes a function up after less work in it, so that warming up takes seconds.
 */
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', '--single-threaded', '--interrupt-budget=20000']

/** `probe` is the URL of a module that prints a line of JSON. */
export async function runProbe(probe: URL): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'limber-allocation-'))
  try {
    const file = join(folder, 'probe.mjs')
    writeFileSync(file, await bundle({ path: fileURLToPath(probe) }, 'module'))
    return JSON.parse(execFileSync(process.execPath, [...FLAGS, file], { encoding: 'utf8' }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
