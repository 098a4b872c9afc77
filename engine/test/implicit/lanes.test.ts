/**
 * The ground step in lanes: the bits of one robot alone in WebAssembly and in JavaScript, of any number of threads and through snapshots; the heights
 * of MuJoCo; and environments that none of loses its way under random actions and pushes.
 */
import loadMujoco, { type MainModule } from '@mujoco/mujoco'
import { type Batch, createBatch, createData, createSimulation, energy, type Model, useKernels } from 'limber'
import { jsKernels } from 'limber/js-kernels'
import { startThread } from 'limber/node'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createRandom, held, modelOf, scattered, selfTouching, situations } from './robots.js'

let mujoco: MainModule
beforeAll(async () => {
  mujoco = await loadMujoco()
})
afterEach(() => useKernels('wasm'))

const COUNT = 5
const STEPS = 150

async function batchOf(model: Model, options: object = {}): Promise<Batch> {
  const batch = await createBatch(model, { count: COUNT, contact: true, ...options })
  batch.reset(undefined, { q: scattered(model, COUNT, 1) })
  if (model.nu > 0) batch.writeControl(held(model, COUNT))
  return batch
}

/** States of simulations that each are one environment. */
function alone(model: Model): Float64Array {
  const q = scattered(model, COUNT, 1)
  const { nq, nv } = model
  const out = new Float64Array(COUNT * (nq + nv))
  for (let e = 0; e < COUNT; e++) {
    const simulation = createSimulation(model, { solver: 'implicit' })
    simulation.reset({ q: q.slice(e * nq, (e + 1) * nq) })
    if (model.nu > 0) simulation.state.control.set(model.keyframes[0].control)
    simulation.step(STEPS)
    out.set(simulation.state.q, e * (nq + nv))
    out.set(simulation.state.v, e * (nq + nv) + nq)
  }
  return out
}

describe.each(Object.entries({ ...situations, ...selfTouching }))('%s', (_, text) => {
  const model = modelOf(text)
  const states = (batch: Batch): Float64Array => batch.readState(new Float64Array(COUNT * (model.nq + model.nv)))

  it('has the same bits in lanes, alone, in JavaScript and on two threads', async () => {
    const batch = await batchOf(model)
    expect(batch.lanes).toBe(2)
    expect(batch.step(STEPS)).toBe(0)
    const expected = states(batch)
    expect(alone(model)).toEqual(expected)
    const shared = await batchOf(model, { threads: 2, startThread })
    expect([shared.threads, shared.step(STEPS)]).toEqual([2, 0])
    expect(states(shared)).toEqual(expected)
    shared.close()
    useKernels(jsKernels)
    expect(alone(model)).toEqual(expected)
  })

  it('goes on from a snapshot with the same bits', async () => {
    const batch = await batchOf(model)
    batch.step(40)
    const snapshot = batch.snapshot()
    batch.step(40)
    const other = await batchOf(model)
    other.restore(snapshot)
    other.step(40)
    expect(states(other)).toEqual(states(batch))
  })

  it('agrees in single precision after a short time', async () => {
    const [double, single] = [await batchOf(model), await batchOf(model, { precision: 'f32' })]
    expect([double.step(25), single.step(25)]).toEqual([0, 0])
    const [x, y] = [states(double), states(single)]
    // positions after 0.05 s, in rad and m
    for (let e = 0; e < COUNT; e++)
      for (let k = 0; k < model.nq; k++)
        expect(Math.abs(x[e * (model.nq + model.nv) + k] - y[e * (model.nq + model.nv) + k])).toBeLessThan(2e-3)
  })
})

// m: two convex problems that differ in how dampers enter them
const SAME_HEIGHT = 5e-4

describe.each(['humanoid standing', 'humanoid lying', 'quadruped standing'])('%s', (name) => {
  it('has the height of MuJoCo after 1 s', () => {
    const text = situations[name].replace('<option ', '<option cone="elliptic" integrator="implicitfast" ')
    const model = modelOf(text)
    const simulation = createSimulation(model, { solver: 'implicit' })
    simulation.reset(model.keyframes[0])
    expect(simulation.advance(1).status).toBe('ok')
    const rival = mujoco.MjModel.from_xml_string(text)
    const data = new mujoco.MjData(rival)
    mujoco.mj_resetDataKeyframe(rival, data, 0)
    for (let k = 0; k < Math.round(1 / model.timestep); k++) mujoco.mj_step(rival, data)
    expect(Math.abs(simulation.state.q[2] - (data.qpos as Float64Array)[2])).toBeLessThan(SAME_HEIGHT)
    data.delete()
    rival.delete()
  })
})

