/**
 * Threads that solve columns of `redmax`: how they are started, and how columns are taken, on one Int32Array that all share.
 *
 * The ticket holds the number of the turn and how many columns are left in it. A column is taken by lowering that number, compare and exchange, so that
 * it has one owner and a thread that fell behind takes nothing of a later turn. A thread writes its columns to memory of its own, then the turn
 * to its mark of the column; a column that comes after its turn is read by nobody. The thread that steps never sleeps, for a page's main
 * thread may not; the others look for a while and then sleep on the ticket.
 *
 * Threads end with the process, or when nothing refers to them any more.
 */
import type { Vec } from '../math/types.js'
import { memorySize, viewMemory, writeMatrix, writeModel } from '../solvers/redmax/column-task.js'
import { type ColumnThreads, LATE, type StartThreads } from '../solvers/redmax/shared-columns.js'
import { BITS, type ColumnOrder, LEFT, markOf, nodeThreads, READY, STOP, TICKET, TURNS } from './column-protocol.js'

// whoever drops the threads lets them go
const dropped = /* @__PURE__ */ new FinalizationRegistry<Int32Array>((control) => {
  Atomics.store(control, STOP, 1)
  Atomics.notify(control, TICKET)
})

export const startColumnThreads: StartThreads = (task, model, count) => {
  const why = cannotShare()
  if (why !== '') return noThreads(why)
  const memory = new SharedArrayBuffer(memorySize(task))
  const control = new Int32Array(new SharedArrayBuffer(4 * markOf(task, count, 0)))
  const views = viewMemory(task, memory)
  writeModel(views, model)
  const answers: Float64Array[] = []
  // what threads tell; apart from what is returned, which they must not keep
  const told = { trouble: '' }
  for (let thread = 0; thread < count; thread++) {
    const own = new Float64Array(new SharedArrayBuffer(8 * task.columns * task.nv))
    answers.push(own)
    const order: ColumnOrder = {
      task,
      memory,
      control: control.buffer as SharedArrayBuffer,
      answers: own.buffer as SharedArrayBuffer,
      thread,
    }
    const trouble = startThread(order, (message) => {
      told.trouble = message
    })
    if (trouble !== '') told.trouble = trouble
  }
  let turn = 0
  const { nv } = task

  /** The thread that finished column k in this turn; −1: none. */
  const whoHas = (k: number): number => {
    for (let thread = 0; thread < count; thread++) if (Atomics.load(control, markOf(task, thread, k)) === turn) return thread
    return -1
  }

  const threads: ColumnThreads = {
    get ready() {
      return Atomics.load(control, READY)
    },
    get trouble() {
      return told.trouble
    },
    write: (s, factor, iterative) => writeMatrix(views, s, factor, iterative),
    open(b, first, n) {
      turn = (turn + 1) % TURNS
      for (let k = 0; k < n; k++) {
        views.G.set(b[first + k], k * nv)
        for (let thread = 0; thread < count; thread++) Atomics.store(control, markOf(task, thread, k), -1)
      }
      Atomics.store(control, TICKET, (turn << BITS) | n)
      Atomics.notify(control, TICKET, Math.min(count, n - 1))
    },
    take: () => takeColumn(control, Atomics.load(control, TICKET)),
    fetch(x, k) {
      const thread = whoHas(k)
      if (thread < 0) return LATE
      copyColumn(x, answers[thread], k * nv)
      return control[markOf(task, thread, k) + 1]
    },
    has: (k) => whoHas(k) >= 0,
  }
  dropped.register(threads, control)
  return threads
}

/** Takes one column of the ticket, or of the one that is there by now; −1 where none is left. */
function takeColumn(control: Int32Array, seen: number): number {
  for (let ticket = seen; ; ) {
    const left = ticket & LEFT
    if (left === 0) return -1
    const found = Atomics.compareExchange(control, TICKET, ticket, ticket - 1)
    if (found === ticket) return left - 1
    ticket = found
  }
}

function copyColumn(x: Vec, from: Vec, o: number): void {
  for (let i = 0; i < x.length; i++) x[i] = from[o + i]
}

function noThreads(trouble: string): ColumnThreads {
  return { ready: 0, trouble, write: () => {}, open: () => {}, take: () => -1, fetch: () => LATE, has: () => false }
}

function cannotShare(): string {
  if (typeof SharedArrayBuffer === 'undefined')
    return 'there is no shared memory here; a page needs the headers cross-origin-opener-policy: same-origin and cross-origin-embedder-policy: require-corp'
  if (nodeThreads() === undefined && typeof Worker === 'undefined') return 'there are no threads here; Node has them from 20.16 on'
  return ''
}

/** Empty, or why it could not be started; what goes wrong later is told. */
function startThread(order: ColumnOrder, tell: (trouble: string) => void): string {
  try {
    const node = nodeThreads()
    if (node) {
      // not in one expression: bundlers for pages would take the file along as it is
      const file = './column-worker.js'
      // flags of the process, such as one for how its main text is read, are not for it
      const thread = new node.Worker(new URL(file, import.meta.url), { workerData: order, execArgv: [] })
      thread.on('error', ({ message }) => tell(`a thread failed: ${message}`))
      // a process that has nothing else to do ends
      thread.unref()
      return ''
    }
    const thread = new Worker(new URL('./column-worker.js', import.meta.url), { type: 'module' })
    thread.onerror = ({ message }) => tell(`a thread failed: ${message || 'its file could not be loaded'}`)
    thread.postMessage(order)
    return ''
  } catch (error) {
    return `no thread could be started: ${error instanceof Error ? error.message : String(error)}`
  }
}
