/**
 * Work against precision: evaluations against the true error, for six methods on four scenes.
 */
import { buildModel, type Spec } from 'limber'
import { findScene } from 'limber-scenes'
import { type Block, plot } from '../report/report.js'
import { createSubject, mobileSpec, runMethod } from './gear-runs.js'
import { columns } from './gear-tables.js'

interface PrecisionScene {
  readonly name: string
  readonly title: string
  readonly seconds: number
  readonly stiff?: boolean
  /** explicit methods are bound by stability here: fewer tolerances say all there is */
  readonly methods?: readonly string[]
  build(): { readonly start: Spec; readonly rest: Spec }
}

const wedges = { a: 0.2, b: 0.3, c: 0.2, rho: 2 }

const sceneSpec = (name: string, values: Readonly<Record<string, number | string>>): Spec => {
  const scene = findScene(name)
  if (!scene) throw new Error(`there is no scene of the name ${name}`)
  return scene.build(values)
}

const mobile = (values: Readonly<Record<string, number | string>>) => ({
  start: mobileSpec({ ...wedges, ...values }),
  rest: mobileSpec({ ...wedges, ...values, elongation: 0 }),
})

const scenes: readonly PrecisionScene[] = [
  {
    name: 'pendulum',
    title: 'double pendulum, regular motion, 5 s',
    seconds: 5,
    build: () => ({
      start: sceneSpec('double-pendulum', { angle1: 0.6, angle2: 0.3 }),
      rest: sceneSpec('double-pendulum', { angle1: 0, angle2: 0 }),
    }),
  },
  { name: 'links', title: 'mobile of 12 links (session A), 5 s', seconds: 5, build: () => mobile({ h: 10 / 12, s: 1, l: 12 }) },
  {
    name: 'spherical',
    title: 'six rods on spherical joints, 2 s',
    seconds: 2,
    build: () => ({
      start: sceneSpec('chain', { links: 6, joint: 'spherical', length: 0.5 }),
      rest: sceneSpec('chain', { links: 6, joint: 'spherical', length: 0.5, angle: 0 }),
    }),
  },
  {
    name: 'damped',
    title: 'mobile of 4 links, damping 2.5 (session D), 5 s',
    seconds: 5,
    stiff: true,
    build: () => mobile({ h: 1, s: 1, l: 4, damping: 2.5 }),
  },
]

export interface PrecisionPoint {
  readonly scene: string
  readonly method: string
  readonly tolerance: number
  readonly evaluations: number
  readonly error: number
}

export function measurePrecision(quick: boolean, progress: (text: string) => void): { points: PrecisionPoint[]; blocks: Block[] } {
  const points: PrecisionPoint[] = []
  const blocks: Block[] = []
  const finest = quick ? 5 : 10
  for (const scene of scenes) {
    progress(`work and precision: ${scene.title}`)
    const { start, rest } = scene.build()
    const seconds = quick ? 1 : scene.seconds
    const subject = createSubject(start, rest, scene.stiff ?? false, seconds)
    const series = columns.map((method) => {
      // the low orders would take minutes for the finest tolerances
      const last = method === 'iec' || method === 'rk3' ? Math.min(finest, 7) : finest
      const line: [number, number][] = []
      for (let k = 2; k <= last; k++) {
        const run = runMethod(subject, method, 10 ** -k)
        const evaluations = run.evaluations * seconds
        points.push({ scene: scene.name, method, tolerance: run.tolerance, evaluations, error: run.error })
        line.push([run.error, evaluations])
      }
      return { name: method, points: line }
    })
    blocks.push(
      plot({
        title: `${scene.title} (${buildModel(start).nv} velocities)`,
        x: { label: 'true error at the end, root mean square, rad', log: true },
        y: { label: 'evaluations', log: true },
        series,
      }),
    )
  }
  return { points, blocks }
}
