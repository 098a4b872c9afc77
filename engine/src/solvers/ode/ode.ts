/**
 * The solver `ode`: integration of the articulated-body equations, at a fixed step or to a tolerance.
 */
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { Options, Solver, Stepper } from '../solver.js'
import { createAdaptiveStepper } from './adaptive-stepper.js'
import type { OdeEvent } from './events.js'
import { rungeKutta, semiImplicitEuler } from './fixed-step.js'
import { type AdaptiveMethod, adaptiveMethods } from './methods.js'
import { tableaus } from './tableaus.js'

interface FixedMethod {
  readonly order: number
  create(model: Model, forces: readonly Force[]): Stepper
}

const fixedMethods: Readonly<Record<string, FixedMethod>> = {
  rk4: { order: tableaus.rk4.order, create: (model, forces) => rungeKutta(model, tableaus.rk4, forces) },
  'semi-implicit': { order: 1, create: semiImplicitEuler },
  euler: { order: tableaus.euler.order, create: (model, forces) => rungeKutta(model, tableaus.euler, forces) },
}

/** order at which each method with error control carries the solution on; multistep methods: the highest */
const adaptiveOrders: Readonly<Record<AdaptiveMethod, number>> = { iec: 3, rk3: 3, rkg: 5, rkf45: 5, gear: 12, bdf: 5 }

const isAdaptive = (method: string): method is AdaptiveMethod => (adaptiveMethods as readonly string[]).includes(method)

const description =
  'fixed step: rk4 (fourth order), semi-implicit (first order, robust), euler; to a tolerance: gear (Adams, fewest evaluations), ' +
  'bdf (stiff joints), rkf45, rkg, rk3, iec'

/** The solver with events: `createSimulation(model, { solver: odeWithEvents(events), method: 'gear' })`. */
export function odeWithEvents(events: readonly OdeEvent[]): Solver {
  return {
    name: 'ode',
    description: 'explicit and stiff integration of the articulated-body equations',
    options: {
      method: { default: events.length > 0 ? 'gear' : 'rk4', choices: [...Object.keys(fixedMethods), ...adaptiveMethods], description },
      rtol: { default: 1e-6, min: 1e-14, max: 1, description: 'relative tolerance of each coordinate and velocity, per step' },
      atol: { default: 1e-8, min: 1e-300, max: 1e300, description: 'absolute tolerance, per step' },
      maxorder: { default: 12, min: 1, max: 12, description: 'highest order of gear (12) and bdf (5)' },
      hmax: { default: 1e9, min: 1e-12, description: 'largest internal step, seconds' },
      hmin: { default: 0, min: 0, description: 'smallest internal step, seconds: where it is not enough the run stops' },
      maxsteps: { default: 1e6, min: 1, description: 'most internal steps within one time step' },
      corrector: {
        default: 'staggered',
        choices: ['staggered', 'plain'],
        description: 'gear: staggered corrects once, velocities before positions; plain iterates on both, as the literature does',
      },
    },
    order: ({ method }) => fixedMethods[String(method)]?.order ?? adaptiveOrders[method as AdaptiveMethod],
    refuses: () => null,
    create: (model, options, forces = []) => createStepper(model, options, forces, events),
  }
}

export const ode: Solver = odeWithEvents([])

/** A fixed step has no use for tolerances: whoever sets them hears of it. */
function saysUnused(stepper: Stepper, method: string, options: Options): Stepper {
  const unused = Object.entries(ode.options).filter(([name, { default: usual }]) => name !== 'method' && (options[name] ?? usual) !== usual)
  if (unused.length === 0) return stepper
  const names = unused.map(([name]) => name).join(', ')
  return { ...stepper, warnings: () => [`${names}: without effect on ${method}, whose step is fixed; take method=gear, bdf or rkf45`] }
}

function createStepper(model: Model, options: Options, forces: readonly Force[], events: readonly OdeEvent[]): Stepper {
  const method = String(options.method)
  if (!isAdaptive(method)) {
    if (events.length > 0) throw new RangeError(`events need a method with error control (${adaptiveMethods.join(', ')}), got '${method}'`)
    return saysUnused(fixedMethods[method].create(model, forces), method, options)
  }
  return createAdaptiveStepper(model, {
    method,
    rtol: Number(options.rtol),
    atol: Number(options.atol),
    maxOrder: Number(options.maxorder),
    hmax: Number(options.hmax),
    hmin: Number(options.hmin),
    maxSteps: Number(options.maxsteps),
    corrector: options.corrector === 'plain' ? 'plain' : 'staggered',
    events,
    forces,
  })
}
