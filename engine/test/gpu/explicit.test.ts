/** Batches on a GPU: the bits of f32 lanes on a software driver, through starts, resets, failures, snapshots and the loss of the device. */
import { type Batch, buildModel, createBatch, type GpuBatch, type Model } from 'limber'
import { findScene } from 'limber-scenes'
import { afterAll, describe, expect, it } from 'vitest'
import { createGpuBatch } from '../../src/batch/gpu/gpu-batch.js'
import { distance, NO_ADAPTER, openTestGpu, type TestGpu } from './device.js'

const found = await openTestGpu()
const gpu = found as TestGpu

const chain = (links: number): Model => {
  const scene = findScene('chain')
  if (!scene) throw new Error('the scene chain is gone')
  return buildModel(scene.build({ links, joint: 'revolute', length: 0.2, mass: 0.1, angle: 1 }))
}
/** two chunks, the second not full */
const COUNT = 100
const start = { noise: 0.3, seed: 5 }
const lanes = (model: Model, options: object): Promise<Batch> => createBatch(model, { count: COUNT, ...options })
/** On the software driver, in chunks of 64 environments. */
async function onGpu(model: Model, options: { device?: GPUDevice } = {}): Promise<GpuBatch> {
  return createGpuBatch(model, { count: COUNT, device: options.device ?? (await gpu.device()) }, { lanes: createBatch, chunk: 64 })
}
const stateOf = (batch: Batch): Float32Array => batch.readState(new Float32Array(COUNT * (batch.model.nq + batch.model.nv)))

describe.skipIf(!found)(`a batch on a GPU${found ? '' : `: ${NO_ADAPTER}`}`, () => {
  afterAll(() => {
    expect(gpu.problems).toEqual([])
    gpu.close()
  })

  it.each([10, 20, 40])('has the bits of f32 lanes for a chain of %d, and their distance to f64', async (links) => {
    const model = chain(links)
    const batch = await onGpu(model)
    const [single, double] = [await lanes(model, { precision: 'f32' }), await lanes(model, {})]
    for (const each of [batch, single, double]) each.reset(undefined, start)
    for (const times of [1, 6, 43]) {
      for (const each of [batch, single, double]) each.step(times)
      expect(await batch.readState()).toEqual(stateOf(single))
    }
    // a chain of 40 links throws itself about: what lanes lose to rounding in 50 steps
    expect(distance(await batch.readState(), stateOf(double))).toBeLessThan(1e-3)
    expect(await batch.failures()).toBe(0)
    batch.close()
  })

  describe('of short chains', () => {
    let device: GPUDevice
    let batch: GpuBatch
    let single: Batch
    const model = chain(4)
    const both = (act: (each: GpuBatch | Batch) => void): void => [batch, single].forEach(act)

    it('resets by mask and by number, in the middle of what is enqueued', async () => {
      device = await gpu.device()
      batch = await onGpu(model, { device })
      single = await lanes(model, { precision: 'f32' })
      const mask = Array.from({ length: COUNT }, (_, e) => e % 3 === 0)
      both((each) => {
        each.reset(undefined, start)
        each.step(5)
        each.reset(mask, { q: new Float64Array(4).fill(0.5) })
        each.step(5)
        each.reset(Int32Array.of(99, 7), { noise: 0.1, seed: 9 })
        each.step(5)
      })
      expect(await batch.readState()).toEqual(stateOf(single))
    })

    it('resets those that a shader marked, without a word of the processor', async () => {
      const mask = device.createBuffer({ size: 4 * COUNT, usage: 0x80 | 0x8 })
      device.queue.writeBuffer(
        mask,
        0,
        Uint32Array.from({ length: COUNT }, (_, e) => (e < 10 ? 1 : 0)),
      )
      both((each) => {
        each.reset(undefined, start)
        each.step(3)
      })
      batch.reset(mask)
      single.reset(Int32Array.from({ length: 10 }, (_, e) => e))
      const rows = await batch.readState()
      expect(rows).toEqual(stateOf(single))
      expect(Array.from(rows.slice(0, 80))).toEqual(Array.from({ length: 80 }, (_, k) => (k % 8 < 4 ? Math.fround(model.q0[k % 8]) : 0)))
      expect(rows[8 * 10 + 4]).not.toBe(0)
    })

    it('takes joint forces, and gives accelerations of states that were not stepped', async () => {
      const tau = Float32Array.from({ length: COUNT * 4 }, (_, k) => Math.sin(k))
      both((each) => {
        each.writeTau(tau)
        each.step(2)
        each.forwardDynamics()
      })
      expect(await batch.readAccelerations()).toEqual(single.readAccelerations(new Float32Array(COUNT * 4)))
    })

    it('answers several reads at once, each as of its call', async () => {
      const reads = Array.from({ length: 5 }, () => {
        batch.step(1)
        return batch.readState()
      })
      for (const read of reads) {
        single.step(1)
        expect(await read).toEqual(stateOf(single))
      }
    })

    it('flags the failures that lanes flag, and says why', async () => {
      const rows = stateOf(single)
      rows[8 * 5 + 6] = Number.NaN
      rows[8 * 9 + 4] = 3e25
      rows[8 * 11] = Number.POSITIVE_INFINITY
      both((each) => each.writeState(rows))
      batch.step(3)
      expect(single.step(3)).toBe(3)
      expect(await batch.failures()).toBe(3)
      expect([...(await batch.readFailed())]).toEqual(Array.from({ length: COUNT }, (_, e) => Number(single.failed(e))))
      expect(await batch.readState()).toEqual(stateOf(single))
      for (const e of [4, 5, 9, 11]) expect(await batch.failure(e)).toBe(single.failure(e))
      both((each) => each.reset(Int32Array.of(5, 9, 11)))
      both((each) => each.step(1))
      expect(await batch.failures()).toBe(0)
      expect(await batch.readState()).toEqual(stateOf(single))
    })

    it('steps in a command buffer of the caller, next to what reads its buffer', async () => {
      both((each) => each.reset(undefined, start))
      const { state, stride, fields } = batch.buffers
      const copy = device.createBuffer({ size: 4 * stride, usage: 0x1 | 0x8 })
      const encoder = device.createCommandEncoder()
      batch.encode(encoder, 3)
      encoder.copyBufferToBuffer(state, 4 * fields['q'].at * stride, copy, 0, 4 * stride)
      batch.encode(encoder, 2)
      device.queue.submit([encoder.finish()])
      await copy.mapAsync(1)
      const first = new Float32Array(copy.getMappedRange()).slice(0, COUNT)
      single.step(3)
      expect(first).toEqual(Float32Array.from(stateOf(single).filter((_, k) => k % 8 === 0)))
      single.step(2)
      expect(await batch.readState()).toEqual(stateOf(single))
    })

    it('goes back to a snapshot, and refuses one of another batch', async () => {
      const kept = await batch.snapshot()
      batch.step(4)
      const after = await batch.readState()
      batch.restore(kept)
      batch.step(4)
      expect(await batch.readState()).toEqual(after)
      expect(() => batch.restore(kept.slice(8))).toThrow(/^snapshot: expected one of a batch of the same model/)
    })

    it('goes on in lanes from the last snapshot when its device is lost', async () => {
      const mortal = batch
      mortal.reset(undefined, start)
      mortal.step(10)
      await mortal.snapshot()
      const kept = await mortal.readState()
      mortal.step(10)
      const later = await mortal.readState()
      const { lost } = mortal
      device.destroy()
      await expect(mortal.readState()).rejects.toThrow(/^the device was lost .*; the batch goes on from its last snapshot/)
      const { device: now, snapshot } = await lost
      expect([now, mortal.device, mortal.warnings.length]).toEqual(['lanes', 'lanes', 1])
      expect(await mortal.readState()).toEqual(kept)
      mortal.step(10)
      expect(await mortal.readState()).toEqual(later)
      mortal.restore(snapshot)
      expect(await mortal.readState()).toEqual(kept)
      expect(() => mortal.buffers).toThrow(/this batch runs in lanes/)
      mortal.close()
    })

    it('goes on on a new device where it opened the first, and in lanes after a second loss', async () => {
      const opened: GPUDevice[] = []
      const open = async () => {
        const device = await gpu.device()
        opened.push(device)
        return { device, adapter: 'software', close: () => device.destroy() }
      }
      const mortal = await createGpuBatch(model, { count: COUNT, device: 'gpu' }, { lanes: createBatch, open })
      const home = await mortal.readState()
      for (const where of ['gpu', 'lanes'] as const) {
        mortal.step(2)
        const { lost } = mortal
        opened.at(-1)?.destroy()
        expect((await lost).device).toBe(where)
        expect([mortal.device, await mortal.readState()]).toEqual([where, home])
      }
      mortal.close()
    })
  })
})

