/** What the processes of the MPI tests do; the first argument names it. Processor 0 prints a line of JSON. */
import { openMpi } from 'limber/node'
import { measureRoundTrip, serveRoundTrip } from 'limber/parallel'
import { bytesPerCall } from '../allocation/bytes-per-call.js'
import { CAPACITY, sumsOfMessages } from './messages.js'

const [, , what = '', ...given] = process.argv
const { link, finish } = await openMpi({ capacity: CAPACITY })
const { rank, processors } = link
const x = new Float64Array(1000 * CAPACITY)

const print = (value: unknown): void => {
  if (rank === 0) process.stdout.write(`${JSON.stringify(value)}\n`)
}
/** Nothing comes: waits for ever. */
const waitInVain = (): void => link.receive((rank + 1) % processors, x, 0, 1)

const programs: Readonly<Record<string, () => void>> = {
  messages: () => print(given.map((seed) => sumsOfMessages(link, Number(seed)))),

  // all send to all much more than rings hold before anybody receives
  'at once': () => {
    const n = x.length
    for (let r = 0; r < processors; r++) link.send(r, x.fill(1000 * rank + r), 0, n)
    for (let r = 0; r < processors; r++) {
      link.receive(r, x.fill(0), 0, n)
      if (!x.every((value) => value === 1000 * r + rank)) throw new Error(`wrong numbers from ${r} to ${rank}`)
    }
    link.send(0, x.fill(rank), 0, 1)
    if (rank === 0)
      print(
        Array.from({ length: processors }, (_, r) => {
          link.receive(r, x, 0, 1)
          return x[0]
        }),
      )
  },

  'round trip': () => {
    if (rank === 0) print(measureRoundTrip(link, () => performance.now() / 1000, Number(given[0])))
    if (rank === 1) serveRoundTrip(link)
  },

  allocation: () => {
    if (rank === 0) {
      const bytes = bytesPerCall(() => {
        link.send(1, x, 0, 24)
        link.receive(1, x, 0, 27)
      }, 2000)
      x[0] = 1
      link.send(1, x, 0, 24)
      print(bytes)
    } else if (rank === 1)
      for (;;) {
        link.receive(0, x, 0, 24)
        if (x[0] !== 0) return
        link.send(0, x, 0, 27)
      }
  },

  length: () => {
    link.send((rank + 1) % processors, x, 0, 3)
    if (rank === 0) link.receive(processors - 1, x, 0, 2)
    else waitInVain()
  },

  throw: () => {
    if (rank === 1) throw new Error('out of paper')
    waitInVain()
  },
  fail: () => {
    if (rank === 1) link.fail?.('out of ink')
    waitInVain()
  },
  exit: () => {
    if (rank === 1) process.exit(0)
    waitInVain()
  },

  // one line a processor, with its process
  wait: () => {
    process.stdout.write(`${JSON.stringify({ rank, pid: process.pid, sees: processors })}\n`)
    waitInVain()
  },
}

programs[what]()
finish()
