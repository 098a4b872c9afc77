/**
 * The solver `redmax`: implicit steps in reduced coordinates, with stiffness and damping in joints and between any bodies taken
 * implicitly [Baxter].
 *
 * `linear` keeps velocity products explicit, as the thesis does, so that long or fast chains defeat it at large steps; `second-order` does so too,
 * but repeats or divides what does not converge. `auto` and `newton` take them implicitly (`backward-euler`): to the accuracy that stability
 * needs, or to the tolerance.
 */
import { forcesOf } from '../../forces/index.js'
import type { Vec } from '../../math/types.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { Options, Solver, Stepper } from '../solver.js'
import { createBackwardEuler } from './backward-euler/backward-euler.js'
import { redmaxInfo } from './info.js'
import { createLinearisedStepper } from './linearised/stepper.js'
import { restBetween } from './rest.js'

export const redmax: Solver = {
  ...redmaxInfo,
  check(model, given, forces = []) {
    checkDirect(model, given)
    withoutMatrix(forcesOf(model, { own: forces }), given)
  },
  create(asked: Model, given: Options, forces: readonly Force[] = []): Stepper {
    const model = given.soft === false ? hardened(asked) : asked
    const taken = withoutMatrix(forcesOf(model, { own: forces }), given)
    const robust = taken.scheme === 'newton' || taken.scheme === 'auto'
    const stepper = robust ? createBackwardEuler(model, taken, forces) : createLinearisedStepper(model, taken, forces)
    return restBetween(model, stepper, forces)
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

/** The model with hard contacts, limits and constraints. */
function hardened(m: Model): Model {
  const { shapes, tendons, constraints } = m
  const hard = (solref: Vec): Vec => new Float64Array(solref.length)
  return {
    ...m,
    limitSolref: hard(m.limitSolref),
    shapes: { ...shapes, solref: hard(shapes.solref), pairs: { ...shapes.pairs, solref: hard(shapes.pairs.solref) } },
    tendons: { ...tendons, limitSolref: hard(tendons.limitSolref) },
    constraints: { ...constraints, solref: hard(constraints.solref) },
  }
}
