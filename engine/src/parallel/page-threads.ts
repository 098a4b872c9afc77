/**
 * Threads of a parallel run in a page: workers on shared memory, which a page has only where it is served with the headers for it.
 */
import { defaultSpin, type StartThreadsOptions, stopAll, type Threads } from './start.js'
import type { ThreadStart } from './thread.js'
import { createSharedLinks, noteFailure } from './threads.js'

/** Starts the threads of all processors but the first; resolves when all are ready. */
export async function startThreads({ processors, capacity, task, spin, thread }: StartThreadsOptions): Promise<Threads> {
  if (typeof Worker === 'undefined') throw new Error('threads: this is no page; in Node take startThreads of limber/node')
  const { buffer, link: join } = createSharedLinks(processors, capacity, {
    spin: spin ?? defaultSpin(processors, navigator.hardwareConcurrency),
  })
  const link = join(0)
  const workers: Worker[] = []
  const stop = (): void => stopAll(buffer, link, () => workers.forEach((worker) => worker.terminate()))
  const start = (rank: number): Promise<void> =>
    new Promise((resolve, reject) => {
      // a bundler finds the module by this form alone
      const worker = thread
        ? new Worker(thread, { type: 'module' })
        : new Worker(new URL('./thread-main.js', import.meta.url), { type: 'module' })
      workers.push(worker)
      worker.onmessage = () => resolve()
      worker.onerror = (event) => {
        const why = event.message || 'its module could not be loaded'
        noteFailure(buffer, rank, why)
        reject(new Error(`thread of processor ${rank} did not start: ${why}`))
      }
      worker.postMessage({ buffer, rank, task } satisfies ThreadStart)
    })
  try {
    await Promise.all(Array.from({ length: processors - 1 }, (_, k) => start(k + 1)))
  } catch (error) {
    stop()
    throw error
  }
  return { link, stop, ended: () => link.gone() }
}
