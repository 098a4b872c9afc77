/** What people need to know of the solver `position`, apart from its code, so that a page can list it before it fetches it. */
import type { Model } from '../../model/model.js'
import type { OptionsOf, Solver } from '../solver.js'

const options = {
  order: {
    default: '2',
    choices: ['2', '3', '4', '5', 'radau'],
    description: 'degree of the polynomial through positions: 2 (accuracy 1, damps), 3 (2), 4 (3), 5 (4); radau (3, damps what is fast)',
  },
  optimizer: {
    default: 'newton',
    choices: ['newton', 'lm', 'lbfgs', 'gauss-newton'],
    description:
      'newton (exact second derivative), lm (Gauss–Newton with the positive part of the curvature), lbfgs (gradients), gauss-newton (mass matrix alone, for comparison)',
  },
  tolerance: { default: 1e-9, min: 1e-14, max: 1, description: 'largest coordinate of the last iteration, radians or metres' },
  iterations: { default: 100, min: 1, max: 1e6, description: 'most iterations a step' },
} as const satisfies Solver['options']

/** What `createSimulation` takes besides. */
export type PositionGiven = OptionsOf<typeof options>

export const positionInfo: Omit<Solver, 'create'> = {
  name: 'position',
  description: 'position-based: one optimisation a step, stable at steps of 0.05 to 0.1 s',
  options,
  order: ({ order }) => (order === 'radau' ? 3 : Number(order) - 1),
  refuses: (model: Model) => {
    if (model.modes.count > 0) return 'bodies that deform have no place in its energy; take ode'
    return model.tendons.armed.length > 0 ? 'tendons with armature have no place in its point masses' : null
  },
}
