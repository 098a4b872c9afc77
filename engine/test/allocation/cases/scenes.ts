/** Steps of every built-in scene with its own solver, and of redmax with every scheme, linear solver, constraint and kind of contact. */
import { buildModel, createSimulation, type Force, type GeomSpec, type Model } from 'limber'
import { type ParameterValues, scenes } from 'limber-scenes'
import { ladder } from '../../redmax/ladder.js'
import { type AllocationCase, steps } from '../allocation-case.js'
import { constrainedMechanism } from './constrained-mechanism.js'
import { chainForOwnForce, neighbours } from './own-force.js'

/** covers what solvers do every fiftieth step */
const TIMES = 120

/** size only costs time here */
const SMALLER: Readonly<Record<string, ParameterValues>> = {
  crowd: { characters: 2 },
  // all of it lies before the first window: arrays of contacts grow with the most that was ever seen
  'mixed-heap': { count: 7 },
  mobile: { s: 2, l: 3, o: 3 },
  umbrella: { segments: 2 },
  'rope-bridge': { planks: 6 },
  'swinging-chain': { links: 5 },
}

type Options = Readonly<Record<string, string>>

function stepCase(name: string, build: () => Model, options: Options, forces: readonly Force[] = []): AllocationCase {
  return {
    name: [name, ...Object.values(options)].join(' '),
    times: TIMES,
    prepare: () => steps(createSimulation(build(), { ...options, forces })),
  }
}

function sceneCase(name: string, options: Options, further: ParameterValues = {}): AllocationCase {
  const scene = scenes.find((one) => one.name === name)
  if (!scene) throw new Error(`no scene ${name}`)
  return stepCase([name, ...Object.values(further)].join(' '), () => buildModel(scene.build({ ...SMALLER[name], ...further })), options)
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

const shape = {
  ball: { shape: 'sphere', radius: 0.09, density: 1000 },
  box: { shape: 'box', size: [0.15, 0.15, 0.15], density: 1000 },
} as const

export function sceneCases(): AllocationCase[] {
  const redmax = { solver: 'redmax' }
  const schemes = (name: string, build: () => Model, of: readonly string[], forces: readonly Force[] = []): AllocationCase[] =>
    of.map((scheme) => stepCase(name, build, { ...redmax, scheme }, forces))
  return [
    ...scenes.map(({ name }) => sceneCase(name, {})),
    sceneCase('bridge', {}, { car: 5 }),
    // springs between branches, loops, contact: through every linear solver and scheme
    ...['tree', 'rope-bridge', 'stewart', 'humanoid-on-ground'].flatMap((name) => [
      ...['pcg', 'direct'].map((linear) => sceneCase(name, { linear })),
      ...['linear', 'second-order'].map((scheme) => sceneCase(name, { scheme })),
    ]),
    ...schemes('every constraint', constrainedMechanism, ['auto', 'linear', 'second-order', 'newton']),
    // more loops than are taken one by one, limits at work
    ...schemes('many loops', () => buildModel(ladder(20, 5)), ['auto', 'newton', 'second-order']),
    // few contacts, and more than are solved one by one
    stepCase('box at rest', () => bin(1, shape.box), redmax),
    stepCase('heap of boxes', () => bin(16, shape.box), redmax),
    stepCase('heap of balls', () => bin(50, shape.ball), redmax),
    ...schemes('own force', chainForOwnForce, ['auto', 'linear', 'second-order'], [neighbours]),
    ...['linear', 'second-order', 'newton'].map((scheme) => sceneCase('humanoid', { ...redmax, scheme, linear: 'recursive' })),
  ]
}
