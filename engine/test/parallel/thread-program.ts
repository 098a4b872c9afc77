/** What the threads of the tests do, by the name of their task. */
import { serveRoundTrip } from 'limber/parallel'
import { threadOf } from '../../src/parallel/thread.js'
import { sumsOfMessages } from './messages.js'

export type TestTask = { readonly seed: number; readonly sums: number } | { readonly act: Act; readonly rank: number }
/** what the thread of one rank does after it has received one number, where all others pass that number on to the next */
export type Act = 'round trip' | 'throw' | 'exit' | 'out of memory' | 'end' | 'wait'

const acts: Readonly<Record<Act, () => void>> = {
  'round trip': () => undefined,
  throw: () => {
    throw new Error('out of paper')
  },
  exit: () => process.exit(3),
  'out of memory': () => {
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, k) => k + 0.5))
  },
  end: () => undefined,
  wait: () => undefined,
}

export const runThread = threadOf(async (link, given) => {
  const task = given as TestTask
  if ('seed' in task) {
    for (let k = 0; k < task.sums; k++) sumsOfMessages(link, task.seed + k)
    return
  }
  if (task.act === 'round trip') {
    if (link.rank === 1) serveRoundTrip(link)
    return
  }
  const x = new Float64Array(1)
  if (link.rank === task.rank) {
    link.receive(0, x, 0, 1)
    acts[task.act]()
    if (task.act === 'end') return
  }
  // never sent
  link.receive(task.act === 'wait' ? 0 : task.rank, x, 0, 1)
})
