/** A damaged snapshot is refused, and leaves the simulation as it was: 846 of 2,000 were once restored. */
import { buildModel, createBatch, createSimulation, ModelError, type Spec } from 'limber'
import { expect, it } from 'vitest'
import { createRandom } from '../random.js'

const spec: Spec = {
  bodies: [
    { name: 'a', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ name: 'f', type: 'free' }] },
    { name: 'b', parent: 'a', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ name: 'r', type: 'revolute' }] },
  ],
  actuators: [{ name: 'm', joint: 'r', gain: [1, 0, 0], dynamics: { type: 'filter', time: 0.1 } }],
}

/** A bit, some bytes, the end, the order, what is behind it. */
function damage(bytes: Uint8Array, pick: (n: number) => number): Uint8Array {
  const out = Uint8Array.from(bytes)
  const at = pick(bytes.length)
  switch (pick(6)) {
    case 0:
      return out.subarray(0, at)
    case 1:
      out[at] ^= 1 << pick(8)
      return out
    case 2:
      out.fill(pick(256), at, at + 1 + pick(16))
      return out
    case 3:
      return Uint8Array.from([...out, ...out.subarray(0, 1 + pick(20))])
    case 4:
      return Uint8Array.from([...out.subarray(0, at), ...out.subarray(Math.min(out.length, at + 8))])
    default:
      return Uint8Array.from([...out.subarray(at), ...out.subarray(0, at)])
  }
}

const same = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((x, k) => x === b[k])

it.each(['ode', 'redmax', 'position'])('2,000 damaged snapshots of %s (seed 3) are refused', (solver) => {
  const simulation = createSimulation(buildModel(spec), { solver })
  simulation.state.control[0] = 0.5
  simulation.step(20)
  simulation.body('b').applyForce([1, 2, 3])
  const good = simulation.snapshot()
  simulation.step(5)
  const pick = createRandom(3).below
  const before = simulation.state.q.slice()
  for (let k = 0; k < 2000; k++) {
    const bytes = damage(good, pick)
    if (same(bytes, good)) continue
    expect(() => simulation.restore(bytes)).toThrow(ModelError)
  }
  expect(simulation.state.q).toEqual(before)
  simulation.restore(good)
  expect(same(simulation.snapshot(), good)).toBe(true)
})

it('2,000 damaged snapshots of a batch (seed 4) are refused', async () => {
  const { actuators: _, ...bare } = spec
  const batch = await createBatch(buildModel(bare), { count: 3 })
  batch.step(5)
  const good = new Uint8Array(batch.snapshot())
  const pick = createRandom(4).below
  for (let k = 0; k < 2000; k++) {
    const bytes = Uint8Array.from(damage(good, pick))
    if (same(bytes, good)) continue
    expect(() => batch.restore(bytes.buffer)).toThrow(/snapshot/)
  }
  batch.restore(Uint8Array.from(good).buffer)
  expect(same(new Uint8Array(batch.snapshot()), good)).toBe(true)
  batch.close()
})
