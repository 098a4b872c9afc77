/**
 * Sets up, builds and serves the studio page on this machine.
 *
 *   npm start [-- --port 8080] [--no-open]
 */
import { spawn } from 'node:child_process'
import { at, say } from './lib.mjs'
import { setup } from './setup.mjs'

if (!(await setup())) {
  say('start: set-up failed, see above')
  process.exit(1)
}

const server = spawn(process.execPath, [at('cli/bin/limber.js'), 'studio', ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 0))
