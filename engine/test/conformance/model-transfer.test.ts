/**
 * A model is plain data: a clone of it, here or in another thread, steps with the same bits under every solver.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Model, Spec } from 'limber'
import { buildModel, createSimulation, modelHash, solvers } from 'limber'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.js'
import { tree } from './domain-tree.js'
import { randomSpec } from './random-tree.js'

const plain = randomSpec({ seed: 5, bodies: 5 }, createRandom(5))
/** Joint springs and dampers, a spring, a tendon with a motor, a load, drag, contact with the ground. */
const spec: Spec = {
  ...plain,
  bodies: plain.bodies.map((body) => ({
    ...body,
    damping: { angular: 0.1, linear: 0.2 },
    joints: (body.joints ?? []).map((joint) => ({ ...joint, stiffness: 5, damping: 0.3 })),
    geoms: [{ shape: 'sphere', radius: 0.2 }],
  })),
  world: { geoms: [{ shape: 'plane', position: [0, 0, -3] }] },
  contact: { stiffness: 100, friction: 0.5, slip: 0.1 },
  medium: { density: 2, viscosity: 0.1 },
  springs: [{ a: { body: 'b1' }, b: { body: 'b4', point: [0.1, 0, 0] }, stiffness: 40, damping: 1 }],
  tendons: [{ name: 'cable', path: [{ body: 'world', point: [0, 0, 1] }, { body: 'b3' }], stiffness: 20, damping: 0.5 }],
  loads: [{ body: 'b2', force: [1, 0, 2] }],
  actuators: [{ tendon: 'cable', gain: [3, 0, 0], bias: [0, -1, 0] }],
}
const model = buildModel(spec)
/** springs and tendons across the tree are not for every solver: this one has elastic domains instead, and a motor */
const soft = buildModel({ ...tree(1), actuators: [{ joint: 'd' }] })

const runs = [
  ...['rk4', 'gear', 'bdf'].map((method) => ({ solver: 'ode', method })),
  ...['auto', 'linear', 'second-order'].map((scheme) => ({ solver: 'redmax', scheme })),
  { solver: 'implicit' },
  ...['2', '3', 'radau'].map((order) => ({ solver: 'position', order })),
  ...['hybrid', 'truncated'].map((mode) => ({ solver: 'adaptive', mode })),
  { solver: 'substructuring', inertia: 'exact' },
]

function bits(m: Model, options: Readonly<Record<string, string>>): number[] {
  const simulation = createSimulation(m, { timestep: 0.01, ...options })
  simulation.reset({ control: Float64Array.of(0.4) })
  simulation.step(5)
  expect(simulation.report.message).toBe('')
  return [simulation.state.t, ...simulation.state.q, ...simulation.state.v]
}

describe('a model', () => {
  const { port1, port2 } = new MessageChannel()
  port1.postMessage(model)
  const posted = receiveMessageOnPort(port2)?.message as Model
  port1.postMessage(soft)
  const postedSoft = receiveMessageOnPort(port2)?.message as Model
  port1.close()

  it('is covered here with every solver', () => {
    expect(new Set(runs.map(({ solver }) => solver))).toEqual(new Set(Object.keys(solvers)))
  })

  it.each(runs)('cloned or posted steps with the same bits under %o', (options) => {
    const [here, there] = options.solver === 'substructuring' ? [soft, postedSoft] : [model, posted]
    const wanted = bits(here, options)
    expect(bits(structuredClone(here), options)).toEqual(wanted)
    expect(bits(there, options)).toEqual(wanted)
  })

  it('keeps its hash, so that snapshots go over to a clone', () => {
    expect(modelHash(structuredClone(model))).toBe(modelHash(model))
    const one = createSimulation(model, { solver: 'redmax', timestep: 0.01 })
    const two = createSimulation(posted, { solver: 'redmax', timestep: 0.01 })
    one.step(3)
    two.restore(one.snapshot())
    one.step(3)
    two.step(3)
    expect(Array.from(two.state.q)).toEqual(Array.from(one.state.q))
  })

  it('comes back from a worker as it went', async () => {
    const worker = new Worker(
      'const { parentPort } = require("node:worker_threads"); parentPort.once("message", (m) => parentPort.postMessage(m))',
      {
        eval: true,
      },
    )
    const back = await new Promise<Model>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.postMessage(model)
    })
    await worker.terminate()
    expect(modelHash(back)).toBe(modelHash(model))
    expect(bits(back, { solver: 'redmax' })).toEqual(bits(model, { solver: 'redmax' }))
  })
})

describe('forces of the user’s own', () => {
  const push = { name: 'push', apply: (_m: unknown, d: { qf: Float64Array }) => void (d.qf[0] += 1) }

  it('are refused where a model is built, with the place that takes them', () => {
    const untyped = buildModel as (spec: Spec, options: object) => Model
    expect(() => untyped(spec, { forces: [push] })).toThrow(/createSimulation\(model, \{ forces \}\) and createData\(model, \{ forces \}\)/)
  })

  it('decide by their names whether a snapshot fits', () => {
    const start = (...forces: (typeof push)[]) => createSimulation(model, { solver: 'ode', forces })
    const bytes = start(push).snapshot()
    expect(() => start(push).restore(bytes)).not.toThrow()
    expect(() => start().restore(bytes)).toThrow('another model')
    expect(() => start({ ...push, name: 'pull' }).restore(bytes)).toThrow('another model')
  })

  it('are a list', () => {
    expect(() => createSimulation(model, { forces: 'push' as never })).toThrow('forces: expected a list of forces, got string')
  })
})
