/**
 * The solver `ode`: integration of the articulated-body equations, at a fixed step or to a tolerance.
 */
import { areLoopsHeld, type LoopOptions, STABILIZATION } from '../../constraints/loops/loops.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { Options, OptionsOf, Solver, StabilityLimits, Stepper } from '../solver.js'
import { createAdaptiveStepper } from './adaptive-stepper.js'
import type { OdeEvent } from './events.js'
import { rungeKutta, semiImplicitEuler } from './fixed-step.js'
import { holdLoops } from './hold-loops.js'
import { type AdaptiveMethod, adaptiveMethods, checkOptions } from './methods.js'
import { leastParts, partsByMotion } from './parts.js'
import { tableaus } from './tableaus.js'

type FixedName = 'rk4' | 'auto' | 'semi-implicit' | 'euler'

/** What `createSimulation` takes besides. */
export type OdeGiven = { readonly method?: FixedName | AdaptiveMethod | (string & {}) } & OptionsOf<typeof tolerances>

interface FixedMethod {
  readonly order: number
  /** where the factor of a mode in a step has length one: on the real axis, and on the imaginary one */
  readonly decay: number
  readonly vibration: number
  create(model: Model, forces: readonly Force[], options: Options, loops: LoopOptions): Stepper
}

const RK4 = { decay: 2.785, vibration: 2.828 } as const
/** euler: every vibration grows, by e^(π h ω) a period if nothing damps it; here it doubles */
const DOUBLING = Math.LN2 / Math.PI

const fixedMethods: Readonly<Record<string, FixedMethod>> & Readonly<Record<FixedName, FixedMethod>> = {
  rk4: { order: tableaus.rk4.order, ...RK4, create: (model, forces, _, loops) => rungeKutta(model, tableaus.rk4, forces, loops) },
  auto: {
    order: tableaus.rk4.order,
    ...RK4,
    create: (model, forces, { rate }, loops) => rungeKutta(model, tableaus.rk4, forces, loops, partsByMotion(model, Number(rate))),
  },
  // its damping is explicit
  'semi-implicit': { order: 1, decay: 2, vibration: 2, create: (model, forces, _, loops) => semiImplicitEuler(model, forces, loops) },
  euler: {
    order: tableaus.euler.order,
    decay: 2,
    vibration: DOUBLING,
    create: (model, forces, _, loops) => rungeKutta(model, tableaus.euler, forces, loops),
  },
}

/** order at which each method with error control carries the solution on; multistep methods: the highest */
const adaptiveOrders: Readonly<Record<AdaptiveMethod, number>> = { iec: 3, rk3: 3, rkg: 5, rkf45: 5, gear: 12, bdf: 5 }

const isAdaptive = (method: string): method is AdaptiveMethod => (adaptiveMethods as readonly string[]).includes(method)

const description =
  'fixed step: rk4 (fourth order), auto (rk4, in parts where the motion is fast for the step), semi-implicit (first order, robust), euler; to a tolerance: gear (Adams, fewest evaluations), ' +
  'bdf (stiff joints), rkf45, rkg, rk3, iec'

const tolerances = {
  rate: { default: 0, min: 0, description: 'auto: the fastest vibration that a step is divided for, besides the motion, rad/s' },
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
  stabilization: {
    default: STABILIZATION,
    min: 0,
    max: 1e6,
    description: 'rate at which a loop that has opened closes again, 1/s: internal steps much longer than 1 / stabilization are too long',
  },
} as const satisfies Solver['options']

/** The solver with events: `createSimulation(model, { solver: odeWithEvents(events), method: 'gear' })`. */
export function odeWithEvents(events: readonly OdeEvent[]): Solver {
  return {
    name: 'ode',
    description: 'explicit and stiff integration of the articulated-body equations',
    options: {
      method: { default: events.length > 0 ? 'gear' : 'rk4', choices: [...Object.keys(fixedMethods), ...adaptiveMethods], description },
      ...tolerances,
    },
    holds: (model) => (areLoopsHeld(model) ? ['constraints'] : []),
    order: ({ method }) => fixedMethods[String(method)]?.order ?? adaptiveOrders[method as AdaptiveMethod],
    refuses: () => null,
    stability,
    check: (_, options) => checkMethod(options, events),
    create: (model, options, forces = []) => holdLoops(model, createStepper(model, options, forces, events)),
  }
}

export const ode: Solver = odeWithEvents([])

function stability(options: Options, h: number): StabilityLimits | undefined {
  const method = String(options.method)
  if (isAdaptive(method)) return undefined
  const { decay, vibration } = fixedMethods[method]
  const parts = method === 'auto' ? leastParts(Number(options.rate), h) : 1
  return { method, decay: parts * decay, vibration: parts * vibration, undamped: method === 'euler' }
}

const usedByAll = ['method', 'stabilization']

/** A fixed step has no use for tolerances: whoever sets them hears of it. */
function saysUnused(stepper: Stepper, method: string, options: Options): Stepper {
  const unused = Object.entries(ode.options).filter(
    ([name, { default: usual }]) =>
      !usedByAll.includes(name) && !(name === 'rate' && method === 'auto') && (options[name] ?? usual) !== usual,
  )
  if (unused.length === 0) return stepper
  const names = unused.map(([name]) => name).join(', ')
  return { ...stepper, warnings: () => [`${names}: without effect on ${method}, whose step is fixed; take method=gear, bdf or rkf45`] }
}

function checkMethod(options: Options, events: readonly OdeEvent[]): void {
  const method = String(options.method)
  if (isAdaptive(method)) checkOptions(integratorOptions(options))
  else if (events.length > 0)
    throw new RangeError(`events need a method with error control (${adaptiveMethods.join(', ')}), got '${method}'`)
}

function integratorOptions(options: Options) {
  return {
    rtol: Number(options.rtol),
    atol: Number(options.atol),
    maxOrder: Number(options.maxorder),
    hmax: Number(options.hmax),
    hmin: Number(options.hmin),
  }
}

function createStepper(model: Model, options: Options, forces: readonly Force[], events: readonly OdeEvent[]): Stepper {
  const method = String(options.method)
  const stabilization = Number(options.stabilization)
  checkMethod(options, events)
  if (!isAdaptive(method)) return saysUnused(fixedMethods[method].create(model, forces, options, { stabilization }), method, options)
  return createAdaptiveStepper(model, {
    ...integratorOptions(options),
    method,
    maxSteps: Number(options.maxsteps),
    corrector: options.corrector === 'plain' ? 'plain' : 'staggered',
    stabilization,
    events,
    forces,
  })
}
