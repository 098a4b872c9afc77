/**
 * The page's end of the line to the worker: sends requests, hands out replies, and collects the frames that arrived since the last
 * picture, from shared memory or from messages.
 */
import { type Reply, type Request, type Ring, ringSlots, type TableFormat } from './protocol.js'

export type Answer = Extract<Reply, { type: 'exported' | 'motion' }>

export interface Link {
  send(request: Request): void
  onReply(listener: (reply: Reply) => void): void
  /** a question that has one answer */
  ask(request: { type: 'export'; format: TableFormat } | { type: 'motion' }): Promise<Answer>
  /** frames in order since the last call */
  takeFrames(): Float64Array<ArrayBuffer>[]
  recycle(frame: Float64Array<ArrayBuffer>): void
  readonly shared: boolean
}

export function createLink(onCrash: (message: string) => void): Link {
  const worker = new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module' })
  const listeners: ((reply: Reply) => void)[] = []
  const open = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  const free: Float64Array<ArrayBuffer>[] = []
  let arrived: Float64Array<ArrayBuffer>[] = []
  let ring: Ring | undefined
  let seen = 0
  let size = 0
  let lastId = 0

  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    if (data.type === 'frame') {
      if (data.block.length === size) arrived.push(data.block)
      return
    }
    if (data.type === 'loaded') {
      ring = data.ring
      size = data.first.length
      seen = 0
      arrived = []
      free.length = 0
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
    send: (request) => worker.postMessage(request),
    onReply: (listener) => void listeners.push(listener),
    ask(request) {
      const id = ++lastId
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject })
        worker.postMessage({ ...request, id })
      })
    },
    takeFrames() {
      if (ring) {
        const count = Atomics.load(ring.count, 0)
        // what the writer may be overwriting is lost
        for (let n = Math.max(seen, count - ringSlots + 2); n < count; n++) {
          const frame = free.pop() ?? new Float64Array(size)
          const slot = (n % ringSlots) * size
          frame.set(ring.slots.subarray(slot, slot + size))
          arrived.push(frame)
        }
        seen = count
      }
      const taken = arrived
      arrived = []
      return taken
    },
    recycle(frame) {
      if (frame.length !== size) return
      if (ring) free.push(frame)
      else worker.postMessage({ type: 'recycle', buffer: frame.buffer } satisfies Request, [frame.buffer])
    },
  }
}
