/**
 * The solver `redmax`: implicit steps in reduced coordinates, with stiffness and damping in joints and between any bodies taken
 * implicitly [Baxter].
 *
 * `linear` keeps velocity products explicit, as the thesis does, so that long or fast chains defeat it at large steps; `second-order` does so too,
 * but repeats or divides what does not converge. `auto` and `newton` take them implicitly (`backward-euler`): to the accuracy that stability
 * needs, or to the tolerance.
 */
import { forcesOf } from '../../forces/index.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { Options, OptionsOf, Solver, Stepper } from '../solver.js'
import { createBackwardEuler } from './backward-euler/backward-euler.js'
import { createLinearisedStepper } from './linearised/stepper.js'

const orders: Readonly<Record<string, number>> = { auto: 1, linear: 1, newton: 1, 'second-order': 2 }

const options = {
  scheme: {
    default: 'auto',
    choices: ['auto', 'linear', 'newton', 'second-order'],
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
  tolerance: { default: 1e-6, min: 0, max: 1, description: 'of the iterative solve, relative, in the energy norm' },
} as const satisfies Solver['options']

/** What `createSimulation` takes besides. */
export type RedmaxGiven = OptionsOf<typeof options>

export const redmax: Solver = {
  name: 'redmax',
  description: 'implicit: stiff springs, cables and dampers between any bodies at frame-rate steps; loops, limits and contact',
  options,
  holds: ['constraints', 'limits', 'friction', 'contact'],
  order: (options: Options) => orders[String(options.scheme)],
  refuses: () => null,
  create(model: Model, given: Options, forces: readonly Force[] = []): Stepper {
    checkDirect(model, given)
    const taken = withoutMatrix(forcesOf(model, { own: forces }), given)
    const robust = taken.scheme === 'newton' || taken.scheme === 'auto'
    return robust ? createBackwardEuler(model, taken, forces) : createLinearisedStepper(model, taken, forces)
  },
}

/** The sparse factorisation is over velocities of joints. */
function checkDirect(model: Model, { linear }: Options): void {
  if (linear !== 'direct' || model.modes.count === 0) return
  const name = model.bodies[model.modes.bodies[0]].name
  throw new RangeError(
    `linear=direct of solver redmax has no place for bodies that deform, and '${name}' is one; use linear=auto, recursive or pcg`,
  )
}

/** Forces that give their Jacobian as a product leave no matrix to factor. */
function withoutMatrix(forces: readonly Force[], options: Options): Options {
  const free = forces.find((force) => force.jacobianProduct)
  if (!free) return options
  if (options.linear === 'auto' || options.linear === 'pcg') return { ...options, linear: 'pcg' }
  throw new RangeError(
    `linear=${String(options.linear)} of solver redmax needs a matrix, and force '${free.name}' gives its Jacobian as a product only; use linear=pcg, or give \`linearize\``,
  )
}
