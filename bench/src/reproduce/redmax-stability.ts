/**
 * Do long chains gain energy at a frame's step? Hinges hanging with random velocities or coiled up, alone or tied crosswise by stiff
 * springs, with the default scheme of `redmax`. The runs without springs are the control.
 */
import { buildModel, createData, createSimulation, energy, type Model, type Options, type Spec, type State } from 'limber'
import { findScene } from 'limber-scenes'

export interface ChainCase {
  readonly n: number
  readonly springs: 'yes' | 'no'
  readonly start: 'hanging' | 'coiled'
}

export interface StabilityRow extends ChainCase {
  /** steps made of those asked for */
  readonly steps: number
  readonly asked: number
  /** largest rise above the energy at the start, as a share of the energy at the start above that of the chain hanging at rest */
  readonly gain: number
  readonly milliseconds: number
  /** corrections of Newton's method with their inner iterations, a step */
  readonly iterations: number
}

export interface StabilityOptions {
  readonly sizes?: readonly number[]
  readonly seconds?: number
  readonly h?: number
  /** viscous damping of every hinge, N m s */
  readonly friction?: number
  /** of the solver */
  readonly solver?: Options
  readonly onRow?: (row: StabilityRow) => void
}

export const chainSizes: readonly number[] = [30, 100, 300]

export function chainCases(sizes: readonly number[] = chainSizes): ChainCase[] {
  return sizes.flatMap((n) =>
    (['no', 'yes'] as const).flatMap((springs) => (['hanging', 'coiled'] as const).map((start) => ({ n, springs, start }))),
  )
}

/** The whole set by default: 12 chains, 60 s at h = 0.02. */
export function redmaxStability(options: StabilityOptions = {}): StabilityRow[] {
  return chainCases(options.sizes).map((one) => {
    const row = stabilityRun(one, options)
    options.onRow?.(row)
    return row
  })
}

export function chainSpec({ n, springs, start }: ChainCase, friction: number): Spec {
  const scene = findScene('spring-chain')
  if (!scene) throw new Error('there is no scene of the name spring-chain')
  return scene.build({ links: n, springs, start, friction })
}

/** rad/s, uniform in ±1: the velocities of the links add up, so that the tip of 300 moves at some 60 m/s */
export function randomVelocities(v: Float64Array): void {
  let seed = 12345
  for (let k = 0; k < v.length; k++) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    v[k] = (2 * seed) / 2 ** 32 - 1
  }
}

export function stabilityRun(one: ChainCase, options: StabilityOptions = {}): StabilityRow {
  const { seconds = 60, h = 0.02, friction = 0, solver = {} } = options
  const model = buildModel(chainSpec(one, friction))
  const simulation = createSimulation(model, { solver: 'redmax', timestep: h, ...solver })
  const { state } = simulation
  if (one.start === 'hanging') randomVelocities(state.v)
  const total = totalEnergy(model)
  const first = total(state)
  const depth = first - lowestEnergy(model)
  const asked = Math.round(seconds / h)
  let highest = first
  let spent = 0
  let steps = 0
  while (steps < asked) {
    const begin = performance.now()
    const { status } = simulation.step()
    spent += performance.now() - begin
    if (status !== 'ok') break
    steps++
    highest = Math.max(highest, total(state))
  }
  return {
    ...one,
    steps,
    asked,
    gain: (highest - first) / depth,
    milliseconds: spent / Math.max(1, steps),
    iterations: simulation.report.iterations / Math.max(1, steps),
  }
}

function totalEnergy(model: Model): (state: State) => number {
  const data = createData(model)
  return (state) => {
    const { kinetic, potential } = energy(model, data, state)
    return kinetic + potential
  }
}

/** Of the chain hanging at rest, springs slack: all weights at their lowest. */
export function lowestEnergy(model: Model): number {
  const g = Math.abs(model.gravity[2])
  let sum = 0
  let top = 0
  for (let i = 1; i < model.nbody; i++) {
    const mass = model.inertia[10 * i]
    const center = model.inertia[10 * i + 3] / mass
    sum += mass * g * (top + center)
    // links are as long as their centres say
    top += 2 * center
  }
  return sum
}
