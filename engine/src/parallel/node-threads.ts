/**
 * Threads of a parallel run in Node. One more thread starts them and sees them end: the calling thread may be asleep in a `receive` and would
 * learn of an end too late, or never. It sleeps otherwise.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { defaultSpin, type StartThreadsOptions, stopAll, type Threads } from './start.js'
import { createSharedLinks, FAILED, FIRST_FAILED, LENGTH, LONGEST, processorWords, STATE, TEXT } from './threads.js'

/** Starts the threads of all processors but the first; resolves when all are ready. A program may end without stopping them. */
export async function startThreads({ processors, capacity, task, spin, thread }: StartThreadsOptions): Promise<Threads> {
  const { buffer, link: join } = createSharedLinks(processors, capacity, { spin: spin ?? defaultSpin(processors, availableParallelism()) })
  const link = join(0)
  if (processors === 1) return { link, stop: () => undefined, ended: () => undefined }
  const module = String(thread ?? new URL('./thread-main.js', import.meta.url))
  const starts = Array.from({ length: processors - 1 }, (_, k) => ({ buffer, rank: k + 1, task }))
  const words = starts.map(({ rank }) => processorWords(rank))
  const supervisor = new Worker(supervise, { eval: true, workerData: { module, script: runOne, starts, words } })
  const stop = (): void => stopAll(buffer, link, () => void supervisor.terminate())
  await new Promise<void>((resolve, reject) => {
    supervisor.once('message', (why: string | undefined) => (why === undefined ? resolve() : reject(new Error(why))))
    supervisor.once('error', reject)
  }).catch((error: unknown) => {
    stop()
    throw error
  })
  supervisor.unref()
  return { link, stop, ended: () => link.gone() }
}

/** Runs one processor. */
const runOne = `
const { parentPort, workerData: { module, start } } = require('node:worker_threads')
import(module).then(({ runThread }) => runThread(start, () => parentPort.postMessage('ready')))`

/** Starts all, and writes into the shared words why one that said nothing itself is gone. */
const supervise = `
const { parentPort, Worker, workerData: { module, script, starts, words } } = require('node:worker_threads')
let left = starts.length
starts.forEach((start, k) => {
  const shared = new Int32Array(start.buffer)
  const own = words[k]
  const worker = new Worker(script, { eval: true, workerData: { module, start } })
  let why
  worker.once('message', () => { if (--left === 0) parentPort.postMessage(undefined) })
  worker.once('error', (error) => { why = error.message })
  worker.once('exit', (code) => {
    if (Atomics.load(shared, own + ${STATE}) !== 0) return
    const text = (why ?? 'its thread ended with exit code ' + code).slice(0, ${LONGEST})
    for (let c = 0; c < text.length; c++) shared[own + ${TEXT} + c] = text.charCodeAt(c)
    shared[own + ${LENGTH}] = text.length
    Atomics.store(shared, own + ${STATE}, ${FAILED})
    Atomics.compareExchange(shared, ${FIRST_FAILED}, 0, start.rank + 1)
    if (left > 0) parentPort.postMessage('thread of processor ' + start.rank + ' did not start: ' + text)
  })
})`
