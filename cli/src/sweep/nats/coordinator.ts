/**
 * The coordinator: publishes the jobs that have no row yet and gathers rows until every job has one. All that it must not forget is in the journal, so
 * that it may be killed and started again; what the server forgets is published again.
 */
import { gunzipSync } from 'node:zlib'
import type { Consumer, ConsumerInfo, JsMsg } from '@nats-io/jetstream'
import type { Row } from '../run-job.js'
import type { Work } from '../work.js'
import { type Link, pull, SweepGone, sleep } from './link.js'
import {
  attemptHeader,
  jobsStream,
  makeStreams,
  pieceHeader,
  putJob,
  putTask,
  readPiece,
  resultSubject,
  resultsStream,
  workers,
} from './streams.js'

/** jobs that are on their way to the server at a time */
const abreast = 200
/** milliseconds without a row before the coordinator asks why */
const patience = 3000
/** rows asked for at a time, and milliseconds to wait for the first */
const batch = 500
const wait = 1000

export interface CoordinatorOptions {
  /** seconds */
  readonly retryAfter: number
  note(text: string): void
}

/** Returns when no job is missing, or on the signal. */
export async function runOnNats(work: Work, link: Link, options: CoordinatorOptions): Promise<void> {
  for (;;) {
    try {
      return await session(work, link, options)
    } catch (error) {
      if (work.signal.aborted) return
      if (!(error instanceof SweepGone)) throw error
      options.note('limber: the server no longer has the sweep; it is published again')
      await sleep(wait, work.signal)
    }
  }
}

/** One life of the streams. */
async function session(work: Work, link: Link, { retryAfter, note }: CoordinatorOptions): Promise<void> {
  const { id, taskText } = work
  // what ends one of the two below ends the other
  const ended = new AbortController()
  const { signal } = ended
  const end = (): void => ended.abort()
  work.signal.addEventListener('abort', end)
  try {
    await retry(() => makeStreams(link, id, retryAfter), note, signal)
    await putTask(link, id, taskText, signal)
    const rows = createReader(work, link, signal)
    await rows.catchUp()
    const published = publish(work, link, '', signal)
    await Promise.all([published, gather(work, link, rows, published, note, ended)])
  } catch (error) {
    if (work.left() > 0 && !work.signal.aborted) throw error
  } finally {
    work.signal.removeEventListener('abort', end)
    end()
  }
}

/** Queues every job that is missing. */
async function publish(work: Work, link: Link, round: string, signal: AbortSignal): Promise<void> {
  const jobs = work.missing()
  const serve = async (): Promise<void> => {
    for (const job of jobs) {
      if (signal.aborted) return
      await putJob(link, work.id, job, JSON.stringify({ values: work.valuesOf(job) }), round, signal)
    }
  }
  await Promise.all(Array.from({ length: abreast }, serve))
}

/** Takes rows until none is missing. */
async function gather(
  work: Work,
  link: Link,
  rows: Reader,
  published: Promise<void>,
  note: (text: string) => void,
  ended: AbortController,
): Promise<void> {
  const { signal } = ended
  let last = performance.now()
  let told = false
  let all = false
  published.then(
    () => (all = true),
    () => {},
  )
  while (!signal.aborted && work.left() > 0) {
    if ((await rows.read()) > 0) last = performance.now()
    if (!all || performance.now() - last < patience) continue
    last = performance.now()
    const state = await idleState(link, work.id, signal)
    if (state === 'unattended' && !told) {
      note(`limber: no worker is at work; start some: limber worker --nats ${link.shown}`)
      told = true
    }
    // jobs that are neither queued nor done
    if (state === 'empty' && (await rows.read()) === 0) await publish(work, link, `.${Date.now()}`, signal)
  }
  ended.abort()
}

/** Until it succeeds, is refused, or is told to stop. */
async function retry(action: () => Promise<void>, note: (text: string) => void, signal: AbortSignal): Promise<void> {
  const { JetStreamApiError } = await import('@nats-io/jetstream')
  for (let attempt = 1; ; attempt++) {
    try {
      return await action()
    } catch (error) {
      if (signal.aborted || (error instanceof JetStreamApiError && error.status < 500)) throw error
      if (attempt === 1) note(`limber: the server cannot take the sweep yet: ${(error as Error).message}; trying again`)
      await sleep(wait, signal)
    }
  }
}

