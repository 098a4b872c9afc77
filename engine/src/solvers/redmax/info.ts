/** What people need to know of the solver `redmax`, apart from its code, so that a page can list it before it fetches it. */
import type { Options, OptionsOf, Solver } from '../solver.js'

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
  soft: {
    default: true,
    description: 'contacts, limits and constraints of MJCF files give way as solref and solimp say; false: they are hard',
  },
  contact: { default: true, description: 'bodies that touch push each other, with friction' },
  guess: {
    default: 'velocity',
    choices: ['velocity', 'solution'],
    description:
      'of scheme=linear, where pcg starts: the velocity, as in the thesis; or what the last solutions lead to, before constraints: fewer iterations',
  },
  work: {
    default: 1,
    min: 0,
    description:
      'bound on the work of a step, counted, times the usual (about 0.2 s for 40 bodies): where it is reached the step takes what was found, or stops; 0: no bound',
  },
  tolerance: { default: 1e-6, min: 0, max: 1, description: 'of the iterative solve, relative, in the energy norm' },
} as const satisfies Solver['options']

/** What `createSimulation` takes besides. */
export type RedmaxGiven = OptionsOf<typeof options>

export const redmaxInfo: Omit<Solver, 'create'> = {
  name: 'redmax',
  description: 'implicit: stiff springs, cables and dampers between any bodies at frame-rate steps; loops, limits and contact',
  options,
  holds: ['constraints', 'limits', 'friction', 'contact'],
  order: (options: Options) => orders[String(options.scheme)],
  refuses: () => null,
}
