/**
 * Threads of a batch. All see one shared memory; each takes some groups at a time until none is left, so that a thread that is held up does
 * not hold up the others. Groups do not know of each other, so results have the same bits for any number of threads.
 *
 * Threads run a few lines of plain JavaScript that are handed over as text: no file that a bundler or a test would have to find.
 */
import { type LaneLayout, THREAD_WORDS } from '../kernels/lane-layout.js'

/** What a thread is given: structured data, WebAssembly modules and their shared memory. */
export interface ThreadTask {
  readonly modules: readonly WebAssembly.Module[]
  readonly memory: WebAssembly.Memory
  /** kernels by the number of their task */
  readonly kernels: readonly string[]
  readonly groups: number
  readonly tree: number
  readonly treeStride: number
  readonly group: number
  readonly groupStride: number
  readonly work: number
  readonly step: number
  /** where the thread's own words begin */
  readonly words: number
}

/** A thread that runs. */
export interface BatchThread {
  /** Ends it. */
  stop(): void
  /** Why it ended by itself, as far as that is known; undefined while it runs, or where nothing tells. */
  ended?(): string | undefined
}

/**
 * Starts a thread on a script that defines `serve(task, ready)`, calls it with the task, and is done when the script calls `ready`. Pages have
 * one of their own; `limber/node` has `startThread`.
 */
export type StartThread = (script: string, task: ThreadTask) => Promise<BatchThread>

/** words of the memory that threads speak through: number of the run, threads at work, next group, task, repetitions, groups at a time */
const RUN = 0
const BUSY = 1
const NEXT = 2
const TASK = 3
const TIMES = 4
const TAKEN = 5
/** of a thread's own words: steps of groups so far, which tell that it is alive; length of the message of an error, then its characters */
const BEAT = 0
const LENGTH = 1
const MESSAGE = 2
const LONGEST = THREAD_WORDS - MESSAGE
/**
 * How long the calling thread waits for a sign of life of those at work, in parts, so that a computer that sleeps meanwhile costs one of them
 * only. A step of a group takes less than a millisecond; none in seconds, and the thread is gone: ended from outside, or out of memory.
 */
const PARTS = 5
const PART_MILLISECONDS = 1000
/** where the calling thread may not sleep: looks in a part */
const PART_LOOKS = 2 ** 27
/** groups that a thread takes at a time where a task is a step: a few hundred microseconds of work at most */
const TAKE = 4

const script = `
function serve(task, ready) {
  const exports = Object.assign({}, ...task.modules.map((module) => new WebAssembly.Instance(module, { env: { memory: task.memory } }).exports))
  const kernels = task.kernels.map((name) => exports[name])
  const words = new Int32Array(task.memory.buffer, 0, ${THREAD_WORDS})
  const own = new Int32Array(task.memory.buffer, task.words, ${THREAD_WORDS})
  const { groups, tree, treeStride, group, groupStride, work, step } = task
  const done = () => {
    if (Atomics.sub(words, ${BUSY}, 1) === 1) Atomics.notify(words, ${BUSY})
  }
  let run = Atomics.load(words, ${RUN})
  ready()
  for (;;) {
    Atomics.wait(words, ${RUN}, run)
    run = Atomics.load(words, ${RUN})
    if (run < 0) return
    const kernel = kernels[words[${TASK}]]
    const times = words[${TIMES}]
    const take = words[${TAKEN}]
    try {
      for (;;) {
        const first = Atomics.add(words, ${NEXT}, take)
        if (first >= groups) break
        const end = Math.min(first + take, groups)
        for (let g = first; g < end; g++)
          for (let n = 0; n < times; n++) {
            kernel(tree + g * treeStride, work, group + g * groupStride, step)
            own[${BEAT}]++
          }
      }
    } catch (error) {
      const text = String(error).slice(0, ${LONGEST})
      for (let k = 0; k < text.length; k++) own[${MESSAGE} + k] = text.charCodeAt(k)
      Atomics.store(own, ${LENGTH}, text.length)
      done()
      throw error
    }
    done()
  }
}
`

export type GroupKernel = (tree: number, work: number, group: number, step: number) => void

export interface Pool {
  /** Runs a task `times` times on every group; a thread takes `take` groups at a time. */
  run(task: number, times: number, take?: number): void
  close(): void
}

/** The calling thread alone. */
export function oneThread(kernels: readonly GroupKernel[], { groups, tree, treeStride, group, groupStride, work, step }: LaneLayout): Pool {
  return {
    run(task, times) {
      const kernel = kernels[task]
      for (let g = 0; g < groups; g++)
        for (let n = 0; n < times; n++) kernel(tree + g * treeStride, work[0], group + g * groupStride, step[0])
    },
    close() {},
  }
}

