/**
 * The choice that `auto` makes. It names a family and loads none, so that small pages can choose too.
 */
import { mayMeet } from '../contact/reach.js'
import { forcesOf } from '../forces/index.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { Options } from './solver.js'
import { fastestRates, type Rates } from './stiffness.js'
import { substructuringInfo } from './substructuring/info.js'

export interface SolverChoice {
  readonly name: string
  /** options that differ from the solver's defaults */
  readonly options: Options
  /** a sentence */
  readonly why: string
}

/** while nothing pushes it keeps the energy, and what pushes is taken implicitly all the same */
const KEEPS: Options = { scheme: 'second-order' }

/** What `auto` takes for this model at this step (default: the model's own) with these forces of the user's own, and why. */
export function chooseSolver(model: Model, timestep = model.timestep, own: readonly Force[] = []): SolverChoice {
  if (model.modes.count > 0) {
    const why = substructuringInfo.refuses(model)
    if (why === null)
      return { name: 'substructuring', options: {}, why: 'the model has bodies that deform and nothing that joins them across the tree' }
    return { name: 'redmax', options: {}, why: `the model has bodies that deform, and substructuring refuses it: ${why}` }
  }
  const closed = model.constraints.active.some((x) => x !== 0)
  const limited = model.limits.some((x) => Number.isFinite(x))
  const tied = model.constraints.tendonLimits.some((x) => Number.isFinite(x))
  const rates = fastestRates(model, forcesOf(model, { own }), own)
  const stiff = stiffForces(model, timestep, own, rates)
  const reasons = [
    ...(closed ? ['loops, couplings or prescribed motion'] : []),
    ...(limited ? ['joint limits'] : []),
    ...(tied ? ['limits of tendons'] : []),
    ...(model.friction.some((x) => x > 0) ? ['dry friction in joints'] : []),
    ...(mayMeet(model) ? ['shapes that may touch'] : []),
    ...(stiff === '' ? [] : [stiff]),
  ]
  if (reasons.length > 0) {
    return {
      name: 'redmax',
      options: KEEPS,
      why: `the model has ${reasons.join(', ')}, which redmax takes up within its steps; of its schemes second-order loses least energy while nothing pushes`,
    }
  }
  return {
    name: 'ode',
    options: rates.vibration > 0 ? { method: 'auto', rate: Number(rates.vibration.toPrecision(3)) } : { method: 'auto' },
    why: 'nothing in the model needs an implicit step: explicit integration is accurate and its cost linear in the number of joints; steps are made in parts where the motion is fast, which keeps the energy',
  }
}

/** The solver of a simulation by its name, and what the model suggests for it; `auto` and nothing ask the model first. */
export function namedSolver<T>(
  model: Model,
  wanted: string | undefined,
  table: Readonly<Record<string, T>>,
  timestep?: number,
  own?: readonly Force[],
): NamedSolver<T> {
  if (wanted === undefined || wanted === 'auto') {
    const { name, options, why } = autoChoice(model, Object.keys(table), timestep, own)
    if (Object.hasOwn(table, name)) return { solver: table[name], suggested: options, why }
  } else if (Object.hasOwn(table, wanted)) {
    const suggested = wanted === model.solver ? model.solverOptions : {}
    return { solver: table[wanted], suggested, why: `${wanted}: it was asked for` }
  }
  throw new RangeError(
    `solver: expected one of auto, ${Object.keys(table).join(', ')}, got '${wanted ?? chooseSolver(model, timestep, own).name}'`,
  )
}

export interface NamedSolver<T> {
  readonly solver: T
  readonly suggested: Options
  /** a sentence that begins with its name */
  readonly why: string
}

/** What `auto` means: the solver that the model asks for, if it is one of these, else the engine's choice. `why` begins with its name. */
function autoChoice(model: Model, known: readonly string[], timestep?: number, own?: readonly Force[]): SolverChoice {
  if (known.includes(model.solver)) {
    return { name: model.solver, options: model.solverOptions, why: `${model.solver}: the file suggests it` }
  }
  const choice = chooseSolver(model, timestep, own)
  return { ...choice, why: `${choice.name}: ${choice.why}` }
}

/**
 * Forces that an explicit step of h is too long for, in words: a vibration or a decay of more than 1/h is at the edge of
 * what it can follow. Empty where there is none.
 */
function stiffForces(m: Model, h: number, own: readonly Force[], together: Rates): string {
  const stiff = ({ vibration, decay }: Rates): number => h * Math.max(vibration, decay)
  if (stiff(together) <= 1) return ''
  // several may be so together only
  const alone = forcesOf(m, { own }).map((force) => ({ name: force.name, rate: stiff(fastestRates(m, [force], own)) }))
  const most = Math.max(...alone.map(({ rate }) => rate))
  const names = alone.filter(({ rate }) => rate > 1 || rate === most).map(({ name }) => name)
  return `${names.join(' and ')} as fast as ${Number((most / h).toPrecision(2))}/s, stiff for steps of ${h} s`
}
