/**
 * The crowd of the paper's figure at several budgets: time of a step against the articulated-body method on all joints, what is neglected, and
 * how it looks.
 */
import {
  adaptiveWith,
  buildModel,
  type ChooseDetail,
  createData,
  createSimulation,
  forwardKinematics,
  type Model,
  type Simulation,
} from 'limber'
import { findScene } from 'limber-scenes'
import { escapeText } from '../report/plot.js'
import { adaptiveReport, EVERY, fullOptions, timeTogether } from './adaptive-chains.js'
import { bonesOf, type Point3 } from './skeleton.js'

export interface CrowdPlan {
  readonly people: number
  /** shares of the joints */
  readonly budgets: readonly number[]
  /** simulated before times are taken: the wave is among them */
  readonly seconds: number
  readonly samples: number
  /** budgets of which there is a picture */
  readonly drawn: readonly number[]
}

export interface CrowdRow {
  /** share of the joints */
  readonly share: number
  readonly budget: number
  readonly active: number
  /** trees with more joints in motion than their base */
  readonly lively: number
  readonly millis: number
  readonly full: number
  /** √ Σ q̈² of all held joints, each tree by its importance */
  readonly neglected: number
  /** of the origins of bodies from where they are with all joints, root of the mean square, m */
  readonly apart: number
}

export interface Crowd {
  readonly people: number
  readonly bodies: number
  readonly freedoms: number
  readonly timestep: number
  readonly seconds: number
  readonly rows: readonly CrowdRow[]
  readonly pictures: readonly { readonly title: string; readonly svg: string }[]
}

/** On the picture a motion is smaller in proportion to its distance: its square counts (nearest / distance)². */
function byDistance(model: Model, [x, y]: ArrayLike<number> & Iterable<number>): ChooseDetail {
  const bases = Array.from({ length: model.nbody - 1 }, (_, k) => k + 1).filter((i) => model.parent[i] === 0)
  const distances = new Float64Array(bases.length)
  return (importance, { q }, { treeOf }) => {
    let nearest = Number.POSITIVE_INFINITY
    for (let b = 0; b < bases.length; b++) {
      const at = model.iq[bases[b]]
      distances[b] = Math.hypot(q[at] - x, q[at + 1] - y)
      nearest = Math.min(nearest, distances[b])
    }
    for (let b = 0; b < bases.length; b++) importance[treeOf[bases[b]]] = (nearest / distances[b]) ** 2
  }
}

export function crowdRuns({ people, budgets, seconds, samples, drawn }: CrowdPlan, progress: (text: string) => void): Crowd {
  const scene = findScene('crowd')
  if (!scene?.camera) throw new Error('there is no scene crowd with a camera')
  const { camera } = scene
  const model = buildModel(scene.build({ characters: people }))
  const joints = model.joints.length
  const steps = Math.round(seconds / model.timestep)
  progress(`${people} people, all joints`)
  const full = createSimulation(model, fullOptions)
  full.step(steps)
  const places = placesOf(full)
  const pictures: { title: string; svg: string }[] = []
  const rows = budgets.map((share): CrowdRow => {
    progress(`${people} people, ${percent(share)} of the joints`)
    const budget = Math.max(people, Math.round(share * joints))
    const some = createSimulation(model, { solver: adaptiveWith({ detail: byDistance(model, camera) }), budget })
    some.step(steps)
    const apart = rootMeanSquare(placesOf(some), places)
    const { active, neglected } = adaptiveReport(some)
    const lively = countLively(some)
    if (drawn.includes(share)) {
      const title = `${percent(share)} of the joints: ${active} move`
      pictures.push({ title, svg: drawCrowd(title, some, camera) })
    }
    const [ours, all] = timeTogether([some, full], EVERY * Math.ceil(16 / EVERY), samples)
    return { share, budget, active, lively, millis: ours, full: all, neglected, apart }
  })
  return { people, bodies: model.nbody - 1, freedoms: model.nv, timestep: model.timestep, seconds, rows, pictures }
}

export const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`

/** Origins of all bodies in the world. */
function placesOf({ model, state }: Simulation): Float64Array {
  const data = createData(model)
  forwardKinematics(model, data, state.q, state.v)
  return Float64Array.from({ length: 3 * model.nbody }, (_, k) => data.X_WB[12 * Math.floor(k / 3) + 9 + (k % 3)])
}

function rootMeanSquare(a: Float64Array, b: Float64Array): number {
  return Math.sqrt((3 * a.reduce((sum, x, k) => sum + (x - b[k]) ** 2, 0)) / a.length)
}

/** The bodies whose joints move. */
const isActive = ({ report }: Simulation, body: number): boolean => report.groups?.[0].of[body] === 0

function countLively(simulation: Simulation): number {
  const { model, detail } = simulation
  const lively = new Set<number>()
  for (let i = 1; i < model.nbody; i++) if (model.parent[i] > 0 && isActive(simulation, i)) lively.add(detail?.treeOf[i] ?? 0)
  return lively.size
}

const WIDTH = 640
const HEIGHT = 360
/** half the height of the picture at distance 1 */
const HALF_VIEW = 0.36
/** in the picture: shorter lines are not drawn */
const SHORT = 0.35

/** In perspective from the camera; what moves is orange. */
function drawCrowd(title: string, simulation: Simulation, camera: readonly number[]): string {
  const { model, state } = simulation
  const data = createData(model)
  forwardKinematics(model, data, state.q, state.v)
  const project = perspective(camera)
  const paths = [[], []] as [string[], string[]]
  for (const { body, from, to } of bonesOf(model, data)) {
    const [a, b] = [project(from), project(to)]
    if (!a || !b || Math.hypot(a[0] - b[0], a[1] - b[1]) < SHORT) continue
    paths[isActive(simulation, body) ? 1 : 0].push(`M${a.map(place).join(' ')}L${b.map(place).join(' ')}`)
  }
  const line = (k: 0 | 1, color: string): string => `<path d="${paths[k].join('')}" stroke="${color}" stroke-width="1.1"/>`
  return (
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(title)}" fill="none" stroke-linecap="round">` +
    `${line(0, '#7a8794')}${line(1, '#d55e00')}</svg>`
  )
}

const place = (x: number): string => String(Math.round(10 * x) / 10)

/** Points of the world on the picture; undefined: behind the camera. */
function perspective(camera: readonly number[]): (p: Point3) => readonly [number, number] | undefined {
  const eye = camera.slice(0, 3)
  const [fx, fy, fz] = unit(camera.slice(3, 6).map((x, r) => x - eye[r]))
  // to the right on the ground, and up across both
  const [rx, ry] = unit([fy, -fx, 0])
  const up = [ry * fz, -rx * fz, rx * fy - ry * fx]
  return (p) => {
    const [x, y, z] = [p[0] - eye[0], p[1] - eye[1], p[2] - eye[2]]
    const depth = fx * x + fy * y + fz * z
    if (depth < 0.1) return undefined
    const scale = HEIGHT / 2 / (HALF_VIEW * depth)
    return [WIDTH / 2 + scale * (rx * x + ry * y), HEIGHT / 2 - scale * (up[0] * x + up[1] * y + up[2] * z)]
  }
}

function unit(v: readonly number[]): number[] {
  const size = Math.hypot(...v)
  return v.map((x) => x / size)
}
