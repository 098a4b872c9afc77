/**
 * The solver `substructuring`: reduced elastic domains as bodies of a tree, coupled by inertia [Barbic], exactly and in linear time
 * [JainRodriguez], with ordinary joints and rigid links between them.
 */
import type { Model } from '../../model/model.js'
import type { Options, Solver } from '../solver.js'
import { substructuringInfo } from './info.js'
import { createNewmarkStepper, type NewmarkOptions } from './newmark.js'

export const substructuring: Solver = {
  ...substructuringInfo,
  check: (model, options) => void readOptions(model, options),
  create: (model, options, forces = []) => createNewmarkStepper(model, readOptions(model, options), forces),
}

function readOptions(model: Model, options: Options): NewmarkOptions {
  const given: NewmarkOptions = {
    inertia: String(options.inertia) as NewmarkOptions['inertia'],
    iterations: Number(options.iterations),
    beta: Number(options.beta),
    gamma: Number(options.gamma),
  }
  if (!Number.isInteger(given.iterations)) throw new RangeError(`iterations: expected a whole number, got ${given.iterations}`)
  if (given.inertia !== 'exact') checkJoints(model, given.inertia)
  return given
}

/** The levels hold what a domain carries still while it is accelerated: nothing between them may move but the domains themselves. */
function checkJoints(m: Model, level: string): void {
  for (const { name, type, body, nv } of m.joints) {
    if (type === 'modes' || nv === 0 || (m.parent[body] === 0 && type === 'free')) continue
    throw new RangeError(`inertia=${level}: joint '${name}' moves, and only 'exact' has joints between domains; take inertia=exact`)
  }
}
