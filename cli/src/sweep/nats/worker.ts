/**
 * A worker: finds the sweeps on a server, takes their jobs one by one and sends rows back. A row is sent before its job is acknowledged, so that a job
 * whose worker dies is given to another; a job may be run twice, but is never lost.
 */
import { randomUUID } from 'node:crypto'
import type { Consumer, JsMsg } from '@nats-io/jetstream'
import type { Value } from '../../values.js'
import { version } from '../../version.js'
import { createPool, type Pool } from '../pool.js'
import { failedResult } from '../run-job.js'
import { decode, type SweepTask } from '../task.js'
import { type Link, pull, sleep } from './link.js'
import { getTask, hasResult, jobSubject, jobsStream, putResult, workers } from './streams.js'

export interface WorkerOptions {
  readonly threads: number
  /** seconds without work after which it ends; undefined: it stays */
  readonly idle?: number | undefined
  /** the only sweep to work for; undefined: all that there are */
  readonly only?: string | undefined
  readonly signal: AbortSignal
  note(text: string): void
}

export interface WorkerReport {
  readonly jobs: number
  readonly failed: number
}

/** A sweep that the worker works for. */
interface Joined {
  readonly id: string
  readonly task: SweepTask
  readonly consumer: Consumer
  /** milliseconds between signs of life */
  readonly pulse: number
  /** threads begin with the first job */
  pool(): Promise<Pool>
  leave(): Promise<void>
}

/** how often a job may be handed out before it counts as what kills workers */
const deliveries = 5
/** milliseconds: between looks for sweeps, for a job to come, after trouble */
const look = 1000
const wait = 1000
const rest = 300

export async function runWorker(link: Link, options: WorkerOptions): Promise<WorkerReport> {
  const { threads, idle, note } = options
  const joined = new Map<string, Joined>()
  const total = { jobs: 0, failed: 0 }
  const ended = new AbortController()
  const { signal } = ended
  const end = (): void => ended.abort()
  options.signal.addEventListener('abort', end)
  let busy = 0
  let last = performance.now()
  let turn = 0

  /** Takes jobs of all sweeps in turn, one at a time. */
  const serve = async (): Promise<void> => {
    while (!signal.aborted) {
      const sweep = [...joined.values()][turn++ % Math.max(1, joined.size)]
      const message = sweep && (await nextJob(sweep).catch(() => undefined))
      if (!sweep || message === undefined) await sleep(rest, signal)
      else if (message) {
        busy++
        const ok = await serveJob(link, sweep, message, signal)
        busy--
        last = performance.now()
        if (ok !== undefined) total.jobs++
        if (ok === false) total.failed++
      }
    }
  }
  const serving = Array.from({ length: threads }, serve)
  const seen = new Set<string>()
  while (!signal.aborted) {
    await findSweeps(link, options, joined, seen).catch(() => {})
    if (busy > 0) last = performance.now()
    if (idle !== undefined && performance.now() - last > idle * 1000) {
      note(`limber: no work for ${idle} s`)
      end()
    }
    if (link.connection.isClosed()) end()
    await sleep(look, signal)
  }
  options.signal.removeEventListener('abort', end)
  // ends the jobs that run, and with them the loops
  await Promise.all([...joined.values()].map((sweep) => sweep.leave()))
  await Promise.all(serving)
  return total
}

/** Joins sweeps that are new and leaves those that are gone. */
async function findSweeps(
  link: Link,
  { threads, only, note }: WorkerOptions,
  joined: Map<string, Joined>,
  seen: Set<string>,
): Promise<void> {
  const there = new Set<string>()
  for await (const name of link.manager.streams.names(jobSubject('*', '*'))) {
    const id = /^limber_jobs_([0-9a-f]{16})$/.exec(name)?.[1]
    if (id !== undefined && (only === undefined || id === only)) there.add(id)
  }
  for (const [id, sweep] of joined) {
    if (there.has(id)) continue
    joined.delete(id)
    seen.delete(id)
    await sweep.leave()
    note(`limber: the sweep ${id} of ${sweep.task.file} has ended`)
  }
  for (const id of there) {
    if (joined.has(id)) continue
    const sweep = await join(link, id, threads).catch((error: Error) => error)
    if (!sweep) continue
    const first = !seen.has(id)
    seen.add(id)
    if (sweep instanceof Error) {
      if (first) note(`limber: cannot work for the sweep ${id}: ${sweep.message}`)
    } else {
      joined.set(id, sweep)
      note(`limber: working for the sweep ${id} of ${sweep.task.file}`)
    }
  }
}

/** Undefined while the sweep is not all there yet. */
async function join(link: Link, id: string, threads: number): Promise<Joined | undefined> {
  const text = await getTask(link, id)
  if (text === undefined) return undefined
  const task = decode(text) as SweepTask
  if (task.limber !== version) throw new Error(`it was begun by limber ${task.limber}, and this is ${version}; results would not agree`)
  const consumer = await link.client.consumers.get(jobsStream(id), workers)
  const { config } = await consumer.info(true)
  let pool: Promise<Pool> | undefined
  return {
    id,
    task,
    consumer,
    pulse: (config.ack_wait ?? 30e9) / 1e6 / 3,
    pool: () => (pool ??= createPool(task, text, threads)),
    leave: async () => (await pool)?.close(),
  }
}

/** Null if there is none at the moment. */
async function nextJob({ consumer }: Joined): Promise<JsMsg | null> {
  for await (const message of pull(consumer, 1, wait)) return message
  return null
}

/** Runs a job; true if its row is ok, false if it is not, undefined if the job goes back or was done before. */
async function serveJob(link: Link, sweep: Joined, message: JsMsg, signal: AbortSignal): Promise<boolean | undefined> {
  const { id, task, pulse } = sweep
  const timer = setInterval(() => message.working(), pulse)
  try {
    const job = Number(message.subject.split('.').at(-1))
    const { values } = message.json<{ readonly values: readonly Value[] }>()
    const { deliveryCount } = message.info
    // the row of a worker that was cut off before it could say so
    if (deliveryCount > 1 && (await hasResult(link, id, job))) {
      message.ack()
      return undefined
    }
    const result =
      deliveryCount > deliveries
        ? failedResult(
            job,
            settingsOf(task, values),
            `given up: it was handed out ${deliveries} times, and each time its worker died or was cut off`,
          )
        : await (await sweep.pool()).run(job, values)
    await putResult(link, id, job, randomUUID().slice(0, 8), result.text, signal)
    message.ack()
    return result.ok
  } catch {
    // stopped, or the sweep is gone: let another worker have it at once
    message.nak()
    return undefined
  } finally {
    clearInterval(timer)
  }
}

function settingsOf(task: SweepTask, values: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(task.keys.map((key, k) => [key, values[k] as Value]))
}
