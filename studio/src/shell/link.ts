/**
 * The page's end of the line to the worker that simulates: sends requests, hands out replies, and collects what the frames since the last
 * look say about time and cost. Poses go to the view and never pass through here.
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
}

export function createLink(onCrash: (message: string) => void): Link {
  const worker = new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module' })
  const listeners: ((reply: Reply) => void)[] = []
  const open = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  let arrived: Float64Array[] = []
  let ring: Ring | undefined
  let seen = 0
  let size = 0
  let head = 0
  let lastId = 0

  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
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
  worker.onerror = (event) => onCrash(event.message || 'no reason given')

  return {
    get shared() {
      return ring !== undefined
    },
    send: (request, transfer = []) => worker.postMessage(request, transfer),
    onReply: (listener) => void listeners.push(listener),
    ask(request) {
      const id = ++lastId
      return new Promise((resolve, reject) => {
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
  }
}
