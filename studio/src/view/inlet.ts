/**
 * The view's end of the line from the simulation: frames from shared memory or from messages, and everything else that is drawn.
 */
import { header, type Ring, ringSlots } from '../worker/protocol.js'
import type { Feed, UsedFrame, ViewScene } from './view-protocol.js'

export interface Inlet {
  /** frames of the scene that is shown, in order, since the last call */
  takeFrames(): Float64Array<ArrayBuffer>[]
  recycle(frame: Float64Array<ArrayBuffer>): void
  close(): void
}

export interface InletListeners {
  scene(scene: ViewScene): void
  contacts(list: Float64Array): void
  groups(groups: Readonly<Record<string, Int32Array>>): void
}

export function createInlet(port: MessagePort, listeners: InletListeners): Inlet {
  const free: Float64Array<ArrayBuffer>[] = []
  let arrived: Float64Array<ArrayBuffer>[] = []
  let ring: Ring | undefined
  let epoch = -1
  let seen = 0
  let size = 0

  port.onmessage = ({ data }: MessageEvent<Feed>) => {
    switch (data.type) {
      case 'frame':
        if (data.block.length === size && data.block[header.epoch] === epoch) arrived.push(data.block)
        return
      case 'scene':
        ring = data.ring
        epoch = data.epoch
        size = data.first.length
        seen = 0
        arrived = []
        free.length = 0
        return listeners.scene(data)
      case 'contacts':
        return listeners.contacts(data.list)
      case 'groups':
        return listeners.groups(data.groups)
    }
  }

  return {
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
    close: () => port.close(),
    recycle(frame) {
      if (frame.length !== size) return
      if (ring) free.push(frame)
      else port.postMessage({ buffer: frame.buffer } satisfies UsedFrame, [frame.buffer])
    },
  }
}
