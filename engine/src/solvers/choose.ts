/**
 * The choice that `auto` makes. It names a family and loads none, so that small pages can choose too.
 */
import { mayMeet } from '../contact/reach.js'
import { forcesOf } from '../forces/index.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { Options } from './solver.js'
import { fastestRates } from './stiffness.js'
import { substructuringInfo } from './substructuring/info.js'

export interface SolverChoice {
  readonly name: string
  readonly why: string
}

/** What `auto` takes for this model at this step (default: the model's own) with these forces of the user's own, and why. */
export function chooseSolver(model: Model, timestep = model.timestep, own: readonly Force[] = []): SolverChoice {
  if (model.modes.count > 0) {
    const why = substructuringInfo.refuses(model)
    if (why === null) return { name: 'substructuring', why: 'the model has bodies that deform and nothing that joins them across the tree' }
    return { name: 'redmax', why: `the model has bodies that deform, and substructuring refuses it: ${why}` }
  }
  const closed = model.constraints.active.some((x) => x !== 0)
  const limited = model.limits.some((x) => Number.isFinite(x))
  const stiff = stiffForces(model, timestep, own)
  const reasons = [
    ...(closed ? ['loops, couplings or prescribed motion'] : []),
    ...(limited ? ['joint limits'] : []),
    ...(model.friction.some((x) => x > 0) ? ['dry friction in joints'] : []),
    ...(mayMeet(model) ? ['shapes that may touch'] : []),
    ...(stiff === '' ? [] : [stiff]),
  ]
  if (reasons.length > 0) return { name: 'redmax', why: `the model has ${reasons.join(', ')}, which the explicit solver does not take up` }
  return {
    name: 'ode',
    why: 'nothing in the model needs an implicit step: explicit integration is accurate and its cost linear in the number of joints',
  }
}

/** The solver of a simulation by its name, and what the model suggests for it; `auto` and nothing ask the model first. */
export function namedSolver<T>(
  model: Model,
  wanted: string | undefined,
  table: Readonly<Record<string, T>>,
  timestep?: number,
  own?: readonly Force[],
): { readonly solver: T; readonly suggested: Options } {
  let name = wanted ?? 'auto'
  if (name === 'auto') name = Object.hasOwn(table, model.solver) ? model.solver : chooseSolver(model, timestep, own).name
  if (!Object.hasOwn(table, name)) throw new RangeError(`solver: expected one of auto, ${Object.keys(table).join(', ')}, got '${name}'`)
  return { solver: table[name], suggested: name === model.solver ? model.solverOptions : {} }
}

/**
 * Forces that an explicit step of h is too long for, in words: a vibration or a decay of more than 1/h is at the edge of
 * what it can follow. Empty where there is none.
 */
function stiffForces(m: Model, h: number, own: readonly Force[]): string {
  const all = forcesOf(m, { own })
  const stiff = (forces: readonly Force[]): number => {
    const { vibration, decay } = fastestRates(m, forces, own)
    return h * Math.max(vibration, decay)
  }
  if (stiff(all) <= 1) return ''
  // several may be so together only
  const alone = all.map((force) => ({ name: force.name, rate: stiff([force]) }))
  const most = Math.max(...alone.map(({ rate }) => rate))
  const names = alone.filter(({ rate }) => rate > 1 || rate === most).map(({ name }) => name)
  return `${names.join(' and ')} as fast as ${Number((most / h).toPrecision(2))}/s, stiff for steps of ${h} s`
}
