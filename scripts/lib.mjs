/**
 * What the scripts share: where the repository is, running a program, progress lines.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/** One progress line; set-up talks on stderr so that stdout stays free for results. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** Runs a program in the repository and resolves to its exit code; a signal or a missing program counts as failure. */
export function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options })
  return new Promise((resolve) => {
    child.on('error', (error) => {
      say(`  ${command}: ${error.message}`)
      resolve(1)
    })
    child.on('close', (status) => resolve(status ?? 1))
  })
}

/** Runs a program quietly and resolves to its exit code and what it printed. */
export function capture(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const parts = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => parts.push(part))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, output: error.message }))
    child.on('close', (status) => resolve({ status: status ?? 1, output: parts.join('') }))
  })
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
