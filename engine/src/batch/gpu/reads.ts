/**
 * Numbers of a buffer read back through staging buffers. A read is enqueued at once, so that it sees what was enqueued before it and nothing
 * later; several may be under way, each with a staging buffer of its own, of which some are kept for the next.
 */
import { READ, STAGING } from './usage.js'

/** staging buffers that are kept */
const KEPT = 3

export interface Reads {
  /** Bytes of a buffer, as they are after all that was enqueued so far. Rejects where the device is lost. */
  read(buffer: GPUBuffer, from: number, bytes: number): Promise<ArrayBuffer>
}

export function createReads(device: GPUDevice): Reads {
  const kept: GPUBuffer[] = []
  const take = (bytes: number): GPUBuffer => {
    const found = kept.findIndex((b) => b.size >= bytes)
    return found < 0 ? device.createBuffer({ size: bytes, usage: STAGING }) : kept.splice(found, 1)[0]
  }
  return {
    async read(buffer, from, bytes) {
      const stage = take(bytes)
      const encoder = device.createCommandEncoder()
      encoder.copyBufferToBuffer(buffer, from, stage, 0, bytes)
      device.queue.submit([encoder.finish()])
      await stage.mapAsync(READ, 0, bytes)
      const numbers = stage.getMappedRange(0, bytes).slice(0)
      stage.unmap()
      kept.push(stage)
      if (kept.length > KEPT) kept.shift()?.destroy()
      return numbers
    },
  }
}
