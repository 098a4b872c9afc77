/**
 * Links over shared memory, between threads. Each ordered pair of processors has a ring of slots with one writer and one reader: the writer
 * fills a slot and then counts it as written, the reader empties it and then counts it as read. Who finds the ring empty (or full) looks some
 * thousand times and then sleeps. Where a thread may not sleep, the main thread of a page, it goes on looking.
 *
 * A pair can have `SLOTS` parts of `capacity` numbers under way; `send` waits for the reader beyond that. So two that send each other more than
 * that at once, before either receives, wait for ever.
 */
import type { Vec } from '../math/types.js'
import { checkLinks, type Link, linkError, wrongLength } from './link.js'

/** parts that a pair may have under way; a power of two, for counts that run over */
const SLOTS = 8
const COUNT = 0x3fffffff
/** the longest sleep, and so how late a sleeper learns that another is gone */
const NAP_MILLISECONDS = 100
/** looks between two questions whether the other is gone, where nobody may sleep */
const LOOKS = 4096
/** Looks before sleeping: some ten microseconds. A tenth of that can leave two threads on one core, each waiting for the other to sleep. */
export const SPIN = 20_000

/** first words: processors, capacity, looks before sleeping, number of the first processor that failed plus 1 */
const PROCESSORS = 0
const CAPACITY = 1
const LOOKING = 2
/** exported for whoever sees threads end from outside */
export const FIRST_FAILED = 3
const HEAD = 16
/** words of a processor: how it is, length of its last words, their characters */
export const STATE = 0
export const LENGTH = 1
export const TEXT = 2
export const LONGEST = 254
const RUNNING = 0
const ENDED = 1
export const FAILED = 2
const PROCESSOR = TEXT + LONGEST
/** words of a pair: parts written, whether the reader sleeps; in another line of the cache parts read, whether the writer sleeps */
export const WRITTEN = 0
const READER_SLEEPS = 1
export const READ = 16
const WRITER_SLEEPS = 17
const PAIR = 32

export interface SharedLinkOptions {
  /** looks before a thread sleeps; default 20,000, right where every processor has a core; 0 where not */
  readonly spin?: number
}

/** A link of one thread. Its `fail` makes every wait of the others throw. */
export interface SharedLink extends Link {
  fail(why: string): void
  /** Says that this processor has done all it had to. Who waits for it nevertheless is told so. */
  end(): void
  /** Why a processor is gone; undefined while all run. */
  gone(): string | undefined
}

export interface SharedLinks {
  /** what the other threads are given */
  readonly buffer: SharedArrayBuffer
  /** The end of a processor; one thread takes it, once. */
  link(rank: number): SharedLink
}

/** Where the words of a processor begin. */
export function processorWords(rank: number): number {
  return HEAD + PROCESSOR * rank
}

/** Memory for the links of all processors. */
export function createSharedLinks(processors: number, capacity: number, { spin = SPIN }: SharedLinkOptions = {}): SharedLinks {
  checkLinks(processors, capacity)
  if (!(Number.isInteger(spin) && spin >= 0 && spin <= COUNT)) throw new RangeError(`spin: expected a whole number from 0, got ${spin}`)
  if (typeof SharedArrayBuffer === 'undefined')
    throw new Error(
      'threads: no shared memory; a page must be served with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp',
    )
  const pairs = processors * processors
  const buffer = new SharedArrayBuffer(4 * wordCount(processors) + 8 * pairs * SLOTS * slotSize(capacity))
  const words = new Int32Array(buffer)
  words[PROCESSORS] = processors
  words[CAPACITY] = capacity
  words[LOOKING] = spin
  return { buffer, link: (rank) => joinSharedLink(buffer, rank) }
}

