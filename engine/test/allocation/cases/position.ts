/** Steps of `position`: every order, optimiser and way to solve its systems, on chains and on a mechanism with everything. */
import { type BodySpec, buildModel, createSimulation, type Model } from 'limber'
import { everyForce } from '../../conformance/every-force.js'
import { randomState } from '../../conformance/random-tree.js'
import { createRandom } from '../../random.js'
import { type AllocationCase, steps } from '../allocation-case.js'

function chain(links: number): Model {
  const bodies: BodySpec[] = Array.from({ length: links }, (_, i) => ({
    name: `link${i + 1}`,
    parent: i === 0 ? 'world' : `link${i}`,
    position: [0, 0, i === 0 ? 0 : -0.5],
    joints: [{ type: 'universal', axis: [0, 1, 0], axis2: [1, 0, 0], initial: i === 0 ? [-1.5, 0.02] : [0, 0] }],
    geoms: [{ shape: 'box', size: [0.1, 0.1, 0.5], position: [0, 0, -0.25], mass: 1 }],
  }))
  return buildModel({ bodies })
}

/** Every joint type, every force that the solver takes, contact included. */
function everything(): Model {
  return buildModel({
    ...everyForce(7, { geoms: [{ shape: 'sphere', radius: 0.1 }], drag: [1, 2, 3] }),
    world: { geoms: [{ shape: 'plane', position: [0, 0, 3] }] },
    contact: { stiffness: 50, friction: 0.5, slip: 0.1 },
  })
}

function stepCase(name: string, model: Model, options: Readonly<Record<string, string | boolean>>, times: number): AllocationCase {
  return {
    name: `${Object.values(options).join(' ')} on ${name}`,
    times,
    prepare() {
      const simulation = createSimulation(model, { solver: 'position', timestep: 2e-3, ...options })
      const from = randomState(model, createRandom(5))
      if (model.nu > 0) simulation.reset({ q: from.q, v: from.v, control: new Float64Array(model.nu).fill(0.1) })
      return steps(simulation)
    },
  }
}

export function positionCases(): AllocationCase[] {
  // large enough for iterative solvers
  const long = chain(38)
  const some = (name: string, model: Model, times: number): AllocationCase[] => [
    ...['lm', 'newton', 'lbfgs', 'gauss-newton'].map((optimizer) => stepCase(name, model, { order: '2', optimizer }, times)),
    ...['3', '4', '5', 'radau'].map((order) => stepCase(name, model, { order }, times)),
  ]
  return [
    ...some('a short chain', chain(5), 300),
    ...some('everything', everything(), 100),
    ...['3', 'radau'].map((order) => stepCase('a long chain', long, { order }, 100)),
  ]
}
