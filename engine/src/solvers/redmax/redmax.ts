/**
 * The solver `redmax`: implicit steps in reduced coordinates, with stiffness and damping in joints and between any bodies taken
 * implicitly [Baxter].
 *
 * `linear` keeps velocity products explicit, as the thesis does, so that long or fast chains defeat it at large steps; `second-order` does so too,
 * but repeats or divides what does not converge. `auto` and `newton` take them implicitly (`newton-stepper`): to the accuracy that stability
 * needs, or to the tolerance.
 */
import type { Model } from '../../model/model.js'
import type { Options, Solver, Stepper } from '../solver.js'
import { createNewtonStepper } from './newton-stepper.js'
import type { StartThreads } from './shared-columns.js'
import { createRedmaxStepper } from './stepper.js'

const orders: Readonly<Record<string, number>> = { auto: 1, linear: 1, newton: 1, 'second-order': 2 }

const solver = {
  name: 'redmax',
  description: 'implicit: stiff springs, cables and dampers between any bodies at frame-rate steps; loops, limits and contact',
  options: {
    scheme: {
      default: 'auto',
      choices: Object.keys(orders),
      description:
        'auto: velocity products implicit too, as accurately as stability needs: holds long and fast chains at large steps; newton: the same to the tolerance; linear: implicit Euler linearised once a step, thesis eq. 2.13; second-order: SDIRK2 on the same solve, far less damping',
    },
    linear: {
      default: 'auto',
      choices: ['auto', 'recursive', 'pcg', 'direct'],
      description: 'recursive: exact when no spring joins two branches; pcg: iterative; direct: sparse factorisation; auto: the cheapest',
    },
    stabilization: {
      default: 5,
      min: 0,
      description: 'of scheme=linear: rate at which an open loop closes, 1/s; the other schemes project loops shut after each step',
    },
    contact: { default: true, description: 'bodies that touch push each other, with friction' },
    guess: {
      default: 'velocity',
      choices: ['velocity', 'solution'],
      description:
        'of scheme=linear, where pcg starts: the velocity, as in the thesis; or what the last solutions lead to, before constraints: fewer iterations',
    },
    workers: {
      default: 0,
      min: 0,
      max: 64,
      description:
        'threads besides this one that share the constraint columns of linear=pcg and recursive, where that is expected to pay; results do not depend on it',
    },
    tolerance: { default: 1e-6, min: 0, max: 1, description: 'of the iterative solve, relative, in the energy norm' },
  },
  holds: ['constraints', 'limits', 'friction', 'contact'],
  order: (options: Options) => orders[String(options.scheme)],
  refuses: () => null,
} satisfies Omit<Solver, 'create'>

/** `redmax` whose constraint columns are shared with threads that this starts; option `workers` says with how many. */
export function redmaxWith(start: StartThreads | undefined): Solver {
  return {
    ...solver,
    create(model: Model, given: Options): Stepper {
      const options = withoutMatrix(model, given)
      const robust = options.scheme === 'newton' || options.scheme === 'auto'
      const sharing = Number(options.workers) > 0 ? { workers: Math.floor(Number(options.workers)), start } : undefined
      return robust ? createNewtonStepper(model, options, sharing) : createRedmaxStepper(model, options, sharing)
    },
  }
}

export const redmax: Solver = redmaxWith(undefined)

/** Forces that give their Jacobian as a product leave no matrix to factor. */
function withoutMatrix(model: Model, options: Options): Options {
  const free = model.forces.find((force) => force.jacobianProduct)
  if (!free) return options
  if (options.linear === 'auto' || options.linear === 'pcg') return { ...options, linear: 'pcg' }
  throw new RangeError(
    `linear=${String(options.linear)} of solver redmax needs a matrix, and force '${free.name}' gives its Jacobian as a product only; use linear=pcg, or give \`linearize\``,
  )
}
