/**
 * What the scripts share: where the repository is, running a program, progress lines.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/** One progress line; set-up talks on stderr so that stdout stays free for results. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** Runs a program in the repository and returns its exit code; a signal or a missing program counts as failure. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options })
  if (result.error) say(`  ${command}: ${result.error.message}`)
  return result.status ?? 1
}

/** Runs a program quietly and returns its exit code and what it printed. */
export function capture(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  return {
    status: result.error ? 1 : (result.status ?? 1),
    output: `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`,
  }
}

/** Path of a file in the repository. */
export function at(path) {
  return `${root}/${path}`
}

/** Arguments of `node` that start a development tool, or undefined when it is not installed. */
export function tool(packageName, script) {
  const path = at(`node_modules/${packageName}/${script}`)
  return existsSync(path) ? [path] : undefined
}

export const tsc = () => tool('typescript', 'bin/tsc')
export const vite = () => tool('vite', 'bin/vite.js')
export const vitest = () => tool('vitest', 'vitest.mjs')
