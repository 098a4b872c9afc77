/**
 * Measured times of one evaluation on the processors at hand, to be shown beside the cost model: our serial method against the same on threads, by turns in one run.
 */
import { availableParallelism } from 'node:os'
import { buildModel, createSimulation, type Model, type Simulation, type Solver } from 'limber'
import { findScene } from 'limber-scenes'
import { minimumAndMedian } from '../sampling.js'
import { LARGE, mobileModel, SMALL } from './distributed-runs.js'

export interface MeasuredPoint {
  readonly name: 'mobile' | 'chain'
  /** of the model */
  readonly joints: number
  readonly processors: number
  /** seconds of one evaluation with Gear's method: shortest of the samples on so many processors, and of the serial method in the same run */
  readonly time: number
  readonly serial: number
  readonly speedup: number
  /** that the division which was run is expected to have */
  readonly predicted: number
}

/** The solver on so many processors, and the speed-up that is expected of it. */
export type OnProcessors = (model: Model, processors: number) => Promise<{ solver: Solver; predicted: number }>

const OPTIONS = { timestep: 2e-3, method: 'gear', rtol: 1e-6, atol: 1e-8 }
/** threads beyond this are for larger machines than those that have a core for each */
const MOST = 8
const STEPS = 8

export async function measuredPoints(start: OnProcessors, quick: boolean, progress: (text: string) => void): Promise<MeasuredPoint[]> {
  const most = Math.min(MOST, availableParallelism())
  const points: MeasuredPoint[] = []
  const models = [
    { name: 'mobile' as const, model: mobileModel(SMALL) },
    { name: 'mobile' as const, model: mobileModel(LARGE) },
    { name: 'chain' as const, model: buildModel(findScene('chain')?.build({ links: 10_000 }) ?? { bodies: [] }) },
  ]
  for (const { name, model } of models) {
    for (let processors = 2; processors <= most; processors++) {
      progress(`${name} of ${model.nbody - 1} joints on ${processors} processors`)
      const { solver, predicted } = await start(model, processors)
      const parallel = createSimulation(model, { ...OPTIONS, solver })
      const serial = createSimulation(model, { ...OPTIONS, solver: 'ode' })
      const times: [number[], number[]] = [[], []]
      for (let k = 0; k <= (quick ? 5 : 15); k++) {
        const taken = [evaluationTime(serial), evaluationTime(parallel)]
        // the first is the warm-up
        if (k > 0) for (const one of [0, 1] as const) times[one].push(taken[one] ?? 0)
      }
      parallel.close()
      const [one, many] = times.map((list) => minimumAndMedian(list).minimum) as [number, number]
      points.push({ name, joints: model.nbody - 1, processors, time: many, serial: one, speedup: one / many, predicted })
    }
  }
  return points
}

function evaluationTime(simulation: Simulation): number {
  const before = simulation.report.evaluations
  const start = performance.now()
  simulation.step(STEPS)
  return (performance.now() - start) / 1000 / (simulation.report.evaluations - before)
}
