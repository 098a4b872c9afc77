/** Position trajectories on a GPU: the bits of f32 lanes on a software driver, each trajectory with its own number of evaluations. */
import { type Batch, buildModel, createBatch, type GpuBatch } from 'limber'
import { findScene } from 'limber-scenes'
import { afterAll, describe, expect, it } from 'vitest'
import { createGpuBatch } from '../../src/batch/gpu/gpu-batch.js'
import { distance, NO_ADAPTER, openTestGpu, type TestGpu } from './device.js'

const found = await openTestGpu()
const gpu = found as TestGpu

/** two chunks, the second not full */
const COUNT = 100
const STEPS = 10
const options = { count: COUNT, solver: 'position', timestep: 0.05 } as const
const start = { noise: 0.3, seed: 5 }
const scene = findScene('swinging-chain')
if (!scene) throw new Error('the scene swinging-chain is gone')
const model = buildModel(scene.build({ links: 10 }))
const stateOf = (batch: Batch): Float32Array => batch.readState(new Float32Array(COUNT * (model.nq + model.nv)))

describe.skipIf(!found)(`trajectories on a GPU${found ? '' : `: ${NO_ADAPTER}`}`, () => {
  let batch: GpuBatch
  let single: Batch
  const both = (act: (each: GpuBatch | Batch) => void): void => [batch, single].forEach(act)

  afterAll(() => {
    expect(gpu.problems).toEqual([])
    gpu.close()
  })

  it('end where f32 lanes end, to the bit, and within 1e-5 rad of f64', async () => {
    const device = await gpu.device()
    batch = await createGpuBatch(model, { ...options, device }, { lanes: createBatch, chunk: 64 })
    single = await createBatch(model, { ...options, precision: 'f32' })
    const double = await createBatch(model, options)
    for (const each of [batch, single, double]) {
      each.reset(undefined, start)
      each.step(STEPS)
    }
    const rows = await batch.readState()
    expect(rows).toEqual(stateOf(single))
    const positions = (of: ArrayLike<number>): number[] => Array.from(of).filter((_, k) => k % (model.nq + model.nv) < model.nq)
    expect(distance(positions(rows), positions(stateOf(double)))).toBeLessThan(1e-5)
    expect(await batch.failures()).toBe(0)
  })

  it('keep their order with resets and writes that come while a search goes on', async () => {
    const state = Float32Array.from(stateOf(single), (x) => 0.5 * x)
    both((each) => {
      each.reset(undefined, start)
      each.step(2)
      each.reset(Int32Array.of(3, 70), { q: model.q0 })
      each.step(1)
      each.writeState(state)
      each.step(2)
    })
    // what was written is copied at once
    const written = stateOf(single)
    state.fill(0)
    expect(await batch.readState()).toEqual(written)
  })

  it('are read as of the call, whatever is enqueued later', async () => {
    both((each) => each.reset(undefined, start))
    const seen = [1, 2, 1].map((times) => {
      batch.step(times)
      return batch.readState()
    })
    for (const [k, times] of [1, 2, 1].entries()) {
      single.step(times)
      expect(await seen[k]).toEqual(stateOf(single))
    }
  })

  it('go on from a snapshot with the same bits', async () => {
    const snapshot = await batch.snapshot()
    batch.step(2)
    const after = await batch.readState()
    batch.restore(snapshot)
    batch.step(2)
    expect(await batch.readState()).toEqual(after)
  })

  it('have no accelerations, and cannot be written into commands of others', async () => {
    expect(() => batch.forwardDynamics()).toThrow(/forwardDynamics: trajectories of `position` have no accelerations/)
    await expect(batch.readAccelerations()).rejects.toThrow(/no accelerations/)
    const encoder = (await gpu.device()).createCommandEncoder()
    expect(() => batch.encode(encoder)).toThrow(/encode: how many dispatches/)
    batch.step(1)
    const late = batch.readState()
    batch.close()
    await expect(late).rejects.toThrow(/closed/)
  })

  it('go on in lanes from the last snapshot when the device is lost in the middle of a search', async () => {
    const device = await gpu.device()
    const losing = await createGpuBatch(model, { ...options, device }, { lanes: createBatch, chunk: 64 })
    losing.reset(undefined, start)
    const snapshot = await losing.snapshot()
    losing.step(3)
    device.destroy()
    const { device: now, snapshot: from } = await losing.lost
    expect(now).toBe('lanes')
    expect(new Uint8Array(from)).toEqual(new Uint8Array(snapshot))
    losing.step(STEPS)
    single.reset(undefined, start)
    single.step(STEPS)
    expect(await losing.readState()).toEqual(stateOf(single))
    losing.close()
  })
})
