/**
 * Processors that work on one simulation, as its first one sees them: they have the model and their links, find out how fast both are, and divide the work.
 */
import { type LoopOptions, STABILIZATION } from '../constraints/loops/loops.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { MultistepOptions } from '../solvers/ode/multistep.js'
import type { Costs } from './cost.js'
import type { Link } from './link.js'
import { measureCosts } from './measure.js'
import { createAdamsProcessor } from './passes/adams.js'
import { serveOrders } from './passes/orders.js'
import { createRedmaxProcessor } from './passes/redmax.js'
import { findUnits, type Units } from './passes/units.js'
import { measureRoundTrip, serveRoundTrip } from './round-trip.js'
import { type Share, shareOut } from './share.js'

/** What every processor is told before it begins: costs by which all divide the work in the same way, then the method and its options. */
const SETTINGS = 8
// methods
const NOTHING = 0
const ADAMS = 1
const REDMAX = 2
const READINGS = 20

export interface Crew {
  readonly model: Model
  readonly link: Link
  readonly share: Share
  readonly costs: Costs
  readonly units: Units
  /** what every processor has of the user's own; undefined: a simulation is given them, and the others have been given the same */
  readonly forces: readonly Force[] | undefined
  /** Ends the other processors. */
  close(): void
}

export interface CrewOptions {
  /** seconds from any moment on */
  readonly clock: () => number
  /** costs that are known and not measured */
  readonly costs?: Partial<Costs>
  /** divide the work even where one processor would be as fast */
  readonly always?: boolean
  /** bodies of a block at the most, see `branches` */
  readonly longest?: number
  /** the user's own, which every processor has; default: those that a simulation is given, and that were given to `serveProcessor` */
  readonly forces?: readonly Force[]
  /** ends the threads or processes */
  close?(): void
}

/** The user's own forces of a simulation on this crew. Throws where the other processors cannot have them. */
export function forcesOn({ forces }: Crew, given: readonly Force[]): readonly Force[] {
  if (forces === undefined) return given
  if (given.length > 0)
    throw new RangeError(
      `forces: '${given[0].name}' is a function, which threads cannot be handed; write a module that exports \`forces\`, and give its address to startProcessors(model, { forces })`,
    )
  return forces
}

const unitsOf = (model: Model, { branches, processorOf }: Share, link: Link): Units => ({
  ...findUnits(model, branches, processorOf),
  processors: link.processors,
})

/** The same where branches are not cut, as for redmax. */
export const uncutUnits = (model: Model, link: Link, costs: Costs): Units =>
  unitsOf(model, shareOut(model, link.processors, costs, { longest: 0 }), link)

/** The first processor's side: measures, divides, and tells the others. They must have called `serveProcessor` with the same model. */
export function leadCrew(
  model: Model,
  link: Link,
  { clock, costs: given = {}, always = false, longest, forces, close }: CrewOptions,
): Crew {
  const roitm = link.processors > 1 ? measureRoundTrip(link, clock, READINGS) : 0
  const measured = measureCosts(model, { clock, roundTrip: () => roitm, given })
  // messages that cost nothing always pay
  const costs = always ? { ...measured, roitm: 0 } : measured
  const share = shareOut(model, link.processors, costs, longest === undefined ? {} : { longest })
  const numbers = Float64Array.of(costs.cmptm, costs.roitm, costs.weight ?? -1, longest ?? -1)
  for (let r = 1; r < link.processors; r++) link.send(r, numbers, 0, numbers.length)
  return { model, link, share, costs, units: unitsOf(model, share, link), forces, close: () => close?.() }
}

/** How the other processors learn of the method's options, or that there is nothing to do (no options). */
export function sendOptions(link: Link, options: (MultistepOptions & LoopOptions) | 'redmax' | undefined): void {
  const settings = new Float64Array(SETTINGS)
  if (options === undefined) settings[0] = NOTHING
  else if (options === 'redmax') settings[0] = REDMAX
  else {
    const { rtol, atol, maxOrder = 0, corrector, stabilization = STABILIZATION } = options
    settings.set([ADAMS, rtol, atol, maxOrder, corrector === 'plain' ? 1 : 0, stabilization])
  }
  for (let r = 1; r < link.processors; r++) link.send(r, settings, 0, SETTINGS)
}

/** Serves as one of the other processors until the first one ends the work. */
export function serveProcessor(model: Model, link: Link, forces: readonly Force[] = []): void {
  if (link.rank === 1) serveRoundTrip(link)
  const numbers = new Float64Array(4)
  link.receive(0, numbers, 0, numbers.length)
  const [cmptm, roitm, weight, longest] = numbers
  const costs = { cmptm, roitm, ...(weight < 0 ? {} : { weight }) }
  const units = unitsOf(model, shareOut(model, link.processors, costs, longest < 0 ? {} : { longest }), link)
  // several simulations may follow one another
  for (const settings = new Float64Array(SETTINGS); ; ) {
    link.receive(0, settings, 0, SETTINGS)
    const [method, rtol, atol, maxOrder, plain, stabilization] = settings
    if (method === NOTHING) return
    const order = maxOrder > 0 ? { maxOrder } : {}
    const options = { rtol, atol, ...order, corrector: plain === 1 ? 'plain' : 'staggered', stabilization } as const
    serveOrders(
      method === REDMAX
        ? createRedmaxProcessor(model, uncutUnits(model, link, costs), link, forces)
        : createAdamsProcessor(model, units, link, options, forces),
    )
  }
}
