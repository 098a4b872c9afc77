/**
 * Runs of the chains, the swimmer and the spider of `reproduce position`.
 */
import {
  buildModel,
  createData,
  createSimulation,
  createState,
  energy,
  forwardDynamics,
  type Model,
  type Simulation,
  type State,
} from 'limber'
import { findScene, swimmerGait } from 'limber-scenes'

export function sceneModel(name: string, values: Readonly<Record<string, number | string>> = {}): Model {
  const scene = findScene(name)
  if (!scene) throw new Error(`there is no scene of the name ${name}`)
  return buildModel(scene.build(values))
}

export const chainModel = (links: number): Model => sceneModel('swinging-chain', { links })

export function totalEnergy(model: Model): (state: State) => number {
  const data = createData(model)
  return (state) => {
    const { kinetic, potential } = energy(model, data, state)
    return kinetic + potential
  }
}

export interface EnergyRun {
  readonly name: string
  /** time and energy, up to where the run ended */
  readonly points: [number, number][]
  readonly finished: boolean
  readonly highest: number
  readonly largestRise: number
  /** steps taken with a lower order than asked for */
  readonly lowered?: number
}

/** Energies beyond this many times the depth of the swing count as a run that blew up. */
const BLOWN_UP = 20

/** `advance` makes one step of size h and says whether it succeeded. */
export function energyRun(name: string, model: Model, state: State, advance: () => boolean, h: number, seconds: number): EnergyRun {
  const total = totalEnergy(model)
  const start = total(state)
  const scale = swingDepth(model)
  const points: [number, number][] = [[0, start]]
  const steps = Math.round(seconds / h)
  const every = Math.max(1, Math.floor(steps / 100))
  let highest = start
  let largestRise = 0
  let before = start
  for (let k = 1; k <= steps; k++) {
    const good = advance()
    const now = good ? total(state) : Number.NaN
    if (!(Math.abs(now - start) < BLOWN_UP * scale))
      return { name, points, finished: false, highest: Number.POSITIVE_INFINITY, largestRise }
    highest = Math.max(highest, now)
    largestRise = Math.max(largestRise, now - before)
    before = now
    if (k % every === 0) points.push([k * h, now])
  }
  return { name, points, finished: true, highest, largestRise }
}

/** Weight of the chain times how deep its centre can fall. */
export function swingDepth(model: Model): number {
  const total = totalEnergy(model)
  const hanging = createState(model)
  hanging.q.fill(0)
  return total(createState(model)) - total(hanging)
}

export const simulated = (simulation: Simulation) => (): boolean => simulation.step().status === 'ok'

/** Explicit Runge–Kutta on plain coordinates, for the orders that the `ode` solver does not have at a fixed step. */
export function rungeKutta(model: Model, state: State, a: readonly (readonly number[])[], b: readonly number[], h: number): () => boolean {
  const data = createData(model)
  const stage = createState(model)
  const { nv } = model
  const dq = b.map(() => new Float64Array(nv))
  const dv = b.map(() => new Float64Array(nv))
  return () => {
    for (let i = 0; i < b.length; i++) {
      for (let k = 0; k < nv; k++) {
        stage.q[k] = state.q[k]
        stage.v[k] = state.v[k]
        for (let j = 0; j < i; j++) {
          stage.q[k] += h * a[i][j] * dq[j][k]
          stage.v[k] += h * a[i][j] * dv[j][k]
        }
      }
      forwardDynamics(model, data, stage)
      dq[i].set(stage.v)
      dv[i].set(data.a)
    }
    for (let k = 0; k < nv; k++) {
      for (let j = 0; j < b.length; j++) {
        state.q[k] += h * b[j] * dq[j][k]
        state.v[k] += h * b[j] * dv[j][k]
      }
    }
    return state.v.every(Number.isFinite)
  }
}

export const RK2 = { a: [[], [0.5]], b: [0, 1] }
export const RK3 = { a: [[], [0.5], [-1, 2]], b: [1 / 6, 2 / 3, 1 / 6] }

export interface Timing {
  /** milliseconds of the whole run, the least of several */
  readonly total: number
  readonly steps: number
  readonly iterations: number
  readonly evaluations: number
  readonly finished: boolean
}

// short runs are repeated for this long, so that compiling the code does not count
const WARM_UP = 300
const MOST_SAMPLES = 40

