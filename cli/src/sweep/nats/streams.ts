/**
 * A sweep on a server: a work queue of jobs, and a stream of the task and of results. Their names hold the sweep's own number, so that two sweeps never mix.
 *
 *   limber.ID.job.N      a job, until a worker has acknowledged it; at most one message a job, whoever asks for it
 *   limber.ID.task.K     the task in pieces; limber.ID.task.head comes last
 *   limber.ID.result.N   rows, in pieces where they are large; a job that was done twice has two
 */
import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Link } from './link.js'

export const jobsStream = (id: string): string => `limber_jobs_${id}`
export const resultsStream = (id: string): string => `limber_results_${id}`
export const jobSubject = (id: string, job: number | string): string => `limber.${id}.job.${job}`
export const resultSubject = (id: string, job: number | string): string => `limber.${id}.result.${job}`
export const taskSubject = (id: string, piece: number | 'head'): string => `limber.${id}.task.${piece}`
/** the consumer that all workers share */
export const workers = 'workers'

/** headers of a piece of a row: which of how many, and of which attempt */
export const pieceHeader = 'Limber-Piece'
export const attemptHeader = 'Limber-Attempt'

/** what nobody asked for in this time is given up by the server, in days */
const oldest = 30
const DAY = 86_400e9
/** what the server says to a stream, and to a consumer, of a name that it has with other settings */
const ALREADY_THERE = [10_058, 10_013, 10_105, 10_148]
/** the server's answer to a second message where one is all there may be */
const ALREADY_QUEUED = 'maximum messages per subject exceeded'

/** Makes what is missing of the streams of a sweep. */
export async function makeStreams({ manager }: Link, id: string, retryAfter: number): Promise<void> {
  const { AckPolicy, DiscardPolicy, JetStreamApiError, RetentionPolicy, StorageType } = await import('@nats-io/jetstream')
  // one that is there, from an earlier run, stays as it is
  const there = (error: unknown): void => {
    if (!(error instanceof JetStreamApiError && ALREADY_THERE.includes(error.code))) throw error
  }
  await manager.streams
    .add({
      name: resultsStream(id),
      subjects: [resultSubject(id, '*'), `limber.${id}.task.*`],
      storage: StorageType.File,
      max_age: oldest * DAY,
    })
    .catch(there)
  await manager.streams
    .add({
      name: jobsStream(id),
      subjects: [jobSubject(id, '*')],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      max_age: oldest * DAY,
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
    })
    .catch(there)
  await manager.consumers
    .add(jobsStream(id), {
      durable_name: workers,
      ack_policy: AckPolicy.Explicit,
      ack_wait: retryAfter * 1e9,
      max_deliver: -1,
      max_ack_pending: 1_000_000,
      max_waiting: 10_000,
    })
    .catch(there)
}

/** Deletes all of a sweep; what is gone already is no error. */
export async function removeStreams({ manager }: Link, id: string): Promise<void> {
  const { JetStreamApiCodes, JetStreamApiError } = await import('@nats-io/jetstream')
  for (const stream of [jobsStream(id), resultsStream(id)]) {
    await manager.streams.delete(stream).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)) throw error
    })
  }
}

interface Head {
  readonly pieces: number
  readonly sha256: string
}

/** Publishes the task, unless an earlier run has. */
export async function putTask(link: Link, id: string, text: string, signal: AbortSignal): Promise<void> {
  const stream = resultsStream(id)
  const head = await link.insist(() => link.manager.streams.getMessage(stream, { last_by_subj: taskSubject(id, 'head') }), stream, signal)
  if (head) return
  const pieces = cut(link, gzipSync(text))
  for (const [k, piece] of pieces.entries()) {
    await link.insist(() => link.client.publish(taskSubject(id, k), piece, { msgID: `task.${k}` }), stream, signal)
  }
  const content: Head = { pieces: pieces.length, sha256: createHash('sha256').update(text).digest('hex') }
  await link.insist(() => link.client.publish(taskSubject(id, 'head'), JSON.stringify(content), { msgID: 'task.head' }), stream, signal)
}

/** The text of the task; undefined where it is not there. */
export async function getTask({ manager }: Link, id: string): Promise<string | undefined> {
  const get = (piece: number | 'head') => manager.streams.getMessage(resultsStream(id), { last_by_subj: taskSubject(id, piece) })
  const head = (await get('head'))?.json<Head>()
  if (!head) return undefined
  const pieces: Uint8Array[] = []
  for (let k = 0; k < head.pieces; k++) {
    const piece = await get(k)
    if (!piece) return undefined
    pieces.push(piece.data)
  }
  const text = gunzipSync(Buffer.concat(pieces)).toString('utf8')
  return createHash('sha256').update(text).digest('hex') === head.sha256 ? text : undefined
}

/** Publishes a job; one that is queued already is not queued twice. `round` sets apart what the server would take for the same message sent again. */
export async function putJob(link: Link, id: string, job: number, content: string, round: string, signal: AbortSignal): Promise<void> {
  const publish = async (): Promise<void> => {
    try {
      await link.client.publish(jobSubject(id, job), content, { msgID: `${job}${round}` })
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(ALREADY_QUEUED))) throw error
    }
  }
  await link.insist(publish, jobsStream(id), signal)
}

/** Publishes a row. */
export async function putResult(link: Link, id: string, job: number, attempt: string, text: string, signal: AbortSignal): Promise<void> {
  const { headers } = await import('@nats-io/transport-node')
  const pieces = cut(link, gzipSync(text))
  for (const [k, piece] of pieces.entries()) {
    const heading = headers()
    heading.set(pieceHeader, `${k} of ${pieces.length}`)
    heading.set(attemptHeader, attempt)
    const options = { msgID: `${job}.${attempt}.${k}`, headers: heading }
    await link.insist(() => link.client.publish(resultSubject(id, job), piece, options), resultsStream(id), signal)
  }
}

/** True if all of a row of this job is on the server. */
export async function hasResult({ manager }: Link, id: string, job: number): Promise<boolean> {
  const last = await manager.streams.getMessage(resultsStream(id), { last_by_subj: resultSubject(id, job) })
  const [piece, pieces] = readPiece(last?.header.get(pieceHeader))
  return last !== null && piece === pieces - 1
}

/** Number of a piece, and how many there are. */
export function readPiece(text = ''): readonly [piece: number, pieces: number] {
  const [, piece, pieces] = /^(\d+) of (\d+)$/.exec(text) ?? []
  return [Number(piece ?? 0), Number(pieces ?? 0)]
}

/** In pieces that the server takes. */
function cut(link: Link, bytes: Uint8Array): Uint8Array[] {
  // headers count too
  const size = Math.min(1 << 19, link.maxPayload() - 4096)
  return Array.from({ length: Math.max(1, Math.ceil(bytes.length / size)) }, (_, k) => bytes.subarray(k * size, (k + 1) * size))
}
