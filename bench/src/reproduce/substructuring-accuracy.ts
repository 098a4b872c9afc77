/**
 * Domains against the mesh without reduction: the lowest frequency, and the paths of two vertices (figure 7), for each level of the inertia
 * of subtrees.
 */
import { buildModel, createSimulation, type Mesh, type Reduced, reduce, type Simulation } from 'limber'
import {
  type CutObject,
  cutSpec,
  farthest,
  fitVelocities,
  twinsIn,
  vertexFollower,
  wholeMesh,
  wholeObject,
} from './substructuring-objects.js'

export const LEVELS = ['L1', 'L2', 'L3', 'exact'] as const
export type Level = (typeof LEVELS)[number]

/** Velocities of the lowest linear mode of the whole mesh, the largest of them `speed`. */
function firstMode(object: CutObject, whole: Mesh, speed: number): Float64Array {
  const { shapes } = reduce(whole, { material: object.material, fixed: object.fixed, modes: 1, linearModes: 1 })
  const most = shapes.reduce((largest, x) => Math.max(largest, Math.abs(x)), 0)
  return Float64Array.from(shapes, (x) => (speed * x) / most)
}

/** Time between zeros of x, as a frequency: from the first to the last upward one, which are interpolated. */
export function frequencyOf(x: readonly number[], h: number): number {
  const zeros: number[] = []
  for (let k = 1; k < x.length; k++) if (x[k - 1] < 0 && x[k] >= 0) zeros.push(h * (k - x[k] / (x[k] - x[k - 1])))
  return zeros.length > 1 ? (zeros.length - 1) / (zeros[zeros.length - 1] - zeros[0]) : Number.NaN
}

export interface LevelFrequency {
  readonly level: Level
  readonly hertz: number
  /** against the whole mesh */
  readonly ratio: number
}

export interface Frequencies {
  readonly whole: number
  readonly levels: readonly LevelFrequency[]
}

const PERIODS = 8
const STEPS_A_PERIOD = 160

/** Free vibration of small amplitude in the lowest mode of the whole, by the root's largest mode. */
export function lowestFrequencies(object: CutObject): Frequencies {
  const { spec, domains } = cutSpec(object)
  const whole = wholeMesh(object)
  const [hertz] = wholeObject(object).frequencies(1)
  const model = buildModel(spec)
  const size = Math.max(...whole.vertices)
  const v = fitVelocities(model, domains, whole, firstMode(object, whole, 1e-4 * size * hertz))
  const root = Array.from({ length: domains[0].modes }, (_, l) => l).reduce((best, l) => (Math.abs(v[l]) > Math.abs(v[best]) ? l : best), 0)
  return {
    whole: hertz,
    levels: LEVELS.map((inertia) => {
      // levels with too little inertia are up to three times as fast
      const timestep = 1 / (3 * hertz * STEPS_A_PERIOD)
      const simulation = createSimulation(model, { solver: 'substructuring', inertia, timestep })
      simulation.reset({ v })
      const x: number[] = []
      for (let k = 0; k < 3 * PERIODS * STEPS_A_PERIOD; k++) {
        if (simulation.step().status !== 'ok') return { level: inertia, hertz: Number.NaN, ratio: Number.NaN }
        x.push(simulation.state.q[root])
      }
      const found = frequencyOf(x, timestep)
      return { level: inertia, hertz: found, ratio: found / hertz }
    }),
  }
}

export interface Path {
  readonly name: string
  /** positions of the watched vertex, one a sample */
  readonly points: readonly (readonly [number, number, number])[]
  /** mean distance to that of the whole mesh, in parts of how far that one gets from its rest */
  readonly error: number
  readonly hertz: number
  /** milliseconds a step */
  readonly millis: number
  /** time at which the step failed */
  readonly failed?: number
}

export interface Trajectories {
  readonly vertex: string
  readonly times: readonly number[]
  /** the whole mesh first */
  readonly paths: readonly Path[]
}

