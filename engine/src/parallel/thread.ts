/**
 * What a thread of a parallel run does: joins the others, says that it is ready, runs its program, and tells the others how that ended.
 */
import type { Link } from './link.js'
import { joinSharedLink } from './threads.js'

/** What a thread is given. */
export interface ThreadStart {
  readonly buffer: SharedArrayBuffer
  readonly rank: number
  readonly task: unknown
}

/** Runs a thread's program to its end; calls `ready` before. */
export type RunThread = (start: ThreadStart, ready: () => void) => Promise<void>

/** the scope of a worker of a page, as far as it is used here */
interface WorkerScope {
  onmessage?: (event: { readonly data: ThreadStart }) => void
  postMessage?: (message: string) => void
  readonly WorkerGlobalScope?: unknown
}

/** The thread with this program. In a worker of a page it starts at the first message. */
export function threadOf(serve: (link: Link, task: unknown) => Promise<void>): RunThread {
  const run: RunThread = async ({ buffer, rank, task }, ready) => {
    const link = joinSharedLink(buffer, rank)
    ready()
    try {
      await serve(link, task)
      link.end()
    } catch (error) {
      link.fail(error instanceof Error ? error.message : String(error))
    }
  }
  const scope = globalThis as unknown as WorkerScope
  if (scope.WorkerGlobalScope !== undefined) scope.onmessage = ({ data }) => void run(data, () => scope.postMessage?.('ready'))
  return run
}