describe('a batch that asks for a GPU', () => {
  const model = chain(4)
  const none = { lanes: createBatch, open: async () => ({ device: undefined, reason: 'WebGPU has no adapter here' }) }

  it('takes lanes where there is none, and says so', async () => {
    const batch = await createGpuBatch(model, { count: 4096, device: 'auto' }, none)
    expect([batch.device, batch.warnings]).toEqual(['lanes', ['device: lanes are taken: WebGPU has no adapter here']])
    batch.step(2)
    expect([await batch.failures(), (await batch.readState()).length]).toEqual([0, 4096 * 8])
    await expect(createGpuBatch(model, { count: 4096, device: 'gpu' }, none)).rejects.toThrow(
      "device: WebGPU has no adapter here; device: 'auto' takes lanes instead",
    )
  })

  it('takes lanes for few environments', async () => {
    const batch = await createBatch(model, { count: 8, device: 'auto' })
    expect([batch.device, batch.warnings.join()]).toEqual(['lanes', expect.stringMatching(/a GPU pays from 4096 environments/)])
  })

  it('refuses what has no meaning there', async () => {
    const asked = (options: object) => createBatch(model, { count: 8, device: 'gpu', ...options } as never)
    await expect(asked({ precision: 'f64' })).rejects.toThrow(/^precision: a GPU has f32 only, got 'f64'/)
    await expect(asked({ fused: true })).rejects.toThrow(/^fused: on a GPU its driver decides/)
    await expect(asked({ threads: 2 })).rejects.toThrow(/^threads: a GPU has its own/)
    await expect(asked({ vary: ['delay'] })).rejects.toThrow(/^vary: delay of actions is not on the GPU/)
    await expect(asked({ device: 'fast' })).rejects.toThrow(/^device: expected 'cpu', 'gpu', 'auto' or a GPUDevice, got 'fast'/)
  })
})
