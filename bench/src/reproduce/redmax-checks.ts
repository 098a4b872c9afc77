/**
 * What the timings do not show: iterations against those of an independent dense program, agreement of the linear solvers, real time.
 */
import { createSimulation, type Model } from 'limber'
import { compareLinears, countIterations, cpuMillis } from './redmax-runs.js'
import { makeModel } from './redmax-scenes.js'

export interface IterationRow {
  readonly scene: string
  readonly dofs: number
  readonly expected: number
  /** started from the velocity: over as few steps as the reference counted, and over all */
  readonly alike: number
  readonly velocity: number
  /** started from what the last solutions lead to, over all steps */
  readonly extrapolated: number
}

/**
 * The reference counts below do not say over how many steps they were taken. A second dense program, with the same scenes, start and test, gives
 * our counts to the digit and the reference over the first 10 to 15 steps, to 6 %; no other reading that was tried (stiffness, norm, reference,
 * start, stabilisation, loads) gives them over 500.
 */
const ALIKE = 12

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
    return {
      scene,
      dofs: model.nv,
      expected,
      alike: countIterations(model, Math.min(steps, ALIKE), 'velocity'),
      velocity: countIterations(model, steps, 'velocity'),
      extrapolated: countIterations(model, steps, 'solution'),
    }
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
  /** seconds for one simulated second at h = 1/60, of the clock or of the processor, whichever are fewer */
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
      const used = cpuMillis()
      let message = ''
      while (sim.state.t - from < seconds && message === '' && performance.now() - start < 1000 * wallLimit) message = sim.step().message
      const simulated = sim.state.t - from
      // on a busy machine the clock runs on while others work
      const spent = Math.min(performance.now() - start, cpuMillis() - used) / 1000
      return { scene, dofs: model.nv, scheme, share: spent / simulated, simulated, trouble: message }
    }),
  )
}
