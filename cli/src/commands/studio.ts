/**
 * `limber studio`: serves the browser page.
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { act, addCommand, type Session, success } from '../command.js'
import { refuse } from '../problem.js'
import { type FileServer, serveFolder } from '../serve.js'
import { portNumber } from '../values.js'

const usualPort = 8420

interface StudioOptions {
  readonly json?: boolean
  readonly port?: number
  readonly host: string
  readonly open: boolean
}

export function registerStudio(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'studio',
    summary: 'serve the browser page on this machine',
    examples: ['limber studio', 'limber studio --port 9000 --no-open'],
  })
    .option('--port <n>', `port to listen on; 0 takes a free one (default ${usualPort}, or a free one when that is taken)`, portNumber)
    .option('--host <address>', 'address to listen on; anything but loopback lets others in', '127.0.0.1')
    .option('--no-open', 'do not open a browser')
  act<StudioOptions>(command, session, async (_args, options, output) => {
    const server = await listen(studioFolder(), options)
    output.line(`Limber studio: ${server.url}`)
    if (!isLoopback(options.host)) output.line(`Anyone who can reach ${options.host} can open it; without --host only this machine can.`)
    output.line('Stop with Ctrl+C.')
    output.document({ url: server.url, port: server.port })
    if (options.open && process.stdout.isTTY) openBrowser(server.url)
    await stopSignal()
    await server.close()
    return success
  })
}

/** The built page, found as a package: the command line does not import it. */
function studioFolder(): string {
  const require = createRequire(import.meta.url)
  const folder = join(dirname(require.resolve('limber-studio/package.json')), 'dist')
  if (!existsSync(join(folder, 'index.html'))) refuse('studio', 'the page is not built; run `npm run build` in the repository')
  return folder
}

function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)
}

async function listen(folder: string, { port, host }: StudioOptions): Promise<FileServer> {
  try {
    return await serveFolder(folder, { port: port ?? usualPort, host })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' && port === undefined) return serveFolder(folder, { port: 0, host })
    if (code === 'EADDRINUSE') return refuse(`--port ${port}`, 'this port is taken; give another, or 0 for a free one')
    if (code === 'EACCES') return refuse(`--port ${port}`, 'no right to listen there; give a port above 1023')
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return refuse(`--host ${host}`, 'this machine has no such address')
    return refuse(`--host ${host}`, message)
  }
}

function openBrowser(url: string): void {
  const [program, ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[process.platform as string] ?? ['xdg-open']
  const child = spawn(program ?? 'xdg-open', [...args, url], { stdio: 'ignore', detached: true })
  // no browser is no error: the address is printed
  child.on('error', () => {})
  child.unref()
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
