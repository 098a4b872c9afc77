/**
 * The choice that `auto` makes. It names a family and loads none, so that small pages can choose too.
 */
import { suggest } from '../build/problems.js'
import { mayMeet } from '../contact/reach.js'
import { forcesOf } from '../forces/index.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { describeValue } from '../model/remedies.js'
import type { Options } from './solver.js'
import { fastestRates, type Rates } from './stiffness.js'
import { substructuringInfo } from './substructuring/info.js'

export interface SolverChoice {
  readonly name: string
  /** options that differ from the solver's defaults */
  readonly options: Options
  /** a sentence; found when it is first read, since stiffness and reach take longer to estimate than the choice itself */
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
  const certain = featuresInWords(model)
  let estimated: Rates | undefined
  const rates = (): Rates => (estimated ??= fastestRates(model, forcesOf(model, { own }), own))
  if (certain.length > 0 || mayMeet(model) || isStiff(rates(), timestep)) {
    return {
      name: 'redmax',
      options: KEEPS,
      get why() {
        const stiff = stiffForces(model, timestep, own, rates())
        const reasons = [...certain, ...(mayMeet(model) ? ['shapes that may touch'] : []), ...(stiff === '' ? [] : [stiff])]
        return `the model has ${reasons.join(', ')}, which redmax takes up within its steps; of its schemes second-order loses least energy while nothing pushes`
      },
    }
  }
  const { vibration } = rates()
  return {
    name: 'ode',
    options: vibration > 0 ? { method: 'auto', rate: Number(vibration.toPrecision(3)) } : { method: 'auto' },
    why: 'nothing in the model needs an implicit step: explicit integration is accurate and its cost linear in the number of joints; steps are made in parts where the motion is fast, which keeps the energy',
  }
}

/** Features of the model that an implicit step handles; read from its arrays, without any dynamics. */
function featuresInWords({ constraints, limits, friction }: Model): string[] {
  return [
    ...(constraints.active.some((x) => x !== 0) ? ['loops, couplings or prescribed motion'] : []),
    ...(limits.some((x) => Number.isFinite(x)) ? ['joint limits'] : []),
    ...(constraints.tendonLimits.some((x) => Number.isFinite(x)) ? ['limits of tendons'] : []),
    ...(friction.some((x) => x > 0) ? ['dry friction in joints'] : []),
  ]
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
    const choice = autoChoice(model, Object.keys(table), timestep, own)
    if (Object.hasOwn(table, choice.name)) return { solver: table[choice.name], suggested: choice.options, why: () => choice.why }
  } else if (Object.hasOwn(table, wanted)) {
    const suggested = wanted === model.solver ? model.solverOptions : {}
    return { solver: table[wanted], suggested, why: () => `${wanted}: it was asked for` }
  }
  const names = ['auto', ...Object.keys(table)]
  const got = wanted ?? chooseSolver(model, timestep, own).name
  throw new RangeError(`solver: expected one of ${names.join(', ')}, got ${describeValue(got)}${suggest(String(got), names)}`)
}

export interface NamedSolver<T> {
  readonly solver: T
  readonly suggested: Options
  /** A sentence that begins with its name. */
  readonly why: () => string
}

/** Whether `auto` is asked for, and the model suggests no solver: what `chooseSolver` takes then, every model can run with its own options. */
export function isEnginesChoice(model: Model, wanted: string | undefined, table: Readonly<Record<string, unknown>>): boolean {
  return (wanted === undefined || wanted === 'auto') && !Object.hasOwn(table, model.solver)
}

/** What `auto` means: the solver that the model asks for, if it is one of these, else the engine's choice. `why` begins with its name. */
function autoChoice(model: Model, known: readonly string[], timestep?: number, own?: readonly Force[]): SolverChoice {
  if (known.includes(model.solver)) {
    return { name: model.solver, options: model.solverOptions, why: `${model.solver}: the file suggests it` }
  }
  const choice = chooseSolver(model, timestep, own)
  const { name, options } = choice
  return {
    name,
    options,
    get why() {
      return `${name}: ${choice.why}`
    },
  }
}

/** Radians of the fastest vibration, or decays, in a step. */
const perStep = ({ vibration, decay }: Rates, h: number): number => h * Math.max(vibration, decay)

const isStiff = (rates: Rates, h: number): boolean => !(perStep(rates, h) <= 1)

/**
 * Forces that an explicit step of h is too long for, in words: a vibration or a decay of more than 1/h is at the edge of
 * what it can follow. Empty where there is none.
 */
function stiffForces(m: Model, h: number, own: readonly Force[], together: Rates): string {
  if (!isStiff(together, h)) return ''
  // several may be so together only
  const alone = forcesOf(m, { own }).map((force) => ({ name: force.name, rate: perStep(fastestRates(m, [force], own), h) }))
  const most = Math.max(...alone.map(({ rate }) => rate))
  const names = alone.filter(({ rate }) => rate > 1 || rate === most).map(({ name }) => name)
  return `${names.join(' and ')} as fast as ${Number((most / h).toPrecision(2))}/s, stiff for steps of ${h} s`
}
