/**
 * What a step with domains costs: against their number, against the resolution of their meshes, for each level of the inertia of subtrees; and the
 * scenes of table 1.
 */
import {
  type BodySpec,
  buildModel,
  createData,
  createSimulation,
  forcesOf,
  type Model,
  type Reduced,
  reduce,
  type Spec,
  voxelGrid,
} from 'limber'
import { findScene } from 'limber-scenes'
import { timeTogether } from './adaptive-chains.js'
import { LEVELS, type Level } from './substructuring-accuracy.js'

/** A twig along x with places for others at its end; `fine`: voxels along each edge of a coarse one. */
export function twig(modes: number, fine = 1): Reduced {
  const mesh = voxelGrid({ size: [6 * fine, fine, fine], edge: 0.1 / fine })
  return reduce(mesh, {
    material: { young: 1e6, poisson: 0.4, density: 500 },
    fixed: { min: [-1, -1, -1], max: [0, 1, 1] },
    interfaces: { end: { min: [0.6, -1, -1], max: [1, 1, 1] } },
    modes,
  })
}

const turned = (angle: number, axis: number): [number, number, number, number] => {
  const q: [number, number, number, number] = [Math.cos(angle / 2), 0, 0, 0]
  q[1 + axis] = Math.sin(angle / 2)
  return q
}

/** A tree of twigs, three at the end of each, that bends under its weight. */
export function twigTree(domains: number, data: Reduced): Spec {
  return {
    name: `tree of ${domains} domains`,
    gravity: [0, 0, -9.81],
    timestep: 0.005,
    domains: [{ name: 'twig', data }],
    bodies: Array.from({ length: domains }, (_, k): BodySpec => {
      const parent = Math.floor((k - 1) / 3)
      return {
        name: `twig${k}`,
        ...(k > 0
          ? { parent: `twig${parent}`, attach: 'end', position: [0.6, 0, 0] as const, quaternion: turned(0.5 * ((k % 3) - 1), 1 + (k % 2)) }
          : {}),
        domain: { name: 'twig', scale: k > 0 ? 0.9 : 1, damping: { mass: 1, stiffness: 0.005 } },
      }
    }),
  } as Spec
}

export interface CostPoint {
  readonly domains: number
  readonly modes: number
  /** milliseconds a step */
  readonly millis: Readonly<Record<Level, number>>
}

const stepper = (model: Model, inertia: Level) => {
  const simulation = createSimulation(model, { solver: 'substructuring', inertia })
  simulation.step(3)
  return simulation
}

export function costOf(model: Model, samples: number): Record<Level, number> {
  const least = timeTogether(
    LEVELS.map((inertia) => stepper(model, inertia)),
    Math.max(1, Math.ceil(400 / model.modes.bodies.length)),
    samples,
  )
  return Object.fromEntries(LEVELS.map((level, k) => [level, least[k]])) as Record<Level, number>
}

export function costByDomains(counts: readonly number[], modes: number, samples: number, progress: (text: string) => void): CostPoint[] {
  const data = twig(modes)
  return counts.map((domains) => {
    progress(`${domains} domains`)
    return { domains, modes, millis: costOf(buildModel(twigTree(domains, data)), samples) }
  })
}

/** Slope of log y over log x. */
export function exponent(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)])
  const [mx, my] = [0, 1].map((c) => logs.reduce((sum, p) => sum + p[c], 0) / logs.length)
  const up = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0)
  return up / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
}

export interface ResolutionPoint {
  readonly vertices: number
  readonly elements: number
  readonly millis: number
}

/** The same tree from finer and finer meshes, timed in turns. */
export function costByResolution(fineness: readonly number[], samples: number, progress: (text: string) => void): ResolutionPoint[] {
  const meshes = fineness.map((fine) => {
    progress(`mesh ${fine} times as fine`)
    return twig(12, fine)
  })
  const least = timeTogether(
    meshes.map((data) => stepper(buildModel(twigTree(50, data)), 'exact')),
    10,
    samples,
  )
  return meshes.map((data, k) => ({
    vertices: data.masses.length,
    elements: data.elements.length / data.corners,
    millis: least[k],
  }))
}

export interface SceneRow {
  readonly scene: string
  readonly vertices: number
  readonly elements: number
  readonly domains: number
  readonly modes: number
  readonly depth: number
  /** seconds to make the scene, all meshes reduced */
  readonly reduction: number
  /** milliseconds a step, and the part of elastic forces and their Hessians in it */
  readonly millis: number
  readonly elastic: number
  readonly solver: string
  readonly failed: boolean
}

export function sceneRow(name: string, samples: number, progress: (text: string) => void): SceneRow {
  progress(`${name}: reducing`)
  const scene = findScene(name)
  if (!scene) throw new Error(`no scene '${name}'`)
  const begin = performance.now()
  const spec = scene.build({})
  const reduction = (performance.now() - begin) / 1000
  const model = buildModel(spec)
  progress(`${name}: stepping`)
  const simulation = createSimulation(model, {})
  const { status } = simulation.step(20)
  const [millis] = timeTogether([simulation], Math.max(1, Math.ceil(2000 / model.modes.count)), samples)
  const data = createData(model)
  const elasticity = forcesOf(model, data).find((force) => force.name === 'elasticity')
  let elastic = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < 2 * samples; sample++) {
    const from = performance.now()
    elasticity?.apply(model, data, simulation.state)
    elastic = Math.min(elastic, performance.now() - from)
  }
  const used = new Map(spec.domains?.map((domain) => [domain.name, domain.data]))
  const bodies = spec.bodies.filter(({ domain }) => domain !== undefined)
  const sum = (count: (data: Reduced) => number): number =>
    bodies.reduce((total, { domain }) => total + count(used.get(domain?.name ?? '') as Reduced), 0)
  return {
    scene: name,
    vertices: sum((d) => d.masses.length),
    elements: sum((d) => d.elements.length / d.corners),
    domains: bodies.length,
    modes: model.modes.count,
    depth: depthOf(model),
    reduction,
    millis,
    elastic: elastic / millis,
    solver: simulation.solver.name,
    failed: status !== 'ok',
  }
}

/** Domains from the root to the farthest one, less one. */
function depthOf({ nbody, parent, modes }: Model): number {
  const level = new Int32Array(nbody)
  for (let i = 1; i < nbody; i++) level[i] = level[parent[i]] + (modes.row[i] >= 0 ? 1 : 0)
  return Math.max(...level) - 1
}