/** The calling thread and others, one for each further work space of the layout. */
export async function manyThreads(
  kernels: readonly GroupKernel[],
  layout: LaneLayout,
  shared: Pick<ThreadTask, 'modules' | 'memory' | 'kernels'>,
  start: StartThread,
): Promise<Pool> {
  const { groups, tree, treeStride, group, groupStride, work, step } = layout
  const words = new Int32Array(shared.memory.buffer, 0, THREAD_WORDS * work.length)
  const others: BatchThread[] = []
  const stop = (): void => {
    Atomics.store(words, RUN, -1)
    Atomics.notify(words, RUN)
    for (const thread of others) thread.stop()
    others.length = 0
  }
  try {
    for (let t = 1; t < work.length; t++)
      others.push(
        await start(script, {
          ...{ ...shared, groups, tree, treeStride, group, groupStride },
          ...{ work: work[t], step: step[t], words: 4 * THREAD_WORDS * t },
        }),
      )
  } catch (error) {
    stop()
    throw error
  }
  const sleeps = maySleep(words)
  let broken: Error | undefined

  /** No step can follow: the environments that the lost thread had taken are somewhere in the middle of theirs. */
  const breakOff = (why: string): Error => {
    broken = new Error(`${why}; the states of this batch are lost: make another, and restore a snapshot`)
    stop()
    return broken
  }
  /** What thread t says of its end. Allocates only then. */
  const lastWords = (t: number): string | undefined => {
    const at = THREAD_WORDS * t
    const length = Atomics.load(words, at + LENGTH)
    if (length === 0) return others[t - 1].ended?.()
    return String.fromCharCode(...words.subarray(at + MESSAGE, at + MESSAGE + length))
  }
  const checkThreads = (when: string): void => {
    for (let t = 1; t <= others.length; t++) {
      const why = lastWords(t)
      if (why !== undefined) throw breakOff(`thread ${t + 1} of ${others.length + 1} ended ${when}: ${why}`)
    }
  }
  const beats = (): number => {
    let sum = 0
    for (let t = 1; t <= others.length; t++) sum = (sum + words[THREAD_WORDS * t + BEAT]) | 0
    return sum
  }
  /** Whether as many as before are at work after a while. */
  const wait = (left: number): boolean => {
    if (sleeps) return Atomics.wait(words, BUSY, left, PART_MILLISECONDS) === 'timed-out'
    for (let looks = 0; looks < PART_LOOKS; looks++) if (Atomics.load(words, BUSY) !== left) return false
    return true
  }
  /** Until no other thread is at work. */
  const waitForOthers = (): void => {
    let silent = 0
    let before = beats()
    for (let left = Atomics.load(words, BUSY); left > 0; left = Atomics.load(words, BUSY)) {
      if (!wait(left)) continue
      const now = beats()
      silent = now === before ? silent + 1 : 0
      before = now
      if (silent === PARTS)
        throw breakOff(
          `${left} of ${others.length + 1} threads ended in the middle of a step, without a word: terminated from outside, or out of memory`,
        )
    }
  }

  return {
    run(task, times, take = TAKE) {
      if (broken) throw broken
      checkThreads('between two steps')
      words[TASK] = task
      words[TIMES] = times
      words[TAKEN] = take
      Atomics.store(words, NEXT, 0)
      Atomics.store(words, BUSY, others.length)
      Atomics.store(words, RUN, (Atomics.load(words, RUN) + 1) & 0x3fffffff)
      Atomics.notify(words, RUN)
      const kernel = kernels[task]
      for (;;) {
        const first = Atomics.add(words, NEXT, take)
        if (first >= groups) break
        const end = Math.min(first + take, groups)
        for (let g = first; g < end; g++)
          for (let n = 0; n < times; n++) kernel(tree + g * treeStride, work[0], group + g * groupStride, step[0])
      }
      waitForOthers()
      checkThreads('in the middle of a step')
    },
    close: stop,
  }
}

/** False on the main thread of a page, which may not sleep: it looks again and again, for the time that the last groups take. */
function maySleep(words: Int32Array): boolean {
  try {
    Atomics.wait(words, RUN, Atomics.load(words, RUN) + 1, 0)
    return true
  } catch {
    return false
  }
}

/** Threads of a page, or undefined where there are none. Policies of a page must allow `worker-src blob:`. */
export function pageThreads(): StartThread | undefined {
  if (typeof Worker === 'undefined' || typeof Blob === 'undefined') return undefined
  return (text, task) =>
    new Promise((resolve, reject) => {
      const source = `${text}\nonmessage = ({ data }) => serve(data, () => postMessage('ready'))`
      const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
      const worker = new Worker(url, { type: 'module' })
      let ended: string | undefined
      worker.onmessage = () => {
        URL.revokeObjectURL(url)
        resolve({ stop: () => worker.terminate(), ended: () => ended })
      }
      worker.onerror = (event) => {
        ended = event.message || 'the thread did not start'
        reject(new Error(ended))
      }
      worker.postMessage(task)
    })
}
