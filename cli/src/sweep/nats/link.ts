/**
 * The connection to a NATS server with JetStream: connects again by itself, whatever happens to server or network.
 */
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { refuse } from '../../problem.js'
import type { Address } from './address.js'

export interface Link {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  readonly shown: string
  /** bytes that a message may have, as far as the server has said */
  maxPayload(): number
  /** Runs an action until it succeeds, or fails for a reason that does not pass; gives up where `stream` is no more, or on the signal. */
  insist<T>(action: () => Promise<T>, stream: string, signal: AbortSignal): Promise<T>
  /** Sends what is still to be sent, and disconnects. */
  close(): Promise<void>
}

/** The sweep is not on the server, or no longer. */
export class SweepGone extends Error {}

/** milliseconds: until a silent connection counts as cut, twice; between attempts; until an answer must be there */
const ping = 5000
const reconnect = 500
const timeout = 5000
/** until trouble is told of */
const quiet = 20_000

export async function openLink(address: Address, name: string, note: (text: string) => void): Promise<Link> {
  const { connect, InvalidArgumentError } = await import('@nats-io/transport-node')
  const { jetstream, jetstreamManager, JetStreamApiCodes, JetStreamApiError } = await import('@nats-io/jetstream')
  const { servers, tls, user, pass, token, shown } = address
  const connection = await connect({
    servers: [...servers],
    name,
    timeout,
    pingInterval: ping,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnect,
    ...(tls ? { tls: {} } : {}),
    ...(user === undefined ? {} : { user }),
    ...(pass === undefined ? {} : { pass }),
    ...(token === undefined ? {} : { token }),
  }).catch((error: Error) =>
    refuse(shown, `cannot connect: ${error.message}; is the server running, and the address right? (nats-server -js)`),
  )
  let closing = false
  const watch = async (): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (closing) return
      if (type === 'disconnect') note(`limber: lost the connection to ${shown}; trying again`)
      if (type === 'reconnect') note(`limber: connected to ${shown} again`)
    }
  }
  void watch()
  const close = async (): Promise<void> => {
    closing = true
    const drained = new AbortController()
    const drain = connection
      .drain()
      .catch(() => {})
      .finally(() => drained.abort())
    // a server that is gone does not answer
    await Promise.race([drain, sleep(timeout, drained.signal)])
    await connection.close()
  }
  const manager = await jetstreamManager(connection, { timeout }).catch(async (error: Error) => {
    await close()
    return refuse(
      shown,
      `the server has no JetStream: ${error.message}; start it with nats-server -js, or ask for an account that may use it`,
    )
  })
  const client = jetstream(connection, { timeout })

  const isGone = async (stream: string): Promise<boolean> => {
    try {
      await manager.streams.info(stream)
      return false
    } catch (error) {
      return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound
    }
  }
  let largest = connection.info?.max_payload ?? 1 << 20
  return {
    connection,
    client,
    manager,
    shown,
    // nothing is known of the server while there is no connection
    maxPayload: () => (largest = connection.info?.max_payload ?? largest),
    async insist(action, stream, signal) {
      const begin = performance.now()
      for (let told = false; ; ) {
        try {
          return await action()
        } catch (error) {
          if (signal.aborted || connection.isClosed() || error instanceof InvalidArgumentError) throw error
          if (error instanceof JetStreamApiError) {
            if (error.code === JetStreamApiCodes.StreamNotFound) throw new SweepGone(stream)
            // the server answers, and will answer the same again; from 500 on it is only busy
            if (error.status < 500) throw error
          }
          if (await isGone(stream)) throw new SweepGone(stream)
          if (!told && performance.now() - begin > quiet) {
            told = true
            note(`limber: ${shown} does not do what it is asked to: ${(error as Error).message}; trying on`)
          }
          await sleep(reconnect, signal)
        }
      }
    },
    close,
  }
}

/** What a consumer has within this time, at most so many. Ends for certain: a request that was under way when the connection was lost might not. */
export async function* pull(consumer: Consumer, most: number, milliseconds: number): AsyncGenerator<JsMsg> {
  const messages = await consumer.fetch({ max_messages: most, expires: milliseconds })
  const timer = setTimeout(() => messages.stop(), 2 * milliseconds + reconnect)
  try {
    yield* messages
  } finally {
    clearTimeout(timer)
    messages.stop()
  }
}

/** Resolves after this time, or when the signal comes. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
}
