/**
 * A thread that solves columns for `column-threads`, until it is told to stop.
 */
import { createColumnSolver, viewMemory } from '../solvers/redmax/column-task.js'
import { BITS, type ColumnOrder, LEFT, markOf, nodeThreads, READY, STOP, TICKET } from './column-protocol.js'

// looks at the ticket before going to sleep, a few microseconds. With 20,000 steps of half a millisecond gain 60 % in place of 35 where a core is idle,
// but lose 30 % where none is: then they are looks at the cost of the thread that steps
const LOOKS = 400
// milliseconds
const NAP = 1000

function serve({ task, memory, control: words, answers, thread }: ColumnOrder): void {
  const control = new Int32Array(words)
  let turn = 0
  const isStale = (): boolean => Atomics.load(control, TICKET) >> BITS !== turn
  const solve = createColumnSolver(task, viewMemory(task, memory), isStale)
  const columns = Array.from({ length: task.columns }, (_, k) => new Float64Array(answers, 8 * k * task.nv, task.nv))
  Atomics.add(control, READY, 1)
  for (let looks = 0; Atomics.load(control, STOP) === 0; ) {
    const ticket = Atomics.load(control, TICKET)
    const left = ticket & LEFT
    if (left === 0) {
      // not for good: to stop may be told just before it sleeps
      if (++looks > LOOKS) Atomics.wait(control, TICKET, ticket, NAP)
      continue
    }
    looks = 0
    if (Atomics.compareExchange(control, TICKET, ticket, ticket - 1) !== ticket) continue
    turn = ticket >> BITS
    const mark = markOf(task, thread, left - 1)
    control[mark + 1] = solve(columns[left - 1], left - 1)
    Atomics.store(control, mark, turn)
  }
}

const node = nodeThreads()
if (node) serve(node.workerData as ColumnOrder)
else {
  globalThis.onmessage = ({ data }: MessageEvent<ColumnOrder>) => {
    serve(data)
    globalThis.close()
  }
}
