/**
 * The methods with error control, by name.
 */
import { createMultistep } from './multistep.js'
import type { Integrator, IntegratorOptions, OdeProblem } from './problem.js'
import { createRungeKutta } from './runge-kutta.js'
import { tableaus } from './tableaus.js'

export const adaptiveMethods = ['iec', 'rk3', 'rkg', 'rkf45', 'gear', 'bdf'] as const

export type AdaptiveMethod = (typeof adaptiveMethods)[number]

/** Throws a RangeError for tolerances and bounds that make no sense. */
export function createIntegrator(problem: OdeProblem, method: AdaptiveMethod, options: IntegratorOptions): Integrator {
  checkOptions(options)
  switch (method) {
    case 'gear':
      return createMultistep(problem, 'adams', options)
    case 'bdf':
      return createMultistep(problem, 'bdf', options)
    case 'iec':
    case 'rk3':
    case 'rkg':
    case 'rkf45':
      return createRungeKutta(problem, tableaus[method], options)
    default:
      throw new RangeError(`method: expected one of ${adaptiveMethods.join(', ')}, got '${String(method)}'`)
  }
}

/** Throws RangeError that names the option. */
export function checkOptions({ rtol, atol, hmax, hmin, maxOrder }: IntegratorOptions): void {
  if (!(rtol >= 1e-15 && rtol <= 1)) throw new RangeError(`rtol: expected a number from 1e-15 to 1, got ${rtol}`)
  if (!(atol > 0 && atol < Number.POSITIVE_INFINITY)) throw new RangeError(`atol: expected a positive number, got ${atol}`)
  if (hmax !== undefined && !(hmax > 0)) throw new RangeError(`hmax: expected a positive number of seconds, got ${hmax}`)
  if (hmin !== undefined && !(hmin >= 0 && hmin < (hmax ?? Number.POSITIVE_INFINITY))) {
    throw new RangeError(`hmin: expected a number of seconds from 0 to hmax, got ${hmin}`)
  }
  if (maxOrder !== undefined && !(Number.isInteger(maxOrder) && maxOrder >= 1 && maxOrder <= 12)) {
    throw new RangeError(`maxorder: expected a whole number from 1 to 12, got ${maxOrder}`)
  }
}
