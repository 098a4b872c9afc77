/**
 * Runs in a process of its own, without garbage collection while it measures: how many bytes a step leaves on the heap.
 *
 * Prints a line of JSON.
 */

import type { Model } from 'limber'
import {
  adaptiveMethods,
  buildModel,
  createData,
  createSimulation,
  createState,
  forwardDynamics,
  inverseDynamics,
  massMatrix,
  solvers,
} from 'limber'
import { bytesPerCall, type Measured } from '../allocation/bytes-per-call.js'
import { createRandom } from '../random.js'
import { everyForce } from './every-force.js'
import { randomState } from './random-tree.js'

const inertia = { mass: 1, com: [0.1, 0, -0.2], tensor: [0.1, 0.1, 0.1, 0, 0, 0] } as const

function chain(n: number): Model {
  const bodies = Array.from({ length: n }, (_, k) => ({
    name: `b${k}`,
    parent: k === 0 ? 'world' : `b${k - 1}`,
    position: [0, 0, -0.5] as const,
    inertia,
    joints: [{ type: 'revolute', axis: [k % 2, 1 - (k % 2), 0] as const, damping: 0.1 }],
  }))
  return buildModel({ bodies })
}

/** covers what solvers do every fiftieth step */
const TIMES = 200

const results: Measured[] = []

// what one small object a step looks like
let kept: unknown = null
results.push({
  name: 'control',
  bytesPerCall: bytesPerCall(() => {
    kept = { at: kept === null }
  }, TIMES),
})

/** Methods that choose their own steps: with such a step in every step, and between them, where a step is interpolation. */
const toTolerance = adaptiveMethods.flatMap((method) => [
  { method, name: `ode ${method}, own step in each`, options: { timestep: 1e-4, hmax: 1e-4 } },
  // so long that warming up holds some thousand steps of the method's own: seldom run code stays uncompiled, and boxes every number
  { method, name: `ode ${method}`, options: { timestep: 2e-3 } },
])

for (const [name, model] of Object.entries({ chain: chain(20), everything: buildModel(everyForce(12, {}, 0.1)) })) {
  const control = Float64Array.from({ length: model.nu }, () => 0.1)
  // away from rest, where every branch of every force is taken from the start
  const from = randomState(model, createRandom(5))
  for (const solver of Object.values(solvers)) {
    if (solver.refuses(model) !== null) continue
    for (const method of solver.options.method?.choices ?? ['']) {
      if (adaptiveMethods.some((one) => one === method)) continue
      const simulation = createSimulation(model, { solver, timestep: 1e-4, ...(method === '' ? {} : { method }) })
      simulation.reset({ q: from.q, v: from.v, control })
      const bytes = bytesPerCall(() => simulation.step(), TIMES)
      if (simulation.report.status !== 'ok') throw new Error(`${method} on ${name}: ${simulation.report.message}`)
      results.push({ name: `${solver.name} ${method} on ${name}`, bytesPerCall: bytes })
    }
  }
  for (const { method, name: label, options } of toTolerance) {
    // starts, failures and changes of order are rare: they too are to be compiled
    const warm = createSimulation(model, { solver: 'ode', method, timestep: 0.01, rtol: 1e-4, atol: 1e-4 })
    for (let k = 0; k < 2000; k++) {
      if (k % 200 === 0) warm.reset({ q: from.q, v: from.v, control })
      warm.step()
    }
    const simulation = createSimulation(model, { solver: 'ode', method, ...options })
    simulation.reset({ q: from.q, v: from.v, control })
    const bytes = bytesPerCall(() => simulation.step(), TIMES)
    if (simulation.report.status !== 'ok') throw new Error(`${method} on ${name}: ${simulation.report.message}`)
    results.push({ name: `${label} on ${name}`, bytesPerCall: bytes })
  }
  const data = createData(model)
  const state = { ...createState(model), q: from.q, v: from.v, control }
  const M = new Float64Array(model.nv ** 2)
  results.push({
    name: `forwardDynamics on ${name}`,
    bytesPerCall: bytesPerCall(() => forwardDynamics(model, data, state, from.tau), TIMES),
  })
  results.push({
    name: `inverseDynamics on ${name}`,
    bytesPerCall: bytesPerCall(() => inverseDynamics(model, data, state, from.tau), TIMES),
  })
  results.push({ name: `massMatrix on ${name}`, bytesPerCall: bytesPerCall(() => massMatrix(model, data, state, M), TIMES) })
}
process.stdout.write(`${JSON.stringify(results)}\n`)
