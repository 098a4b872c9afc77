/**
 * Runs in a process of its own, without garbage collection while it measures: how many bytes a step of `position` leaves on the heap, for every
 * order, optimiser and way to solve its systems.
 *
 * Prints a line of JSON.
 */
import { type BodySpec, buildModel, createSimulation, type Model } from 'limber'
import { bytesPerCall, type Measured } from '../allocation/bytes-per-call.js'
import { everyForce } from '../conformance/every-force.js'
import { createRandom, randomState } from '../conformance/random-tree.js'

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

const results: Measured[] = []
const only = process.argv[2] ?? ''

// what one small object a step looks like
let kept: unknown = null
results.push({
  name: 'control',
  bytesPerCall: bytesPerCall(() => {
    kept = { at: kept === null }
  }, 300),
})

function run(name: string, model: Model, options: Readonly<Record<string, string | boolean>>, times: number): void {
  const full = `${Object.values(options).join(' ')} on ${name}`
  if (!full.includes(only)) return
  const simulation = createSimulation(model, { solver: 'position', timestep: 2e-3, ...options })
  const from = randomState(model, createRandom(5))
  if (model.nu > 0) simulation.reset({ q: from.q, v: from.v, control: new Float64Array(model.nu).fill(0.1) })
  const bytes = bytesPerCall(() => simulation.step(), times, 2 * times)
  if (simulation.report.status !== 'ok') throw new Error(`${full}: ${simulation.report.message}`)
  results.push({ name: full, bytesPerCall: bytes })
}

const all = everything()
const short = chain(5)
for (const [name, model, times] of [
  ['a short chain', short, 300],
  ['everything', all, 100],
] as const) {
  for (const optimizer of ['lm', 'newton', 'lbfgs', 'gauss-newton']) run(name, model, { order: '2', optimizer }, times)
  for (const order of ['3', '4', '5', 'radau']) run(name, model, { order }, times)
}
// large enough for iterative solvers
const long = chain(38)
for (const order of ['3', 'radau']) run('a long chain', long, { order }, 100)
process.stdout.write(`${JSON.stringify(results)}\n`)
