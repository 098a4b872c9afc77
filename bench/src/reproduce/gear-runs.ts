/**
 * Runs of one mobile: evaluations counted in the force function, energies, and the true error against a run to 1e-12.
 */
import { buildModel, createData, createSimulation, createState, difference, energy, type Model, type Spec, type State } from 'limber'
import { findScene } from 'limber-scenes'

export const SECONDS = 10
/** frames a second at which runs are looked at */
export const RATE = 25

export interface Run {
  readonly method: string
  readonly tolerance: number
  /** per simulated second */
  readonly evaluations: number
  readonly steps: number
  readonly rejected: number
  readonly finished: boolean
  /** largest gain and loss of energy, in parts of what the start lies above rest */
  readonly gain: number
  readonly loss: number
  /** root mean square over the joints, after 1 s and at the end; radians */
  readonly error1: number
  readonly error: number
}

export interface Subject {
  readonly model: Model
  /** energy of the start above that of the mobile at rest */
  readonly swing: number
  /** coordinates at every frame, to 1e-12 */
  readonly reference: readonly Float64Array[]
}

/** A gain of energy beyond this is taken for instability: joints that do no work, or damp, cannot raise it. */
export const UNSTABLE = 0.25

export const isStable = (run: Run): boolean => run.finished && run.gain <= UNSTABLE

export function mobileSpec(values: Readonly<Record<string, number | string>>): Spec {
  const scene = findScene('mobile')
  if (!scene) throw new Error('there is no scene of the name mobile')
  return scene.build(values)
}

export function createSubject(spec: Spec, rest: Spec, stiff: boolean, seconds = SECONDS): Subject {
  const model = buildModel(spec)
  const still = buildModel(rest)
  const swing = total(model, createState(model)) - total(still, createState(still))
  const reference: Float64Array[] = []
  const options = { method: stiff ? 'bdf' : 'gear', rtol: 1e-12, atol: 1e-12 }
  const simulation = createSimulation(model, { solver: 'ode', timestep: 1 / RATE, ...options })
  for (let k = 0; k < seconds * RATE; k++) {
    simulation.step()
    reference.push(simulation.state.q.slice())
  }
  return { model, swing, reference }
}

export function runMethod(subject: Subject, method: string, tolerance: number, options: Readonly<Record<string, unknown>> = {}): Run {
  const { model, swing, reference } = subject
  const given = { solver: 'ode', timestep: 1 / RATE, method, rtol: tolerance, atol: tolerance, ...options }
  const simulation = createSimulation(model, given)
  const data = createData(model)
  const start = total(model, simulation.state, data)
  let gain = 0
  let loss = 0
  let finished = true
  let error1 = Number.NaN
  for (let k = 0; k < reference.length && finished; k++) {
    finished = simulation.step().status === 'ok'
    const change = (total(model, simulation.state, data) - start) / swing
    gain = Math.max(gain, change)
    loss = Math.max(loss, -change)
    if (k === RATE - 1) error1 = distance(model, reference[k], simulation.state.q)
    // a run that blew up has shown what it had to
    if (gain > 1e3) finished = false
  }
  const { evaluations, steps, rejected } = simulation.report
  const error = finished ? distance(model, reference[reference.length - 1], simulation.state.q) : Number.NaN
  const perSecond = evaluations / (reference.length / RATE)
  return { method, tolerance, evaluations: perSecond, steps, rejected, finished, gain, loss, error1, error }
}

/** The stable run with the fewest evaluations. */
export function bestRun(runs: readonly Run[], stable: (run: Run) => boolean = isStable): Run | undefined {
  return runs.filter(stable).toSorted((a, b) => a.evaluations - b.evaluations)[0]
}

function total(model: Model, state: State, data = createData(model)): number {
  const { kinetic, potential } = energy(model, data, state)
  return kinetic + potential
}

function distance(model: Model, a: Float64Array, b: Float64Array): number {
  const d = new Float64Array(model.nv)
  difference(model, d, a, b)
  return Math.sqrt(d.reduce((sum, x) => sum + x * x, 0) / model.nv)
}
