/**
 * The page's end of the line to the worker that simulates: sends requests, hands out replies, and collects what the frames since the last
 * look say about time and cost. Poses go to the view and never pass through here. Notices when the worker ends or is silent.
 */
import { headSize, type Reply, type Request, type Ring, ringSlots, type TableFormat } from '../worker/protocol.js'

export type Answer = Extract<Reply, { type: 'exported' | 'motion' }>

export interface Link {
  send: (request: Request, transfer?: Transferable[]) => void
  onReply(listener: (reply: Reply) => void): void
  /** a question that has one answer */
  ask(request: { type: 'export'; format: TableFormat } | { type: 'motion' }): Promise<Answer>
  /** header and statistics of the frames since the last call, in order */
  takeHeads(): Float64Array[]
  readonly shared: boolean
  /** calls back, with the reason in words, when the worker has ended by itself */
  onEnd(listener: (reason: string) => void): void
  /** calls back with true when the worker has not answered for long, and with false when it does again */
  onSilence(listener: (silent: boolean) => void): void
  /** ends the worker; questions that are open have no answer */
  end(): void
  /** another worker takes its place, which knows nothing of what was said before */
  restart(): void
}

/** seconds without an answer: a step or a model may take long, but then whoever waits is told */
const patience = 20

export function createLink(): Link {
  const listeners: ((reply: Reply) => void)[] = []
  const open = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  let worker: Worker | undefined
  let ended: (reason: string) => void = () => {}
  let silence: (silent: boolean) => void = () => {}
  let unanswered = 0
  let arrived: Float64Array[] = []
  let ring: Ring | undefined
  let seen = 0
  let size = 0
  let head = 0
  let lastId = 0

  const hear = (data: Reply): void => {
    if (unanswered >= patience) silence(false)
    unanswered = 0
    if (data.type === 'head') {
      if (data.head.length === head) arrived.push(data.head)
      return
    }
    if (data.type === 'loaded') {
      ring = data.ring
      size = data.frameSize
      head = headSize(data.lanes.length)
      seen = 0
      arrived = []
    }
    if ('id' in data) {
      const waiting = open.get(data.id)
      open.delete(data.id)
      if (data.type === 'failed') waiting?.reject(new Error(data.problems.join('\n')))
      else waiting?.resolve(data)
      return
    }
    for (const listener of listeners) listener(data)
  }

  const end = (): void => {
    worker?.terminate()
    worker = undefined
    unanswered = 0
    for (const { reject } of open.values()) reject(new Error('the simulation ended before it was done; try again'))
    open.clear()
  }

  const start = (): void => {
    const name = `limber ${Date.now()} ${Math.random()}`
    const mine = new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name })
    worker = mine
    const fail = (reason: string) => {
      if (worker !== mine) return
      end()
      ended(reason)
    }
    mine.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (worker !== mine) return
      // nothing tells a page that a worker has run out of memory, but its lock is free then
      if (data.type === 'held')
        void navigator.locks.request(name, () => fail('The browser ended it, most likely because it ran out of memory.'))
      hear(data)
    }
    mine.onerror = ({ message }) =>
      fail(message ? `It met an error: ${message.replace(/^Uncaught (Error: )?/, '')}.` : 'It could not be started.')
    mine.onmessageerror = () => fail('It said something that could not be read.')
  }
  start()

  // by number of turns, not by the clock: a computer that slept has not waited
  setInterval(() => {
    if (!worker) return
    worker.postMessage({ type: 'ping' } satisfies Request)
    if (++unanswered === patience) silence(true)
  }, 1000)

  return {
    get shared() {
      return ring !== undefined
    },
    send: (request, transfer = []) => worker?.postMessage(request, transfer),
    onReply: (listener) => void listeners.push(listener),
    ask(request) {
      const id = ++lastId
      return new Promise((resolve, reject) => {
        if (!worker) return reject(new Error('the simulation has ended; reload the page'))
        open.set(id, { resolve, reject })
        worker.postMessage({ ...request, id })
      })
    },
    takeHeads() {
      if (ring) {
        const count = Atomics.load(ring.count, 0)
        // what the writer may be overwriting is lost
        for (let n = Math.max(seen, count - ringSlots + 2); n < count; n++) {
          const slot = (n % ringSlots) * size
          arrived.push(Float64Array.from(ring.slots.subarray(slot, slot + head)))
        }
        seen = count
      }
      const taken = arrived
      arrived = []
      return taken
    },
    onEnd(listener) {
      ended = listener
    },
    onSilence(listener) {
      silence = listener
    },
    end,
    restart() {
      end()
      start()
    },
  }
}
