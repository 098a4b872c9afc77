/**
 * The solver `adaptive`: only the joints that matter move; the rest of the mechanism moves as rigid groups, with a bound on what is neglected.
 */

import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { isFree } from '../../tree/dca/assembly.js'
import type { Detail, Options, Solver } from '../solver.js'
import { adaptiveInfo } from './info.js'
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
  return {
    ...adaptiveInfo,
    check: (model, options) => void readOptions(model, options, extras),
    create: (model, options, forces = []) => createAdaptiveStepper(model, readOptions(model, options, extras), forces, extras),
  }
}

export const adaptive: Solver = adaptiveWith({})

function readOptions(model: Model, options: Options, extras: AdaptiveExtras) {
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
  return given
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
