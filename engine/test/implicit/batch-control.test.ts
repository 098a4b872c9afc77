/** Starts, delays and failures of batches on the ground, and recordings of chosen environments. */
import { readFileSync } from 'node:fs'
import { type Batch, buildModel, createBatch, createSimulation, parseMjcf, recordBatch, recordBytes } from 'limber'
import { describe, expect, it } from 'vitest'

const model = buildModel(parseMjcf(readFileSync(new URL('../robots/quadruped.xml', import.meta.url), 'utf8')))
const { nq, nv, nu } = model
const stand = model.keyframes[0]
const COUNT = 5

const open = (options: object = {}): Promise<Batch> => createBatch(model, { count: COUNT, contact: true, ...options })
const rowOf = (batch: Batch, e: number): number[] => [...batch.q(e).read(new Float64Array(nq)), ...batch.v(e).read(new Float64Array(nv))]

describe('reset', () => {
  it('takes the listed environments to a keyframe, with its control', async () => {
    const batch = await open()
    batch.step(3)
    const before = rowOf(batch, 1)
    batch.reset(Int32Array.of(4, 2), { keyframe: 'stand' })
    expect(rowOf(batch, 2)).toEqual([...stand.q, ...stand.v])
    expect(batch.control(4).read(new Float64Array(nu))).toEqual(stand.control)
    expect(rowOf(batch, 1)).toEqual(before)
    expect([batch.time(1), batch.time(2)]).toEqual([0.006, 0])
  })

  it('gives listed environments the rows in their order', async () => {
    const batch = await open()
    const q = new Float64Array(2 * nq)
    q.set(stand.q)
    q.set(stand.q, nq)
    q[2] = 1
    q[nq + 2] = 2
    batch.reset(Int32Array.of(3, 0), { q })
    expect([batch.q(3).get(2), batch.q(0).get(2)]).toEqual([1, 2])
  })

  it('adds noise that the seed and the number of the environment determine', async () => {
    const start = { keyframe: 'stand', noise: { q: 0.2, v: 0.5 }, seed: 7 }
    const batch = await open()
    batch.reset(undefined, start)
    const all = Array.from({ length: COUNT }, (_, e) => rowOf(batch, e))
    expect(new Set(all.map((row) => row[8])).size).toBe(COUNT)
    for (const row of all) {
      expect(Math.hypot(...row.slice(3, 7))).toBeCloseTo(1, 14)
      expect(row[3]).toBeLessThan(1)
      expect(row.slice(0, 3)).toEqual([...stand.q.subarray(0, 3)])
      for (let k = 7; k < nq; k++) expect(Math.abs(row[k] - stand.q[k])).toBeLessThanOrEqual(0.2)
      for (let k = nq; k < nq + nv; k++) expect(Math.abs(row[k])).toBeLessThanOrEqual(0.5)
    }
    // alone, later, in another batch: the same
    const other = await createBatch(model, { count: 9, contact: true })
    other.step(2)
    other.reset(Int32Array.of(3), start)
    expect(rowOf(other, 3)).toEqual(all[3])
    other.reset(Int32Array.of(3), { ...start, seed: 8 })
    expect(rowOf(other, 3)).not.toEqual(all[3])
    other.reset(Int32Array.of(3), { ...start, noise: { position: 0.1 } })
    expect(rowOf(other, 3)[0]).not.toBe(0)
    expect(rowOf(other, 3).slice(3)).toEqual([...stand.q.subarray(3), ...stand.v])
  })

  it('refuses names and sizes that are none, and noise without a seed', async () => {
    const batch = await open()
    expect(() => batch.reset(undefined, { keyframe: 'stnad' })).toThrow("got 'stnad'; did you mean 'stand'?")
    expect(() => batch.reset(undefined, { noise: 0.1 })).toThrow(/noise: expected a seed with it/)
    expect(() => batch.reset(undefined, { noise: -1, seed: 1 })).toThrow(/size of noise from 0, got -1/)
    expect(() => batch.reset(Int32Array.of(5))).toThrow('environment: expected 0 … 4, got 5')
    expect(() => batch.reset(undefined, { keyfame: 'stand' } as object)).toThrow("did you mean 'keyframe'?")
    await expect(open({ vary: ['frictions'] })).rejects.toThrow("did you mean 'friction'?")
    await expect(open({ observe: ['position of trunc'] })).rejects.toThrow("did you mean 'trunk'?")
  })
})

describe('forward', () => {
  const observe = ['a', 'contact force of front left shin'] as const

  it('gives accelerations and contact forces of a state without a step, and leaves the others alone', async () => {
    const [batch, other] = [await open({ observe }), await open({ observe })]
    for (const one of [batch, other]) {
      one.reset(undefined, { keyframe: 'stand', noise: 0.1, seed: 3 })
      one.step(200)
      one.reset(Int32Array.of(2), { keyframe: 'stand' })
      one.q(2).set(2, 0.26)
    }
    const width = batch.observationSize
    const stale = other.readObservations(new Float64Array(COUNT * width))
    expect([...stale.subarray(2 * width, 3 * width)]).toEqual(Array<number>(width).fill(0))
    batch.forward(Int32Array.of(2))
    const fresh = batch.readObservations(new Float64Array(COUNT * width))
    expect(fresh[3 * width - 1]).toBeGreaterThan(1)
    expect(fresh.subarray(0, 2 * width)).toEqual(stale.subarray(0, 2 * width))
    expect(fresh.subarray(3 * width)).toEqual(stale.subarray(3 * width))
    // the accelerations of the step from there, to the tolerance of the contact forces
    const a = [...fresh.subarray(2 * width, 2 * width + nv)]
    batch.step()
    other.step()
    for (const [k, x] of other.a(2).read(new Float64Array(nv)).entries()) expect(Math.abs(a[k] - x)).toBeLessThan(0.05 + 0.01 * Math.abs(x))
    for (const e of [0, 1, 3, 4]) expect(rowOf(batch, e)).toEqual(rowOf(other, e))
  })
})