/** Nothing is queued; or what is queued nobody takes; or it is in work. */
async function idleState({ manager, insist }: Link, id: string, signal: AbortSignal): Promise<'empty' | 'unattended' | 'busy'> {
  const stream = jobsStream(id)
  const { state } = await insist(() => manager.streams.info(stream), stream, signal)
  if (state.messages === 0) return 'empty'
  const { num_waiting, num_ack_pending } = await insist(() => manager.consumers.info(stream, workers), stream, signal)
  return num_waiting === 0 && num_ack_pending === 0 ? 'unattended' : 'busy'
}

interface Reader {
  /** Takes the rows that are there already: they came while no coordinator was. */
  catchUp(): Promise<void>
  /** Takes rows as they come for a moment; how many messages there were. */
  read(): Promise<number>
}

/** Reads every message of the results once and in order; begins again after the last one whatever happens to the connection. */
function createReader(work: Work, link: Link, signal: AbortSignal): Reader {
  const { id } = work
  const stream = resultsStream(id)
  const pieces = new Map<string, Map<number, Uint8Array>>()
  let last = 0
  let consumer: Consumer | undefined
  let next = 1

  const open = async (): Promise<ConsumerInfo> => {
    const { AckPolicy, DeliverPolicy } = await import('@nats-io/jetstream')
    const info = await link.insist(
      () =>
        link.manager.consumers.add(stream, {
          filter_subject: resultSubject(id, '*'),
          ack_policy: AckPolicy.None,
          deliver_policy: DeliverPolicy.StartSequence,
          opt_start_seq: last + 1,
          inactive_threshold: 60e9,
        }),
      stream,
      signal,
    )
    next = 1
    consumer = link.client.consumers.getConsumerFromInfo(info)
    return info
  }

  /** Pieces of one attempt make a row; undefined while some are missing, or where it is none. */
  const assemble = (message: JsMsg): (Row & { readonly text: string }) | undefined => {
    const job = Number(message.subject.split('.').at(-1))
    const [k, count] = readPiece(message.headers?.get(pieceHeader))
    if (!work.isMissing(job) || k >= count) return undefined
    const name = `${job}.${message.headers?.get(attemptHeader)}`
    const list = pieces.get(name) ?? new Map<number, Uint8Array>()
    pieces.set(name, list.set(k, Uint8Array.from(message.data)))
    if (list.size < count) return undefined
    pieces.delete(name)
    try {
      const text = gunzipSync(Buffer.concat(Array.from({ length: count }, (_, n) => list.get(n) as Uint8Array))).toString('utf8')
      const row = JSON.parse(text) as Row
      return row.job === job && typeof row.status === 'string' ? { ...row, text } : undefined
    } catch {
      return undefined
    }
  }

  const read = async (): Promise<number> => {
    if (!consumer) await open()
    let count = 0
    let failure: unknown
    try {
      for await (const message of pull(consumer as Consumer, batch, wait)) {
        if (message.info.deliverySequence !== next) throw new Error('a message was lost on the way')
        next++
        last = message.seq
        count++
        const row = assemble(message)
        try {
          if (row) work.done(row.job, { ok: row.status === 'ok', text: row.text })
        } catch (error) {
          // of the disk, not of the connection
          failure = error
          break
        }
        if (work.left() === 0 || signal.aborted) break
      }
    } catch {
      // connection, server or consumer was lost, or a message: another consumer goes on after the last one
      consumer = undefined
      await sleep(100, signal)
    }
    if (failure) throw failure
    return count
  }

  return {
    read,
    async catchUp() {
      const { num_pending } = await open()
      for (let taken = 0, empty = 0; taken < num_pending && empty < 3 && !signal.aborted; ) {
        const count = await read()
        taken += count
        empty = count === 0 ? empty + 1 : 0
      }
    },
  }
}
