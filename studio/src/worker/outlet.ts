/**
 * The way of frames to the page: a ring in shared memory where the page is isolated from other origins, else buffers that are
 * handed over and come back.
 */
import { type Reply, type Ring, ringSlots } from '../protocol.js'

export interface Outlet {
  /** undefined without shared memory */
  readonly ring: Ring | undefined
  send(block: Float64Array): void
  recycle(buffer: ArrayBuffer): void
}

export const canShare = typeof SharedArrayBuffer !== 'undefined' && (self as { crossOriginIsolated?: boolean }).crossOriginIsolated === true

export function createOutlet(size: number): Outlet {
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
      const copy = new Float64Array(free.pop() ?? new ArrayBuffer(8 * size))
      copy.set(block)
      postMessage({ type: 'frame', block: copy } satisfies Reply, { transfer: [copy.buffer] })
    },
    recycle(buffer) {
      if (buffer.byteLength === 8 * size && free.length < ringSlots) free.push(buffer)
    },
  }
}
