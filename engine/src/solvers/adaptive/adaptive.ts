/**
 * The solver `adaptive`: only the joints that matter move; the rest of the mechanism moves as rigid groups, with a bound on what is neglected.
 */

import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { isFree } from '../../tree/dca/assembly.js'
import type { Detail, Options, Solver, Stepper } from '../solver.js'
import { createAdaptiveStepper } from './stepper.js'

/** Called before each choice of joints: writes how important each tree is, by its distance to a camera, say. */
export type ChooseDetail = (importance: Float64Array, state: State, detail: Detail) => void

export interface AdaptiveExtras {
  /** level of detail */
  readonly detail?: ChooseDetail
  /** of each velocity: weight of its square in the metric, positive; instead of the option `weights` */
  readonly weights?: ArrayLike<number>
}

/** The solver with level of detail, or weights of one's own: `createSimulation(model, { solver: adaptiveWith({ detail }), budget: 500 })`. */
export function adaptiveWith(extras: AdaptiveExtras): Solver {
  return { ...base, create: (model, options, forces = []) => create(model, options, forces, extras) }
}

const base: Omit<Solver, 'create'> = {
  name: 'adaptive',
  description: 'adaptive dynamics: pays only for the joints that matter, and tells what it neglects',
  options: {
    budget: { default: 0, min: 0, description: 'joints that move at most; 0: no limit' },
    threshold: {
      default: 0,
      min: 0,
      description: 'neglected acceleration below which joints are held, root of the weighted sum of squares; 0: none is neglected',
    },
    mode: {
      default: 'hybrid',
      choices: ['hybrid', 'truncated'],
      description:
        'hybrid: what is held moves as rigid groups; truncated: active joints take the accelerations they would have with all joints free',
    },
    weights: {
      default: 'identity',
      choices: ['identity', 'inertia'],
      description: 'of squared accelerations: identity, or the inertia that each joint moves, for mechanisms that slide and turn',
    },
    every: { default: 8, min: 1, max: 1e6, description: 'steps from one choice of joints to the next' },
  },
  order: () => 1,
  refuses,
  holds: ['limits', 'ground'],
}

export const adaptive: Solver = adaptiveWith({})

function create(model: Model, options: Options, forces: readonly Force[], extras: AdaptiveExtras): Stepper {
  const given = {
    budget: whole('budget', options),
    threshold: Number(options.threshold),
    mode: options.mode === 'truncated' ? 'truncated' : 'hybrid',
    weights: options.weights === 'inertia' ? 'inertia' : 'identity',
    every: whole('every', options),
  } as const
  if (extras.weights) checkWeights(model, extras.weights)
  const bases = countBases(model)
  if (given.budget > 0 && given.budget < bases)
    throw new RangeError(
      `budget: ${given.budget} joints are fewer than the ${bases} free bases of model '${model.name}', which always move; take at least ${bases}, or 0 for no limit`,
    )
  return createAdaptiveStepper(model, given, forces, extras)
}

/** Throws RangeError that names the joint. */
function checkWeights(m: Model, weights: ArrayLike<number>): void {
  if (weights.length !== m.nv) throw new RangeError(`weights: expected ${m.nv} numbers, one a velocity, got ${weights.length}`)
  for (let k = 0; k < m.nv; k++) {
    if (weights[k] > 0 && weights[k] < Number.POSITIVE_INFINITY) continue
    const joint = m.joints.find(({ iv, nv }) => k >= iv && k < iv + nv)
    throw new RangeError(
      `weights: expected positive numbers, got ${weights[k]} for joint '${joint?.name}'; take a small one to care less about it`,
    )
  }
}

function whole(name: string, options: Options): number {
  const value = Number(options[name])
  if (!Number.isInteger(value)) throw new RangeError(`${name}: expected a whole number, got ${value}`)
  return value
}

/** Trees that float. */
function countBases(m: Model): number {
  let bases = 0
  for (let i = 1; i < m.nbody; i++) if (m.parent[i] === 0 && isFree(m, i)) bases++
  return bases
}

function refuses(m: Model): string | null {
  if (m.modes.count > 0) return "bodies that deform are not for adaptive dynamics; take solver 'ode'"
  if (m.constraints.count > 0)
    return "it has loops or other constraints, and adaptive dynamics needs a tree; take solver 'redmax', or leave the constraints out"
  for (let i = 1; i < m.nbody; i++) {
    if (!hasInertia(m.inertia, 10 * i))
      return `body '${m.bodies[i].name}' has no mass or no inertia about some axis; give it some, weld it to its neighbour, or take solver 'redmax'`
  }
  return null
}

/** True if a rigid inertia is positive definite. */
function hasInertia(I: Float64Array, o: number): boolean {
  const m = I[o]
  if (!(m > 0)) return false
  const [x, y, z] = [I[o + 1] / m, I[o + 2] / m, I[o + 3] / m]
  // about the centre of mass
  const xx = I[o + 4] - m * (y * y + z * z)
  const xy = I[o + 5] + m * x * y
  const xz = I[o + 6] + m * x * z
  const yy = I[o + 7] - m * (x * x + z * z)
  const yz = I[o + 8] + m * y * z
  const zz = I[o + 9] - m * (x * x + y * y)
  const least = 1e-12 * (xx + yy + zz)
  const det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
  return xx > least && xx * yy - xy * xy > least * least && det > least * least * least
}
