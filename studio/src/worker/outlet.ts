/**
 * The way of frames out of the worker: a ring in shared memory where the page is isolated from other origins, else buffers that are
 * handed to the view and come back, and their heads to the page.
 */

import type { Feed } from '../view/view-protocol.js'
import { type Reply, type Ring, ringSlots } from './protocol.js'

export interface Outlet {
  /** undefined without shared memory */
  readonly ring: Ring | undefined
  send(block: Float64Array): void
  recycle(buffer: ArrayBuffer): void
}

export interface Lines {
  toPage(reply: Reply): void
  toView(feed: Feed, transfer?: Transferable[]): void
}

export const canShare =
  typeof SharedArrayBuffer !== 'undefined' && (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === true

export function createOutlet(size: number, head: number, { toPage, toView }: Lines): Outlet {
  if (canShare) {
    const count = new Int32Array(new SharedArrayBuffer(4))
    const slots = new Float64Array(new SharedArrayBuffer(8 * size * ringSlots))
    return {
      ring: { count, slots },
      send(block) {
        const n = Atomics.load(count, 0)
        slots.set(block, (n % ringSlots) * size)
        Atomics.store(count, 0, n + 1)
      },
      recycle() {},
    }
  }
  const free: ArrayBuffer[] = []
  return {
    ring: undefined,
    send(block) {
      toPage({ type: 'head', head: block.slice(0, head) })
      const copy = new Float64Array(free.pop() ?? new ArrayBuffer(8 * size))
      copy.set(block)
      toView({ type: 'frame', block: copy }, [copy.buffer])
    },
    recycle(buffer) {
      if (buffer.byteLength === 8 * size && free.length < ringSlots) free.push(buffer)
    },
  }
}
