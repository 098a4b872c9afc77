/**
 * Links of one thread: a queue for each pair of processors that has something to say. Whoever runs them asks `arrived` before `receive`.
 */
import type { Vec } from '../math/types.js'
import { checkLinks, type Link, wrongLength } from './link.js'

/** messages that a pair may have under way: more means that somebody sends what nobody takes */
const SLOTS = 16
/** where counts begin again */
const COUNT = 0x3fffffff

/** Messages from one processor to another. */
interface Queue {
  readonly numbers: Vec
  readonly lengths: Int32Array
  /** messages that are longer than the capacity, at their slot */
  readonly large: (Vec | undefined)[]
  sent: number
  taken: number
}

/** The links of all processors. `capacity` is the length of an ordinary message; longer ones get memory of their own. */
export function createInProcessLinks(processors: number, capacity: number): Link[] {
  checkLinks(processors, capacity)
  // by receiver and sender, made when they first speak: of many processors few pairs do
  const queues = Array.from({ length: processors }, () => new Map<number, Queue>())
  return queues.map((incoming, rank) => ({
    rank,
    processors,
    send(to, x, o, n) {
      const queue = queues[to].get(rank) ?? addQueue(queues[to], rank, capacity)
      if (((queue.sent - queue.taken) & COUNT) === SLOTS)
        throw new Error(
          `processor ${to} has taken none of the last ${SLOTS} messages of processor ${rank}; one must receive what the other sends`,
        )
      const slot = queue.sent % SLOTS
      queue.lengths[slot] = n
      if (n > capacity) queue.large[slot] = x.slice(o, o + n)
      else for (let k = 0, at = slot * capacity; k < n; k++) queue.numbers[at + k] = x[o + k]
      queue.sent = (queue.sent + 1) & COUNT
    },
    arrived(from) {
      const queue = incoming.get(from)
      return queue !== undefined && queue.sent !== queue.taken
    },
    receive(from, x, o, n) {
      const queue = incoming.get(from)
      if (queue === undefined || queue.sent === queue.taken)
        throw new Error(`no message of processor ${from} has arrived at processor ${rank}; ask arrived(${from}) first`)
      const slot = queue.taken % SLOTS
      if (queue.lengths[slot] !== n) throw wrongLength(from, queue.lengths[slot], n)
      const large = queue.large[slot]
      if (large) {
        x.set(large, o)
        queue.large[slot] = undefined
      } else for (let k = 0, at = slot * capacity; k < n; k++) x[o + k] = queue.numbers[at + k]
      queue.taken = (queue.taken + 1) & COUNT
    },
  }))
}

function addQueue(queues: Map<number, Queue>, from: number, capacity: number): Queue {
  const queue: Queue = {
    numbers: new Float64Array(SLOTS * capacity),
    lengths: new Int32Array(SLOTS),
    large: Array.from({ length: SLOTS }, () => undefined),
    sent: 0,
    taken: 0,
  }
  queues.set(from, queue)
  return queue
}
