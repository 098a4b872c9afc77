/**
 * What the timings do not show: iterations against note 10, agreement of the linear solvers, real time, energy drift, and whether
 * constraint columns would pay in parallel.
 */
import { createData, createSimulation, energy, type Model } from 'limber'
import { compareLinears, countIterations } from './redmax-runs.js'
import { makeModel } from './redmax-scenes.js'

export interface IterationRow {
  readonly scene: string
  readonly dofs: number
  readonly expected: number
  readonly measured: number
}

const counted: readonly (readonly [string, string, Readonly<Record<string, string | number>>, number])[] = [
  ['bridge, rigid', 'bridge', { bodies: 16 }, 1],
  ['bridge, rigid', 'bridge', { bodies: 32 }, 1],
  ['bridge, rigid', 'bridge', { bodies: 64 }, 1],
  ['bridge, flexible', 'bridge', { bodies: 10, towers: 'flexible' }, 5],
  ['bridge, flexible', 'bridge', { bodies: 20, towers: 'flexible' }, 5],
  ['bridge, flexible', 'bridge', { bodies: 40, towers: 'flexible' }, 5.1],
  ['bridge, flexible', 'bridge', { bodies: 80, towers: 'flexible' }, 5.8],
  ['umbrella', 'umbrella', { segments: 4 }, 2],
  ['umbrella', 'umbrella', { segments: 8 }, 2],
  ['umbrella', 'umbrella', { segments: 16 }, 2],
  ['tree', 'tree', { levels: 2 }, 2],
  ['tree', 'tree', { levels: 3 }, 4.9],
  ['tree', 'tree', { levels: 4 }, 6.9],
  ['tree', 'tree', { levels: 5 }, 10.4],
  ['alternate tree', 'alternate-tree', { levels: 2 }, 2],
  ['alternate tree', 'alternate-tree', { levels: 3 }, 3.7],
  ['alternate tree', 'alternate-tree', { levels: 4 }, 6.5],
  ['alternate tree', 'alternate-tree', { levels: 5 }, 10.9],
]

/** Mean iterations over 500 steps of 0.01 s, or fewer. */
export function iterationRows(steps: number): IterationRow[] {
  return counted.map(([scene, name, values, expected]) => {
    const model = makeModel(name, values)
    return { scene, dofs: model.nv, expected, measured: countIterations(model, steps) }
  })
}

export interface AgreementRow {
  readonly scene: string
  readonly dofs: number
  readonly solvers: string
  /** as kinetic energy, and entry by entry */
  readonly difference: number
  readonly entry: number
}

/** Velocities after one step with every linear solver that can take the scene. */
export function agreementRows(): AgreementRow[] {
  const list: [string, Model, string[]][] = [
    ['bridge, rigid', makeModel('bridge', { bodies: 50 }), ['direct', 'pcg', 'recursive', 'auto']],
    ['bridge, flexible', makeModel('bridge', { bodies: 30, towers: 'flexible' }), ['direct', 'pcg', 'auto']],
    ['umbrella', makeModel('umbrella', { segments: 6 }), ['direct', 'pcg', 'auto']],
    ['tree', makeModel('tree', { levels: 5 }), ['direct', 'pcg', 'auto']],
    ['alternate tree', makeModel('alternate-tree', { levels: 5 }), ['direct', 'pcg', 'auto']],
    ['rope bridge', makeModel('rope-bridge', {}), ['direct', 'pcg', 'auto']],
    ['spring chain', makeModel('spring-chain', { links: 100 }), ['direct', 'pcg', 'auto']],
  ]
  return list.map(([scene, model, solvers]) => {
    const { energy: difference, entry } = compareLinears(model, solvers, 1)
    return { scene, dofs: model.nv, solvers: solvers.join(', '), difference, entry }
  })
}

export interface RealTimeRow {
  readonly scene: string
  readonly dofs: number
  readonly scheme: string
  /** wall seconds for one simulated second at h = 1/60 */
  readonly share: number
  readonly simulated: number
  readonly trouble: string
}

export function realTimeRows(seconds: number, wallLimit: number): RealTimeRow[] {
  const list: [string, Model][] = [
    ['bridge, flexible', makeModel('bridge', { bodies: 334, towers: 'flexible' })],
    ['umbrella', makeModel('umbrella', { segments: 30 })],
  ]
  return list.flatMap(([scene, model]) =>
    ['auto', 'linear'].map((scheme) => {
      const sim = createSimulation(model, { solver: 'redmax', scheme, timestep: 1 / 60 })
      sim.step(3)
      const from = sim.state.t
      const start = performance.now()
      let message = ''
      while (sim.state.t - from < seconds && message === '' && performance.now() - start < 1000 * wallLimit) message = sim.step().message
      const simulated = sim.state.t - from
      return { scene, dofs: model.nv, scheme, share: (performance.now() - start) / 1000 / simulated, simulated, trouble: message }
    }),
  )
}

export interface DriftRow {
  readonly scene: string
  readonly scheme: string
  /** largest deviation of the total energy, relative to the largest kinetic energy of the motion */
  readonly drift: number
  readonly trouble: string
}

/** Mechanisms without any friction, at their own steps where those are not meant for stiff springs. */
export function driftRows(seconds: number): DriftRow[] {
  const tied = makeModel('spring-chain', { links: 4, damping: 0, stiffness: 1e3, start: 'hanging' })
  const list: [string, Model, number, number][] = [
    ['double pendulum', makeModel('double-pendulum', {}), 0.002, 0],
    ['chain of 10', makeModel('chain', {}), 0.002, 0],
    ['chain of 4, tied', tied, 0.002, 0.8],
  ]
  return list.flatMap(([scene, model, h, push]) =>
    ['linear', 'auto', 'second-order'].map((scheme) => {
      const sim = createSimulation(model, { solver: 'redmax', scheme, timestep: h, tolerance: 1e-10 })
      const data = createData(model)
      sim.reset({ v: sim.state.v.map((_, k) => push * Math.sin(k + 1)) })
      const first = energy(model, data, sim.state)
      const total = first.kinetic + first.potential
      let most = 0
      let kinetic = first.kinetic
      let message = ''
      while (sim.state.t < seconds && message === '') {
        message = sim.step().message
        const now = energy(model, data, sim.state)
        kinetic = Math.max(kinetic, now.kinetic)
        most = Math.max(most, Math.abs(now.kinetic + now.potential - total))
      }
      return { scene, scheme, drift: most / kinetic, trouble: message }
    }),
  )
}
