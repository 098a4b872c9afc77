/**
 * The solver `position`: position-based articulated dynamics. A step is an optimisation over the next configuration, in which velocities
 * are differences of positions of points [Pan and Manocha 2018].
 */
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { Options, Solver, Stepper } from '../solver.js'
import { createCollocationStepper } from './collocation/collocation-stepper.js'
import { createEulerStepper } from './euler/euler-stepper.js'
import type { Optimizer } from './euler/minimize.js'
import { positionInfo } from './info.js'

export interface PositionOptions {
  readonly order: string
  readonly optimizer: Optimizer
  readonly tolerance: number
  readonly iterations: number
}

export const position: Solver = {
  ...positionInfo,
  // the table of options is all that there is to check
  check: () => {},
  create: (model: Model, options: Options, forces: readonly Force[] = []): Stepper => {
    const given = readOptions(options)
    return given.order === '2' ? createEulerStepper(model, given, forces) : createCollocationStepper(model, given, forces)
  },
}

function readOptions(options: Options): PositionOptions {
  return {
    order: String(options.order),
    optimizer: String(options.optimizer) as Optimizer,
    tolerance: Number(options.tolerance),
    iterations: Number(options.iterations),
  }
}
