/**
 * Timing of redmax's linear solvers: the same motion with each of them, a few steps in turn, so that all see the same load of the machine.
 */
import { createData, createSimulation, energy, type Model, type Simulation } from 'limber'

export const LINEARS = ['pcg', 'direct', 'auto'] as const
export type LinearName = (typeof LINEARS)[number]

export interface Timing {
  readonly linear: LinearName
  /** microseconds a step (of the clock or of the processor, whichever are fewer), the least over the samples, and the median */
  readonly micros: number
  readonly median: number
  /** of the main solve, a step */
  readonly iterations: number
  readonly steps: number
  /** empty, or why it stopped */
  readonly trouble: string
}

export interface Point {
  readonly dofs: number
  readonly timings: readonly Timing[]
}

// fewer tell more about the machine's load than about the solver
const SAMPLES = 12

export interface Budget {
  /** steps to run at most, and milliseconds for one solver at one size */
  readonly steps: number
  readonly millis: number
}

/** Warms a linear solver up on a small model, so that the first size of a run is not the one that waits for the compilers. */
export function warmUp(model: Model): void {
  for (const linear of LINEARS) simulate(model, linear).step(150)
}

/** Milliseconds that the processor has worked for this process. */
export function cpuMillis(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function simulate(model: Model, linear: string): Simulation {
  return createSimulation(model, { solver: 'redmax', scheme: 'linear', linear, timestep: 0.01 })
}

/** Five simulated seconds at h = 0.01 (thesis chapter 4), or less where the time is up. */
export function timeLinears(model: Model, { steps, millis }: Budget): Point {
  const runs = LINEARS.map((linear) => ({ linear, sim: simulate(model, linear), samples: [] as number[], trouble: '' }))
  let done = 0
  let spent = 0
  // plans are made in the first steps, once and for all
  for (const run of runs) advance(run, 2)
  done = 2
  let chunk = 1
  let taken = 0
  // the last sample that was a good deal less than all before: the least is not found yet
  let improved = 0
  while (
    done < steps &&
    (spent < millis * runs.length || taken < SAMPLES || (improved > 0.7 * taken && taken < 5 * SAMPLES)) &&
    runs.every((run) => run.trouble === '')
  ) {
    taken++
    for (const run of runs) {
      const start = performance.now()
      const used = cpuMillis()
      advance(run, chunk)
      const time = performance.now() - start
      // on a busy machine a sample of some milliseconds is interrupted, but not charged for it
      const sample = (1000 * Math.min(time, cpuMillis() - used)) / chunk
      if (sample < 0.97 * Math.min(...run.samples)) improved = taken
      run.samples.push(sample)
      spent += time
    }
    done += chunk
    // samples of half a millisecond or more
    if (runs.every((run) => (run.samples[run.samples.length - 1] * chunk) / 1000 < 0.25)) chunk *= 2
  }
  return {
    dofs: model.nv,
    timings: runs.map(({ linear, sim, samples, trouble }) => {
      const sorted = samples.toSorted((a, b) => a - b)
      const { iterations, steps: made } = sim.report
      return {
        linear,
        micros: sorted[0] ?? Number.NaN,
        median: sorted[sorted.length >> 1] ?? Number.NaN,
        iterations: iterations / Math.max(1, made),
        steps: made,
        trouble,
      }
    }),
  }
}

/** The lesser times of two runs at the same sizes. */
export function leastOf(some: readonly Point[], others: readonly Point[]): Point[] {
  return some.map(({ dofs, timings }, k) => ({
    dofs,
    timings: timings.map((timing, i) => {
      const other = others[k].timings[i]
      return other.micros < timing.micros ? other : timing
    }),
  }))
}

function advance(run: { readonly sim: Simulation; trouble: string }, steps: number): void {
  if (run.trouble !== '') return
  const { message } = run.sim.step(steps)
  if (message) run.trouble = message
}

/** Iterations a step of conjugate gradients over so many steps, started from the last solutions or from the velocity. */
export function countIterations(model: Model, steps: number, guess: 'solution' | 'velocity'): number {
  const sim = createSimulation(model, { solver: 'redmax', scheme: 'linear', linear: 'pcg', timestep: 0.01, guess })
  const report = sim.step(steps)
  return report.message ? Number.NaN : report.iterations / report.steps
}

/** Largest difference of the velocities after so many steps: as kinetic energy, √(Δvᵀ M Δv / vᵀ M v), and entry by entry. */
export function compareLinears(model: Model, linears: readonly string[], steps: number): { energy: number; entry: number } {
  const states = linears.map((linear) => {
    const sim = simulate(model, linear)
    sim.step(steps)
    return sim.state
  })
  const data = createData(model)
  const [first] = states
  const kinetic = (v: Float64Array): number => energy(model, data, { ...first, v }).kinetic
  const size = Math.max(...first.v.map(Math.abs))
  const worst = { energy: 0, entry: 0 }
  for (const { v } of states.slice(1)) {
    const off = v.map((x, k) => x - first.v[k])
    worst.energy = Math.max(worst.energy, Math.sqrt(kinetic(off) / kinetic(first.v)))
    worst.entry = Math.max(worst.entry, Math.max(...off.map(Math.abs)) / size)
  }
  return worst
}

/** Slope of log y against log x by least squares. */
export function exponent(points: readonly (readonly [number, number])[]): number {
  const logs = points.filter(([x, y]) => x > 0 && y > 0).map(([x, y]) => [Math.log(x), Math.log(y)])
  if (logs.length < 2) return Number.NaN
  const mx = logs.reduce((sum, [x]) => sum + x, 0) / logs.length
  const my = logs.reduce((sum, [, y]) => sum + y, 0) / logs.length
  return logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
}
