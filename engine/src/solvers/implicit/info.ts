/** What the solver `implicit` is called, can do and takes. */
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { OptionInfo, Options, OptionsOf, Solver } from '../solver.js'
import { leftOutOfGround, refuseForces, refusesGround } from './scope.js'

const options = {
  tolerance: {
    default: 1e-4,
    min: 1e-12,
    max: 1,
    description: 'residual of the contact forces, relative to the weight of the lightest tree',
  },
  iterations: { default: 20, min: 1, max: 1000, description: 'Newton iterations of a step at most' },
  self: { default: true, description: 'contacts among the bodies, of spheres and capsules' },
} as const satisfies Readonly<Record<string, OptionInfo>>

export type ImplicitGiven = OptionsOf<typeof options>

export const implicitInfo = {
  name: 'implicit',
  description:
    'the ground step: implicit in velocities, soft contact with the world as in MuJoCo, one convex problem a step; the step of batches',
  options,
  holds: ['limits', 'friction', 'ground'],
  order: () => 1,
  refuses: refusesGround,
  check: (_model: Model, _options: Options, forces: readonly Force[] = []) => refuseForces(forces),
  leavesOut: (model: Model, { self = true }: Options) => leftOutOfGround(model, { name: 'implicit', self: self !== false }),
} as const satisfies Omit<Solver, 'create'>
