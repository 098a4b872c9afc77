/**
 * NATS servers of a test's own.
 */
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { type Process, start, until } from './sweeps.js'

/** Empty, or why tests with a server are skipped. */
export const noNats =
  spawnSync('nats-server', ['--version']).status === 0 ? '' : 'nats-server is not installed: sudo apt-get install nats-server'
if (noNats) console.warn(`skipped: ${noNats}`)

/** A port that nobody uses at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

/** Starts a server that keeps its streams in `store`, and waits until it listens; `prefix` may put it elsewhere. */
export async function startNats(store: string, address: string, port: number, prefix: readonly string[] = []): Promise<Process> {
  const server = start([...prefix, 'nats-server', '-js', '-sd', store, '-a', address, '-p', String(port)])
  await until(() => server.stderr().includes('Server is ready'), server.stderr, 20)
  return server
}

/** Names of all streams on a server. */
export function streamsOn(port: number): Promise<string[]> {
  return asking(port, async (manager) => {
    const names: string[] = []
    for await (const name of manager.streams.names()) names.push(name)
    return names
  })
}

/** Throws away what is queued; how many jobs that were. */
export function purgeQueues(port: number): Promise<number> {
  return asking(port, async (manager) => {
    let purged = 0
    for await (const name of manager.streams.names('limber.*.job.*')) purged += (await manager.streams.purge(name)).purged
    return purged
  })
}

async function asking<T>(port: number, action: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: `127.0.0.1:${port}` })
  try {
    return await action(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}
