/**
 * Chains for `reproduce adaptive`, and what a step on them costs: time against our own articulated-body method on all joints, nodes of the
 * assembly that a step looks at, memory, time to build.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type AdaptiveReport, adaptive, type BodySpec, buildModel, createSimulation, type Model, type Simulation, type Spec } from 'limber'
import { cpuMillis } from './redmax-runs.js'

export const adaptiveReport = (simulation: Simulation): AdaptiveReport => simulation.report as unknown as AdaptiveReport

/** steps from choice to choice unless told otherwise */
export const EVERY = Number(adaptive.options.every.default)

export const fullOptions = { solver: 'ode', method: 'semi-implicit' } as const

const LENGTH = 0.1
// the end of a long chain is whipped around by what all joints before it do; times are taken before it is
const STEP = 5e-5

/** Rods on hinges whose axes are level and upright in turn, straight and level at the start. */
export function chainSpec(links: number): Spec {
  const mass = 0.1
  const across = (mass * LENGTH ** 2) / 12
  return {
    name: `chain of ${links}`,
    gravity: [0, 0, -9.81],
    timestep: STEP,
    bodies: Array.from(
      { length: links },
      (_, k): BodySpec => ({
        name: `link${k + 1}`,
        ...(k > 0 ? { parent: `link${k}`, position: [LENGTH, 0, 0] } : {}),
        inertia: { mass, com: [LENGTH / 2, 0, 0], tensor: [across / 10, across, across, 0, 0, 0] },
        joints: [{ type: 'revolute', axis: k % 2 === 0 ? [0, 1, 0] : [0, 0, 1] }],
      }),
    ),
  }
}

/** Every joint is bent a little and turns, without order, so that whatever is held would move: a budget is always used up. */
function thrown(model: Model): { q: Float64Array; v: Float64Array } {
  const unrest = (k: number, salt: number): number => Math.sin(salt * (k + 1) * (k + 1)) / Math.sqrt(model.nv)
  return {
    q: Float64Array.from({ length: model.nq }, (_, k) => 0.5 * unrest(k, 78.233)),
    v: Float64Array.from({ length: model.nv }, (_, k) => unrest(k, 12.9898)),
  }
}

/** Simulates a chain that was thrown; past the first choices. */
export function throwChain(model: Model, options: Readonly<Record<string, unknown>>): Simulation {
  const simulation = createSimulation(model, options)
  simulation.reset(thrown(model))
  simulation.step(2 * EVERY)
  return simulation
}

/** Milliseconds a step of each, the least of several samples that are taken in turn: of the clock or of the processor, whichever are fewer. */
export function timeTogether(simulations: readonly Simulation[], steps: number, samples: number): number[] {
  const least = simulations.map(() => Number.POSITIVE_INFINITY)
  for (let sample = 0; sample < samples; sample++) {
    for (const [k, simulation] of simulations.entries()) {
      const [begin, used] = [performance.now(), cpuMillis()]
      const { status } = simulation.step(steps)
      const time = Math.min(performance.now() - begin, cpuMillis() - used) / steps
      least[k] = status === 'ok' ? Math.min(least[k], time) : Number.NaN
    }
  }
  return least
}

export interface CostRow {
  readonly links: number
  readonly every: number
  /** joints asked for, and those that moved in the last step */
  readonly budget: number
  readonly active: number
  /** milliseconds a step, and those of the articulated-body method on all joints in the same turns */
  readonly millis: number
  readonly full: number
  readonly neglected: number
}

export interface ChainCost {
  readonly links: number
  /** by falling budget */
  readonly rows: readonly CostRow[]
  /** the least budget, with choices more and less often */
  readonly choices: readonly CostRow[]
}

export interface CostPlan {
  readonly links: number
  readonly shares: readonly number[]
  readonly every: number
  readonly samples: number
}

export function costRows(model: Model, { links, shares, every, samples }: CostPlan, progress: (text: string) => void): CostRow[] {
  const full = throwChain(model, fullOptions)
  return shares.map((share) => {
    const budget = Math.max(1, Math.round(share * links))
    progress(`${links} links, ${budget} active, a choice every ${every} steps`)
    const some = throwChain(model, { solver: 'adaptive', budget, every })
    // as many choices in every sample
    const [ours, all] = timeTogether([some, full], every * Math.ceil(32 / every), samples)
    const { active, neglected } = adaptiveReport(some)
    return { links, every, budget, active, millis: ours, full: all, neglected }
  })
}

export const speedup = ({ millis, full }: CostRow): number => full / millis

/** The largest share of active joints from which on down adaptive dynamics is not slower; 0: nowhere. Reads rows by falling budget. */
export function breakEven(rows: readonly CostRow[]): number {
  let share = 0
  for (const row of rows.toReversed()) {
    if (!(speedup(row) >= 1)) {
      // between the last two, where the logarithms say
      const last = rows[rows.indexOf(row) + 1]
      if (!last) return 0
      const [a, b] = [Math.log(speedup(last)), Math.log(speedup(row))]
      const [x, y] = [Math.log(last.budget / last.links), Math.log(row.budget / row.links)]
      return Math.exp(x + ((y - x) * a) / (a - b))
    }
    share = row.budget / row.links
  }
  return share
}

export interface TouchedRow {
  readonly links: number
  readonly budget: number
  readonly active: number
  /** nodes in a step, the most of all steps */
  readonly touched: number
}

/** Steps with a choice are among them. */
export function countTouched(model: Model, budget: number): TouchedRow {
  const simulation = throwChain(model, { solver: 'adaptive', budget })
  let touched = 0
  let active = 0
  for (let k = 0; k < 3 * EVERY; k++) {
    simulation.step()
    const report = adaptiveReport(simulation)
    touched = Math.max(touched, report.touched)
    active = Math.max(active, report.active)
  }
  return { links: model.nbody - 1, budget, active, touched }
}

export interface BuildRow {
  readonly links: number
  /** milliseconds from the description to before the first step: of the model, and of the simulation */
  readonly model: number
  readonly simulation: number
  /** kilobytes a body that the simulation holds */
  readonly kilobytes: number
}

/** The least of a few. */
export function measureBuild(links: number, samples: number): BuildRow {
  const spec = chainSpec(links)
  const collect = garbageCollector()
  let least: BuildRow | undefined
  for (let sample = 0; sample < samples; sample++) {
    const [model, modelTime] = timed(() => buildModel(spec))
    collect()
    const before = memory()
    const [simulation, simulationTime] = timed(() => {
      const made = createSimulation(model, { solver: 'adaptive', budget: links })
      made.reset()
      return made
    })
    collect()
    const kilobytes = (memory() - before) / 1000 / links
    // used after the measurement, so that it is not collected before
    if (simulation.state.t !== 0) throw new Error('it has not begun')
    const total = modelTime + simulationTime
    if (!least || total < least.model + least.simulation) least = { links, model: modelTime, simulation: simulationTime, kilobytes }
  }
  return least as BuildRow
}

function timed<T>(f: () => T): [T, number] {
  const [begin, used] = [performance.now(), cpuMillis()]
  const result = f()
  return [result, Math.min(performance.now() - begin, cpuMillis() - used)]
}

/** Bytes: objects, and what lies outside of the heap, WebAssembly memory among it. */
function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
