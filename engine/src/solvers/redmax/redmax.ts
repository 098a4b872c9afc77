/**
 * The solver `redmax`: implicit steps in reduced coordinates, with stiffness and damping in joints and between any bodies taken
 * implicitly [Baxter].
 *
 * `linear` and `second-order` keep velocity products explicit, as the thesis does, so that long or fast chains defeat them at large steps.
 * `auto` and `newton` take them implicitly too (`newton-stepper`): to the accuracy that stability needs, or to the tolerance.
 */
import type { Model } from '../../model/model.js'
import type { Options, Solver, Stepper } from '../solver.js'
import { createNewtonStepper } from './newton-stepper.js'
import { createRedmaxStepper } from './stepper.js'

const orders: Readonly<Record<string, number>> = { auto: 1, linear: 1, newton: 1, 'second-order': 2 }

export const redmax: Solver = {
  name: 'redmax',
  description: 'implicit: stiff springs, cables and dampers between any bodies at frame-rate steps; loops, limits and contact',
  options: {
    scheme: {
      default: 'auto',
      choices: Object.keys(orders),
      description:
        'linear: implicit Euler linearised once a step, thesis eq. 2.13; second-order: BDF2 on the same solve, far less damping; newton: velocity products implicit too, for long and fast chains, without loops, limits and contact; auto: newton where it can run, else the linear step with loops projected shut',
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
    tolerance: { default: 1e-6, min: 0, max: 1, description: 'of the iterative solve, relative, in the energy norm' },
  },
  order: (options: Options) => orders[String(options.scheme)],
  refuses: () => null,
  create(model: Model, options: Options): Stepper {
    const held = holds(model, options.contact === true)
    if (options.scheme === 'newton' && held !== '') {
      throw new RangeError(`scheme=newton of solver redmax cannot take up ${held} yet; use scheme=linear or second-order`)
    }
    if (options.scheme === 'newton' || (options.scheme === 'auto' && held === '')) return createNewtonStepper(model, options)
    return createRedmaxStepper(model, options)
  },
}

/** What constrains the motion, or nothing. */
function holds(m: Model, contact: boolean): string {
  if (m.constraints.active.some((x) => x !== 0)) return 'loops, couplings and prescribed motion'
  if (m.limits.some((x) => Number.isFinite(x))) return 'joint limits'
  if (m.friction.some((x) => x > 0)) return 'dry friction in joints'
  if (contact && m.contact.count > 1) return 'contact'
  if (m.tendons.armed.length > 0) return 'tendons with armature'
  return ''
}
