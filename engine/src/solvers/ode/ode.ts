/**
 * The solver `ode`: explicit methods on the O(n) articulated-body recursion.
 */
import type { Model } from '../../model/model.js'
import type { Solver, Stepper } from '../solver.js'
import { rungeKutta, semiImplicitEuler } from './fixed-step.js'
import { tableaus } from './tableaus.js'

interface Method {
  readonly order: number
  create(model: Model): Stepper
}

const methods: Readonly<Record<string, Method>> = {
  rk4: { order: tableaus.rk4.order, create: (model) => rungeKutta(model, tableaus.rk4) },
  'semi-implicit': { order: 1, create: semiImplicitEuler },
  euler: { order: tableaus.euler.order, create: (model) => rungeKutta(model, tableaus.euler) },
}

export const ode: Solver = {
  name: 'ode',
  description: 'explicit integration of the articulated-body equations',
  options: {
    method: {
      default: 'rk4',
      choices: Object.keys(methods),
      description: 'rk4: fourth order, fixed step; semi-implicit: first order, robust at small steps; euler: first order, for comparison',
    },
  },
  order: (options) => methods[String(options.method)].order,
  refuses: () => null,
  create: (model, options) => methods[String(options.method)].create(model),
}
