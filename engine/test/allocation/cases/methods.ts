/** Steps of every solver and method, and the dynamics, on a chain and on a mechanism with every joint and force. */

import type { Model, State } from 'limber'
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
import { everyForce } from '../../conformance/every-force.js'
import { randomState } from '../../conformance/random-tree.js'
import { createRandom } from '../../random.js'
import { type AllocationCase, steps } from '../allocation-case.js'

const inertia = { mass: 1, com: [0.1, 0, -0.2], tensor: [0.1, 0.1, 0.1, 0, 0, 0] } as const

function chain(n: number): Model {
  const bodies = Array.from({ length: n }, (_, k) => ({
    name: `b${k}`,
    parent: k === 0 ? 'world' : `b${k - 1}`,
    position: [0, 0, -0.5] as const,
    inertia,
    joints: [{ type: 'revolute' as const, axis: [k % 2, 1 - (k % 2), 0] as const, damping: 0.1 }],
  }))
  return buildModel({ bodies })
}

/** covers what solvers do every fiftieth step */
const TIMES = 200
/** long: what a method does seldom is to be compiled before the first window */
const WARM_UP = 8 * TIMES

/** Methods that choose their own steps: with such a step in every step, and between them, where a step is interpolation. */
const toTolerance = adaptiveMethods.flatMap((method) => [
  { method, name: `ode ${method}, own step in each`, options: { timestep: 1e-4, hmax: 1e-4 } },
  // so long that warming up holds some thousand steps of the method's own: seldom run code stays uncompiled, and boxes every number
  { method, name: `ode ${method}`, options: { timestep: 2e-3 } },
])

export function methodCases(): AllocationCase[] {
  return Object.entries({ chain: chain(20), everything: buildModel(everyForce(12, {}, 0.1)) }).flatMap(([name, model]) => {
    // away from rest, where every branch of every force is taken from the start
    const from = randomState(model, createRandom(5))
    const start = { q: from.q, v: from.v, control: new Float64Array(model.nu).fill(0.1) }
    return [
      ...fixedSteps(name, model, start),
      ...ownSteps(name, model, start),
      ...dynamics(name, model, { ...createState(model), ...start }, from.tau),
    ]
  })
}

interface Start {
  readonly q: Float64Array
  readonly v: Float64Array
  readonly control: Float64Array
}

function fixedSteps(name: string, model: Model, start: Start): AllocationCase[] {
  return Object.values(solvers)
    .filter((solver) => solver.refuses(model) === null)
    .flatMap((solver) =>
      (solver.options.method?.choices ?? [''])
        .filter((method) => !adaptiveMethods.some((one) => one === method))
        .map((method) => ({
          name: `${solver.name} ${method} on ${name}`,
          times: TIMES,
          warmUp: WARM_UP,
          prepare() {
            const simulation = createSimulation(model, { solver, timestep: 1e-4, ...(method === '' ? {} : { method }) })
            simulation.reset(start)
            return steps(simulation)
          },
        })),
    )
}

function ownSteps(name: string, model: Model, start: Start): AllocationCase[] {
  return toTolerance.map(({ method, name: label, options }) => ({
    name: `${label} on ${name}`,
    times: TIMES,
    warmUp: WARM_UP,
    prepare() {
      // starts, failures and changes of order are rare: they too are to be compiled
      const warm = createSimulation(model, { solver: 'ode', method, timestep: 0.01, rtol: 1e-4, atol: 1e-4 })
      for (let k = 0; k < 2000; k++) {
        if (k % 200 === 0) warm.reset(start)
        warm.step()
      }
      const simulation = createSimulation(model, { solver: 'ode', method, ...options })
      simulation.reset(start)
      return steps(simulation)
    },
  }))
}

function dynamics(name: string, model: Model, state: State, tau: Float64Array): AllocationCase[] {
  const data = createData(model)
  const M = new Float64Array(model.nv ** 2)
  const calls = {
    forwardDynamics: () => forwardDynamics(model, data, state, tau),
    inverseDynamics: () => inverseDynamics(model, data, state, tau),
    massMatrix: () => massMatrix(model, data, state, M),
  }
  return Object.entries(calls).map(([called, run]) => ({
    name: `${called} on ${name}`,
    times: TIMES,
    warmUp: WARM_UP,
    prepare: () => ({ run }),
  }))
}
