/**
 * Runs in a process of its own, without garbage collection while it measures: how many bytes a step of every built-in scene leaves on the heap.
 *
 * Prints a line of JSON.
 */
import { buildModel, createSimulation, type Force, type GeomSpec, type Model } from 'limber'
import { type ParameterValues, scenes } from 'limber-scenes'
import { ladder } from '../redmax/ladder.js'
import { bytesPerCall, type Measured } from './bytes-per-call.js'
import { constrainedMechanism } from './constrained-mechanism.js'
import { chainForOwnForce, neighbours } from './own-force.js'

/** covers what solvers do every fiftieth step */
const TIMES = 120
const WARM_UP = 2 * TIMES

/** size only costs time here */
const SMALLER: Readonly<Record<string, ParameterValues>> = {
  crowd: { puppets: 2 },
  mobile: { s: 2, l: 3, o: 3 },
  umbrella: { segments: 2 },
  'rope-bridge': { planks: 6 },
  'swinging-chain': { links: 5 },
}

const results: Measured[] = []

// what one small object a step looks like
let kept: unknown = null
results.push({ name: 'control', bytesPerCall: bytesPerCall(() => void (kept = { at: kept === null }), TIMES) })

function run(name: string, options: Readonly<Record<string, string>>, further: ParameterValues = {}): void {
  const scene = scenes.find((one) => one.name === name)
  if (!scene) throw new Error(`no scene ${name}`)
  measure([name, ...Object.values(further)].join(' '), buildModel(scene.build({ ...SMALLER[name], ...further })), options)
}

function measure(name: string, model: Model, options: Readonly<Record<string, string>>, forces: readonly Force[] = []): void {
  const simulation = createSimulation(model, { ...options, forces })
  const bytes = bytesPerCall(() => simulation.step(), TIMES, WARM_UP)
  const full = [name, ...Object.values(options)].join(' ')
  if (simulation.report.status !== 'ok') throw new Error(`${full}: ${simulation.report.message}`)
  results.push({ name: full, bytesPerCall: bytes })
}

/** Bodies in layers of sixteen between four walls. */
function bin(count: number, geom: GeomSpec): Model {
  const wall = (x: number, y: number): GeomSpec => ({ shape: 'box', size: [x ? 0.1 : 1.2, y ? 0.1 : 1.2, 2], position: [x, y, 1] })
  return buildModel({
    timestep: 0.01,
    world: { geoms: [{ shape: 'plane' }, wall(0.55, 0), wall(-0.55, 0), wall(0, 0.55), wall(0, -0.55)] },
    bodies: Array.from({ length: count }, (_, k) => ({
      name: `body${k}`,
      position: [-0.3 + 0.2 * (k % 4) + 0.003 * (k % 7), -0.3 + 0.2 * ((k >> 2) % 4) + 0.002 * (k % 5), 0.15 + 0.22 * (k >> 4)] as const,
      joints: [{ type: 'free' }],
      geoms: [geom],
    })),
  })
}

for (const { name } of scenes) run(name, {})
run('bridge', {}, { car: 5 })
// springs between branches, loops, contact: through every linear solver and scheme
for (const name of ['tree', 'rope-bridge', 'stewart', 'humanoid-on-ground']) {
  for (const linear of ['pcg', 'direct']) run(name, { linear })
  for (const scheme of ['linear', 'second-order']) run(name, { scheme })
}
const every = constrainedMechanism()
for (const scheme of ['auto', 'linear', 'second-order', 'newton']) measure('every constraint', every, { solver: 'redmax', scheme })
// more loops than are taken one by one, limits at work
const loops = buildModel(ladder(20, 5))
for (const scheme of ['auto', 'newton', 'second-order']) measure('many loops', loops, { solver: 'redmax', scheme })
// few contacts, and more than are solved one by one
const shape = {
  ball: { shape: 'sphere', radius: 0.09, density: 1000 },
  box: { shape: 'box', size: [0.15, 0.15, 0.15], density: 1000 },
} as const
measure('box at rest', bin(1, shape.box), { solver: 'redmax' })
measure('heap of boxes', bin(16, shape.box), { solver: 'redmax' })
measure('heap of balls', bin(50, shape.ball), { solver: 'redmax' })
const own = chainForOwnForce()
for (const scheme of ['auto', 'linear', 'second-order']) measure('own force', own, { solver: 'redmax', scheme }, [neighbours])
for (const scheme of ['linear', 'second-order', 'newton']) run('humanoid', { solver: 'redmax', scheme, linear: 'recursive' })
process.stdout.write(`${JSON.stringify(results)}\n`)
