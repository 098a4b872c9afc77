/**
 * The solver `redmax`: linearly implicit steps in reduced coordinates, with stiffness and damping in joints and between any bodies
 * taken implicitly [Baxter].
 */
import type { Model } from '../../model/model.js'
import type { Options, Solver, Stepper } from '../solver.js'
import { createRedmaxStepper } from './stepper.js'

const schemes: Readonly<Record<string, number>> = { linear: 1, 'second-order': 2 }

export const redmax: Solver = {
  name: 'redmax',
  description: 'linearly implicit: stiff springs, cables and dampers between any bodies at frame-rate steps',
  options: {
    scheme: {
      default: 'second-order',
      choices: Object.keys(schemes),
      description: 'linear: implicit Euler linearised once a step, thesis eq. 2.13; second-order: BDF2 on the same solve, far less damping',
    },
    linear: {
      default: 'auto',
      choices: ['auto', 'recursive', 'pcg', 'direct'],
      description: 'recursive: exact when no spring joins two branches; pcg: iterative; direct: sparse factorisation; auto: the cheapest',
    },
    contact: { default: true, description: 'bodies that touch push each other, with friction' },
    tolerance: { default: 1e-6, min: 0, max: 1, description: 'of the iterative solve, relative, in the energy norm' },
  },
  order: (options: Options) => schemes[String(options.scheme)],
  refuses: (_model: Model) => null,
  create: (model: Model, options: Options): Stepper => createRedmaxStepper(model, options),
}