describe('delay', () => {
  it('lets each control act so many steps later', async () => {
    const batch = await open({ vary: ['delay'] })
    const prompt = await open()
    for (const one of [batch, prompt]) one.reset(undefined, { keyframe: 'stand' })
    batch.parameter('delay', 1).set(0, 3 * model.timestep)
    batch.parameter('delay', 4).set(0, 0.021)
    const control = new Float64Array(COUNT * nu)
    const log: Float64Array[] = []
    for (let n = 0; n < 30; n++) {
      for (let e = 0; e < COUNT; e++) for (let k = 0; k < nu; k++) control[e * nu + k] = stand.control[k] + 0.2 * Math.sin(n + k)
      log.push(control.slice())
      batch.writeControl(control)
      // what should act by now
      for (const [e, steps] of [0, 3, 0, 0, 11].entries())
        prompt.control(e).write(n < steps ? stand.control : log[n - steps].subarray(0, nu))
      if (n % 5 === 0) {
        batch.step(1)
        prompt.step(1)
        continue
      }
      batch.step()
      prompt.step()
    }
    for (let e = 0; e < COUNT; e++) expect(rowOf(batch, e)).toEqual(rowOf(prompt, e))
    expect(rowOf(batch, 1)).not.toEqual(rowOf(batch, 0))
  })

  it('is part of snapshots, and is measured within a held action', async () => {
    const [one, two] = [await open({ vary: ['delay'] }), await open({ vary: ['delay'] })]
    one.reset(undefined, { keyframe: 'stand' })
    for (let e = 0; e < COUNT; e++) one.parameter('delay', e).set(0, 0.004 * e)
    one.step({ times: 4 })
    one.writeControl(new Float64Array(COUNT * nu))
    one.step(2)
    two.restore(one.snapshot())
    one.step({ times: 9 })
    for (let n = 0; n < 9; n++) two.step()
    for (let e = 0; e < COUNT; e++) expect(rowOf(two, e)).toEqual(rowOf(one, e))
    expect(two.parameter('delay', 3).get(0)).toBe(0.012)
    const plain = await open()
    expect(() => plain.restore(one.snapshot())).toThrow(/of the same model, count, precision and vary/)
    expect(() => one.parameter('delay', 0).set(0, -1)).toThrow('delay: expected seconds from 0, got -1')
    expect(() => plain.parameter('delay', 0)).toThrow("vary: ['delay']")
  })
})

describe('failure', () => {
  it('names environment, number or joint, and a remedy', async () => {
    const batch = await open({ vary: ['friction'] })
    batch.reset(undefined, { keyframe: 'stand' })
    batch.control(1).set(2, Number.NaN)
    batch.parameter('friction', 2).set(0, Number.NaN)
    batch.v(3).set(8, 1e300)
    expect(batch.step(2)).toBe(3)
    expect(batch.failure(0)).toBeUndefined()
    expect(batch.failure(1)).toMatch(/^environment 1: control of actuator 'front left knee' is NaN; write a finite number/)
    expect(batch.failure(2)).toMatch(/^environment 2: number 0 of parameter 'friction' is NaN/)
    expect(batch.failure(3)).toMatch(
      /^environment 3: the step of 0.002 s at t = 0.* diverged at joint 'front left knee' of body .*smaller timestep/,
    )
    const states = Array.from({ length: COUNT }, (_, e) => rowOf(batch, e))
    batch.failure(3)
    for (let e = 0; e < COUNT; e++) expect(rowOf(batch, e)).toEqual(states[e])
    batch.reset(Int32Array.of(1, 3), { keyframe: 'stand' })
    batch.parameter('friction', 2).set(0, 1)
    expect(batch.step()).toBe(0)
  })
})

describe('a recording of chosen environments', () => {
  it.each(['csv', 'glb', 'json', 'npy', 'mcap'] as const)('is that of a simulation with the same inputs, as %s', async (format) => {
    const batch = await open()
    batch.reset(undefined, { keyframe: 'stand', noise: 0.1, seed: 1 })
    const start = { q: batch.q(3).read(new Float64Array(nq)), v: batch.v(3).read(new Float64Array(nv)), control: stand.control }
    const film = recordBatch(batch, [3, 0], { fps: 60 })
    batch.step({ times: 50 })
    batch.step(50)
    film.stop()
    batch.step(10)
    const simulation = createSimulation(model, { solver: 'implicit' })
    simulation.reset(start)
    const alone = await recordBytes(simulation, format, { seconds: 0.2, fps: 60 })
    expect(film.frames(3).frames).toBe(13)
    expect(Buffer.compare(await film.bytes(3, format), alone)).toBe(0)
    expect(Buffer.compare(await film.bytes(0, format), alone)).not.toBe(0)
  })

  it('refuses environments that are not recorded', async () => {
    const batch = await open()
    const film = recordBatch(batch, [3])
    expect(() => film.frames(2)).toThrow('record: environment 2 is not among those that are recorded: 3')
    expect(() => recordBatch(batch, [7])).toThrow('environment: expected 0 … 4, got 7')
  })
})
