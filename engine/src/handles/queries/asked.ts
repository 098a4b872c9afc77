/**
 * What a simulation tells of contacts and distances: from the last step where there was one, else from the pose. It has no code of contact
 * itself, which the core leaves out.
 */
import { listPenaltyContacts } from '../../forces/penalty.js'
import type { Model } from '../../model/model.js'
import type { Contact } from '../../model/shapes.js'
import type { State } from '../../model/state.js'
import type { Look } from '../look.js'
import { takeNumbers } from '../numbers.js'
import type { Queries, ShapeDistance } from './queries.js'

export interface ContactOptions {
  /** true: only those with a force */
  readonly touching?: boolean
  /** coordinates of a pose, as `state.q` */
  readonly at?: ArrayLike<number>
  /** m: largest gap of contacts at a pose. Default 0.001 */
  readonly within?: number
}

export interface AskedContacts {
  /**
   * Where shapes touch or are about to, by name, with the forces there in the last step, in the world; `touching: true` leaves out those without
   * force. With `at`, before the first step, after a `reset` or a new pose, and with solvers without contact: those of the pose, without forces.
   * No query changes the state or the steps that follow. Allocates.
   */
  contacts(options?: ContactOptions): Contact[]
  /**
   * How far two shapes are from each other, by name, at the state as it is or at the coordinates `at`: also shapes that are only to look at, and
   * whatever the solver and the rules of contact are. Meshes count as their convex hulls. Allocates.
   */
  distance(shapeA: string, shapeB: string, options?: { readonly at?: ArrayLike<number> }): ShapeDistance
}

interface Sources {
  readonly model: Model
  readonly state: State
  look(): Look
  /** contacts of the solver, as it has them; undefined: it knows none */
  solver(): Contact[] | undefined
  /** whether these are of the last step, at the state as it is */
  isCurrent(): boolean
  readonly create: ((model: Model) => Queries) | undefined
}

export interface Asked extends AskedContacts {
  /** Those with forces: of the solver, and of the penalty. */
  pushing(): Contact[]
}

/** m: shapes with a smaller gap are drawn to touch */
const TOUCHING = 1e-3

export function createAsked({ model, state, look, solver, isCurrent, create }: Sources): Asked {
  let made: Queries | undefined
  const queries = (what: string): Queries => {
    made ??= create?.(model)
    if (!made) throw new Error(`${what}: createSimulationWith of 'limber/core' has no queries of shapes; use createSimulation of 'limber'`)
    return made
  }
  const poseAt = (at: ArrayLike<number>): Float64Array => {
    const q = new Float64Array(model.nq)
    takeNumbers('at', q, 0, at, model.nq)
    return q
  }
  const isPenalty = model.penalty.count * model.penalty.obstacles > 0
  const pushing = (): Contact[] => [...(solver() ?? []), ...(isPenalty ? listPenaltyContacts(model, look().data()) : [])]
  return {
    pushing,

    contacts({ touching = false, at, within = TOUCHING } = {}) {
      if (!(within >= 0)) throw new RangeError(`within: expected a distance in metres, got ${within}`)
      // forces are those of the last step: a pose has none
      if (at !== undefined) return touching || model.shapes.count < 2 ? [] : queries('contacts({ at })').contacts(poseAt(at), within)
      if (!create || isPenalty || isCurrent()) {
        const list = pushing()
        return touching ? list.filter(({ force }) => force.some((x) => x !== 0)) : list
      }
      return touching ? [] : queries('contacts').contacts(state.q, within)
    },

    distance: (shapeA, shapeB, { at } = {}) => queries('distance').distance(at === undefined ? state.q : poseAt(at), shapeA, shapeB),
  }
}
