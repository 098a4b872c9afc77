/** What people need to know of the solver `substructuring`, apart from its code, so that a page can list it before it fetches it. */
import { mayMeet } from '../../contact/reach.js'
import type { Model } from '../../model/model.js'
import type { OptionsOf, Solver } from '../solver.js'

const options = {
  inertia: {
    default: 'exact',
    choices: ['exact', 'L3', 'L2', 'L1'],
    description:
      'what a domain feels of those it carries: exact, or them as one rigid body (L3), a point mass at their centre (L2), a point mass at the interface (L1)',
  },
  iterations: { default: 2, min: 1, max: 20, description: "Newton's iterations a step; 1 is first order, for what is well damped" },
  beta: { default: 0.25, min: 0, max: 0.5, description: "Newmark's β" },
  gamma: { default: 0.5, min: 0.5, max: 1, description: "Newmark's γ; above a half it damps, and the order is one" },
} as const satisfies Solver['options']

/** What `createSimulation` takes besides. */
export type SubstructuringGiven = OptionsOf<typeof options>

export const substructuringInfo: Omit<Solver, 'create'> = {
  name: 'substructuring',
  description: 'elastic domains in a tree: implicit Newmark steps, linear in the number of domains',
  options,
  order: ({ gamma, iterations }) => (Number(gamma) > 0.5 || Number(iterations) < 2 ? 1 : 2),
  refuses,
}

function refuses(m: Model): string | null {
  const { springs, tendons } = m
  if (m.constraints.active.some((x) => x !== 0)) return 'loops and other constraints have no place in its recursion; take redmax'
  if (m.limits.some((x) => Number.isFinite(x))) return 'it knows no joint limits; take redmax'
  if (m.friction.some((x) => x > 0)) return 'it knows no dry friction in joints; take redmax'
  for (let k = 0; k < springs.count; k++) {
    if (springs.bodyA[k] > 0 && springs.bodyB[k] > 0)
      return `spring '${springs.names[k]}' joins two bodies across the tree; take redmax, or tie one end to the world`
  }
  if (tendons.count > 0) return 'tendons join bodies across the tree; take redmax'
  if (mayMeet(m) && m.penalty.count * m.penalty.obstacles === 0)
    return 'it has shapes that may touch; take redmax, or the penalty of `contact` against the world'
  return null
}