/** The end of a processor, in the thread that is to be it. */
export function joinSharedLink(buffer: SharedArrayBuffer, rank: number): SharedLink {
  const words = new Int32Array(buffer)
  const [processors, capacity, spin] = words
  if (!(Number.isInteger(rank) && rank >= 0 && rank < processors))
    throw new RangeError(`rank: expected 0 to ${processors - 1}, got ${rank}`)
  const numbers = new Float64Array(buffer, 4 * wordCount(processors))
  const stride = slotSize(capacity)
  const sleeps = maySleep(words)
  // this end's own counts, by the other's number
  const written = new Int32Array(processors)
  const read = new Int32Array(processors)
  for (let other = 0; other < processors; other++) {
    written[other] = words[pairWords(processors, rank, other) + WRITTEN]
    read[other] = words[pairWords(processors, other, rank) + READ]
  }

  /** The error to throw where that processor, or any that failed, makes waiting vain. */
  const lost = (other: number): Error | undefined => {
    const failed = Atomics.load(words, FIRST_FAILED) - 1
    if (failed >= 0) return linkError(failed, lastWords(words, failed))
    if (Atomics.load(words, processorWords(other) + STATE) === RUNNING) return undefined
    return linkError(other, lastWords(words, other))
  }
  /** Until the word at `count` is another than `value`; `flag` tells who changes it that somebody sleeps. */
  const wait = (count: number, value: number, flag: number, other: number): void => {
    for (let looks = 0; looks < spin; looks++) if (Atomics.load(words, count) !== value) return
    for (;;) {
      const error = lost(other)
      // what was sent before the end counts
      if (Atomics.load(words, count) !== value) return
      if (error) {
        // it may have ended well, but too early for this one: who waits for this one is to be told of that one
        Atomics.compareExchange(words, FIRST_FAILED, 0, other + 1)
        throw error
      }
      if (sleeps) {
        Atomics.store(words, flag, 1)
        Atomics.wait(words, count, value, NAP_MILLISECONDS)
        Atomics.store(words, flag, 0)
      } else for (let looks = 0; looks < LOOKS; looks++) if (Atomics.load(words, count) !== value) return
    }
  }

  return {
    rank,
    processors,
    send(to, x, o, n) {
      const pair = pairWords(processors, rank, to)
      let done = 0
      do {
        const count = Math.min(n - done, capacity)
        const full = (written[to] - SLOTS) & COUNT
        if (Atomics.load(words, pair + READ) === full) wait(pair + READ, full, pair + WRITER_SLEEPS, to)
        const at = slotStart(processors, rank, to, written[to], stride)
        // what is left, not the part: a wrong length shows at once
        numbers[at] = n - done
        copy(numbers, at + 1, x, o + done, count)
        written[to] = (written[to] + 1) & COUNT
        Atomics.store(words, pair + WRITTEN, written[to])
        if (Atomics.load(words, pair + READER_SLEEPS) !== 0) Atomics.notify(words, pair + WRITTEN)
        done += count
      } while (done < n)
    },
    arrived: () => true,
    receive(from, x, o, n) {
      const pair = pairWords(processors, from, rank)
      let done = 0
      do {
        const count = Math.min(n - done, capacity)
        const empty = read[from]
        if (Atomics.load(words, pair + WRITTEN) === empty) wait(pair + WRITTEN, empty, pair + READER_SLEEPS, from)
        const at = slotStart(processors, from, rank, empty, stride)
        if (numbers[at] !== n - done) throw wrongLength(from, done + numbers[at], n)
        copy(x, o + done, numbers, at + 1, count)
        read[from] = (empty + 1) & COUNT
        Atomics.store(words, pair + READ, read[from])
        if (Atomics.load(words, pair + WRITER_SLEEPS) !== 0) Atomics.notify(words, pair + READ)
        done += count
      } while (done < n)
    },
    fail: (why) => noteEnd(buffer, rank, FAILED, why),
    end: () => noteEnd(buffer, rank, ENDED, 'its program ended'),
    gone() {
      let gone = Atomics.load(words, FIRST_FAILED) - 1
      for (let r = 0; r < processors && gone < 0; r++) if (Atomics.load(words, processorWords(r) + STATE) !== RUNNING) gone = r
      return gone < 0 ? undefined : linkError(gone, lastWords(words, gone)).message
    },
  }
}

/** Notes that a processor failed, seen from outside; what it has said itself stays. */
export function noteFailure(buffer: SharedArrayBuffer, rank: number, why: string): void {
  noteEnd(buffer, rank, FAILED, why)
}

function noteEnd(buffer: SharedArrayBuffer, rank: number, state: number, why: string): void {
  const words = new Int32Array(buffer)
  const own = processorWords(rank)
  if (Atomics.load(words, own + STATE) !== RUNNING) return
  const length = Math.min(why.length, LONGEST)
  for (let k = 0; k < length; k++) words[own + TEXT + k] = why.charCodeAt(k)
  words[own + LENGTH] = length
  Atomics.store(words, own + STATE, state)
  if (state === FAILED) Atomics.compareExchange(words, FIRST_FAILED, 0, rank + 1)
}

function lastWords(words: Int32Array, rank: number): string {
  const own = processorWords(rank)
  return String.fromCharCode(...words.subarray(own + TEXT, own + TEXT + words[own + LENGTH]))
}

/** Where the words of a pair begin. */
export function pairWords(processors: number, from: number, to: number): number {
  return HEAD + PROCESSOR * processors + PAIR * (processors * from + to)
}

/** All words; even, so that numbers can follow. */
function wordCount(processors: number): number {
  return HEAD + PROCESSOR * processors + PAIR * processors * processors
}

/** A slot holds the length of what is left of its message and a part of that, and fills whole lines of the cache. */
function slotSize(capacity: number): number {
  return 8 * Math.ceil((capacity + 1) / 8)
}

function slotStart(processors: number, from: number, to: number, count: number, stride: number): number {
  return ((processors * from + to) * SLOTS + (count & (SLOTS - 1))) * stride
}

function copy(out: Vec, o: number, x: Vec, i: number, n: number): void {
  for (let k = 0; k < n; k++) out[o + k] = x[i + k]
}

/** False on the main thread of a page. */
function maySleep(words: Int32Array): boolean {
  try {
    Atomics.wait(words, PROCESSORS, -1, 0)
    return true
  } catch {
    return false
  }
}