export interface TrajectoryPlan {
  readonly seconds: number
  readonly timestep: number
  /** of the fastest vertex at the start, m/s */
  readonly speed: number
}

/** The same push, along the lowest mode of the whole, for the mesh without reduction and for the domains. */
export function comparePaths(object: CutObject, plan: TrajectoryPlan, progress: (text: string) => void): Trajectories[] {
  const { spec, domains } = cutSpec(object)
  const whole = wholeMesh(object)
  const velocity = firstMode(object, whole, plan.speed)
  const steps = Math.round(plan.seconds / plan.timestep)
  const watched = watchedVertices(object, domains)
  const twins = watched.map(({ n, k }) => twinsIn(whole, domains[n])[k])

  progress(`${object.name}: without reduction`)
  const full = wholeObject(object)
  full.v.set(velocity)
  const at = (v: number): [number, number, number] => [0, 1, 2].map((c) => whole.vertices[3 * v + c] + full.u[3 * v + c]) as never
  const truth = twins.map((v) => [at(v)])
  let begin = performance.now()
  for (let k = 0; k < steps; k++) {
    full.step(plan.timestep)
    twins.forEach((v, w) => {
      truth[w].push(at(v))
    })
  }
  const wholeMillis = (performance.now() - begin) / steps

  const model = buildModel(spec)
  const v = fitVelocities(model, domains, whole, velocity)
  const runs = LEVELS.map((inertia) => {
    progress(`${object.name}: ${inertia}`)
    const simulation: Simulation = createSimulation(model, { solver: 'substructuring', inertia, timestep: plan.timestep })
    simulation.reset({ v })
    const follow = watched.map(({ n, k }) => vertexFollower(simulation, domains[n], n, k))
    const paths = follow.map((where) => [where()])
    let failed: number | undefined
    let millis = 0
    for (let k = 0; k < steps && failed === undefined; k++) {
      begin = performance.now()
      if (simulation.step().status !== 'ok') failed = simulation.state.t
      millis += performance.now() - begin
      follow.forEach((where, w) => {
        paths[w].push(where())
      })
    }
    return { inertia, paths, failed, millis: millis / steps }
  })
  const times = Array.from({ length: steps + 1 }, (_, k) => k * plan.timestep)
  return watched.map(({ name }, w): Trajectories => {
    const reference = truth[w]
    const reach = Math.max(...reference.map((p) => distance(p, reference[0])))
    const path = (label: string, points: Path['points'], millis: number, failed?: number): Path => ({
      name: label,
      points,
      error: points.reduce((sum, p, k) => sum + distance(p, reference[k]), 0) / points.length / reach,
      hertz: frequencyOf(
        points.map((p) => p[largestAxis(reference)] - reference[0][largestAxis(reference)]),
        plan.timestep,
      ),
      millis,
      ...(failed === undefined ? {} : { failed }),
    })
    return {
      vertex: name,
      times,
      paths: [
        path('without reduction', reference, wholeMillis),
        ...runs.map(({ inertia, paths, failed, millis }) => path(inertia, paths[w], millis, failed)),
      ],
    }
  })
}

const distance = (a: readonly number[], b: readonly number[]): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

/** The axis along which a path is longest. */
function largestAxis(points: readonly (readonly number[])[]): number {
  const reach = [0, 1, 2].map((c) => Math.max(...points.map((p) => p[c])) - Math.min(...points.map((p) => p[c])))
  return reach.indexOf(Math.max(...reach))
}

/** The top of the last part, and the end of the one before. */
function watchedVertices({ parts }: CutObject, domains: readonly Reduced[]): { name: string; n: number; k: number }[] {
  return [parts.length - 1, parts.length - 2].map((n) => ({
    name: parts[n].name,
    n,
    k: farthest(domains[n], n === parts.length - 1 ? [0.1, 0.2, 1] : [-1, 0.1, 0.2]),
  }))
}
