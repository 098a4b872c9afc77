/** The ground step on a GPU: the bits of f32 lanes on a software driver, and their distance to f64. */
import { type Batch, type BatchOptions, buildModel, createBatch, type GpuBatchOptions, type Model, parseMjcf } from 'limber'
import { afterAll, describe, expect, it } from 'vitest'
import { held, modelOf, scattered, situations } from '../implicit/robots.js'
import { distance, NO_ADAPTER, openTestGpu, type TestGpu } from './device.js'

const found = await openTestGpu()
const gpu = found as TestGpu

const COUNT = 20
type Options = Omit<BatchOptions, 'count' | 'device' | 'precision' | 'fused'>

/** Balls that roll, spin and strike each other on hills: contacts of every kind. */
const hills = ((): Model => {
  const elevation = Array.from({ length: 64 }, (_, k) => (0.5 + 0.5 * Math.sin(k * k)).toFixed(3)).join(' ')
  const ball = (k: number): string =>
    `<body pos="${0.15 * k - 0.2} ${0.1 * k} 1.1"><freejoint/><geom type="sphere" size="0.1" mass="1" condim="6" friction="0.8 0.01 0.01"/></body>`
  const model = buildModel(
    parseMjcf(
      `<mujoco><option timestep="0.002"/><asset><hfield name="hills" nrow="8" ncol="8" size="2 2 1 0.1" elevation="${elevation}"/></asset>
       <worldbody><geom type="hfield" hfield="hills"/>${[0, 1, 2].map(ball).join('')}</worldbody></mujoco>`,
    ),
  )
  const start = {
    name: 'start',
    time: 0,
    q: model.q0,
    v: new Float64Array(model.nv),
    control: new Float64Array(0),
    act: new Float64Array(0),
  }
  return { ...model, keyframes: [start] }
})()

const cases: Readonly<Record<string, readonly [Model, Options, number]>> = {
  'a humanoid on the ground': [modelOf(situations['humanoid standing']), { contact: { self: false } }, 60],
  'a quadruped on the ground, with friction of its own': [
    modelOf(situations['quadruped dropped']),
    { contact: { self: false }, vary: ['friction', 'push'] },
    60,
  ],
  'balls on hills': [hills, { contact: true }, 200],
}

describe.skipIf(!found)(`the ground step on a GPU${found ? '' : `: ${NO_ADAPTER}`}`, () => {
  afterAll(() => {
    expect(gpu.problems).toEqual([])
    gpu.close()
  })

  it.each(Object.entries(cases))('has the bits of f32 lanes for %s', async (_, [model, options, steps]) => {
    const { nq, nv, nu } = model
    const device = await gpu.device()
    const observe = ['q', `contact force of ${model.bodies[1].name}`] as const
    const asked: GpuBatchOptions = { count: COUNT, device, observe, ...options }
    const batch = await createBatch(model, asked)
    const lanes = (precision: 'f32' | 'f64'): Promise<Batch> => createBatch(model, { count: COUNT, observe, precision, ...options })
    const [single, double] = [await lanes('f32'), await lanes('f64')]
    const q = scattered(model, COUNT, 1)
    for (const each of [batch, single, double]) {
      each.reset(undefined, { q })
      if (nu > 0) each.writeControl(held(model, COUNT))
    }
    if (options.vary) {
      const length = single.parameter('friction', 0).length
      const friction = Float32Array.from({ length: COUNT * length }, (_, k) => 0.4 + 0.02 * Math.floor(k / length))
      batch.writeParameter('friction', friction)
      for (const each of [single, double])
        for (let e = 0; e < COUNT; e++) each.parameter('friction', e).write(friction.subarray(e * length, (e + 1) * length))
    }
    for (const times of [1, steps - 1]) {
      for (const each of [batch, single, double]) each.step(times)
      expect(await batch.readState()).toEqual(single.readState(new Float32Array(COUNT * (nq + nv))))
    }
    expect(await batch.readObservations()).toEqual(single.readObservations(new Float32Array(COUNT * single.observationSize)))
    const numbers = await batch.readState()
    const exact = double.readState(new Float64Array(numbers.length))
    const ofLanes = distance(single.readState(new Float32Array(numbers.length)), exact)
    expect(distance(numbers, exact)).toBe(ofLanes)
    expect(ofLanes).toBeLessThan(2e-2)
    expect(await batch.failures()).toBe(0)
    batch.close()
    device.destroy()
  })
})