/** Runs `seconds` at step h, several times over, and takes the fastest. */
export function timeRun(model: Model, options: Readonly<Record<string, unknown>>, h: number, seconds: number, samples: number): Timing {
  let best: Timing | undefined
  let spent = 0
  for (let k = 0; k < samples || (spent < WARM_UP && k < MOST_SAMPLES); k++) {
    const simulation = createSimulation(model, { timestep: h, ...options })
    const steps = Math.round(seconds / h)
    simulation.reset()
    const begin = performance.now()
    const report = simulation.step(steps)
    const total = performance.now() - begin
    spent += total
    const finished = report.status === 'ok' && simulation.state.v.every(Number.isFinite)
    if (!best || total < best.total)
      best = { total, steps: report.steps, iterations: report.iterations, evaluations: report.evaluations, finished }
  }
  return best as Timing
}

/** Whether semi-implicit Euler finishes without raising the energy by more than a share of the swing. */
export function isStable(model: Model, h: number, seconds: number, share: number): boolean {
  const simulation = createSimulation(model, { solver: 'ode', method: 'semi-implicit', timestep: h })
  const run = energyRun('', model, simulation.state, simulated(simulation), h, seconds)
  return run.finished && run.highest <= run.points[0][1] + share * swingDepth(model)
}

export interface LongRun {
  readonly scene: string
  readonly order: string
  readonly finished: boolean
  readonly steps: number
  readonly iterations: number
  readonly lowered: number
  readonly start: number
  readonly end: number
  readonly highest: number
  readonly largestRise: number
}

/** A run at a large step; `driven` scenes have motors that follow a wave. */
export function longRun(
  scene: string,
  values: Readonly<Record<string, number>>,
  order: string,
  h: number,
  seconds: number,
  driven: boolean,
): LongRun {
  const model = sceneModel(scene, values)
  const simulation = createSimulation(model, { solver: 'position', timestep: h, order })
  if (driven) simulation.reset({ control: new Float64Array(model.nu) })
  const { state } = simulation
  const total = totalEnergy(model)
  const start = total(state)
  let highest = start
  let largestRise = 0
  let before = start
  const steps = Math.round(seconds / h)
  let finished = true
  for (let k = 0; k < steps && finished; k++) {
    if (driven) drive(scene, state)
    finished = simulation.step().status === 'ok'
    const now = total(state)
    highest = Math.max(highest, now)
    largestRise = Math.max(largestRise, now - before)
    before = now
  }
  const { iterations, lowered, steps: made } = simulation.report
  const name = values.links === undefined ? scene : `${values.links}-link chain`
  return { scene: name, order, finished, steps: made, iterations, lowered: lowered ?? 0, start, end: before, highest, largestRise }
}

function drive(scene: string, state: State): void {
  if (scene === 'swimmer') state.control.set(swimmerGait(state.t))
  else for (let k = 0; k < state.control.length; k++) state.control[k] = 0.3 * Math.sin(2 * Math.PI * state.t + (k * Math.PI) / 2)
}

/** How far the centre of mass of the swimmer gets, from rest and straight. */
export function swim(along: number, across: number, seconds: number): number {
  const model = sceneModel('swimmer', { along, across })
  const simulation = createSimulation(model, { solver: 'position', timestep: 0.05, order: '2' })
  const q = model.q0.slice()
  q.fill(0, 7)
  simulation.reset({ q, control: new Float64Array(model.nu) })
  const data = createData(model)
  const at = (): number[] => {
    energy(model, data, simulation.state)
    const sum = [0, 0, 0]
    let mass = 0
    for (let i = 1; i < model.nbody; i++) {
      mass += model.inertia[10 * i]
      for (let r = 0; r < 3; r++) {
        sum[r] += model.inertia[10 * i] * data.X_WB[12 * i + 9 + r]
        for (let c = 0; c < 3; c++) sum[r] += data.X_WB[12 * i + 3 * r + c] * model.inertia[10 * i + 1 + c]
      }
    }
    return sum.map((x) => x / mass)
  }
  const before = at()
  for (let k = 0; k < Math.round(seconds / 0.05); k++) {
    simulation.state.control.set(swimmerGait(simulation.state.t))
    simulation.step()
  }
  return Math.hypot(...at().map((x, k) => x - before[k]))
}
