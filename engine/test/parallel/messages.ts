/**
 * The program that every kind of link must run: messages in a random pattern that all processors know, then whole states to the first processor
 * and back. Each message is checked where it arrives. Written as a generator, so that links of one thread can take turns.
 */
import type { Link } from 'limber/parallel'
import { createRandom } from '../random.js'

export const CAPACITY = 64
/** numbers of a whole state: many times what a ring holds */
const LARGE = 10_000
const EVENTS = 600

interface Message {
  readonly from: number
  readonly to: number
  readonly n: number
}

/** Messages in an order that all keep to; some of length 0, some longer than the capacity. */
function pattern(processors: number, seed: number): Message[] {
  const random = createRandom(seed)
  return Array.from({ length: EVENTS }, () => {
    const kind = random.below(20)
    const n = kind === 0 ? 0 : kind === 1 ? CAPACITY + random.below(4 * CAPACITY) : 1 + random.below(CAPACITY)
    return { from: random.below(processors), to: random.below(processors), n }
  })
}

/** What number k of message e says: another for each. */
function content(seed: number, e: number, k: number): number {
  return Math.imul(seed + 7919 * e + 104729 * k, 0x9e3779b1) / 4096 + k / 3
}

/** Yields after each message and while one has not arrived; returns a sum over all that this processor received, which depends on their order. */
export function* messages(link: Link, seed: number): Generator<number, number> {
  const { rank, processors } = link
  const x = new Float64Array(LARGE + 3)
  let sum = 0
  const send = (to: number, e: number, n: number): void => {
    for (let k = 0; k < n; k++) x[3 + k] = content(seed, e, k)
    link.send(to, x, 3, n)
    x.fill(Number.NaN)
  }
  const receive = (from: number, e: number, n: number): void => {
    link.receive(from, x, 2, n)
    for (let k = 0; k < n; k++) {
      if (x[2 + k] !== content(seed, e, k)) throw new Error(`message ${e} from ${from} to ${rank}: number ${k} of ${n} is ${x[2 + k]}`)
      sum = (sum * 31 + x[2 + k]) % 1e12
    }
  }
  const list = pattern(processors, seed)
  for (const [e, { from, to, n }] of list.entries()) {
    if (from === rank) send(to, e, n)
    if (to === rank) {
      while (!link.arrived(from)) yield e
      receive(from, e, n)
    }
    yield e
  }
  for (let r = 1; r < processors; r++) {
    if (rank === r) send(0, EVENTS, LARGE)
    if (rank === 0) {
      while (!link.arrived(r)) yield EVENTS
      receive(r, EVENTS, LARGE)
      send(r, EVENTS + 1, LARGE)
    }
    if (rank === r) {
      while (!link.arrived(0)) yield EVENTS
      receive(0, EVENTS + 1, LARGE)
    }
  }
  return sum
}

/** The program to its end, on a link that waits. */
export function runMessages(link: Link, seed: number): number {
  const program = messages(link, seed)
  for (;;) {
    const { done, value } = program.next()
    if (done) return value
  }
}

/** The sums of all processors, on processor 0; none on the others. */
export function sumsOfMessages(link: Link, seed: number): number[] {
  const sum = Float64Array.of(runMessages(link, seed))
  if (link.rank > 0) {
    link.send(0, sum, 0, 1)
    return []
  }
  const sums = [sum[0]]
  for (let r = 1; r < link.processors; r++) {
    link.receive(r, sum, 0, 1)
    sums.push(sum[0])
  }
  return sums
}

/** All processors in turns, in an order by chance; none runs far ahead of the last, for queues are short. */
export function takeTurns(links: readonly Link[], seed: number): number[] {
  const random = createRandom(seed)
  const programs = links.map((link) => ({ program: messages(link, seed), at: 0, sum: Number.NaN }))
  for (;;) {
    const open = programs.filter(({ sum }) => Number.isNaN(sum))
    if (open.length === 0) return programs.map(({ sum }) => sum)
    const last = Math.min(...open.map(({ at }) => at))
    const one = random.pick(open.filter(({ at }) => at <= last + 12))
    const { done, value } = one.program.next()
    if (done) one.sum = value
    else one.at = value
  }
}
