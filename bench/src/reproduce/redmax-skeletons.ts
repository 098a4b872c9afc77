/**
 * The scenes of the thesis as they stand and as they move (Figs. 2, 9, 13, 18, 23): a line from each body to those it carries, thin ones for
 * springs, seen from the side or aslant.
 */
import { createData, createSimulation, energy, type Model, type State } from 'limber'
import { escapeText } from '../report/plot.js'
import { type Block, picture, text } from '../report/report.js'
import { makeModel } from './redmax-scenes.js'
import { bonesOf, type Point3, pointOf } from './skeleton.js'

type Point = readonly [number, number]
/** directions of the picture's right and up in the world */
interface View {
  readonly right: Point3
  readonly up: Point3
}

const SIDE: View = { right: [1, 0, 0], up: [0, 0, 1] }
const ASLANT: View = { right: [0.89, 0.45, 0], up: [-0.15, 0.3, 0.94] }

const WIDTH = 480
const HEIGHT = 300

interface Line {
  readonly from: Point
  readonly to: Point
  readonly spring: boolean
}

function skeleton(model: Model, state: State, view: View): Line[] {
  const data = createData(model)
  energy(model, data, state)
  const { bodyA, bodyB, pointA, pointB, count } = model.springs
  const along = (u: Point3, p: Point3): number => u[0] * p[0] + u[1] * p[1] + u[2] * p[2]
  const seen = (p: Point3): Point => [along(view.right, p), along(view.up, p)]
  const lines = bonesOf(model, data).map(({ from, to }): Line => ({ from: seen(from), to: seen(to), spring: false }))
  for (let k = 0; k < count; k++) {
    const [from, to] = [pointOf(data, bodyA[k], pointA, 3 * k), pointOf(data, bodyB[k], pointB, 3 * k)]
    lines.push({ from: seen(from), to: seen(to), spring: true })
  }
  return lines
}

function drawSkeleton(title: string, lines: readonly Line[]): string {
  const points = lines.flatMap(({ from, to }) => [from, to])
  const [left, bottom] = [0, 1].map((k) => Math.min(...points.map((p) => p[k])))
  const [right, top] = [0, 1].map((k) => Math.max(...points.map((p) => p[k])))
  const scale = Math.min((WIDTH - 16) / (right - left), (HEIGHT - 16) / (top - bottom))
  const place = ([x, y]: Point): string =>
    `${(WIDTH / 2 + scale * (x - (left + right) / 2)).toFixed(1)} ${(HEIGHT / 2 - scale * (y - (bottom + top) / 2)).toFixed(1)}`
  const path = (spring: boolean): string =>
    lines
      .filter((line) => line.spring === spring)
      .map(({ from, to }) => `M${place(from)}L${place(to)}`)
      .join('')
  return (
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(title)}" fill="none" stroke-linecap="round">` +
    `<path d="${path(true)}" stroke="#d55e00" stroke-width="0.7"/><path d="${path(false)}" stroke="#0072b2" stroke-width="2.5"/></svg>`
  )
}

export function skeletonBlocks(tiny: boolean): Block[] {
  const list: [string, Model, View, number][] = [
    ['Bridge with flexible towers (Fig. 2)', makeModel('bridge', { bodies: 20, towers: 'flexible' }), SIDE, 0],
    [
      'Bending under a car of 500 times the weight, in the middle after 2.5 s (Fig. 9)',
      makeModel('bridge', { bodies: 20, towers: 'flexible', car: 500, material: 'video' }),
      SIDE,
      2.5,
    ],
    ['Umbrella, closed (Fig. 13)', makeModel('umbrella', { segments: 8 }), ASLANT, 0],
    ['Umbrella, open after 5 s (Fig. 13)', makeModel('umbrella', { segments: 8 }), ASLANT, 5],
    ['Tree of 4 levels (Fig. 18)', makeModel('tree', { levels: 4 }), ASLANT, 0],
    ['Alternate tree of 4 levels (Fig. 23)', makeModel('alternate-tree', { levels: 4 }), ASLANT, 0],
  ]
  return [
    text('Bodies in blue, springs in orange; h = 0.01 s, scheme=auto.'),
    ...list.map(([title, model, view, seconds]) => {
      const sim = createSimulation(model, { solver: 'redmax', timestep: 0.01 })
      if (seconds > 0) sim.advance(tiny ? 0.02 : seconds)
      return picture(title, drawSkeleton(title, skeleton(model, sim.state, view)))
    }),
  ]
}