describe.each(['f64', 'f32'] as const)('random actions and pushes in %s', (precision) => {
  it.each(['humanoid standing', 'quadruped standing'])('lose no environment of the %s', async (name) => {
    const model = modelOf(situations[name])
    const count = 16
    const batch = await createBatch(model, { count, precision, contact: true, vary: ['friction', 'inertia', 'push'] })
    batch.reset(undefined, { q: scattered(model, count, 3) })
    const random = createRandom(5)
    for (let e = 0; e < count; e++) {
      const friction = batch.parameter('friction', e)
      const factor = 1 + 0.5 * random()
      for (let k = 0; k < friction.length; k++) friction.set(k, friction.get(k) * factor)
      for (let i = 1; i < model.nbody; i++) batch.scaleMass(e, i, 1 + 0.2 * random())
    }
    const control = held(model, count)
    const rest = control.slice()
    let fastest = 0
    for (let k = 0; k < 80; k++) {
      for (let n = 0; n < control.length; n++) control[n] = rest[n] + 0.3 * random()
      batch.writeControl(control)
      for (let e = 0; e < count; e++) for (let r = 3; r < 6; r++) batch.parameter('push', e).set(6 + r, 60 * random())
      expect(batch.step(25)).toBe(0)
      for (const x of batch.readState(new Float64Array(count * (model.nq + model.nv)))) fastest = Math.max(fastest, Math.abs(x))
    }
    // rad/s and m/s; a robot that is thrown about, not one that explodes
    expect(fastest).toBeLessThan(60)
  })
})

describe('energy', () => {
  it.each(['humanoid lying', 'quadruped dropped', 'humanoid falling'])(
    'of the %s does not rise, that of its contacts and limits added',
    (name) => {
      const text = situations[name].replace(/<actuator>[\s\S]*<\/actuator>/, '').replace(/ctrl="[^"]*"/, '')
      const model = modelOf(text)
      const data = createData(model)
      const simulation = createSimulation(model, { solver: 'implicit', tolerance: 1e-8 })
      simulation.reset(model.keyframes[0])
      const total = (): number => {
        const { kinetic, potential } = energy(model, data, simulation.state)
        return kinetic + potential
      }
      const start = total()
      let [before, taken, rises, given] = [start, 0, 0, 0]
      for (let k = 0; k < 1000; k++) {
        simulation.step()
        const now = total()
        const rows = simulation.report.taken ?? Number.NaN
        rises += Math.max(0, now + rows - before - taken)
        given += Math.max(0, now - before)
        ;[before, taken] = [now, rows]
      }
      // without the rows it does rise: soft contacts give back what they stored
      expect(given).toBeGreaterThan(1e-4)
      expect(rises).toBeLessThan(1e-9 * start)
    },
  )
})

describe('observations', () => {
  it('are those of a simulation, by name', async () => {
    const model = modelOf(situations['quadruped standing'])
    const observe = [
      'q',
      'v',
      'position of trunk',
      'quaternion of trunk',
      'local angular velocity of trunk',
      'gravity of trunk',
      'time',
    ] as const
    const batch = await createBatch(model, {
      count: 3,
      contact: true,
      observe: [
        ...observe,
        {
          heights: 'trunk',
          at: [
            [0, 0],
            [0.3, 0.1],
          ],
        },
      ],
    })
    batch.reset(undefined, { q: model.keyframes[0].q })
    batch.writeControl(held(model, 3))
    batch.step({ times: 100 })
    const row = batch.readObservations(new Float64Array(3 * batch.observationSize)).slice(batch.observationSize)
    const part = (name: string): number[] => {
      const { start, length } = batch.observations.find((one) => one.name === name) ?? { start: 0, length: 0 }
      return [...row.slice(start, start + length)]
    }
    const simulation = createSimulation(model, { solver: 'implicit' })
    simulation.reset(model.keyframes[0])
    simulation.step(100)
    const near = (x: readonly number[], y: ArrayLike<number>): void => {
      expect(x.length).toBe(y.length)
      for (let k = 0; k < x.length; k++) expect(x[k]).toBeCloseTo(y[k], 12)
    }
    const { q, v } = simulation.state
    near(part('q'), q)
    near(part('v'), v)
    near(part('position of trunk'), q.slice(0, 3))
    near(part('local angular velocity of trunk'), v.slice(0, 3))
    const sign = q[3] < 0 ? -1 : 1
    near(
      part('quaternion of trunk'),
      q.slice(3, 7).map((x) => sign * x),
    )
    const [w, x, y, z] = q.slice(3, 7)
    near(part('gravity of trunk'), [2 * (w * y - x * z), -2 * (w * x + y * z), 2 * (x * x + y * y) - 1])
    near(part('time'), [0.2])
    near(part('heights around trunk'), [q[2], q[2]])
  })

  it('of what the model does not have are refused, all at once', async () => {
    const model = modelOf(situations['quadruped standing'])
    const observe = ['position of tail', 'q of knee', 'sensor imu'] as const
    await expect(createBatch(model, { count: 1, contact: true, observe })).rejects.toThrow(/tail[\s\S]*knee[\s\S]*imu/)
    await expect(createBatch(model, { count: 1, observe: ['q'] })).rejects.toThrow('contact: true')
  })
})
