#!/usr/bin/env node
/**
 * Starts the compiled command line; says what to do when it has not been compiled.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('../dist/main.js', import.meta.url)
if (existsSync(fileURLToPath(main))) {
  const { main: start } = await import(main.href)
  process.exitCode = await start(process.argv.slice(2))
} else {
  process.stderr.write('limber is not built yet: run `npm run build` in the repository\n')
  process.exitCode = 2
}
