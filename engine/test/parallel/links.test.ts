/** Links in one thread and over shared memory: every message arrives whole and in order, and whoever waits for a processor that is gone is told. */
import { execFileSync } from 'node:child_process'
import { startThreads } from 'limber/node'
import {
  createInProcessLinks,
  createSharedLinks,
  isLinkError,
  type LinkError,
  measureRoundTrip,
  startThreads as startPageThreads,
  type Threads,
} from 'limber/parallel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pairWords, READ, WRITTEN } from '../../src/parallel/threads.js'
import { type Bundled, bundled } from './bundled.js'
import { CAPACITY, sumsOfMessages, takeTurns } from './messages.js'
import type { Act, TestTask } from './thread-program.js'

const COUNTS = [1, 2, 3, 7]
/** how long a wait may take to learn that another is gone, with the time that a loaded machine takes besides */
const TOLD_WITHIN = 3

describe('links of one thread', () => {
  it.each(COUNTS)('carry every message whole and in order between %i processors', (processors) => {
    for (const seed of [1, 2, 3]) expect(takeTurns(createInProcessLinks(processors, CAPACITY), seed)).toHaveLength(processors)
  })

  it('refuse to receive what has not arrived, a message of another length, and a message too many', () => {
    const [a, b] = createInProcessLinks(2, 4)
    const x = new Float64Array(40)
    expect(b.arrived(0)).toBe(false)
    expect(() => b.receive(0, x, 0, 1)).toThrow(/no message of processor 0 has arrived at processor 1; ask arrived\(0\) first/)
    a.send(1, x, 0, 3)
    expect(b.arrived(0)).toBe(true)
    expect(() => b.receive(0, x, 0, 2)).toThrow(/processor 0 sent 3 numbers where 2 were expected/)
    expect(() => {
      for (let k = 0; k < 100; k++) a.send(1, x, 0, 1)
    }).toThrow(/processor 1 has taken none of the last 16 messages of processor 0/)
  })

  it('refuse numbers of processors and capacities that cannot be', () => {
    expect(() => createInProcessLinks(0, 4)).toThrow(/processors: expected a whole number from 1, got 0/)
    expect(() => createInProcessLinks(2, 1.5)).toThrow(/capacity: expected a whole number of numbers from 1, got 1.5/)
  })
})

describe('links over shared memory, in one thread', () => {
  it('refuse a message of another length, also of a long one', () => {
    const { link } = createSharedLinks(2, 4)
    const [a, b] = [link(0), link(1)]
    const x = new Float64Array(40)
    a.send(1, x, 0, 3)
    expect(() => b.receive(0, x, 0, 2)).toThrow(/processor 0 sent 3 numbers where 2 were expected/)
    b.send(0, x, 0, 17)
    expect(() => a.receive(1, x, 0, 4)).toThrow(/processor 1 sent 17 numbers where 4 were expected/)
  })

  it('give what was sent before a processor failed, and then its reason, also to who sends to it', () => {
    const { link } = createSharedLinks(3, 4)
    const [a, b, c] = [link(0), link(1), link(2)]
    const x = Float64Array.of(5, 0)
    a.send(1, x, 0, 1)
    expect(b.gone()).toBeUndefined()
    a.fail('first')
    c.fail('second')
    b.receive(0, x, 1, 1)
    expect(x[1]).toBe(5)
    for (const from of [0, 2]) expect(caught(() => b.receive(from, x, 0, 1))).toMatchObject({ name: 'LinkError', rank: 0 })
    expect(() => {
      for (let k = 0; k < 100; k++) b.send(2, x, 0, 1)
    }).toThrow(/processor 0 is gone: first; this run cannot go on/)
    expect(b.gone()).toMatch(/processor 0 is gone: first/)
  })

  it('go on over the end of their counts', () => {
    const { buffer, link } = createSharedLinks(1, 1)
    const words = new Int32Array(buffer)
    // the counts of the only ring, shortly before they begin again at 0
    for (const count of [pairWords(1, 0, 0) + WRITTEN, pairWords(1, 0, 0) + READ]) words[count] = 0x3fffffff - 5
    const a = link(0)
    const x = Float64Array.of(0, 0)
    for (let k = 0; k < 100; k++) {
      x[0] = k
      a.send(0, x, 0, 1)
      a.receive(0, x, 1, 1)
      expect(x[1]).toBe(k)
    }
    expect(words[pairWords(1, 0, 0) + WRITTEN]).toBe(94)
    for (let k = 0; k < 8; k++) a.send(0, x, 0, 1)
    a.fail('full')
    expect(() => a.send(0, x, 0, 1)).toThrow(/full/)
  })
})

