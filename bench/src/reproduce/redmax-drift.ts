/**
 * How far the total energy strays in motions that nothing damps, with every scheme of redmax, at steps from 2 ms to that of a picture.
 */
import { createData, createSimulation, energy, type Model } from 'limber'
import { fixed } from '../report/numbers.js'
import { type Block, plot, table, text } from '../report/report.js'
import type { Verdict } from '../report/verdict.js'
import { makeModel } from './redmax-scenes.js'

const driftSchemes = ['auto', 'linear', 'second-order'] as const

export interface DriftRow {
  readonly scene: string
  readonly h: number
  /** largest deviation of the total energy, relative to the largest kinetic energy of the motion, scheme by scheme; Infinity: it stopped */
  readonly drift: readonly number[]
  /** least of the first-order ones over that of second-order */
  readonly ratio: number
  readonly trouble: string
}

const STEPS = [0.002, 0.005, 0.01, 1 / 60]
const WANTED = 10

export function driftRows(seconds: number, steps = STEPS): DriftRow[] {
  const list: [string, Model, number][] = [
    ['double pendulum', makeModel('double-pendulum', {}), 0],
    ['chain of 5', makeModel('chain', { links: 5 }), 0],
    ['chain of 10', makeModel('chain', {}), 0],
    ['chain of 4, tied', makeModel('spring-chain', { links: 4, damping: 0, stiffness: 1e3, start: 'hanging' }), 0.8],
    ['swinging chain', makeModel('swinging-chain', {}), 0],
    ['four-bar', makeModel('four-bar', {}), 0],
    ['slider-crank', makeModel('slider-crank', {}), 0],
    ['parallelogram', makeModel('parallelogram', {}), 0],
  ]
  return list.flatMap(([scene, model, push]) => steps.map((h) => driftRow(scene, model, h, push, seconds)))
}

function driftRow(scene: string, model: Model, h: number, push: number, seconds: number): DriftRow {
  const runs = driftSchemes.map((scheme) => runOf(model, scheme, h, push, seconds))
  const drift = runs.map(({ most, kinetic, message }) => (message === '' ? most / kinetic : Number.POSITIVE_INFINITY))
  return { scene, h, drift, ratio: Math.min(drift[0], drift[1]) / drift[2], trouble: runs.map(({ message }) => message).join('') }
}

function runOf(model: Model, scheme: string, h: number, push: number, seconds: number) {
  // without contact: rods of the swinging chain strike each other, which takes energy whatever the scheme
  const sim = createSimulation(model, { solver: 'redmax', scheme, timestep: h, contact: false })
  const data = createData(model)
  sim.reset({ v: sim.state.v.map((_, k) => push * Math.sin(k + 1)) })
  const first = energy(model, data, sim.state)
  let most = 0
  let kinetic = first.kinetic
  let message = ''
  while (sim.state.t < seconds && message === '') {
    message = sim.step().message
    const now = energy(model, data, sim.state)
    kinetic = Math.max(kinetic, now.kinetic)
    most = Math.max(most, Math.abs(now.kinetic + now.potential - first.kinetic - first.potential))
  }
  return { most, kinetic, message: message && `${scheme}: ${message} ` }
}

export function driftVerdict(rows: readonly DriftRow[]): Verdict {
  const least = rows.toSorted((a, b) => a.ratio - b.ratio)
  const bad = least.filter(({ ratio }) => !(ratio >= WANTED))
  const name = ({ scene, h, ratio }: DriftRow): string => `${fixed(ratio, 1)} × (${scene}, ${fixed(1000 * h, 1)} ms)`
  return {
    line: `energy drift of second-order at least ${WANTED} × smaller, ${new Set(rows.map(({ scene }) => scene)).size} mechanisms at ${STEPS.length} steps`,
    holds: rows.length > 0 && bad.length === 0,
    measured: bad.length > 0 ? bad.map(name).join('; ') : `${name(least[0])} at least`,
  }
}

export function driftBlocks(rows: readonly DriftRow[], seconds: number): Block[] {
  const points = (k: number) =>
    STEPS.map((h) => {
      const logs = rows.filter(({ h: step, drift }) => step === h && Number.isFinite(drift[k])).map(({ drift }) => Math.log(drift[k]))
      return [1000 * h, Math.exp(logs.reduce((sum, x) => sum + x, 0) / logs.length)] as const
    })
  return [
    text(
      `Largest deviation of the total energy within ${seconds} s, over the largest kinetic energy; nothing damps and nothing touches. A scheme that has lost all it had ` +
        'loses no more: at long steps the first-order ones look better than they are.',
    ),
    plot({
      title: 'Energy drift, geometric mean over the mechanisms',
      x: { label: 'step, ms', log: true },
      y: { label: 'share of the kinetic energy', log: true },
      series: driftSchemes.map((name, k) => ({ name, points: points(k) })),
    }),
    table(
      'Energy drift',
      ['mechanism', 'h, ms', ...driftSchemes, 'ratio'],
      rows.map(({ scene, h, drift, ratio }) => [
        scene,
        fixed(1000 * h, 1),
        ...drift.map((x) => (Number.isFinite(x) ? x.toExponential(1) : 'stops')),
        fixed(ratio, ratio < 100 ? 1 : 0),
      ]),
    ),
  ]
}
