/** Simulations that the tests of all transports run, and what comes out of them. */
import { buildModel, createSimulation, type Model, type Solver } from 'limber'
import { findScene } from 'limber-scenes'
import { everyForce } from '../conformance/every-force.js'
import { randomSpec } from '../conformance/random-tree.js'
import { createRandom } from '../random.js'

/** blocks of long chains are short here, so that small models have them */
export const LONGEST = 12

const scene = (name: string, values: Record<string, number | string>): Model => {
  const found = findScene(name)
  if (!found) throw new Error(`no scene ${name}`)
  return buildModel(found.build(values))
}

export const models: Readonly<Record<string, () => Model>> = {
  mobile: () => scene('mobile', { s: 2, l: 4, o: 5, elongation: 0.5 }),
  chain: () => scene('chain', { links: 60 }),
  'chain of ball joints': () => scene('chain', { links: 40, joint: 'spherical' }),
  'tree of all joints': () => buildModel(randomSpec({ seed: 3, bodies: 40 }, createRandom(3))),
  'every force': () => buildModel(everyForce(20)),
}

/** Time, coordinates and velocities in hexadecimal, after some steps of 5 ms; with a snapshot taken and restored half-way if so asked. */
export function runModel(model: Model, solver: Solver, half = false): string {
  const simulation = createSimulation(model, { solver, timestep: 0.005, method: 'gear', rtol: 1e-5, atol: 1e-7 })
  for (let k = 0; k < model.nv; k++) simulation.state.v[k] = 0.1 * Math.sin(k)
  simulation.step(10)
  if (half) {
    const bytes = simulation.snapshot()
    simulation.step(3)
    simulation.restore(bytes)
  }
  simulation.step(10)
  const { status, message } = simulation.report
  if (status !== 'ok') throw new Error(message)
  const { t, q, v } = simulation.state
  const numbers = Float64Array.of(t, ...q, ...v)
  simulation.close()
  return Buffer.from(numbers.buffer).toString('hex')
}