describe('threads', () => {
  let program: Bundled

  beforeAll(async () => {
    program = await bundled('./thread-program.ts')
  })
  afterAll(() => program?.remove())

  const start = (processors: number, task: TestTask, spin?: number): Promise<Threads> =>
    startThreads({ processors, capacity: CAPACITY, task, thread: `file://${program.path}`, ...(spin === undefined ? {} : { spin }) })

  it.each(COUNTS.flatMap((n) => [0, 20_000].map((spin) => [n, spin])))(
    'have the messages of one thread, %i processors with %i looks before they sleep',
    async (processors, spin) => {
      const threads = await start(processors, { seed: 1, sums: 3 }, spin)
      for (const seed of [1, 2, 3])
        expect(sumsOfMessages(threads.link, seed)).toEqual(takeTurns(createInProcessLinks(processors, CAPACITY), seed))
      threads.stop()
    },
  )

  it.each<[Act, RegExp]>([
    ['throw', /^processor 2 is gone: out of paper; this run cannot go on: begin again, or resume from a checkpoint$/],
    ['exit', /^processor 2 is gone: its thread ended with exit code 3/],
    ['end', /^processor 2 is gone: its program ended/],
  ])('tell all who wait for one that does this in the middle: %s', async (act, message) => {
    for (const waitFor of [2, 1]) {
      const { link, stop, ended } = await start(4, { act, rank: 2 })
      const x = new Float64Array(1)
      expect(ended()).toBeUndefined()
      link.send(2, x, 0, 1)
      const began = performance.now()
      const error = caught(() => link.receive(waitFor, x, 0, 1))
      expect((performance.now() - began) / 1000).toBeLessThan(TOLD_WITHIN)
      expect(error?.message).toMatch(message)
      expect(error?.rank).toBe(2)
      expect(ended()).toMatch(message)
      stop()
    }
  })

  it('that were stopped are waited for by nobody', async () => {
    const { link, stop, ended } = await start(3, { act: 'wait', rank: 1 })
    stop()
    expect(() => link.receive(2, new Float64Array(1), 0, 1)).toThrow(/processor 1 is gone: it was stopped/)
    expect(ended()).toMatch(/it was stopped/)
  })

  it('of pages are refused in Node, with what to take', async () => {
    await expect(startPageThreads({ processors: 2, capacity: 4, task: 0 })).rejects.toThrow(/in Node take startThreads of limber\/node/)
  })

  it('say what is wrong where their module cannot be loaded', async () => {
    const missing = startThreads({ processors: 3, capacity: 4, task: 0, thread: `file://${program.path}.missing` })
    await expect(missing).rejects.toThrow(/thread of processor [12] did not start: Cannot find module/)
  })

  it('do not keep a program alive, and one that runs out of memory is reported to a first one that sleeps', async () => {
    const main = await bundled('./small-heap.ts')
    try {
      const run = (act: Act): string =>
        execFileSync(process.execPath, ['--max-old-space-size=32', main.path, `file://${program.path}`, act], {
          ...{ encoding: 'utf8', timeout: 60_000, stdio: ['ignore', 'pipe', 'ignore'] },
        })
      expect(run('wait')).toBe('ready\n')
      expect(run('out of memory')).toMatch(/^ready\nprocessor 1 is gone: .*out of memory/i)
    } finally {
      main.remove()
    }
  })

  it('take some microseconds for the four messages over an edge', async () => {
    const { link, stop } = await start(2, { act: 'round trip', rank: 1 })
    const seconds = measureRoundTrip(link, () => performance.now() / 1000, 30)
    stop()
    expect(seconds).toBeGreaterThan(1e-8)
    expect(seconds).toBeLessThan(1e-2)
  })
})

function caught(call: () => void): LinkError | undefined {
  try {
    call()
  } catch (error) {
    if (isLinkError(error)) return error
    throw error
  }
  return undefined
}
