/** A thread that answers questions one at a time: this end of it. */
import { Worker } from 'node:worker_threads'

export interface AskedThread {
  /** The next message of the thread: its first, when it is ready, is null where its engine is not installed. */
  answer(): Promise<unknown>
  /** Posts a question, and gives the answer. */
  ask(question: unknown): Promise<unknown>
  stop(): Promise<void>
}

/** Starts the file at this address on the task. */
export function startAsking(file: string, task: object): AskedThread {
  const worker = new Worker(new URL(file), { workerData: task })
  const answer = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    }).finally(() => worker.removeAllListeners('error'))
  return {
    answer,
    ask(question) {
      worker.postMessage(question)
      return answer()
    },
    async stop() {
      await worker.terminate()
    },
  }
}
